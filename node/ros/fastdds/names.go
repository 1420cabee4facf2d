// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds

import (
	"strings"

	"ugp_explorer/msgs"
	"ugp_explorer/node/ros"
)

// userField returns the value of key in user data of the form "key=value;…".
func userField(userData, key string) string {
	for _, f := range strings.Split(userData, ";") {
		if k, v, ok := strings.Cut(f, "="); ok && k == key {
			return v
		}
	}
	return ""
}

// serviceHashes returns the user data with the hash of a service's request or response, as the middlewares
// of ROS 2 Iron and later have it, and with the hash of the service, as Lyrical's have it: there nobody
// gets information about a service's ends if one of them is without it. It is "" for a service that this
// program does not know.
func serviceHashes(service, half string) string {
	whole := msgs.TypeHash(service)
	if whole == "" {
		return ""
	}
	return "sertypehash=" + whole + ";" + typeHash(msgs.TypeHash(service+half))
}

// Vendor of Eclipse Cyclone DDS (RTPS 2.3, 9.3.3.2, and the list of the OMG).
const vendorCyclone = 0x0110

// isCyclone reports whether the participant of a GUID runs on Eclipse Cyclone DDS. A prefix
// that does not come from a certificate begins with the vendor's number.
func (t *Transport) isCyclone(g ros.GUID) bool {
	if vendor, ok := t.vendors.Load(prefixOf(g)); ok {
		return vendor == vendorCyclone
	}
	return int(g[0])<<8|int(g[1]) == vendorCyclone
}

// isReader reports whether a GUID is a reader's (RTPS 2.3, table 9.1).
func isReader(g ros.GUID) bool { return g[15]&0x3f == 0x04 || g[15]&0x3f == 0x07 }

// prefix is the common part of the GUIDs of a participant.
type prefix [12]byte

func prefixOf(g ros.GUID) prefix { return prefix(g[:12]) }

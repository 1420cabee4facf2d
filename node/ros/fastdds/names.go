//go:build fastdds

package fastdds

import (
	"strings"

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

// isCyclone reports whether a GUID is from Eclipse Cyclone DDS: its prefix begins with the
// vendor's number.
func isCyclone(g ros.GUID) bool { return g[0] == 0x01 && g[1] == 0x10 }

// isReader reports whether a GUID is a reader's (RTPS 2.3, table 9.1).
func isReader(g ros.GUID) bool { return g[15]&0x3f == 0x04 || g[15]&0x3f == 0x07 }

// prefix is the common part of the GUIDs of a participant.
type prefix [12]byte

func prefixOf(g ros.GUID) prefix { return prefix(g[:12]) }

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"unicode"
)

// split takes a full name apart: "geometry_msgs/msg/Point" is "geometry_msgs" and "Point".
func split(name string) (pkg, short string) {
	parts := strings.Split(name, "/")
	return parts[0], parts[2]
}

// folder returns the Go package of a ROS package.
func folder(pkg string) string {
	if pkg == ownPackage {
		return pkg + "_msgs"
	}
	return pkg
}

// camel turns frame_id and LINE_STRIP into FrameID and LineStrip.
func camel(s string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(strings.ToLower(s), "_") {
		if part == "id" || part == "ok" {
			part = strings.ToUpper(part)
		}
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}

// snake turns NavSatFix into nav_sat_fix and TFMessage into tf_message.
func snake(s string) string {
	var b strings.Builder
	for i, r := range s {
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(rune(s[i-1])) || i+1 < len(s) && unicode.IsLower(rune(s[i+1]))) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

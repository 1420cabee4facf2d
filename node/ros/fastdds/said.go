// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds

import (
	"fmt"
	"regexp"
	"strings"
)

// What the plugins of DDS Security say: of an endpoint that its participant may not have, the
// same without naming the participant, and the place in their source.
var (
	kept       = regexp.MustCompile(`^Error checking create remote (reader|writer) ([0-9a-fA-F.]+)\|[0-9a-fA-F.]+ \((\S+) topic `)
	notAllowed = regexp.MustCompile(`\S+ topic (not found in allow rule|denied by deny rule)`)
	place      = regexp.MustCompile(`\s*\(\S*\.(cpp|hpp|h|ipp):\d+\)`)
)

// said reports what a plugin of DDS Security says.
func (r *reporter) said(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	text = strings.TrimSpace(place.ReplaceAllString(text, ""))
	m := kept.FindStringSubmatch(text)
	switch {
	case m != nil:
		what := "subscribe to"
		if m[1] == "writer" {
			what = "publish"
		}
		topic := m[3] // of DDS; that of a service stays so
		if name, ok := strings.CutPrefix(topic, "rt/"); ok {
			topic = "/" + name
		}
		args := append([]any{"topic", topic}, r.who(parsePrefix(m[2]))...)
		r.report("an endpoint is kept out: the permissions of its participant do not let it "+what+" this topic", args...)
	case notAllowed.MatchString(text): // said again, with the participant, or the error of an own endpoint
	default:
		r.report("DDS Security refuses something", "reason", text)
	}
}

// parsePrefix reads a prefix as the library prints it: "01.0f.…".
func parsePrefix(s string) (p prefix) {
	for i, b := range strings.Split(s, ".") {
		var v uint8
		if _, err := fmt.Sscanf(b, "%x", &v); err == nil && i < len(p) {
			p[i] = v
		}
	}
	return p
}

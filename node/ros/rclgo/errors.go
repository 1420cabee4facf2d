// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build rclgo

package rclgo

import (
	"fmt"
	"regexp"
	"strings"
)

// noise matches the text that rclgo adds to rcl's error messages: its own error type before
// and the place in rcl's source after.
var noise = regexp.MustCompile(`^\[\*rclgo\.\w+\]|, at \S+:\d+$|:? error not set$`)

// plain returns an error of rclgo without its stack. It must be called on the thread on
// which the error occurred and clears rcl's error there.
func plain(what string, err error) error {
	lastError()
	text, _, _ := strings.Cut(err.Error(), "\n")
	text = strings.TrimSpace(noise.ReplaceAllString(strings.TrimSpace(text), ""))
	if text == "" {
		text = fmt.Sprintf("%T", err)
	}
	return fmt.Errorf("ros/rclgo: %s: %s", what, text)
}

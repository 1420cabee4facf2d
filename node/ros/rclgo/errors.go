//go:build rclgo

package rclgo

import (
	"fmt"
	"regexp"
	"strings"
)

// noise is what rclgo writes around rcl's words: its own error's type before, and
// the place in rcl's source after.
var noise = regexp.MustCompile(`^\[\*rclgo\.\w+\]|, at \S+:\d+$|:? error not set$`)

// plain returns an error of rclgo without the stack that it prints with it. It
// must be called on the thread that had the error, which forgets it.
func plain(what string, err error) error {
	lastError()
	text, _, _ := strings.Cut(err.Error(), "\n")
	text = strings.TrimSpace(noise.ReplaceAllString(strings.TrimSpace(text), ""))
	if text == "" {
		text = fmt.Sprintf("%T", err)
	}
	return fmt.Errorf("ros/rclgo: %s: %s", what, text)
}

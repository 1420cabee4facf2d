// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package host

import (
	"strings"
	"testing"
	"time"

	"ugp_explorer/node/web"
)

func TestCommandsArePaced(t *testing.T) {
	now := int64(1e18)
	followed := map[string]int{}
	var p pace
	refused := ""
	give := func(n int) {
		for range n {
			for _, words := range []string{"resume", "pause", " stop "} {
				if why := p.refuses(words, now); why != "" {
					refused = why
				} else {
					followed[words]++
				}
			}
		}
	}
	give(10_000)
	if followed["resume"] != web.CommandBurst || followed["pause"] != 10_000 || followed[" stop "] != 10_000 || !strings.Contains(refused, "at most 5 per second") {
		t.Errorf("followed %v, want %d of resume and all others; the refusal is %q", followed, web.CommandBurst, refused)
	}
	for range 100 {
		now += int64(time.Second) / 10
		give(10)
	}
	if n := followed["resume"]; n < web.CommandBurst+10*web.CommandRate-1 || n > web.CommandBurst+10*web.CommandRate+1 {
		t.Errorf("resume was followed %d times within 10 s, want %d", n, web.CommandBurst+10*web.CommandRate)
	}
	now -= int64(time.Hour) // the clock is set back
	give(1)
	now += int64(time.Minute)
	before := followed["resume"]
	give(1)
	if followed["resume"] != before+1 {
		t.Error("after the clock was set back nothing is followed")
	}
}

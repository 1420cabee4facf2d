// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard

import (
	"math"
	"testing"
)

// A gyroscope of a robot that has not stood yet counts once it has turned as the wheels did; its bias is unknown until the robot stands.
func TestGyroscopeBeforeAStand(t *testing.T) {
	var y gyroscope
	const dt = 0.1
	now := int64(0)
	moves := func(seconds, speed, rate float64) (unknown float64, believed bool) {
		for range int(math.Round(seconds / dt)) {
			now += int64(dt * 1e9)
			y.heard, y.rate = now, rate
			var more float64
			_, more, believed = y.turn(now, dt, speed, rate)
			unknown += more
		}
		return unknown, believed
	}
	if _, believed := moves(1, 1, 0.5); believed {
		t.Error("believed after half a radian")
	}
	if unknown, believed := moves(2, 1, 0.5); !believed || math.Abs(unknown-2*unrested) > 1e-9 {
		t.Errorf("after 1.5 rad: believed %v, %g rad unknown, want %g", believed, unknown, 2*unrested)
	}
	moves(restLeast+dt, 0, 0)
	if unknown, believed := moves(2, 1, 0.5); !believed || unknown != 0 {
		t.Errorf("after a stand: believed %v, %g rad unknown", believed, unknown)
	}
}

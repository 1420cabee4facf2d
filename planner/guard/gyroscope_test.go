// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard

import (
	"math"
	"testing"
)

// A gyroscope counts once it has turned as the wheels did and the robot has stood, since its bias is unknown before. One whose bias has changed
// does not count until the robot has stood as long again.
func TestGyroscopeBeforeAStand(t *testing.T) {
	var y gyroscope
	const dt = 0.1
	now := int64(0)
	believed := func(seconds, speed, wheels, rate float64) (is bool) {
		for range int(math.Round(seconds / dt)) {
			now += int64(dt * 1e9)
			y.heard, y.rate = now, rate+1e-6*math.Mod(float64(now)/1e8, 3) // one that stays the same to the last bit has frozen
			_, _, is = y.turn(now, dt, speed, wheels)
		}
		return is
	}
	if believed(3, 1, 0.5, 0.51) {
		t.Error("believed before it has stood")
	}
	if believed(restLeast-dt, 0, 0, 0.01) || !believed(2*dt, 0, 0, 0.01) {
		t.Error("not believed as soon as it has stood")
	}
	if !believed(2, 1, 0.5, 0.51) {
		t.Error("not believed while it drives")
	}
	if believed(restLeast+dt, 0, 0, 0.21) || !believed(restLeast, 0, 0, 0.21) {
		t.Error("a new bias is not learnt")
	}
}

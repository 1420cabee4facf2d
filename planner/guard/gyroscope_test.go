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
	if believed(3, 0, 0.5, 0.51) {
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

// A stand that shows another bias than the stand before says that the robot may have turned on the drive between them.
func TestBiasThatHasChanged(t *testing.T) {
	for _, c := range []struct{ later, want float64 }{{0.01, 0}, {0.03, 0.2}} {
		var y gyroscope
		const dt = 0.1
		now, turned := int64(0), 0.0
		drive := func(speed, rate float64) { // for ten seconds
			for range 100 {
				now += int64(dt * 1e9)
				y.heard, y.rate = now, rate+1e-6*math.Mod(float64(now)/1e8, 3)
				_, otherwise, _ := y.turn(now, dt, speed, 0)
				turned += otherwise
			}
		}
		drive(0, 0.01)
		drive(1, 0.01)
		if drive(0, c.later); turned > 1e-3 {
			t.Errorf("on the first drive it may have turned by %.3f rad, want 0", turned)
		}
		if drive(1, c.later); math.Abs(turned-c.want) > 0.15*c.want+1e-3 {
			t.Errorf("after a bias of %g rad/s it may have turned by %.3f rad, want %g", c.later, turned, c.want)
		}
	}
}

// A gyroscope counts also if the turns of the robot are wide, its wheels report noise, or one side slips all the time, so that the wheels turn a
// robot that drives straight on.
func TestGyroscopeInWideTurns(t *testing.T) {
	for _, radius := range []float64{3, 8} {
		for _, slips := range []float64{0, 0.2} {
			var y gyroscope
			const dt = 0.1
			now, noise, believed := int64(0), 0.3, false
			drive := func(metres, speed, bend float64) {
				for end := now + int64(metres*1e9); now < end; {
					now += int64(dt * 1e9)
					y.heard, y.rate = now, bend*speed+1e-6*math.Mod(float64(now)/1e8, 3)
					noise = -noise
					_, _, believed = y.turn(now, dt, speed, (bend+slips+noise)*speed)
				}
			}
			drive(5, 0, 0)
			drive(20, 1, 0)
			if believed {
				t.Errorf("radius %g m, slip %g rad/m: believed before it has turned", radius, slips)
			}
			for range 3 {
				drive(radius, 1, 1/radius)
				drive(2*radius, 1, 0)
				drive(radius, 1, -1/radius)
			}
			if drive(500, 1, 0); !believed {
				t.Errorf("radius %g m, slip %g rad/m: not believed", radius, slips)
			}
		}
	}
}

// A robot that steers drives to and fro to turn in a narrow place, always to the same side. This shows its gyroscope, too: it is no bend, since
// that changes its sign with the speed.
func TestGyroscopeInATurnToAndFro(t *testing.T) {
	var w wheels
	const radius, dt = 3.0, int64(1e8)
	now := int64(1e9)
	w.advance(now)
	drive := func(seconds, speed, rate float64) {
		for end := now + int64(seconds*1e9); now < end; {
			now += dt
			w.gyro.measure(now, rate+1e-6*math.Mod(float64(now)/1e8, 3))
			w.measure(speed, 0, rate)
			w.advance(now)
		}
	}
	drive(5, 0, 0)
	drive(20, 0.6, 0)
	for range 4 {
		drive(2, 0.6, 0.6/radius)
		drive(2, -0.6, 0.6/radius)
	}
	if w.vague != seen {
		t.Errorf("after a turn of %.1f rad the gyroscope is not used", w.yaw)
	}
}

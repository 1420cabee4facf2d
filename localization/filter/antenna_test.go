// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"fmt"
	"math"
	"math/cmplx"
	"testing"

	"ugp_explorer/localization"
)

// Turns show where the antenna is, at any rate of fixes and also if their stamps are late; the belief is then right. An antenna that is where
// the configuration says stays there.
func TestAntennaIsFound(t *testing.T) {
	for _, antenna := range []localization.Lever{{}, {X: -0.3, Y: 0.2}, {X: 1}} {
		for _, rate := range []float64{1, 10} {
			for _, stdDev := range []float64{0.02, 0.3} {
				for _, late := range []float64{0, 0.3} {
					t.Run(fmt.Sprintf("%v/%g Hz/%g m/%g s", antenna, rate, stdDev, late), func(t *testing.T) {
						t.Parallel()
						drive := trip{rate: rate, stdDev: stdDev, gyro: true, seconds: 400, antenna: antenna, late: late}
						f, mean := drive.nees(t, 250)
						a := f.Antenna()
						if antenna == (localization.Lever{}) && a != antenna || stdDev < 0.1 && math.Hypot(a.X-antenna.X, a.Y-antenna.Y) > 0.1 {
							t.Errorf("the antenna is found at %+v", a)
						}
						if mean > 4 {
							t.Errorf("d² of the position is %.1f", mean)
						}
					})
				}
			}
		}
	}
}

// Turns on the spot move a misplaced antenna in another direction than the path of the wheels, as a wrong heading would. That does not turn the
// heading, and the antenna is found.
func TestMisplacedAntennaTurnsNoHeading(t *testing.T) {
	for _, antenna := range []localization.Lever{{X: 0.6}, {Y: 0.6}, {X: -0.6}, {X: -0.4, Y: -0.5}} {
		for _, rate := range []float64{1, 5} {
			drive := trip{rate: rate, stdDev: 0.02, gyro: true, seconds: 400, antenna: antenna, believed: localization.Lever{X: -antenna.X, Y: -antenna.Y}, corner: math.Pi}
			f := drive.run(t, 1)
			if a := f.Antenna(); f.Counts().Turned > 0 || math.Hypot(a.X-antenna.X, a.Y-antenna.Y) > 0.1 {
				t.Errorf("an antenna at %+v is found at %+v, and the heading is turned %d times", antenna, a, f.Counts().Turned)
			}
		}
	}
}

// A receiver that holds its fix while the robot turns on the spot says nothing about the antenna, and one whose fix follows the antenna does.
func TestHeldFixesShowNoAntenna(t *testing.T) {
	for _, holds := range []bool{false, true} {
		var shown turns
		for k := range 20 {
			yaw := 0.5 * float64(k)
			now := turn{stamp: int64(k+1) * 1000 * ms, yaw: yaw, antenna: cmplx.Rect(0.5, yaw)}
			if now.fix = 10; !holds {
				now.fix += cmplx.Rect(1, yaw)
			}
			shown.add(now, 0)
		}
		off, variance := shown.shown()
		if ok := !math.IsInf(variance, 0); ok == holds || ok && cmplx.Abs(off-0.5) > 1e-9 {
			t.Errorf("held %v: %v, variance %v", holds, off, variance)
		}
	}
}

// Until turns have shown the antenna's place, the robot's own is no more certain than it. Afterwards an antenna that is where the
// configuration says leaves nothing, and another one, which is not clear enough to be corrected, its square.
func TestAntennaBeforeTurns(t *testing.T) {
	for _, off := range []float64{0, 0.15} {
		shown, was := turns{}, math.Inf(1)
		for k := range 60 {
			yaw := 0.5 * float64(k)
			shown.add(turn{stamp: int64(k+1) * 1000 * ms, yaw: yaw, antenna: cmplx.Rect(0.5, yaw), fix: 10 + cmplx.Rect(0.5+off, yaw)}, 0)
			v := shown.variance(0.2)
			if n := shown.left; n < turnsNeeded && math.Abs(v-0.2*0.2) > 1e-12 || n >= turnsNeeded && off == 0 && !(v > 0 && v < was) {
				t.Fatalf("%g m off, after %g turns: %g m²", off, n, v)
			}
			was = v
		}
		if off*off/2 > was || was > off*off/2+1e-3 {
			t.Errorf("%g m off, at the end: %g m²", off, was)
		}
		if shown.variance(0) != 0 {
			t.Errorf("%g m off, a place that is known exactly: %g m²", off, shown.variance(0))
		}
	}
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"fmt"
	"math"
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

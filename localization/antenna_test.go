// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localization

import (
	"math"
	"math/cmplx"
	"testing"
)

// A receiver that holds its fix while the robot turns on the spot says nothing about the antenna, and one whose fix follows the antenna does.
func TestHeldFixesShowNoAntenna(t *testing.T) {
	for _, holds := range []bool{false, true} {
		var shown Turns
		for k := range 20 {
			yaw := 0.5 * float64(k)
			now := Turn{Stamp: int64(k+1) * 1e9, Yaw: yaw, Antenna: cmplx.Rect(0.5, yaw)}
			if now.Fix = 10; !holds {
				now.Fix += cmplx.Rect(1, yaw)
			}
			shown.Add(now, 0, 0.5)
		}
		if off, ok := shown.Clear(0, true); ok == holds || ok && cmplx.Abs(off-0.5) > 1e-9 {
			t.Errorf("held %v: %v, %v", holds, off, ok)
		}
	}
}

// Until turns have shown the antenna's place, the robot's own is no more certain than it. Afterwards an antenna that is where the
// configuration says leaves nothing, and another one, which is not clear enough to be corrected, its square.
func TestAntennaBeforeTurns(t *testing.T) {
	for _, off := range []float64{0, 0.15} {
		shown, was := Turns{}, math.Inf(1)
		for k := range 60 {
			yaw := 0.5 * float64(k)
			shown.Add(Turn{Stamp: int64(k+1) * 1e9, Yaw: yaw, Antenna: cmplx.Rect(0.5, yaw), Fix: 10 + cmplx.Rect(0.5+off, yaw)}, 0, 0.5)
			v := shown.Variance(0.2)
			if n := shown.left; n < turnsNeeded && math.Abs(v-0.2*0.2) > 1e-12 || n >= turnsNeeded && off == 0 && !(v > 0 && v < was) {
				t.Fatalf("%g m off, after %g turns: %g m²", off, n, v)
			}
			was = v
		}
		if off*off/2 > was || was > off*off/2+1e-3 {
			t.Errorf("%g m off, at the end: %g m²", off, was)
		}
		if shown.Variance(0) != 0 {
			t.Errorf("%g m off, a place that is known exactly: %g m²", off, shown.Variance(0))
		}
	}
}

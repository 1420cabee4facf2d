package fieldsim_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/ros"
)

// Fixes in the shadow state a standard deviation larger by the factor and have errors of
// that size, or are missing.
func TestShadow(t *testing.T) {
	for _, missing := range []bool{false, true} {
		r := newRig(t, func(c *fieldsim.Config) {
			c.Start = []float64{100, 100, 0}
			c.Fix.StdDev, c.Fix.Period, c.Fix.OutageGap = 0.5, 0.2, 0
			c.Shadow = fieldsim.ShadowConfig{Corners: []float64{110, 0, 300, 0, 300, 300, 110, 300}, Factor: 20, Missing: missing}
		})
		r.drive(15*time.Second, 1.5, 0)
		var open, dark int
		for _, h := range r.fix {
			truth := r.truthAt(ros.TimeNs(h.m.Header.Stamp)).Pose.Pose.Position
			sd := math.Sqrt(h.m.Pose.Covariance[0])
			want := 0.5
			if truth.X > 110 {
				dark++
				want = 10
			} else {
				open++
			}
			if math.Abs(sd-want) > 1e-9 || math.Hypot(h.m.Pose.Pose.Position.X-truth.X, h.m.Pose.Pose.Position.Y-truth.Y) > 6*want {
				t.Errorf("a fix at %g m claims %g m, want %g", truth.X, sd, want)
			}
		}
		if open == 0 || (dark == 0) != missing {
			t.Errorf("missing %t: %d fixes in the open, %d in the shadow", missing, open, dark)
		}
	}
}

func TestShadowCorners(t *testing.T) {
	for _, corners := range [][]float64{{1, 2, 3}, {1, 2, 3, 4}} {
		_, err := start(t, func(c *fieldsim.Config) { c.Shadow.Corners = corners })
		if err == nil || !strings.Contains(err.Error(), "fix.shadow") {
			t.Errorf("%v: error %v", corners, err)
		}
	}
}

// With a shorter range of a synthetic field, distant places are less correlated.
func TestFieldRange(t *testing.T) {
	alike := func(length float64) float64 {
		f, _, err := fieldsim.FieldConfig{Range: length}.Open(3)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for x := 100.0; x < 600; x += 10 {
			for y := 100.0; y < 1000; y += 10 {
				d := f.Smooth(x+40, y) - f.Smooth(x, y)
				sum += d * d
			}
		}
		return sum
	}
	if long, short := alike(0), alike(100); long*2 > short {
		t.Errorf("over 40 m the field changes by %g with its own range and by %g with one of 100 m", long, short)
	}
}

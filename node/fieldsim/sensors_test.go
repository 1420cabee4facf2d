// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fieldsim_test

import (
	"math"
	"testing"
	"time"

	"ugp_explorer/node/convert"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/ros"
)

// A fix gives the position of the base at its stamp and comes after the delay, at the
// time of a step. Its covariance states the white error and no heading.
func TestFixes(t *testing.T) {
	for _, c := range []struct {
		delay float64
		comes int64 // after its stamp
	}{{0, 0}, {0.12, 3 * tick}} {
		r := newRig(t, func(cfg *fieldsim.Config) { exact(cfg); cfg.Fix.Delay = c.delay })
		r.drive(8*time.Second, 1.5, 0.2)
		if len(r.fix) < 6 {
			t.Fatalf("delay %g s: %d fixes in 8 s at 1 Hz", c.delay, len(r.fix))
		}
		for i, h := range r.fix {
			m, stamp := h.m, ros.TimeNs(h.m.Header.Stamp)
			if h.at != stamp+c.comes {
				t.Fatalf("delay %g s: a fix comes %d ms after its stamp", c.delay, (h.at-stamp)/1e6)
			}
			if want := epoch + tick + int64(i)*int64(time.Second); stamp != want {
				t.Fatalf("fix %d has stamp %d, want %d", i, stamp, want)
			}
			if m.Header.FrameID != "map" {
				t.Fatalf("fix in %q", m.Header.FrameID)
			}
			at, truth := m.Pose.Pose.Position, r.truthAt(stamp).Pose.Pose.Position
			if e := math.Hypot(at.X-truth.X, at.Y-truth.Y); e > 0.01 {
				t.Fatalf("delay %g s: fix is %g m off where the robot was at its stamp", c.delay, e)
			}
			cov := m.Pose.Covariance
			onlyPlanar(t, &cov)
			if cov[0] != 1e-6 || cov[7] != 1e-6 || cov[1] != 0 || cov[35] < math.Pi*math.Pi {
				t.Fatalf("covariance %v, want (1 mm)² and a heading that is not known", cov)
			}
		}
	}
}

// A reading is the true field at the probe's true position at its stamp. It comes after
// the delay, in the probe's frame, and only while the robot stands.
func TestReadings(t *testing.T) {
	r := newRig(t, func(c *fieldsim.Config) { exact(c); c.Probe.Forward, c.Probe.Left = -0.4, 0.3 })
	for range 4 {
		r.drive(4*time.Second, 1, 0.3)
		r.run(8 * time.Second)
	}
	if len(r.reading) < 8 {
		t.Fatalf("%d readings in four stops of some 6 s at one each 1.5 s", len(r.reading))
	}
	field, _ := r.sim.Field()
	for _, h := range r.reading {
		stamp := ros.TimeNs(h.m.Header.Stamp)
		if delay := int64(200 * time.Millisecond); h.at != stamp+delay || h.m.Header.FrameID != "soil_probe" {
			t.Fatalf("reading in %q comes %d ms after its stamp", h.m.Header.FrameID, (h.at-stamp)/1e6)
		}
		truth := r.truthAt(stamp)
		if v := truth.Twist.Twist; math.Abs(v.Linear.X) > 0.01 || math.Abs(v.Angular.Z) > 0.01 {
			t.Fatalf("a reading while the robot moves at %+v", v)
		}
		yaw, err := convert.Yaw(truth.Pose.Pose.Orientation)
		r.must(err)
		at := truth.Pose.Pose.Position
		x := at.X - 0.4*math.Cos(yaw) - 0.3*math.Sin(yaw)
		y := at.Y - 0.4*math.Sin(yaw) + 0.3*math.Cos(yaw)
		if want := field.Value(x, y); math.Abs(h.m.Value-want) > 1e-9 || h.m.Variance != 0 {
			t.Fatalf("reading %g with variance %g, the field has %g there", h.m.Value, h.m.Variance, want)
		}
	}
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sense

import (
	"math"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization"
	"ugp_explorer/node/tf"
)

// rig drives a robot east at 1 m/s by odometry from t = 0 s, with odom at (100, 50) in the
// map, turned by 90°: in the map it drives north.
type rig struct {
	*testing.T
	*track
	ahead float64 // by which map → odom is stamped ahead, s
	poses []located
}

func newRig(t *testing.T, ahead float64) *rig {
	return &rig{T: t, track: newTrack("map", "base_link", tf.New()), ahead: ahead}
}

// add adds a transform in the plane, at a time, s: m, m, rad.
func (r *rig) add(parent, child string, stamp, x, y, yaw float64) {
	sin, cos := math.Sincos(yaw / 2)
	must.OK(r, r.buffer.Add(parent, child, int64(stamp*1e9), tf.Transform{Translation: r3.Vec{X: x, Y: y}, Rotation: quat.Number{Real: cos, Kmag: sin}}, false))
}

// run publishes at 20 Hz from one time to another, s.
func (r *rig) run(from, to, speed float64, x0 float64) {
	r.Helper()
	for i := 0; ; i++ {
		t := from + float64(i)*0.05
		if t > to+1e-9 {
			return
		}
		r.add("map", "odom", t+r.ahead, 100, 50, math.Pi/2)
		r.add("odom", "base_link", t, x0+speed*(t-from), 0, 0)
		at, due, err := r.next()
		must.OK(r, err)
		if due {
			r.poses = append(r.poses, at)
		}
	}
}

func belief(t, x, y, sx, sy, syaw float64) localization.Pose {
	return localization.Pose{Stamp: int64(t * 1e9), X: x, Y: y, Yaw: math.Pi / 2, Cov: [3][3]float64{{sx * sx}, {0, sy * sy}, {0, 0, syaw * syaw}}}
}

// Without a belief there is no pose; with one, its covariance grows with the distance
// driven since, and across it by the heading's. By hand: 10 m north with a heading of
// standard deviation 0.02 rad are 0.2 m in x, and at 0.1 m/m 1 m in x and y.
func TestCovarianceGrowsWithTheDistance(t *testing.T) {
	r := newRig(t, 0)
	r.run(0, 1, 0, 0)
	if len(r.poses) != 0 {
		t.Fatalf("%d poses without a covariance", len(r.poses))
	}
	r.addBelief(belief(1, 100, 50, 0.3, 0.4, 0.02))
	r.run(1.05, 11.05, 1, 0)
	last := r.poses[len(r.poses)-1]
	if math.Abs(last.X-100) > 1e-9 || math.Abs(last.Y-60) > 1e-6 || math.Abs(last.Yaw-math.Pi/2) > 1e-9 {
		t.Errorf("pose (%g, %g, %g), want (100, 60, 90°)", last.X, last.Y, last.Yaw)
	}
	want := [3][3]float64{{0.09 + 0.04 + 1, 0, -0.004}, {0, 0.16 + 1, 0}, {-0.004, 0, 0.0004}}
	for i := range 3 {
		for j := range 3 {
			if math.Abs(last.Cov[i][j]-want[i][j]) > 0.02 { // a step of 0.03 m is not counted yet
				t.Errorf("covariance %v, want %v", last.Cov, want)
			}
		}
	}
	dst := mat.NewSymDense(3, nil)
	for i := range 3 {
		for j := i; j < 3; j++ {
			dst.SetSym(i, j, last.Cov[i][j])
		}
	}
	var chol mat.Cholesky
	if !chol.Factorize(dst) {
		t.Errorf("the covariance %v is not positive definite", last.Cov)
	}
	// While the robot stands nothing grows, and no metre is driven.
	driven, grown := 0.0, last.Cov
	for _, p := range r.poses {
		driven += p.Metres
	}
	r.poses = nil
	r.run(11.1, 200, 0, 10)
	last = r.poses[len(r.poses)-1]
	if math.Abs(last.Cov[0][0]-grown[0][0]) > 0.01 || last.Speed != 0 || last.Metres != 0 || math.Abs(driven-10) > leastStep {
		t.Errorf("standing: covariance %v, speed %g, %g m driven before", last.Cov, last.Speed, driven)
	}
}

// A belief takes effect with the transforms that carry its correction, which AMCL stamps
// a second ahead.
func TestBeliefsTakeEffectWithTheirTransforms(t *testing.T) {
	r := newRig(t, 1)
	r.addBelief(belief(0, 100, 50, 3, 3, 0))
	r.run(0, 5, 0, 0)
	r.addBelief(belief(5, 100, 50, 0.1, 0.1, 0))
	r.poses = nil
	r.run(5.05, 8, 0, 0)
	var changed float64
	for _, p := range r.poses {
		if p.Cov[0][0] < 1 {
			changed = float64(p.Stamp) / 1e9
			break
		}
	}
	if math.Abs(changed-6) > 0.06 {
		t.Errorf("the belief of 5 s takes effect at %g s, want 6 s", changed)
	}
}

// Poses come at the rate of the configuration, with the speed of the odometry, and continue
// after time was set back.
func TestRateAndReset(t *testing.T) {
	r := newRig(t, 0)
	r.period = 200 * time.Millisecond
	r.addBelief(belief(0, 100, 50, 0.1, 0.1, 0.1))
	r.run(100, 110, 0.5, 0)
	if n := len(r.poses); n < 50 || n > 52 {
		t.Errorf("%d poses in 10 s, want 51", n)
	}
	last := r.poses[len(r.poses)-1]
	if math.Abs(last.Speed-0.5) > 1e-6 || !last.Continuous {
		t.Errorf("speed %g m/s, continuous %v", last.Speed, last.Continuous)
	}
	r.poses = nil
	r.buffer.Clear()
	r.clear()
	r.run(1, 2, 0.5, 30)
	if len(r.poses) < 5 || r.poses[0].Metres != 0 {
		t.Errorf("%d poses after time was set back, the first %+v", len(r.poses), r.poses)
	}
	if !r.believes() {
		t.Error("the last belief is forgotten, and a localisation tells no other while the robot stands")
	}
}

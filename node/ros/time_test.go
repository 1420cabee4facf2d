// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros_test

import (
	"testing"
	"time"

	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
)

// While the wall clock is set, forward or back, by seconds or years, the node's time goes on, stamps of others
// that follow the clock stay those of the same instants, and what the node sends has the clock's time.
func TestTimeGoesOnWhileTheClockIsSet(t *testing.T) {
	const (
		begin  = int64(1e18)
		little = 30 * time.Millisecond // as NTP keeps a clock right
	)
	for _, by := range []time.Duration{little, 3 * time.Second, -3 * time.Second, 2 * time.Hour, -2 * time.Hour, 170 * 24 * time.Hour, -20 * 365 * 24 * time.Hour} {
		clock := &rostest.Clock{Simulated: exec.NewSimulated(begin)}
		node := rostest.Node(t, inproc.New(), clock, "robot", ros.NodeOptions{})
		for i := range int64(3) { // set several times
			before := ros.TimeMsg(clock.Now())
			at := node.Now()
			if got := node.Stamped(before); got != at {
				t.Errorf("%v, set %d times: a stamp of now is off by %v", by, i, time.Duration(got-at))
			}
			clock.Set += int64(by)
			if node.Now() != at {
				t.Errorf("%v: the node's time moved by %v", by, time.Duration(node.Now()-at))
			}
			if err := clock.RunTo(t.Context(), clock.Simulated.Now()+int64(time.Second)); err != nil {
				t.Fatal(err)
			}
			if passed := time.Duration(node.Now() - at); passed != time.Second {
				t.Errorf("%v: %v passed, want 1 s", by, passed)
			}
			want := time.Duration(i+1) * by
			if by == little {
				want = 0
			}
			if got := time.Duration(node.ClockSet()); got != want {
				t.Errorf("%v: the clock was set by %v, want %v", by, got, want)
			}
			if got := ros.TimeNs(node.Stamp()); got != clock.Now() {
				t.Errorf("%v: a message of now is stamped off by %v", by, time.Duration(got-clock.Now()))
			}
			if got := time.Duration(ros.TimeNs(node.StampOf(at)) - at - node.ClockSet()); got != 0 {
				t.Errorf("%v: the stamp of an earlier time is off by %v", by, got)
			}
			if node.Stamped(ros.TimeMsg(0)) != 0 {
				t.Errorf("%v: no stamp has become one", by)
			}
			if by == little {
				clock.Set = 0
			}
		}
	}
}

// The clock of a real executor and its steady time start together.
func TestSteadyTimeOfRealTime(t *testing.T) {
	ex := exec.NewRealTime()
	defer ex.Close()
	before := ex.Steady()
	if d := time.Duration(ex.Now() - before); d < -time.Second || d > time.Minute {
		t.Errorf("steady time is off by %v", d)
	}
	if after := ex.Steady(); after < before {
		t.Errorf("steady time went back by %v", time.Duration(before-after))
	}
	ex.UseSimTime()
	ex.SetTime(5e9)
	if ex.Steady() != 5e9 {
		t.Errorf("in simulated time steady time is %d ns, want that of the simulation", ex.Steady())
	}
}

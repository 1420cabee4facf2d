//go:build fastdds

package process_test

import (
	"math"
	"testing"
	"time"

	"ugp_explorer/node/record"
)

// check fails the test unless the explorer has saved a mission of the samples that
// it was to take, with beliefs that hold the true places.
func (r *robot) check() *record.Mission {
	r.Helper()
	m := r.record()
	if want := r.cfg.Explorer.Mission.Budget.Samples; len(m.Observations) != want {
		r.Fatalf("%d samples are saved, want %d", len(m.Observations), want)
	}
	known := 0
	for _, o := range m.Observations {
		if o.TruePlace == nil { // the explorer was too slow to hear of it
			continue
		}
		known++
		// d = δᵀ·P⁻¹·δ is χ² with two degrees of freedom: beyond 30 with probability
		// e⁻¹⁵ for a filter that knows what it does not know.
		x, y, b := o.TruePlace[0]-o.Belief.X, o.TruePlace[1]-o.Belief.Y, o.Belief
		if d := (x*x*b.YY - 2*x*y*b.XY + y*y*b.XX) / (b.XX*b.YY - b.XY*b.XY); !(d < 30) {
			r.Errorf("sample %d was taken at %v, and is believed to be at (%.2f, %.2f) ± (%.2f, %.2f): %.3g squared deviations",
				o.Sequence, *o.TruePlace, b.X, b.Y, math.Sqrt(b.XX), math.Sqrt(b.YY), d)
		}
	}
	if known == 0 {
		r.Error("nothing is known of the samples' true places")
	}
	return m
}

// TestMission has the nodes see one another, and the mission end with its samples
// and the robot at home in a field that it did not leave.
func TestMission(t *testing.T) {
	r := newRobot(t, 40)
	o := r.observe()
	begin := time.Now()
	r.start()
	for _, e := range executables {
		o.wait(e.node+" in the graph", func() bool { return o.sees(e.node) })
	}
	o.finish()
	t.Logf("%v for a mission of %.0f s; %v", time.Since(begin).Round(time.Millisecond), o.status.ElapsedTime, o)
	o.standing()
	start, at := r.cfg.Fieldsim.Start, o.truth.Pose.Pose.Position
	if d := math.Hypot(at.X-start[0], at.Y-start[1]); d > r.cfg.Explorer.Mission.HomeTolerance+2 {
		t.Errorf("the robot ends %.1f m from where it started", d)
	}
	if o.astray > mostAstray {
		t.Errorf("the robot was %.1f m outside of the field", o.astray)
	}
	r.stop()
	r.check()
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
)

const mateName = "/robot2/ugp_explorer"

// mate is a team mate that the test plays.
type mate struct {
	w           *world
	observation *ros.Publisher[ugp_explorer_msgs.FieldObservation, *ugp_explorer_msgs.FieldObservation]
	status      *ros.Publisher[ugp_explorer_msgs.MissionStatus, *ugp_explorer_msgs.MissionStatus]
	told        uint32
}

func newMate(w *world) *mate {
	return &mate{
		w:           w,
		observation: advertise[ugp_explorer_msgs.FieldObservation](w, mateName+"/observation", ros.Latched().WithDepth(100)),
		status:      advertise[ugp_explorer_msgs.MissionStatus](w, mateName+"/status", ros.Latched()),
	}
}

// tells publishes an observation, changed by edit unless that is nil.
func (m *mate) tells(x, y float64, edit func(*ugp_explorer_msgs.FieldObservation)) {
	m.w.t.Helper()
	o := ugp_explorer_msgs.FieldObservation{
		Header:   std_msgs.Header{Stamp: ros.TimeMsg(epoch - int64(time.Hour) + int64(m.told)), FrameID: "map"},
		Sequence: m.told, Value: m.w.field(x, y), Variance: 0.01, Target: geometry_msgs.Point{X: x, Y: y},
	}
	convert.BeliefWithCovariance(&o.Belief, localization.Belief{X: x + 0.3, Y: y, XX: 0.2, XY: 0.1, YY: 0.4})
	m.told++
	if edit != nil {
		edit(&o)
	}
	m.w.must(m.observation.Publish(&o))
}

// drives publishes that the mate is on its way somewhere.
func (m *mate) drives(x, y float64) {
	m.w.t.Helper()
	m.w.must(m.status.Publish(&ugp_explorer_msgs.MissionStatus{
		Header: std_msgs.Header{FrameID: "map"}, State: string(mission.StateTravelling), HasTarget: true, Target: geometry_msgs.Point{X: x, Y: y},
	}))
}

func withMate() settings.Config {
	cfg := small()
	cfg.Team = []string{mateName}
	return cfg
}

// Observations of a team mate are in the model and apart in the record, none twice,
// and none that own poses and readings would be refused for.
func TestTeamObservations(t *testing.T) {
	cfg := withMate()
	cfg.Reading.Transform = string(record.TransformLn)
	w := newWorld(t, cfg)
	w.field = func(x, y float64) float64 { return 5 + hill(x, y) }
	m := newMate(w)
	m.tells(30, 30, nil)
	m.tells(200, 50, nil) // beyond this robot's field
	again := m.told
	m.tells(80, 20, nil)
	m.told = again
	m.tells(80, 20, nil)
	refused := map[string]func(*ugp_explorer_msgs.FieldObservation){
		"odom":             func(o *ugp_explorer_msgs.FieldObservation) { o.Header.FrameID = "odom" },
		"value is +Inf":    func(o *ugp_explorer_msgs.FieldObservation) { o.Value = math.Inf(1) },
		"variance 0,":      func(o *ugp_explorer_msgs.FieldObservation) { o.Variance = 0 },
		"variance NaN,":    func(o *ugp_explorer_msgs.FieldObservation) { o.Variance = math.NaN() },
		"no logarithm":     func(o *ugp_explorer_msgs.FieldObservation) { o.Value = -1 },
		"too far from":     func(o *ugp_explorer_msgs.FieldObservation) { o.Belief.Pose.Position.X = 1e5 },
		"its target (1e+0": func(o *ugp_explorer_msgs.FieldObservation) { o.Target.X = 1e9 },
		"value is 1e+200":  func(o *ugp_explorer_msgs.FieldObservation) { o.Value = 1e200 },
		"variance 1e-200":  func(o *ugp_explorer_msgs.FieldObservation) { o.Variance = 1e-200 },
		"target":           func(o *ugp_explorer_msgs.FieldObservation) { o.Target.Y = math.NaN() },
		"position":         func(o *ugp_explorer_msgs.FieldObservation) { o.Belief.Pose.Position.X = math.NaN() },
		"x x":              func(o *ugp_explorer_msgs.FieldObservation) { o.Belief.Covariance[0] = 1e6 },
		"x y":              func(o *ugp_explorer_msgs.FieldObservation) { o.Belief.Covariance[1] = 0.2 },
		"semi-definite":    func(o *ugp_explorer_msgs.FieldObservation) { o.Belief.Covariance[1], o.Belief.Covariance[6] = 2, 2 },
	}
	for want, edit := range refused {
		w.run(2 * time.Second) // the log is told once a second
		w.log.Reset()
		m.tells(50, 50, edit)
		w.run(time.Second)
		if log := w.log.String(); !strings.Contains(log, mateName) || !strings.Contains(log, want) {
			t.Errorf("nothing of %s in the log: %s", want, log)
		}
	}
	r := w.mission()
	if len(r.Observations) != 4 || r.Observations[3].Sequence != 4 || len(r.Team) != 3 || w.explorer.Model().Len() != 7 {
		t.Fatalf("%d own observations, %d of the team, %d in the model, want 4, 3 and 7", len(r.Observations), len(r.Team), w.explorer.Model().Len())
	}
	o := r.Team[0]
	want := record.Observation{
		Sequence: 1, Stamp: stamp(epoch - int64(time.Hour)), Target: record.Place{30, 30}, Belief: record.Belief{X: 30.3, Y: 30, XX: 0.2, XY: 0.1, YY: 0.4},
		Value: w.field(30, 30), Variance: 0.01, ModelValue: math.Log(w.field(30, 30)), ModelVariance: 0.01 / (w.field(30, 30) * w.field(30, 30)),
	}
	near(t, "the model's variance", o.Observation.ModelVariance, want.ModelVariance, 1e-12)
	o.Observation.ModelVariance = want.ModelVariance
	if o.Robot != mateName || !cmp.Equal(o.Observation, want) {
		t.Errorf("the record has %+v, want %+v", o, want)
	}
	if n, again := r.Counts["observations of team mates not usable"], r.Counts["observations of team mates repeated"]; n != int64(len(refused)) || again != 1 {
		t.Errorf("%d not usable and %d repeated, want %d and 1: %v", n, again, len(refused), r.Counts)
	}
	if n := len(w.observations); n != 4 || w.status.SamplesTaken != 4 {
		t.Errorf("%d observations published, %d samples in the status, want the robot's own 4", n, w.status.SamplesTaken)
	}
	for i, at := range r.Recommended {
		if at.Samples != i+1 || at.Team != 3 || r.Decisions[i].Samples != i {
			t.Errorf("recommended %+v, decision %+v after %d samples and 3 of the mate", at, r.Decisions[i], i)
		}
	}
	if r.Recommendation.AfterSamples != 4 || r.Recommendation.AfterTeam != 3 {
		t.Errorf("%+v, want 4 own and 3 others", r.Recommendation)
	}
}

// What a mate tells while the robot drives is learnt at once, and takes the place of
// what was known after as many own samples.
func TestTeamLearnsOnTheWay(t *testing.T) {
	w := newWorld(t, withMate())
	m := newMate(w)
	w.start()
	w.until("two samples and the drive to the next", func() bool { return len(w.observations) == 2 && w.driving() })
	w.stuck = true
	before := len(w.explorer.Record().Recommended)
	for i := range 3 {
		m.tells(20+20*float64(i), 80, nil)
	}
	w.until("a model of them", func() bool { return w.explorer.Model().Len() == 5 })
	r := w.explorer.Record()
	if n := len(r.Recommended); n != before || r.Recommended[n-1].Team != 3 || len(r.Hyper) != before {
		t.Errorf("%d recommendations and %d hyper-parameters, before %d: %+v", n, len(r.Hyper), before, r.Recommended)
	}
	w.stuck = false
	if r := w.finish(); len(r.Observations) != 4 || len(r.Team) != 3 {
		t.Errorf("%d and %d observations, want 4 and 3", len(r.Observations), len(r.Team))
	}
}

// A target keeps away from where a mate is sampling, until the mate is done there or
// was not heard for half a minute, also when the clock jumps meanwhile.
func TestTeamTargets(t *testing.T) {
	first := func(prepare func(*world, *mate)) record.Decision {
		w := newWorld(t, withMate())
		prepare(w, newMate(w))
		w.start()
		w.until("a decision", func() bool { return len(w.explorer.Record().Decisions) > 0 })
		return w.explorer.Record().Decisions[0]
	}
	alone := first(func(*world, *mate) {}).Target
	jump := func(by, silent time.Duration) func(*world, *mate) {
		return func(w *world, m *mate) {
			w.run(5 * time.Second)
			m.drives(alone[0], alone[1])
			w.run(time.Second)
			w.ex.Jump(w.ex.Now() + int64(by))
			w.run(silent)
		}
	}
	for _, c := range []struct {
		name    string
		prepare func(*world, *mate)
		away    bool
	}{
		{"just heard, when the clock jumps back", jump(-50*time.Second, 0), true},
		{"gone, when the clock has jumped back", jump(-50*time.Second, 40*time.Second), false},
		{"just heard, when the clock jumps on", jump(time.Hour, 0), true},
		{"gone, when the clock has jumped on", jump(time.Hour, 40*time.Second), false},
		{"just heard at what is now the zero of the clock", jump(-time.Duration(epoch)-5*time.Second, 10*time.Second), true},
		{"driving there", func(w *world, m *mate) { m.drives(alone[0], alone[1]) }, true},
		{"a while ago", func(w *world, m *mate) { m.drives(alone[0], alone[1]); w.run(20 * time.Second) }, true},
		{"lost", func(w *world, m *mate) { m.drives(alone[0], alone[1]); w.run(31 * time.Second) }, false},
		{"done", func(w *world, m *mate) {
			m.drives(alone[0], alone[1])
			w.must(m.status.Publish(&ugp_explorer_msgs.MissionStatus{State: string(mission.StateDone), Target: geometry_msgs.Point{X: alone[0], Y: alone[1]}}))
		}, false},
		{"elsewhere", func(w *world, m *mate) {
			w.must(m.status.Publish(&ugp_explorer_msgs.MissionStatus{Header: std_msgs.Header{FrameID: "odom"}, HasTarget: true, Target: geometry_msgs.Point{X: alone[0], Y: alone[1]}}))
		}, false},
	} {
		got := first(c.prepare).Target
		if d := math.Hypot(got[0]-alone[0], got[1]-alone[1]); d > 10 != c.away || !c.away && d > 1e-9 {
			t.Errorf("a mate %s: target %v, %g m from the one without a mate", c.name, got, d)
		}
	}
}

// While a mate whose name is before this one's decides, its decision is waited for,
// though not for ever, and counts; so does one that comes while this one's is kept back.
func TestTeamTakesTurns(t *testing.T) {
	planning := func(m *mate) {
		m.w.must(m.status.Publish(&ugp_explorer_msgs.MissionStatus{Header: std_msgs.Header{FrameID: "map"}, State: string(mission.StatePlanning)}))
	}
	decided := func(w *world) bool { return len(w.explorer.Record().Decisions) > 0 }
	start := func(team ...string) (*world, *mate, int64) {
		cfg := small()
		cfg.Team = team
		w := newWorld(t, cfg)
		m := newMate(w)
		planning(m)
		w.start()
		return w, m, w.ex.Now()
	}
	w, m, _ := start(mateName)
	w.run(2 * time.Second)
	if decided(w) || w.explorer.State() != mission.StatePlanning {
		t.Fatalf("%s while %s is planning", w.explorer.Status(), mateName)
	}
	m.drives(50, 50) // the middle, where the first sample of a robot alone is taken
	w.until("a decision", func() bool { return decided(w) })
	if at := w.explorer.Record().Decisions[0].Target; math.Hypot(at[0]-50, at[1]-50) < 10 {
		t.Errorf("the target is %v, where the mate is on its way", at)
	}
	w.finish()

	w, _, began := start(mateName)
	w.until("a decision", func() bool { return decided(w) })
	if waited := time.Duration(w.ex.Now() - began); waited < 4*time.Second || waited > 6*time.Second {
		t.Errorf("a mate that does not decide was waited for %v, want 5 s", waited)
	}

	w, _, began = start() // alone
	w.until("a decision", func() bool { return decided(w) })
	if waited := time.Duration(w.ex.Now() - began); waited > 100*time.Millisecond {
		t.Errorf("a robot alone waited %v", waited)
	}

	// Paused and resumed while it waits, it decides once.
	w, m, _ = start(mateName)
	w.call("pause")
	w.call("resume")
	m.drives(50, 50)
	w.until("a drive", func() bool { return w.driving() })
	w.run(time.Second)
	if n := len(w.explorer.Record().Decisions); n != 1 {
		t.Errorf("%d decisions for one target", n)
	}
}

// After a crash the mates tell again what they have sampled, and it counts once.
func TestTeamAfterACrash(t *testing.T) {
	team := func(c *settings.Config) { c.Team, c.AutoResume = []string{mateName}, true }
	tell := func(w *world) {
		m := newMate(w)
		for i := range 3 {
			m.tells(20+30*float64(i), 85, nil)
		}
	}
	w := begun(t, team)
	tell(w)
	w.until("2 samples and a model of 5", func() bool { return w.explorer.Model() != nil && w.explorer.Model().Len() == 5 })
	n := w.crashed(time.Second, team)
	tell(n)
	r := n.finish()
	if len(r.Observations) != 4 || len(r.Team) != 3 || n.explorer.Model().Len() != 7 {
		t.Errorf("%d own observations, %d of the team, %d in the model, want 4, 3 and 7", len(r.Observations), len(r.Team), n.explorer.Model().Len())
	}
	for i, at := range r.Recommended {
		if at.Samples != i+1 || at.Team != 3 {
			t.Errorf("recommendation %d is after %d samples and %d of the mate", i+1, at.Samples, at.Team)
		}
	}
}

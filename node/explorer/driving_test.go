package explorer_test

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/planner/mission"
)

// continuous is a mission of 600 m on the square field without stops, in pieces of 5 m.
func continuous() explorer.Config {
	c := small()
	c.Reading.AtStops = false
	c.Mission.Budget.Samples, c.Mission.Budget.Distance = 0, 600
	c.Mission.Speed = 2
	c.Path.Length = 5
	return c
}

// cruise is a world whose robot drives at 2 m/s and whose mission has no stops.
func cruise(t *testing.T, cfg explorer.Config, overrides ...string) *world {
	w := newWorld(t, cfg, overrides...)
	w.speed = 2
	return w
}

// A mission without stops: the robot halts nowhere between its start and home, every piece
// of its way makes an observation, and it keeps its budget and ends at home.
func TestMissionWithoutStops(t *testing.T) {
	w := cruise(t, continuous())
	var stood []orb.Point
	w.pose = func(m *nav_msgs.Odometry) {
		if w.explorer.State() == mission.StateTravelling && m.Twist.Twist.Linear.X == 0 {
			stood = append(stood, orb.Point{w.x, w.y})
		}
	}
	m := w.mission()
	last := m.Decisions[len(m.Decisions)-1].Target // there is no next one
	for _, at := range stood {
		if math.Hypot(at[0]-last[0], at[1]-last[1]) > 2 {
			t.Errorf("the robot stood at %v while travelling; its last target was %v", at, last)
		}
	}
	for _, s := range w.states {
		if s == string(mission.StateSampling) {
			t.Error("the mission stopped to sample")
		}
	}
	if len(m.Observations) < 100 || len(m.Observations) > 140 || len(m.Observations) != len(w.observations) {
		t.Errorf("%d observations of 600 m, %d heard, want about one for each 5 m", len(m.Observations), len(w.observations))
	}
	if m.Distance > 600 || m.Distance < 500 || math.Hypot(w.x-20, w.y-10) > 2 {
		t.Errorf("driven %g m of 600 m, ended at (%g, %g): %s", m.Distance, w.x, w.y, m.Outcome)
	}
	if len(m.Decisions) < 6 || int(w.status.SamplesTaken) != len(m.Observations) || len(m.Skipped) > 0 {
		t.Errorf("%d decisions, %d samples by the status, %d skipped", len(m.Decisions), w.status.SamplesTaken, len(m.Skipped))
	}
	// The hill's top is at (70, 60).
	if r := m.Recommendation; r == nil || math.Hypot(r.Target[0]-70, r.Target[1]-60) > 8 || r.AfterSamples != len(m.Observations) {
		t.Errorf("recommended: %+v after %d observations", r, len(m.Observations))
	}
	for i, o := range m.Observations {
		if o.Approach != nil || o.Sequence != i+1 || o.Target != [2]float64{o.Belief.X, o.Belief.Y} {
			t.Errorf("observation %d: %+v", i+1, o)
		}
	}
}

// The true places of the readings lie in their beliefs as often as they should, the true
// middle of each piece lies in that of the piece, and the belief covers the piece's extent.
func TestPiecesOfMissionAreWhereTheyAreBelieved(t *testing.T) {
	cfg := continuous()
	cfg.Truth = true
	w := cruise(t, cfg)
	w.cov = [3][3]float64{{0.25, 0.1, 0}, {0.1, 0.36, 0}, {0, 0, 0.0025}}
	draw := gaussian(w.cov, 3)
	w.estimate = func(p *localization.Pose) {
		dx, dy := draw(p.Stamp)
		p.X, p.Y = p.X+dx, p.Y+dy
	}
	m := w.mission()
	c := m.Consistency
	if c == nil || c.Readings < 800 {
		t.Fatalf("consistency: %+v", c)
	}
	// The errors are correlated over a second, so that about 300 of them are independent.
	if share := float64(c.Inside) / float64(c.Readings); math.Abs(share-0.865) > 0.06 {
		t.Errorf("%.3f of %d readings inside their 2σ ellipse, want 0.865", share, c.Readings)
	}
	pieces, extent := 0, 0.0
	for _, o := range m.Observations {
		if o.Path == nil || *o.Path < 4 {
			continue
		}
		pieces++
		if d := o.Belief.SquaredDistance(*o.TruePlace); d > 9 {
			t.Errorf("observation %d: the middle of its piece is at %v, %.1f σ from its belief %+v", o.Sequence, *o.TruePlace, math.Sqrt(d), o.Belief)
		}
		extent += o.Belief.XX + o.Belief.YY - 0.61
	}
	// Ten readings, every 0.5 m: 0.5²·(10² − 1)/12 = 2.06 m², less in bends; and the errors
	// change within a piece, of which half shows.
	if extent /= float64(pieces); extent < 1.6 || extent > 2.7 {
		t.Errorf("the extent of a piece adds %.2f m² to the pose's variance", extent)
	}
	if pieces < 80 {
		t.Errorf("%d pieces", pieces)
	}
}

// gaussian draws errors with a covariance that change every second.
func gaussian(cov [3][3]float64, seed int64) func(stamp int64) (dx, dy float64) {
	a := math.Sqrt(cov[0][0])
	b := cov[0][1] / a
	c := math.Sqrt(cov[1][1] - b*b)
	normal := func(k int64) float64 { // by Box and Muller, from a hash of k
		u := func(k int64) float64 {
			h := uint64(k)*0x9E3779B97F4A7C15 + uint64(seed)
			h = (h ^ h>>30) * 0xBF58476D1CE4E5B9
			h = (h ^ h>>27) * 0x94D049BB133111EB
			return (float64((h^h>>31)>>11) + 0.5) / (1 << 53)
		}
		return math.Sqrt(-2*math.Log(u(2*k))) * math.Cos(2*math.Pi*u(2*k+1))
	}
	return func(stamp int64) (float64, float64) {
		k := stamp / int64(time.Second)
		n1, n2 := normal(2*k), normal(2*k+1)
		return a * n1, b*n1 + c*n2
	}
}

// The robot stays out of a keep-out on its way from target to target.
func TestMissionWithoutStopsKeepsOut(t *testing.T) {
	cfg := continuous()
	cfg.Outline = between()
	w := cruise(t, cfg)
	w.corners = true
	inside := 0
	w.pose = func(m *nav_msgs.Odometry) {
		if p := m.Pose.Pose.Position; p.X > 40 && p.X < 60 && p.Y < 60 {
			inside++
		}
	}
	m := w.mission()
	if inside > 0 {
		t.Errorf("%d poses inside the keep-out", inside)
	}
	if len(m.Observations) < 80 {
		t.Errorf("%d observations", len(m.Observations))
	}
}

// The time of a sample, budget.sample_time, is nothing to a mission without stops: one that it would
// not fit in begins, and has a journal.
func TestMissionWithoutStopsNeedsNoSampleTime(t *testing.T) {
	cfg := continuous()
	cfg.OutputDir = filepath.Join(t.TempDir(), "mission")
	cfg.Mission.Budget.Duration, cfg.Mission.SampleTime = 120, 100 // and 30 s in reserve
	w := cruise(t, cfg)
	w.start()
	w.until("an observation", func() bool { return len(w.observations) > 0 })
	if found, err := journal.Read(cfg.OutputDir); err != nil || len(found.Observations) == 0 {
		t.Errorf("journal %+v, error %v; want one with an observation", found, err)
	}
}

// A mission that is killed between two targets goes on with the target that it was driving
// to, and with what it had observed, and observes nothing while it waits for its command.
func TestMissionWithoutStopsResumes(t *testing.T) {
	cfg := continuous()
	cfg.OutputDir = filepath.Join(t.TempDir(), "mission")
	w := cruise(t, cfg)
	w.start()
	w.until("a change of target and some observations", func() bool { return len(w.observations) >= 30 && w.explorer.State() == mission.StateTravelling })
	w.run(1200 * time.Millisecond)
	target, before := w.status.Target, len(w.explorer.Record().Observations)
	next := w.crashed(2*time.Second, func(c *explorer.Config) { c.Reading, c.Path = cfg.Reading, cfg.Path })
	next.speed = 2
	next.until("the status", func() bool { return next.status.State != "" })
	next.run(20 * time.Second)
	if n := len(next.explorer.Record().Observations); n != before || next.explorer.State() != mission.StatePaused {
		t.Fatalf("%d observations before the kill, %d after, state %s", before, n, next.explorer.State())
	}
	if ok, text := next.call("resume"); !ok {
		t.Fatal(text)
	}
	next.until("the drive", next.driving)
	if got := next.goals[len(next.goals)-1]; math.Hypot(got.x-target.X, got.y-target.Y) > 0.5 {
		t.Errorf("resumed to (%g, %g), the target was (%g, %g)", got.x, got.y, target.X, target.Y)
	}
	m := next.finish()
	if len(m.Observations) < before+60 || len(m.Resumed) != 1 || m.Distance > 600 {
		t.Errorf("%d observations, %d before; resumed %v; %g m", len(m.Observations), before, m.Resumed, m.Distance)
	}
	for i, o := range m.Observations {
		if o.Sequence != i+1 {
			t.Fatalf("observation %d has the number %d", i+1, o.Sequence)
		}
	}
}

// A paused mission observes nothing: anybody may move the robot.
func TestPausedMissionObservesNothing(t *testing.T) {
	w := cruise(t, continuous())
	w.start()
	w.until("some observations", func() bool { return len(w.observations) >= 10 })
	if ok, text := w.call("pause"); !ok {
		t.Fatal(text)
	}
	n := len(w.explorer.Record().Observations)
	w.way = []orb.Point{{w.x, w.y + 20}}
	w.run(20 * time.Second)
	w.way = nil
	if got := len(w.explorer.Record().Observations); got != n {
		t.Errorf("%d observations while paused", got-n)
	}
}

// Without readings the target is given up after SampleTimeout, and the robot returns home
// after MaxFailures of them.
func TestMissionWithoutStopsNeedsReadings(t *testing.T) {
	cfg := continuous()
	cfg.Mission.Budget.Distance, cfg.Mission.SampleTimeout, cfg.Mission.MaxFailures = 0, 5, 3
	w := cruise(t, cfg)
	w.start()
	w.until("some observations", func() bool { return len(w.observations) >= 10 })
	w.noReading = true
	m := w.finish()
	if len(m.Skipped) != 2 && len(m.Skipped) != 3 || !strings.Contains(m.Outcome, "no reading within 5 s of driving") {
		t.Errorf("%d targets given up: %s", len(m.Skipped), m.Outcome)
	}
}

// What does not fit a mission without stops is refused by name.
func TestMissionWithoutStopsRefuses(t *testing.T) {
	for _, c := range []struct {
		change func(*explorer.Config)
		want   []string
	}{
		{func(c *explorer.Config) { c.Mission.Budget.Samples = 30 }, []string{"sample.stop", "budget.samples is 30", "budget.distance"}},
		{func(c *explorer.Config) { c.Path.Length, c.Path.Time = 0, 0 }, []string{"sample.stop", "length and the time of a piece"}},
		{func(c *explorer.Config) { c.Learn.On = true }, []string{"sample.stop", "execution noise"}},
	} {
		cfg := continuous()
		c.change(&cfg)
		err := cfg.Validate()
		if err == nil || slices.ContainsFunc(c.want, func(s string) bool { return !strings.Contains(err.Error(), s) }) {
			t.Errorf("%v, want all of %q", err, c.want)
		}
		if cfg.Passive = true; cfg.Validate() != nil { // then nothing of that applies
			t.Errorf("passive: %v", cfg.Validate())
		}
	}
	if cfg := explorer.DefaultConfig(); !cfg.Reading.AtStops {
		t.Error("missions do not stop by default")
	}
}

// The grid is a lawnmower without stops: the robot drives its points one after the other.
func TestGridWithoutStops(t *testing.T) {
	cfg := continuous()
	cfg.Method, cfg.Mission.Budget.Samples, cfg.Mission.Budget.Distance = "grid", 16, 0
	m := cruise(t, cfg).mission()
	if len(m.Decisions) != 16 || len(m.Observations) < 70 || m.Budget.Samples != 0 {
		t.Errorf("%d targets, %d observations, budget %+v: %s", len(m.Decisions), len(m.Observations), m.Budget, m.Outcome)
	}
}

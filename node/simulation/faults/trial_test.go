// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/simulation"
	"ugp_explorer/planner"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
	"ugp_explorer/sim"
)

// Trial is a mission and what goes wrong in it, drawn from a seed.
type Trial struct {
	Seed   int64
	Faults []Fault // by the time at which they begin, and then those that lie

	field    field.Field
	start    sim.Pose
	inside   sim.Pose  // where it starts if it must not start outside
	home     []float64 // as in the explorer's configuration
	config   simulation.Config
	nav2     bool // the robot drives by Nav2's action
	watchdog bool // a guard without an outline stands between follower and robot
	laptop   bool // the explorer has a computer, and so a clock, of its own
	guard    bool // a guard keeps the robot inside its fence

	log slog.Handler // of all nodes; nil: nobody reads it
}

// stream returns the random numbers of a seed for one purpose. What is drawn for one does
// not depend on another, so a fault is the same without the other faults.
func stream(seed int64, purpose string) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprint(h, purpose)
	return rand.New(rand.NewPCG(uint64(seed), h.Sum64()))
}

// Draw returns the trial of a seed.
func Draw(seed int64) *Trial {
	t := drawHonest(seed)
	t.drawLies(stream(seed, "lies"))
	t.drawReceiver(stream(seed, "receiver"))
	return t
}

// drawReceiver gives one of three trials a receiver that errs as real ones do. The others have white errors.
func (t *Trial) drawReceiver(rng *rand.Rand) {
	if rng.IntN(3) > 0 {
		return
	}
	kinds := slices.DeleteFunc(sim.Receivers(), func(name string) bool { return name == "exact" })
	t.config.Fieldsim.Receiver = kinds[rng.IntN(len(kinds))]
}

// drawHonest returns the trial of a seed in which no source lies, and fixes come at 1 to 5 Hz.
func drawHonest(seed int64) *Trial {
	t := &Trial{Seed: seed}
	rng := stream(seed, "trial")
	for !t.drawGround(rng) {
	}
	t.nav2, t.watchdog, t.laptop = rng.IntN(6) == 0, rng.IntN(2) == 0, rng.IntN(3) == 0
	if t.nav2 { // it plans nothing from outside
		t.start = t.inside
	}
	t.drawRobot(rng)
	t.drawMission(rng)
	t.drawFaults(stream(seed, "schedule"))
	return t
}

// drawGround draws a field and where the robot starts. It returns false for a field that is
// too narrow for the robot.
func (t *Trial) drawGround(rng *rand.Rand) bool {
	t.config = simulation.DefaultConfig(t.Seed)
	t.field = drawField(rng)
	e := &t.config.Explorer
	e.Radius = between(rng, 0.15, 0.5)
	if rng.IntN(2) == 0 {
		e.Field.Margin = 1.5*e.Radius + between(rng, 0.1, 0.8)
	}
	least := e.Field.Margin
	if math.IsNaN(least) {
		least = 1.5*e.Radius + 0.1
	}
	region, err := field.NewRegion(t.field, least+0.5)
	if err != nil {
		return false
	}
	at := region.Points(1, rng).RawRowView(0)
	t.start = sim.Pose{X: at[0], Y: at[1], Yaw: between(rng, -math.Pi, math.Pi)}
	t.inside = t.start
	if rng.IntN(8) == 0 { // outside, beside an edge
		g := ground{t.field.Boundary, t.field.KeepOuts}
		b := t.field.Boundary.Bound().Pad(4)
		for range 50 {
			p := orb.Point{between(rng, b.Min[0], b.Max[0]), between(rng, b.Min[1], b.Max[1])}
			if d := g.depth(p); d < -0.5 && d > -4 && !contains(t.field.Boundary, p) {
				t.start.X, t.start.Y = p[0], p[1]
				break
			}
		}
	}
	if rng.IntN(4) == 0 {
		home := orb.Point(region.Points(1, rng).RawRowView(0))
		_, _, err := region.Path(orb.Point{t.start.X, t.start.Y}, home)
		_, _, within := region.Path(orb.Point{t.inside.X, t.inside.Y}, home)
		if err == nil && within == nil {
			t.home = home[:]
		}
	}
	return true
}

func (t *Trial) drawRobot(rng *rand.Rand) {
	c := &t.config
	c.Follower.Radius = c.Explorer.Radius
	w := &c.Fieldsim
	w.Start = []float64{t.start.X, t.start.Y, t.start.Yaw}
	w.Rate = 10
	w.Odometer.Period = 0.1
	w.Plant.MaxSpeed = between(rng, 0.8, 2)
	w.Plant.LongitudinalSlip = between(rng, 0, 0.05)
	w.Fix.StdDev = []float64{0.02, 0.1, 0.3}[rng.IntN(3)]
	w.Fix.Period = between(rng, 0.2, 1)
	w.Fix.OutageGap = 0
	w.Probe.Forward, w.Probe.Left = between(rng, -0.6, 0.6), between(rng, -0.2, 0.2)
	w.Probe.Period = between(rng, 0.5, 2)
	w.Probe.OnlyStanding = rng.IntN(2) == 0
	w.PublishIMU = rng.IntN(4) == 0
	w.Gyro.Period = 0.1
	c.Follower.Rate = 10
	c.Follower.Pursuit.MaxSpeed = between(rng, 0.5, 1.5)
	if rng.IntN(3) == 0 {
		c.Follower.GoalTimeout = between(rng, 2.5, 8)
	}
	if rng.IntN(3) == 0 {
		c.EKF.Odometry = "twist"
	}
	c.EKF.Filter.InitialYaw = t.start.Yaw
}

func (t *Trial) drawMission(rng *rand.Rand) {
	e := &t.config.Explorer
	e.Outline, e.OutlineName = t.field, "the drawn field"
	e.Home = t.home
	e.AutoStart = rng.IntN(3) > 0
	e.AutoResume = rng.IntN(2) == 0
	e.Existing = settings.ExistingResume
	e.Truth = false
	e.Alone = true
	e.MapCell = 5
	e.Quantity, e.Units = "potassium", "mg/l"
	e.Matcher.Probe = localization.Lever{X: t.config.Fieldsim.Probe.Forward, Y: t.config.Fieldsim.Probe.Left}
	if rng.IntN(4) == 0 {
		e.PoseSource = "pose"
	}
	if t.nav2 {
		e.Interface = "navigate_to_pose"
		e.Legs = rng.IntN(3) > 0
		e.HeadingDrive = 0
	}

	catalogue := planner.Robot()
	e.Method = catalogue[rng.IntN(len(catalogue))].Name
	objectives := planner.Objectives()
	e.Objective, e.Threshold = objectives[rng.IntN(len(objectives))], 1.4
	e.Beta = between(rng, 0, 5)
	rng.IntN(3) // without it the seeds that the tests name would draw other missions
	e.Search.Starts, e.Search.Refine = 20+rng.IntN(40), 2
	e.Model.Prior.Starts, e.Model.Average = 1, 1
	e.Model.Fit = rng.IntN(3) == 0
	e.Model.Kernel = "matern32"
	e.Model.LengthScale = between(rng, 3, 15)
	e.Model.SignalStdDev, e.Model.Mean = 0.3, 1.4
	e.Learn.On = rng.IntN(3) == 0

	e.Reading.Count = 1 + rng.IntN(4)
	e.Reading.Wait = between(rng, 4, 15)

	m := &e.Mission
	m.Budget = mission.Budget{Samples: 2 + rng.IntN(5)}
	if rng.IntN(2) == 0 {
		m.Budget.Distance = between(rng, 15, 120)
	}
	if rng.IntN(3) == 0 {
		m.Budget.Duration = between(rng, 60, 400)
	}
	m.ReserveFactor = pick(rng, 1, between(rng, 1, 2))
	m.ReserveTime = between(rng, 5, 30)
	m.Speed = 0.6 * t.config.Follower.Pursuit.MaxSpeed
	m.SettleTime = between(rng, 0, 1.5)
	m.GoalTimeoutBase = between(rng, 10, 40)
	m.GoalTimeoutFactor = between(rng, 1.5, 3)
	rng.IntN(2) // without this number, the seeds of regressions would be other missions
	m.PlanTimeout = between(rng, 5, 60)
	m.SampleTimeout = e.Reading.Wait + between(rng, 3, 20)
	m.PoseTimeout = between(rng, 1, 4)
	if rng.IntN(3) == 0 {
		m.StuckTime = between(rng, 4, 15)
	}
	m.MaxFailures = 2 + rng.IntN(4)
	e.GoalPeriod = between(rng, 0.4, 1.5)
	e.SkipTime = between(rng, 0, 300)
}

// explorer returns the explorer's configuration for one start of its process.
func (t *Trial) explorer() settings.Config {
	c := t.config.Explorer
	c.Home = append([]float64(nil), t.home...)
	c.Catalogue = planner.Robot()
	return c
}

// stated returns the standard deviation that the receiver states, m.
func (t *Trial) stated() float64 {
	if name := t.config.Fieldsim.Receiver; name != "" {
		r, _ := sim.ReceiverOf(name) // it was drawn from those that there are
		return r.Stated()
	}
	return t.config.Fieldsim.Fix.StdDev
}

// fence returns how far outside the field the guard may let the true robot come, m: the
// allowance by which its outline is widened. An owner of a coarser receiver allows more.
func (t *Trial) fence() float64 {
	if stdDev := t.stated(); stdDev > centimetres {
		return 10 * stdDev
	}
	return 0
}

// spare is the room beyond the standard deviations that count for a robot to drive on that has waited for a more certain position.
const spare = 1.25

// narrow reports whether the field is too narrow for the errors of the receiver: a robot that waits there would wait for ever.
func (t *Trial) narrow() bool {
	e, stdDev := &t.config.Explorer, t.stated()
	if r, err := sim.ReceiverOf(t.config.Fieldsim.Receiver); err == nil {
		stdDev = max(stdDev, r.StdDev())
	}
	return ground{t.field.Boundary, t.field.KeepOuts}.deepest() < e.Radius+spare*e.Field.Sigmas*stdDev
}

// behind reports whether a guard stands between follower and robot.
func (t *Trial) behind() bool { return t.watchdog || t.guard }

// String describes the trial in a line.
func (t *Trial) String() string {
	e := &t.config.Explorer
	drive := "the follower"
	if t.nav2 {
		drive = "Nav2"
	}
	return fmt.Sprintf("seed %d: %s, %s, by %s, receiver %s, budget %d samples, %.0f m, %.0f s; %d faults",
		t.Seed, e.Method, e.Objective, drive, cmp.Or(t.config.Fieldsim.Receiver, "white"), e.Mission.Budget.Samples, e.Mission.Budget.Distance, e.Mission.Budget.Duration, len(t.Faults))
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
	"github.com/paulmach/orb/resample"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/planner"
	"ugp_explorer/planner/mission"
	"ugp_explorer/planner/surface"
	"ugp_explorer/sim"
)

// The robot of [Simulation.DriveLattice] drives straight from corner to corner of its path.
const (
	driveSpeed = 1.4  // m/s, mean speed of the simulated robot, turns included
	driveMiss  = 0.6  // standard deviation of where a sample is taken about its target, in x and in y, m
	driveBlur  = 0.45 // standard deviation of the belief about that place, in x and in y, m
)

// DriveLattice drives along the lattice of a trial without the nodes: through its points in
// order, beginning at the end nearer to the start, past those that the budget does not
// suffice for. All samples are learnt at the end, with the explorer's model. That takes a
// small part of the time of [Simulation.Run], and is meant for choosing numbers of points.
// Of the regrets the outcome has the smooth one alone, and it has no map error and no course.
func (s *Simulation) DriveLattice(t BudgetTrial) (BudgetOutcome, error) {
	o := BudgetOutcome{BudgetTrial: t}
	region, rng, hearing := s.explorer.Region(), sim.Stream(uint64(t.Seed), "lattice"), sim.Stream(uint64(t.Seed), "lattice/secondary")
	home := orb.Point(s.cfg.Fieldsim.Start[:2])
	region.Project(home[:], home[:])
	there, back := region.NewDistanceField(), region.NewDistanceField()
	there.From(home[:])
	back.From(home[:])

	cfg := s.cfg.Explorer
	opt, err := cfg.NewOptimizer(region)
	if err != nil {
		return o, err
	}
	spent := mission.Ledger{Config: cfg.Mission.BudgetConfig}
	spent.Config.Budget.Samples = t.Points
	points, ahead := region.Grid(t.Points, rowsApart[t.Method]), 1
	next := 0
	if last := len(points) - 1; there.Length(points[last]) < there.Length(points[0]) {
		next, ahead = last, -1
	}
	noise := s.cfg.Fieldsim.Probe.StdDev / math.Sqrt(float64(cfg.Reading.Count))
	last := home
	var left float64 // m to home
	for ; next >= 0 && next < len(points); next += ahead {
		x := points[next]
		to, from := there.Length(x), back.Length(x)
		if !spent.Affordable(to, from) {
			continue
		}
		spent.Samples++
		spent.Distance += to
		spent.Duration += to/driveSpeed + t.sampleSeconds()
		at := [2]float64{x[0] + driveMiss*rng.NormFloat64(), x[1] + driveMiss*rng.NormFloat64()}
		value := s.truth.Value(at[0], at[1]) + noise*rng.NormFloat64()
		sample := planner.Sample{Target: x, Variance: noise * noise, Value: value, Located: driveBelief(at, rng)}
		if err := errors.Join(opt.Check(sample), s.listen(opt, last, orb.Point(x), hearing)); err != nil {
			return o, err
		}
		opt.Add(sample)
		last = orb.Point(x)
		there.From(x)
		left = from
	}
	o.Samples, o.Driven = spent.Samples, spent.Distance+left
	o.Duration = spent.Duration + left/driveSpeed
	if o.Samples == 0 {
		return o, fmt.Errorf("%v: no point is within the budget", t)
	}
	err = s.judge(&o, opt)
	return o, err
}

// driveBelief returns what the robot believes about a place at which it is, m.
func driveBelief(at [2]float64, rng *rand.Rand) gp.Belief {
	return gp.Belief{
		Mean: []float64{at[0] + driveBlur*rng.NormFloat64(), at[1] + driveBlur*rng.NormFloat64()},
		Cov:  mat.NewSymDense(2, []float64{driveBlur * driveBlur, 0, 0, driveBlur * driveBlur}),
	}
}

// listen gives the optimiser what a second sensor measures on the way between two places and at its end, if
// the robot has one.
func (s *Simulation) listen(opt *planner.Optimizer, from, to orb.Point, rng *rand.Rand) error {
	field := s.world.Secondary()
	if field == nil {
		return nil
	}
	way, length, err := s.explorer.Region().Path(from, to)
	if err != nil {
		return err
	}
	const apart, readings = 60, 6 // m from one value to the next, and readings of each
	for _, at := range resample.Resample(way, planar.Distance, 2+int(length/apart))[1:] {
		noise := fieldsim.SecondaryProbe().StdDev / math.Sqrt(readings)
		value := field(at[0], at[1]) + noise*rng.NormFloat64()
		if err := opt.Hear(gp.Observation{Belief: driveBelief(at, rng), Value: value, NoiseVariance: noise * noise}); err != nil {
			return err
		}
	}
	return nil
}

// judge learns the samples and sets the smooth regret of the place that is then recommended.
func (s *Simulation) judge(o *BudgetOutcome, opt *planner.Optimizer) error {
	job := opt.Job(nil)
	if job.Run(); job.Err != nil {
		return job.Err
	}
	region := s.explorer.Region()
	lo, hi := region.Bounds()
	inside := func(x, y float64) bool { return region.Contains([]float64{x, y}) }
	best, err := surface.MaxExpected(s.truth.Smooth, orb.Bound{Min: orb.Point(lo), Max: orb.Point(hi)}, s.truth.Resolution(), inside, [2][2]float64{})
	if err != nil {
		return err
	}
	o.Smooth = best.Value - s.truth.Smooth(job.Best.X[0], job.Best.X[1])
	return nil
}

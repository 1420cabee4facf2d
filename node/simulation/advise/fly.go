// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package advise

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/simulation/ideal"
	"ugp_explorer/planner"
	"ugp_explorer/planner/surface"
	"ugp_explorer/sim"
)

// mapPlaces is the number of places at which a map is compared with the field.
const mapPlaces = 500

// flyBudget runs a mission.
func (p *Plan) flyBudget(ctx context.Context, t trial) (Outcome, error) {
	f, flight, err := p.fly(ctx, t, true)
	if err == nil && flight.Record.Recommended[len(flight.Record.Recommended)-1].Target == nil {
		f, flight, err = p.fly(ctx, t, false) // it was called home on the way to a target
	}
	if err != nil {
		return Outcome{}, err
	}
	m := flight.Record
	o := Outcome{
		trial: t, Kernel: f.kernel(), Length: f.hyper.LengthScales[0],
		Driven: m.Distance, Duration: m.SimulatedTime, Samples: len(m.Observations),
	}
	show := p.show(f)
	at := m.Recommended[len(m.Recommended)-1].Or(m.Observations[len(m.Observations)-1].Target)
	best, found, mean := show(f.best), show(f.Smooth(at[0], at[1])), show(f.mean)
	if p.explorer.Objective == planner.ObjectiveMinimum {
		best, found, mean = -show(f.worst), -found, -mean
	}
	o.Regret, o.Worth, o.Span = max(best-found, 0), best-mean, show(f.best)-show(f.worst)
	predictor, err := flight.Model.NewPredictor(nil)
	if err != nil {
		return Outcome{}, err
	}
	x := flight.Region.Points(mapPlaces, sim.Stream(p.cfg.Seed, "advise/map"))
	means, variances := make([]float64, mapPlaces), make([]float64, mapPlaces)
	predictor.PredictBatch(means, variances, x)
	for i, v := range means {
		e := show(v) - show(f.Smooth(x.At(i, 0), x.At(i, 1)))
		o.MapError += e * e / mapPlaces
	}
	o.MapError = math.Sqrt(o.MapError)
	return o, nil
}

// ground is a drawn field, which all missions of one number share.
type ground struct {
	mu     sync.Mutex
	number int
	field  *drawn
	source rand.PCG // of the missions, after the field was drawn
}

// ground returns the field of the missions of a number, which is drawn at the first call, and a random source for one of these missions.
func (p *Plan) ground(number int) (*drawn, *rand.Rand, error) {
	g := &p.grounds[number%len(p.grounds)]
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.field == nil || g.number != number {
		source := sim.Source(p.cfg.Seed, fmt.Sprintf("advise/%d", number))
		f, err := p.drawer.draw(rand.New(source))
		if err != nil {
			return nil, nil, err
		}
		g.number, g.field, g.source = number, f, *source
	}
	source := g.source
	return g.field, rand.New(&source), nil
}

// fly runs a mission on the field of its number. With last, places are recommended only after the last sample.
func (p *Plan) fly(ctx context.Context, t trial, last bool) (f *drawn, flight ideal.Flight, err error) {
	f, rng, err := p.ground(t.Mission)
	if err != nil {
		return f, flight, err
	}
	robot, err := p.robot(t.Budget, t.Mission)
	if err != nil {
		return f, flight, err
	}
	robot.Config.RecommendLast = last
	if t.Raster {
		raster, err := p.drawer.covariate(f, t.Correlation, sim.Stream(p.cfg.Seed, fmt.Sprintf("advise/raster/%d", t.Mission)))
		if err != nil {
			return f, flight, err
		}
		robot.Config.Model.Covariates = append(robot.Config.Model.Covariates, raster)
	}
	world := ideal.World{
		Field: f.Smooth, Nugget: math.Sqrt(f.hyper.NoiseVariance), Noise: p.noise(f, math.Sqrt(f.hyper.SignalVariance)),
		Transform: p.transform(), Random: rng,
	}
	if t.Secondary {
		second, err := p.drawer.correlated(f, t.Correlation, sim.Stream(p.cfg.Seed, fmt.Sprintf("advise/secondary/%d", t.Mission)))
		if err != nil {
			return f, flight, err
		}
		g, err := surface.NewGridField(f.nodes.Grid, second, second, "", "")
		if err != nil {
			return f, flight, err
		}
		world.Secondary = fieldsim.Conductivity(g.Smooth)
		if err := robot.Parameters.AddAssignment(explorer.DefaultName + ":secondary.type:=FieldReading"); err != nil {
			return f, flight, err
		}
	}
	flights, err := ideal.Fly(ctx, world, []ideal.Robot{robot})
	if err != nil {
		return f, flight, err
	}
	if m := flights[0].Record; len(m.Observations) == 0 {
		return f, flight, fmt.Errorf("%s allows no sample: %s", budgetText(t.Budget), m.Outcome)
	}
	return f, flights[0], nil
}

// readingShare is the standard deviation of a reading in those of the field, where
// reading.stddev does not state it.
const readingShare = 0.05

// noise returns the standard deviation of a reading in model units.
func (p *Plan) noise(f *drawn, deviation float64) float64 {
	t, s := p.transform(), p.explorer.Reading.StdDev
	if _, v, err := t.Forward(t.Inverse(f.mean), s*s); err == nil && v > 0 {
		return math.Sqrt(v)
	}
	return readingShare * deviation
}

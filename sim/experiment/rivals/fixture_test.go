package rivals

import (
	"testing"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/field/fieldtest"
	"ugp_explorer/planner/mission"
	"ugp_explorer/planner/plantest"
)

func star(tb testing.TB) *field.Region {
	tb.Helper()
	return fieldtest.Region(tb, fieldtest.Star(), 2)
}

func strategy(tb testing.TB, name string, space field.Space, maximum []float64) planner.Strategy {
	tb.Helper()
	c := Catalogue(func() []float64 { return maximum })
	m, err := c.Method(name)
	if err != nil {
		tb.Fatal(err)
	}
	s, err := m.NewStrategy(space, planner.DefaultStrategyConfig(), plantest.Rand(21))
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// survey is a mission in ideal motion: the robot reaches each target and measures
// [plantest.Bumps] there with a small noise.
type survey struct {
	ledger mission.Ledger
	home   []float64
	seed   uint64
}

// fly returns the targets of a survey and the length of its path, the way home included.
func (s survey) fly(tb testing.TB, name string, r *field.Region) (targets [][]float64, driven float64) {
	tb.Helper()
	planned := strategy(tb, name, r, []float64{60, 40})
	model, err := gp.New(plantest.Hyper)
	if err != nil {
		tb.Fatal(err)
	}
	way, l, at := r.NewDistanceField(), s.ledger, s.home
	for step := range 200 {
		q := planner.Request{Model: model, Execution: plantest.Execution, Step: step, Chosen: targets, Robot: at, Rng: plantest.Rand(s.seed + uint64(step))}
		q.Reach.Range, q.Reach.Home = l.Range(), s.home
		q.Left = planner.Allowance{Samples: l.ExpectedSamples(0.1), Path: l.RangeOf}
		target, err := planned.Next(q)
		if err != nil {
			break
		}
		way.From(at)
		length := way.Length(target.X)
		way.From(s.home)
		if !r.Contains(target.X) || !l.Affordable(length, way.Length(target.X)) {
			tb.Errorf("%s: target %v, %g m away, is outside or not affordable with %+v", name, target.X, length, l)
		}
		driven += length
		l.Distance, l.Duration, l.Samples = l.Distance+length, l.Duration+length/l.Config.Speed+l.Config.SampleTime, l.Samples+1
		at, targets = target.X, append(targets, target.X)
		if err := model.Add(gp.Observation{Belief: gp.Belief{Mean: at}, Value: plantest.Bumps(at), NoiseVariance: 0.01}); err != nil {
			tb.Fatal(err)
		}
	}
	way.From(at)
	return targets, driven + way.Length(s.home)
}

package explorer

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/paulmach/orb"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
)

// TestLongMission: over 2000 samples, a hundred at a time and then one by one, with
// decisions that stay in the field. The posterior grows from task to task, goes over
// to inducing points, and stays what it would be if it were computed anew; fits
// become rare; what a task began from is left as it was.
func TestLongMission(t *testing.T) {
	const edge = 400.0
	region, err := planner.NewRegion(planner.Field{Boundary: orb.Polygon{{{0, 0}, {edge, 0}, {edge, edge}, {0, edge}, {0, 0}}}}, 2)
	if err != nil {
		t.Fatal(err)
	}
	cfg := DefaultConfig()
	cfg.Search.Starts = 100
	cfg.Model.ExactLimit = 200
	cfg.Model.Prior.Starts = 2
	cfg.Model.Prior.MaxObservations = 80
	m, err := newModel(&cfg, region)
	if err != nil {
		t.Fatal(err)
	}

	rng := random(1, 0, 0)
	x, y, heading := 50.0, 60.0, 0.3
	sample := func() {
		for {
			heading += 0.2 * rng.NormFloat64()
			if toX, toY := x+3*math.Cos(heading), y+3*math.Sin(heading); region.Contains([]float64{toX, toY}) {
				x, y = toX, toY
				break
			}
			heading++
		}
		m.observations = append(m.observations, gp.Observation{
			Belief: gp.Belief{Mean: []float64{x, y}, Cov: mat.NewSymDense(2, []float64{2, 0.5, 0.5, 1})},
			Value:  math.Sin(x/60) + math.Cos(y/80) + 0.2*rng.NormFloat64(),
		})
		m.targets = append(m.targets, []float64{x, y})
	}
	fits := 0
	think := func(more int) *task {
		for range more {
			sample()
		}
		n := len(m.observations)
		before, last := 0, m.posterior
		if last != nil {
			before = last.Len()
		}
		task := &task{
			model: &m, samples: m.observations, targets: m.targets, start: m.hyper, known: m.posterior, fitting: m.refit(n),
			decide: &planner.Request{Step: m.decisions, Robot: []float64{x, y}, Reach: planner.Anywhere(), Rng: random(1, streamSearch, n)},
		}
		if task.run(); task.err != nil || task.noTarget != nil {
			t.Fatal(task.err, task.noTarget)
		}
		if last != nil && last.Len() != before {
			t.Fatalf("the posterior that a task began from has %d samples, had %d", last.Len(), before)
		}
		if task.posterior.Len() != n || !region.Contains(task.target.X) || !(task.target.StdDev > 0) {
			t.Fatalf("after %d samples: %d in the posterior, target %+v", n, task.posterior.Len(), task.target)
		}
		if task.fitting {
			fits++
			m.fitted = n
		}
		m.posterior, m.hyper = task.posterior, task.hyper
		m.decisions++
		return task
	}
	think(40)
	for range 20 {
		think(100)
	}
	if fits >= 21 || fits < 10 {
		t.Errorf("%d fits in 21 tasks", fits)
	}
	rounds := 0
	for range 30 { // a fit may be due once
		if think(1).fitting {
			rounds++
		}
	}
	if rounds > 1 {
		t.Errorf("%d fits for 30 samples beside 2000", rounds)
	}
	n := len(m.observations)
	grown := m.posterior.Inducing()
	if n <= 2000 || grown == 0 || grown > 512 {
		t.Errorf("%d samples, %d inducing points", n, grown)
	}
	anew, err := gp.NewSparse(m.hyper, m.limits)
	if err != nil {
		t.Fatal(err)
	}
	if err := anew.AddAll(m.observations); err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		at := gp.Belief{Mean: []float64{4 + 40*float64(i%10), 4 + 40*float64(i/10)}, Cov: m.judgement()}
		mean, variance := m.posterior.Posterior(at)
		wantMean, wantVariance := anew.Posterior(at)
		if off := math.Abs(mean-wantMean) / math.Sqrt(wantVariance); off > 0.2 {
			t.Errorf("at %v the mean is %g deviations from what it is anew", at.Mean, off)
		}
		if off := math.Abs(0.5 * math.Log(variance/wantVariance)); off > 0.05 {
			t.Errorf("at %v the deviation is off by a factor of e^%g", at.Mean, off)
		}
	}
}

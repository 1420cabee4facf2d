package rivals

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
)

// batch visits batches of targets in the order of a short tour (The Traveling Bandit, Chen and
// Al Kontar 2024, who take any method of batches). The batches are those of GP-BUCB (Desautels,
// Krause and Burdick 2014): each target has the largest upper confidence bound after the ones
// before it in the batch have been sampled with their expected values. It is averaged over the
// explorer's models, with the explorer's β. The sizes of the batches grow as in BPE (Li and
// Scarlett, AISTATS 2022, Alg. 1), from √T of the T samples of the mission; 65 samples are
// batches of 9, 25 and 31. A batch that the budget does not suffice for loses its last targets.
//
// The plan is lost with the process: a mission that is resumed begins a new batch.
type batch struct {
	places *places
	travel field.Travel
	beta   planner.Schedule

	plan   [][]float64 // in the order of the tour
	chosen int         // number of targets adopted when the plan was made
}

func newBatch(space field.Space, cfg planner.StrategyConfig, rng *rand.Rand) (planner.Chooser, error) {
	p, err := newPlaces(space, rng)
	return &batch{places: p, travel: space.Travel(), beta: cfg.Beta}, err
}

// batchSize returns the number of targets of the next batch after taken samples, with left still
// to be taken: N_i = ⌈√(T·N_{i-1})⌉, N_0 = 1, less what is already taken of the i-th batch.
func batchSize(taken, left int) int {
	size, end := 1.0, 0
	for end <= taken {
		size = math.Ceil(math.Sqrt(float64(taken+left) * size))
		end += int(size)
	}
	return min(end-taken, left)
}

func (b *batch) Choose(q *planner.Request, filter *acquire.Filter) ([]float64, error) {
	for _, x := range b.rest(q) {
		if _, ok := filter.Pass(x, false); ok {
			return slices.Clone(x), nil
		}
	}
	x, err := b.places.draw(q)
	if err != nil {
		return nil, err
	}
	rows, err := b.pick(q, x, batchSize(len(q.Chosen), remaining(q, mostSamples)))
	if err != nil {
		return nil, err
	}
	stops := rowsOf(x, rows)
	legs := NewLegs(b.travel, q.Robot, q.Reach.Home, stops)
	tour := legs.Tour(upTo(len(rows)))
	for n := len(rows); n > 1 && legs.Length(tour) > pathLimit(q, n); n-- {
		tour = legs.Tour(upTo(n - 1))
	}
	b.plan, b.chosen = nil, len(q.Chosen)
	for _, i := range tour {
		b.plan = append(b.plan, slices.Clone(stops[i]))
	}
	return slices.Clone(b.plan[0]), nil
}

// rest returns the targets of the plan behind the last one that was adopted; none if other
// targets were adopted, or none of the plan, which is then made anew.
func (b *batch) rest(q *planner.Request) [][]float64 {
	if len(q.Chosen) <= b.chosen {
		return nil
	}
	last := q.Chosen[len(q.Chosen)-1]
	i := slices.IndexFunc(b.plan, func(x []float64) bool { return slices.Equal(x, last) })
	if i < 0 {
		return nil
	}
	return b.plan[i+1:]
}

// pick returns the rows of x of a batch of at most n targets, the best first.
func (b *batch) pick(q *planner.Request, x *mat.Dense, n int) ([]int, error) {
	posteriors, err := joints(q, x)
	if err != nil {
		return nil, err
	}
	models := q.Members.Or(q.Model)
	m, _ := x.Dims()
	var rows []int
	for len(rows) < min(n, m) {
		best, top := -1, math.Inf(-1)
		for i := range m {
			if slices.Contains(rows, i) {
				continue
			}
			bound := 0.0
			for k, j := range posteriors {
				beta := b.beta.Beta(q.Step, models[k].Model)
				bound += models[k].Weight * (j.Mean[i] + beta*math.Sqrt(max(j.Cov.At(i, i), 0)))
			}
			if bound > top {
				best, top = i, bound
			}
		}
		rows = append(rows, best)
		for k, j := range posteriors {
			j.believe(best, nextNoise(models[k].Model))
		}
	}
	return rows, nil
}

// believe conditions the posterior on a sample at place i with its expected value.
func (j *Joint) believe(i int, noise float64) {
	variance := j.Cov.At(i, i) + noise
	if variance <= 0 {
		return
	}
	column := mat.NewVecDense(len(j.Mean), nil)
	for k := range j.Mean {
		column.SetVec(k, j.Cov.At(k, i))
	}
	j.Cov.SymRankOne(j.Cov, -1/variance, column)
}

package planner

import (
	"errors"
	"fmt"
	"slices"

	"ugp_explorer/gp"
)

// believe replaces the models of a request by ones that have seen the pending samples
// too, each with the value that is expected of it where data has the sample of that
// target, with N(x, Σ̂) for where it is taken: a [acquire.Placing] is of this robot's ways.
// Means stay as they are, and what will be known of those places already counts
// against going there: GP-BUCB without its larger β (Desautels, Krause and Burdick, JMLR
// 2014, Alg. 1), and with an expected improvement the kriging believer (Ginsbourger,
// Le Riche and Carraro 2010). Each of several models believes its own expectation. A
// pending sample's own noise variance is the mean of the observations' own, 0 before
// the first; the model adds its share as to theirs.
func (q *Request) believe(data Data) error {
	if len(q.Pending) == 0 {
		return nil
	}
	var err error
	if q.Model, err = q.believed(q.Model, data); err != nil {
		return err
	}
	members := make([]gp.Member, len(q.Members))
	for i, m := range q.Members {
		if members[i].Model, err = q.believed(m.Model, data); err != nil {
			return err
		}
		members[i].Weight = m.Weight
	}
	q.Members = members
	return nil
}

func (q *Request) believed(model *gp.GP, data Data) (*gp.GP, error) {
	model = model.Clone()
	noise := ownNoise(model)
	for i, x := range q.Pending {
		place := data.Of(gp.Belief{Mean: x, Cov: q.Execution}, x, q.Execution)
		mean, _ := model.Posterior(place)
		err := model.Add(gp.Observation{Belief: place, Value: mean, NoiseVariance: noise})
		if known := (*gp.IllConditionedError)(nil); errors.As(err, &known) {
			continue // without noise, where a sample would tell nothing new
		}
		if err != nil {
			return nil, fmt.Errorf("%w: Pending[%d]: %w", ErrStrategy, i, err)
		}
	}
	return model, nil
}

// Batch returns targets for several robots that decide at once, one for each place in
// robots: the strategy decides for one after the other, from where that one is, with
// the targets of those before it pending besides q.Pending, and adopted. q.Robot is not used, and
// what may be reached is the same for all. On an error, which names the robot, the
// targets of those before it are returned too.
func Batch(s Strategy, q Request, robots [][]float64) ([]Target, error) {
	targets := make([]Target, 0, len(robots))
	pending := append([][]float64(nil), q.Pending...)
	chosen, step := slices.Clone(q.Chosen), q.Step
	for i, x := range robots {
		q.Robot, q.Pending, q.Chosen, q.Step = x, pending, chosen, step+i
		t, err := s.Next(q)
		if err != nil {
			return targets, fmt.Errorf("robot %d of %d: %w", i+1, len(robots), err)
		}
		targets, pending, chosen = append(targets, t), append(pending, t.X), append(chosen, t.X)
	}
	return targets, nil
}

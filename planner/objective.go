package planner

import (
	"fmt"
	"math"
	"slices"

	"ugp_explorer/gp"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/internal/valid"
)

// Objective is what a mission is after. All are over beliefs: f̂(P̂_x) is the
// expected value for a sample with target x.
type Objective string

const (
	ObjectiveMaximum   Objective = "maximum"   // the place with the highest expected value
	ObjectiveMinimum   Objective = "minimum"   // the place with the lowest
	ObjectiveMap       Objective = "map"       // a small posterior deviation everywhere
	ObjectiveThreshold Objective = "threshold" // the line where the expected value crosses a level
)

// Objectives lists them.
func Objectives() []Objective {
	return []Objective{ObjectiveMaximum, ObjectiveMinimum, ObjectiveMap, ObjectiveThreshold}
}

// validate returns an error, wrapping [ErrStrategy], unless o and its level are fit
// for use.
func (o Objective) validate(level float64) error {
	if !slices.Contains(Objectives(), o) {
		return fmt.Errorf("%w: Objective is %q, want one of %v", ErrStrategy, o, Objectives())
	}
	if o == ObjectiveThreshold && !valid.Finite(level) {
		return fmt.Errorf("%w: Level is %g, want a finite number for the objective %q", ErrStrategy, level, o)
	}
	return nil
}

// Merit returns what a posterior mean is worth by itself, and the derivative.
// Added to β deviations it says where a sample is wanted: see [acquire.Bound]. Where least is
// known, which is that for a map, is not yet where most is learnt of the field: see
// [acquire.Variance].
func (o Objective) Merit(level float64) acquire.Merit {
	switch o {
	case ObjectiveMinimum:
		return func(mean float64) (float64, float64) { return -mean, -1 }
	case ObjectiveMap:
		return func(float64) (float64, float64) { return 0, 0 }
	case ObjectiveThreshold:
		return func(mean float64) (float64, float64) {
			if mean == level {
				return 0, 0 // it has no derivative there
			}
			return -math.Abs(mean - level), -math.Copysign(1, mean-level)
		}
	}
	return func(mean float64) (float64, float64) { return mean, 1 }
}

// minimising has a strategy that looks for the highest value look for the lowest,
// by showing it the field upside down.
type minimising struct{ Strategy }

func (m minimising) Next(q Request) (Target, error) {
	if q.Model != nil {
		q.Model = q.Model.Negated()
	}
	q.Members = negatedAll(q.Members)
	t, err := m.Strategy.Next(q)
	t.Mean = -t.Mean
	return t, err
}

func (m minimising) Recommend(q Inquiry) (Recommendation, error) {
	q.Model, q.Members = q.Model.Negated(), negatedAll(q.Members)
	r, err := m.Strategy.Recommend(q)
	r.Mean = -r.Mean
	return r, err
}

func negatedAll(members []gp.Member) []gp.Member {
	members = slices.Clone(members)
	for i := range members {
		members[i].Model = members[i].Model.Negated()
	}
	return members
}

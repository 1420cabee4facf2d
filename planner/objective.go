// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner

import (
	"math"
	"slices"

	"ugp_explorer/gp/fit"
	"ugp_explorer/planner/acquire"
)

// Objective is what a mission looks for. f̂(P̂_x) is the expected value of a sample with
// target x.
type Objective string

const (
	ObjectiveMaximum   Objective = "maximum"   // the place with the highest expected value
	ObjectiveMinimum   Objective = "minimum"   // the place with the lowest expected value
	ObjectiveMap       Objective = "map"       // a small posterior standard deviation everywhere
	ObjectiveThreshold Objective = "threshold" // the line where the expected value crosses a level
)

// Objectives returns all objectives.
func Objectives() []Objective {
	return []Objective{ObjectiveMaximum, ObjectiveMinimum, ObjectiveMap, ObjectiveThreshold}
}

// Merit returns the worth of a posterior mean and its derivative, for [acquire.UCB]. For
// a map it is zero, so the bound leads to where the standard deviation is largest; a
// sample that teaches most about the whole field maximises [acquire.Variance] instead.
func (o Objective) Merit(level float64) acquire.Merit {
	switch o {
	case ObjectiveMinimum:
		return func(mean float64) (float64, float64) { return -mean, -1 }
	case ObjectiveMap:
		return func(float64) (float64, float64) { return 0, 0 }
	case ObjectiveThreshold:
		return func(mean float64) (float64, float64) {
			if mean == level {
				return 0, 0 // no derivative at the level
			}
			return -math.Abs(mean - level), -math.Copysign(1, mean-level)
		}
	}
	return func(mean float64) (float64, float64) { return mean, 1 }
}

// minimising makes a strategy for the highest value find the lowest, by giving it models
// with the sign of the values changed.
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

func (m minimising) Recommend(q RecommendRequest) (Recommendation, error) {
	q.Model, q.Members = q.Model.Negated(), negatedAll(q.Members)
	r, err := m.Strategy.Recommend(q)
	r.Mean = -r.Mean
	return r, err
}

func negatedAll(members fit.Mixture) fit.Mixture {
	members = slices.Clone(members)
	for i := range members {
		members[i].Model = members[i].Model.Negated()
	}
	return members
}

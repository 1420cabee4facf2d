// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package advise

import (
	"slices"

	"ugp_explorer/planner/mission"
)

// mostMissions is the number of missions for each budget of a plan that has as many as it takes.
const mostMissions = 100

// narrow is the distance between the bounds of the limit for 9 of 10 with which such a plan ends, relative to the
// difference between the highest and the lowest value of the field. Half of it would take four times the missions.
const narrow = 0.15

// turn is when a mission's turn comes. The missions that the answer is about come first: those of the budget that is
// asked about, or those with as many samples as a distance allows, the shortest first, as they take the least time.
func (p *Plan) turn(t trial) int {
	if t.setting == (setting{Budget: p.cfg.Budget}) {
		return t.Mission
	}
	if p.cfg.Budget == (mission.Budget{}) && t.Budget.Samples == 0 {
		shorter := 0
		for _, b := range p.budgets {
			if b.Samples == 0 && b.Distance < t.Budget.Distance {
				shorter++
			}
		}
		return t.Mission + shorter*fewest
	}
	return t.Mission + bounded
}

// Judge returns a function that takes all results so far. For a plan without a number of missions, it returns the results that
// suffice for the answer, and nil while more are needed. They are those of the first turns with which the bounds of the limit are
// narrow, whatever the order in which missions end. The bounds hold with the probability sure although the first narrow ones are
// taken: the first ones that count are those with bounded missions of each setting, and about twice as many of the answer's own.
func (p *Plan) Judge() func(outcomes []Outcome) []Outcome {
	turns := make([]int, 1+p.cfg.Missions+bounded) // the number of missions of each
	for _, s := range p.settings() {
		for number := range p.cfg.Missions {
			turns[p.turn(trial{s, number + 1})]++
		}
	}
	judged := 0
	return func(outcomes []Outcome) []Outcome {
		for p.automatic && judged+1 < len(turns) {
			var first []Outcome
			done := 0
			for _, o := range outcomes {
				if at := p.turn(o.trial); at <= judged+1 {
					if first = append(first, o); at == judged+1 {
						done++
					}
				}
			}
			if done < turns[judged+1] {
				return nil
			}
			if judged++; p.Answer(first).narrow() {
				return first
			}
		}
		return nil
	}
}

// narrow reports whether there are enough missions with each budget, and the limit of the answer is known well.
func (a *StudyAnswer) narrow() bool {
	rows := slices.Concat(a.Rows, a.Aided)
	if len(rows) < len(a.plan.settings()) || slices.ContainsFunc(rows, func(r Row) bool { return r.Missions < bounded }) {
		return false
	}
	r := a.main()
	return r.Regret.High-r.Regret.Low <= narrow*r.Span
}

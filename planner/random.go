// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package planner

// randomTries is the largest number of draws for one random target. If one draw in 10 000
// may be chosen, one decision in 20 finds none.
const randomTries = 30_000

// randomStrategy draws targets independently and uniformly from the places that may be
// chosen.
type randomStrategy struct{ common }

var _ Strategy = (*randomStrategy)(nil)

func (s *randomStrategy) Next(q Request) (Target, error) {
	s.filter.Begin(q.Robot, q.Reach)
	lo, hi := s.space.Bounds()
	s.filter.Box(lo, hi)
	x := make([]float64, len(lo))
	for range randomTries {
		empty := false
		for i := range x {
			x[i] = lo[i] + q.Rng.Float64()*(hi[i]-lo[i])
			empty = empty || lo[i] > hi[i]
		}
		if empty {
			break
		}
		if !s.space.Contains(x) {
			continue
		}
		if _, ok := s.filter.Pass(x, false); ok {
			return s.target(&q, x, formBelief), nil
		}
	}
	return Target{}, s.filter.NoTarget()
}

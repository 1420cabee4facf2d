// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"encoding/json"
	"math"

	"ugp_explorer/internal/num"
	"ugp_explorer/node/record"
)

// MissionOutcome is the result of a trial.
type MissionOutcome struct {
	Trial
	// The regrets after numbers of samples, see [record.RegretAt].
	Samples       []int   `json:"samples"`
	Instantaneous Numbers `json:"instantaneous"`
	Mean          Numbers `json:"mean"`
	Simple        Numbers `json:"simple"`
	Recommended   Numbers `json:"recommended"`
	Smooth        Numbers `json:"smooth"`
	Expected      Numbers `json:"expected"`

	Distance     float64 `json:"distance_m"`
	Simulated    float64 `json:"simulated_s"`
	Wall         float64 `json:"wall_s"`
	Misses       Numbers `json:"misses_m"`    // distance from each target to the true place of its sample
	Consistency  Numbers `json:"consistency"` // squared Mahalanobis distance of each true place from its belief
	Assumed      float64 `json:"assumed_m"`   // standard deviation of the execution noise that the method assumed in the end; 0: none
	Observations int     `json:"observations"`
	Wanted       int     `json:"wanted"`      // samples of the budget; 0: no limit
	GivenUp      bool    `json:"given_up"`    // did not begin, or ended early in the fault state; counts with its results so far
	Ending       string  `json:"ending"`      // how it ended, in a few words
	FromHome     float64 `json:"from_home_m"` // where the robot really was in the end
}

func outcome(t Trial, m *record.Mission) MissionOutcome {
	o := MissionOutcome{
		Trial: t, Distance: m.Distance, Simulated: m.SimulatedTime, Wall: m.WallTime, Observations: len(m.Observations), Wanted: m.Budget.Samples, Ending: m.Outcome,
	}
	if m.Truth != nil {
		for _, r := range m.Truth.RegretOverSamples {
			o.Samples = append(o.Samples, r.Samples)
			o.Instantaneous, o.Mean, o.Simple = append(o.Instantaneous, r.Instantaneous), append(o.Mean, r.Mean), append(o.Simple, r.Simple)
			o.Recommended, o.Smooth, o.Expected = append(o.Recommended, r.Recommended), append(o.Smooth, r.Smooth), append(o.Expected, r.Expected)
		}
	}
	if m.Noise != nil {
		o.Assumed = math.Sqrt((m.Noise.XX + m.Noise.YY) / 2)
	}
	for _, s := range m.Observations {
		if at := s.TruePlace; at != nil {
			o.Misses = append(o.Misses, math.Hypot(at[0]-s.Target[0], at[1]-s.Target[1]))
			o.Consistency = append(o.Consistency, s.Belief.SquaredDistance(*at))
		}
	}
	return o
}

// after returns the last of some regrets after k samples, or NaN before the first.
func (o *MissionOutcome) after(k int, regrets []float64) float64 {
	value := math.NaN()
	for i, n := range o.Samples {
		if n > k {
			break
		}
		value = regrets[i]
	}
	return value
}

// Numbers are figures of which some may be NaN or infinite: null in JSON, which is read as NaN.
type Numbers []float64

// MarshalJSON implements [json.Marshaler].
func (n Numbers) MarshalJSON() ([]byte, error) {
	list := make([]*float64, len(n))
	for i, v := range n {
		if num.Finite(v) {
			list[i] = &n[i]
		}
	}
	return json.Marshal(list)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (n *Numbers) UnmarshalJSON(data []byte) error {
	var list []*float64
	err := json.Unmarshal(data, &list)
	*n = nil
	for _, v := range list {
		if v == nil {
			*n = append(*n, math.NaN())
		} else {
			*n = append(*n, *v)
		}
	}
	return err
}

package simulation

import (
	"encoding/json"
	"math"

	"ugp_explorer/node/record"
)

// Outcome is the result of a trial. In JSON, null stands for NaN and infinite values.
type Outcome struct {
	Trial
	Regret       []record.RegretAt // after each sample
	Distance     float64           // m
	Simulated    float64           // s
	Wall         float64           // s
	Misses       []float64         // distance from each target to the true place of its sample, m
	Consistency  []float64         // squared Mahalanobis distance of each true place from its belief
	Assumed      float64           // standard deviation of the execution noise that the method assumed in the end, m; 0: none
	Observations int
	GivenUp      bool // ended early in the fault state; counts with its results so far
}

func outcome(t Trial, m *record.Mission) Outcome {
	o := Outcome{
		Trial: t, Distance: m.Distance, Simulated: m.SimulatedTime, Wall: m.WallTime, Observations: len(m.Observations),
	}
	if m.Truth != nil {
		o.Regret = m.Truth.RegretOverSamples
	}
	if m.Noise != nil {
		o.Assumed = math.Sqrt((m.Noise.XX + m.Noise.YY) / 2)
	}
	for _, s := range m.Observations {
		if s.TruePlace == nil {
			continue
		}
		o.Misses = append(o.Misses, apart(*s.TruePlace, s.Target))
		o.Consistency = append(o.Consistency, s.Belief.SquaredDistance(*s.TruePlace))
	}
	return o
}

// stored is an Outcome's form in JSON: numbers that may be missing are pointers.
type stored struct {
	Seed         int64      `json:"seed"`
	Method       string     `json:"method"`
	Samples      []int      `json:"samples"`
	Instant      []*float64 `json:"instantaneous"`
	Mean         []*float64 `json:"mean"`
	Simple       []*float64 `json:"simple"`
	Recommended  []*float64 `json:"recommended"`
	Smooth       []*float64 `json:"smooth"`
	Expected     []*float64 `json:"expected"`
	Distance     float64    `json:"distance_m"`
	Simulated    float64    `json:"simulated_s"`
	Wall         float64    `json:"wall_s"`
	Misses       []*float64 `json:"misses_m"`
	Consistency  []*float64 `json:"consistency"`
	Assumed      float64    `json:"assumed_m"`
	Observations int        `json:"observations"`
	GivenUp      bool       `json:"given_up"`
}

// MarshalJSON writes o.
func (o Outcome) MarshalJSON() ([]byte, error) {
	s := stored{
		Seed: o.Seed, Method: o.Method, Distance: o.Distance, Simulated: o.Simulated, Wall: o.Wall,
		Misses: pointers(o.Misses), Consistency: pointers(o.Consistency), Assumed: o.Assumed, Observations: o.Observations, GivenUp: o.GivenUp,
	}
	for _, r := range o.Regret {
		s.Samples = append(s.Samples, r.Samples)
		s.Instant = append(s.Instant, pointer(r.Instantaneous))
		s.Mean = append(s.Mean, pointer(r.Mean))
		s.Simple = append(s.Simple, pointer(r.Simple))
		s.Recommended = append(s.Recommended, pointer(r.Recommended))
		s.Smooth = append(s.Smooth, pointer(r.Smooth))
		s.Expected = append(s.Expected, pointer(r.Expected))
	}
	return json.Marshal(s)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (o *Outcome) UnmarshalJSON(data []byte) error {
	var s stored
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	*o = Outcome{
		Trial: Trial{s.Seed, s.Method}, Distance: s.Distance, Simulated: s.Simulated, Wall: s.Wall,
		Misses: numbers(s.Misses), Consistency: numbers(s.Consistency), Assumed: s.Assumed, Observations: s.Observations, GivenUp: s.GivenUp,
	}
	column := func(list []*float64, i int) float64 {
		if i < len(list) && list[i] != nil {
			return *list[i]
		}
		return math.NaN()
	}
	for i, n := range s.Samples {
		o.Regret = append(o.Regret, record.RegretAt{
			Samples: n, Instantaneous: column(s.Instant, i), Mean: column(s.Mean, i), Simple: column(s.Simple, i),
			Recommended: column(s.Recommended, i), Smooth: column(s.Smooth, i), Expected: column(s.Expected, i),
		})
	}
	return nil
}

// pointer returns nil for values that JSON cannot represent.
func pointer(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

func pointers(list []float64) (out []*float64) {
	for _, v := range list {
		out = append(out, pointer(v))
	}
	return out
}

func numbers(list []*float64) (out []float64) {
	for _, v := range list {
		if v == nil {
			out = append(out, math.NaN())
			continue
		}
		out = append(out, *v)
	}
	return out
}

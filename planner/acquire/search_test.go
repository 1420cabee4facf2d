// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package acquire

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/fieldtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/plantest"
	"ugp_explorer/planner/field"
)

func mustSearcher(tb testing.TB, space field.Space, cfg SearchConfig) *Searcher {
	tb.Helper()
	return NewSearcher(space, cfg, plantest.Rand(11))
}

func query(tb testing.TB, model *gp.GP, seed uint64) Query {
	return Query{
		Acquisition: &UCB{Predictor: plantest.Predictor(tb, model, plantest.Execution), Beta: 1.5}, LengthScales: model.Hyper().LengthScales,
		Robot: []float64{20, 60}, Reach: Anywhere(), Rng: plantest.Rand(seed),
	}
}

// No point of a dense grid is better than what the search finds, with and
// without the cost of travel, and with limits.
func TestSearchFindsTheMaximumOfADenseGrid(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	s := mustSearcher(t, r, DefaultSearchConfig())
	home := []float64{15, 50}
	for seed := range uint64(6) {
		model := plantest.Model(t, r, 5+8*int(seed), seed)
		for _, tt := range []struct {
			name   string
			change func(*Query)
		}{
			{"plain", func(*Query) {}},
			{"travel", func(q *Query) { q.TravelWeight = 0.02 }},
			{"range", func(q *Query) { q.Reach.Range, q.Reach.Home = 70, home }},
			{"avoid", func(q *Query) { q.Reach.Avoid = []Disc{{[]float64{60, 75}, 20}, {[]float64{90, 40}, 15}} }},
			{"allowed", func(q *Query) { q.Reach.Allowed = func(x []float64) bool { return x[0] > x[1] } }},
		} {
			q := query(t, model, seed)
			tt.change(&q)
			best, err := s.Maximise(q)
			must.OK(t, err)
			there, back := r.NewDistanceField(), r.NewDistanceField()
			there.From(q.Robot)
			back.From(home)
			value := func(x []float64) float64 {
				mean, variance := model.Posterior(gp.Belief{Mean: x, Cov: plantest.Execution})
				return mean + 1.5*math.Sqrt(variance) - q.TravelWeight*there.Length(x)
			}
			allowed := func(x []float64) bool {
				for _, d := range q.Reach.Avoid {
					if field.Distance(x, d.Centre) <= d.Radius {
						return false
					}
				}
				if q.Reach.Home != nil && there.Length(x)+back.Length(x) > q.Reach.Range {
					return false
				}
				return r.Contains(x) && (q.Reach.Allowed == nil || q.Reach.Allowed(x))
			}
			if !allowed(best.X) || math.Abs(value(best.X)-best.Value) > 1e-9 || math.Abs(there.Length(best.X)-best.Length) > 1e-9 {
				t.Errorf("%s, seed %d: optimum %+v is not what it says: %g", tt.name, seed, best, value(best.X))
			}
			gridBest := math.Inf(-1)
			var at []float64
			for x := 0.0; x < 140; x += 1.5 {
				for y := -15.0; y < 115; y += 1.5 {
					if p := []float64{x, y}; allowed(p) && value(p) > gridBest {
						gridBest, at = value(p), p
					}
				}
			}
			// With hard limits the ascent stops short of the limit's edge.
			slack := 1e-6
			if tt.name != "plain" && tt.name != "travel" {
				slack = 5e-3
			}
			if best.Value < gridBest-slack {
				t.Errorf("%s, seed %d: found %g at %v, but %v has %g", tt.name, seed, best.Value, best.X, at, gridBest)
			}
		}
	}
}

// The caller's own starts take part: one on a hill far narrower than the gaps
// between a few quasi-random starts.
func TestSearchUsesExtraStarts(t *testing.T) {
	b, err := field.NewBox([]float64{0, 0}, []float64{1000, 1000})
	must.OK(t, err)
	model, err := gp.New(gp.Hyper{SignalVariance: 1, LengthScales: []float64{2, 2}, NoiseVariance: 1e-3})
	must.OK(t, err)
	must.OK(t, model.Add(gp.Observation{Belief: gp.Point(333, 777), Value: 5}))
	cfg := DefaultSearchConfig()
	cfg.Starts = 20
	s := mustSearcher(t, b, cfg)
	q := Query{Acquisition: &UCB{Predictor: plantest.Predictor(t, model, nil)}, LengthScales: []float64{2, 2}, Robot: []float64{0, 0}, Reach: Anywhere(), Rng: plantest.Rand(1)}
	q.Starts = [][]float64{{332, 776}}
	best, err := s.Maximise(q)
	must.OK(t, err)
	if math.Abs(best.Value-5/(1+1e-3)) > 1e-6 {
		t.Errorf("found %+v, want the hill at (333, 777)", best)
	}
}

func TestSearchWithNowhereToGo(t *testing.T) {
	wall := field.Field{Boundary: orb.Polygon{plantest.Rect(0, 0, 30, 10)}, KeepOuts: []orb.Polygon{{plantest.Rect(10, -1, 11, 11)}}}
	r := fieldtest.Region(t, wall, 1)
	model := plantest.Model(t, r, 5, 1)
	s := mustSearcher(t, r, DefaultSearchConfig())
	base := query(t, model, 1)
	base.Robot = []float64{3, 5}
	left := []float64{0, 5} // centre of a disc over all of the left part
	tests := []struct {
		name  string
		reach Reach
		check func(*NoTargetError) bool
	}{
		{"range", Reach{Range: 4, Home: []float64{8, 5}}, func(e *NoTargetError) bool { return e.Home == 5 && e.Range == 4 }},
		{"behind the wall", Reach{Range: math.Inf(1), Home: []float64{20, 5}}, func(e *NoTargetError) bool { return e.NoPath == e.Tried && e.Tried > 900 }},
		{"avoid", Reach{Range: math.Inf(1), Avoid: []Disc{{left, 14}}}, func(e *NoTargetError) bool { return e.Avoided > 0 && e.NoPath > 0 && e.Avoided+e.NoPath == e.Tried }},
		{"refused", Reach{Range: math.Inf(1), Allowed: func([]float64) bool { return false }}, func(e *NoTargetError) bool { return e.Refused > 0 && e.NoPath > 0 }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := base
			q.Reach = tt.reach
			best, err := s.Maximise(q)
			var none *NoTargetError
			if !errors.As(err, &none) || !errors.Is(err, ErrNoTarget) || !tt.check(none) {
				t.Errorf("got %+v, %v (%+v)", best, err, none)
			}
		})
	}
	// The reason names only what excluded places.
	for _, c := range []struct {
		e    NoTargetError
		want string
	}{
		{NoTargetError{Tried: 2444, TooFar: 900, Avoided: 1544, Range: 4.43897, Home: 3.33826},
			"of 2444 places tried, 900 exceed the range of 4.439 m there and home (home alone takes 3.338 m), 1544 lie in an area to avoid, such as near an earlier sample or a skipped target"},
		{NoTargetError{Tried: 1, NoPath: 1, Range: math.Inf(1)}, "of 1 place tried, 1 have no path"},
		{NoTargetError{Tried: 3, Refused: 3, GridSize: 9, GridTaken: 6}, "6 of the 9 points of the grid have been chosen; of 3 places tried, 3 were refused"},
		{NoTargetError{GridSize: 9, GridTaken: 9}, "9 of the 9 points of the grid have been chosen; of 0 places tried"},
	} {
		if got := c.e.Why(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.e, got, c.want)
		}
	}
	// What is left may be small: the search is drawn into it.
	q := base
	q.Reach = Reach{Range: 0.4, Home: []float64{3.3, 5}}
	best, err := s.Maximise(q)
	if err != nil || field.Distance(best.X, q.Robot)+field.Distance(best.X, q.Reach.Home) > 0.4 {
		t.Errorf("with 0.4 m left: %+v, %v", best, err)
	}
}

// A decision allocates its result and the view of its starts.
func TestSearchAllocatesItsResultOnly(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	s := mustSearcher(t, r, DefaultSearchConfig())
	q := query(t, plantest.Model(t, r, 30, 1), 1)
	q.TravelWeight = 0.01
	q.Reach.Range, q.Reach.Home = 100, []float64{15, 50}
	if n := testing.AllocsPerRun(20, func() {
		if _, err := s.Maximise(q); err != nil {
			t.Fatal(err)
		}
	}); n > 3 {
		t.Errorf("%g allocations, want 3 at most", n)
	}
}

// As many places as wanted are compared that may be chosen, whatever the limits, and
// those that are in reach of the fixed ones are the same at every decision.
func TestSearchPlaces(t *testing.T) {
	r := fieldtest.Region(t, fieldtest.Star(), 2)
	s := mustSearcher(t, r, DefaultSearchConfig())
	if len(s.fixed) != s.cfg.Starts-shiftedStarts {
		t.Fatalf("%d fixed places", len(s.fixed))
	}
	near := Reach{Range: 60, Home: []float64{15, 50}}
	rng := plantest.Rand(4)
	for _, tt := range []struct {
		name                string
		q                   Query
		fixedLeast, allowed int
	}{
		{"anywhere", Query{Reach: Anywhere()}, 900, 1000},
		{"with others", Query{Reach: Anywhere(), Starts: [][]float64{{50, 50}, {-30, 50}}}, 900, 1002},
		{"a third", Query{Reach: Anywhere(), MaxStarts: FewStarts}, 200, 300},
		{"few", Query{Reach: Anywhere(), MaxStarts: 40}, 0, 40},
		{"in range", Query{Reach: near}, 10, 1000},
		{"home elsewhere", Query{Reach: Reach{Range: 110, Home: []float64{100, 60}}}, 10, 1000},
		{"with one out of range", Query{Reach: near, Starts: [][]float64{{20, 55}, {110, 50}}}, 10, 1001},
		{"anywhere again", Query{Reach: Anywhere()}, 900, 1000},
	} {
		tt.q.Rng = rng
		s.filter.Begin([]float64{20, 60}, tt.q.Reach)
		n := s.starts(&tt.q)
		fixed := 0
		for i := range n {
			row := s.rows.RawRowView(i)
			if _, may := s.filter.Pass(row, false); !may || !r.Contains(row) {
				t.Errorf("%s: place %d, %v, may not be chosen", tt.name, i, row)
			}
			if slices.ContainsFunc(s.fixed, func(x []float64) bool { return slices.Equal(x, row) }) {
				fixed++
			}
		}
		if n != tt.allowed || fixed < tt.fixedLeast || tt.q.MaxStarts == 40 && fixed > 0 {
			t.Errorf("%s: %d places may be chosen, %d of them fixed, want %d and at least %d", tt.name, n, fixed, tt.allowed, tt.fixedLeast)
		}
	}
}

// steps is an acquisition with these values, whatever the place.
type steps []float64

func (s steps) Value([]float64) float64            { return 0 }
func (s steps) Grad([]float64)                     {}
func (s steps) Values(dst []float64, _ *mat.Dense) { copy(dst, s) }

// The best starts come first, equal ones in their order, and those without a score are left out.
func TestSearchOrdersStarts(t *testing.T) {
	cfg := DefaultSearchConfig()
	cfg.Refine = 1 // of which eight starts are kept
	s := mustSearcher(t, fieldtest.Region(t, fieldtest.Star(), 2), cfg)
	s.cost[4] = 2
	values := steps{1, math.NaN(), 3, 2, 4, math.Inf(-1), 3, 0, 5, 1, 2, 0.5, 6}
	var rows []int
	for _, c := range s.best(values, mat.NewDense(len(values), 2, nil)) {
		rows = append(rows, c.row)
	}
	if want := []int{12, 8, 2, 6, 3, 4, 10, 0}; !slices.Equal(rows, want) {
		t.Errorf("the best are %v, want %v", rows, want)
	}
}

package gp

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// bruteUCB is TopUCB without any pruning: every row predicted, then sorted.
func bruteUCB(p *Predictor, k int, x *mat.Dense, beta float64, penalty []float64) []Candidate {
	m, _ := x.Dims()
	var all []Candidate
	for r := range m {
		mean, v := p.Predict(x.RawRowView(r))
		c := Candidate{Row: r, Mean: mean, Variance: v, Score: mean + beta*math.Sqrt(v)}
		if penalty != nil {
			c.Score -= penalty[r]
		}
		if c.Score > math.Inf(-1) {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b Candidate) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	return all[:min(k, len(all))]
}

// TestTopUCB: pruning changes no row, no order and no bit.
func TestTopUCB(t *testing.T) {
	rng := newRand(30)
	for range 150 {
		d := 1 + rng.IntN(3)
		n := rng.IntN(200)
		g := mustGP(t, randomHyper(rng, d), randomObservations(rng, n, d))
		p := mustPredictor(t, g, randomCov(rng, d, 0.5))
		m, k := 1+rng.IntN(60), 1+rng.IntN(8)
		x := mat.NewDense(m, d, nil)
		for i := range m {
			copy(x.RawRowView(i), randomVec(rng, d, 3.5))
			if i > 0 && rng.IntN(5) == 0 { // equal scores
				copy(x.RawRowView(i), x.RawRowView(rng.IntN(i)))
			}
		}
		var penalty []float64
		if rng.IntN(2) == 0 {
			penalty = make([]float64, m)
			for i := range penalty {
				penalty[i] = rng.Float64()
				if rng.IntN(6) == 0 {
					penalty[i] = math.Inf(1)
				}
			}
		}
		beta := []float64{0, 1, 3, 50}[rng.IntN(4)]
		got := p.TopUCB(make([]Candidate, k), x, beta, penalty)
		want := bruteUCB(p, k, x, beta, penalty)
		if !slices.Equal(got, want) {
			t.Fatalf("n=%d m=%d k=%d beta=%g:\ngot  %v\nwant %v", n, m, k, beta, got, want)
		}
	}
}

func TestTopUCBLeavesOut(t *testing.T) {
	g := mustGP(t, Hyper{SignalVariance: 1, LengthScales: []float64{1}, NoiseVariance: 0.1},
		[]Observation{{Belief: Point(0), Value: 1}})
	p := mustPredictor(t, g, nil)
	x := mat.NewDense(4, 1, []float64{0, math.NaN(), 1, 2})
	got := p.TopUCB(make([]Candidate, 4), x, 1, []float64{0, 0, math.Inf(1), math.NaN()})
	if len(got) != 1 || got[0].Row != 0 {
		t.Errorf("got %v, want row 0 alone", got)
	}
	if got := p.TopUCB(nil, x, 1, nil); len(got) != 0 {
		t.Errorf("got %v, want nothing", got)
	}
}

// expected is a score that is not linear in the standard deviation.
type expected float64

func (e expected) Score(mean, deviation float64) float64 {
	return math.Max(mean-float64(e), 0) + deviation*deviation
}

func (e expected) Most(_, high, deviation float64) float64 { return e.Score(high, deviation) }

// bruteTop is Top without any pruning, on a Predictor that remembers nothing.
func bruteTop(t *testing.T, g *GP, cov *mat.SymDense, k int, x *mat.Dense, score Scorer, weights, penalty []float64) []Candidate {
	p := mustPredictor(t, g, cov)
	m, _ := x.Dims()
	group := max(len(weights), 1)
	var all []Candidate
	for r := range m / group {
		c := Candidate{Row: r}
		for i := range group {
			mean, v := p.Predict(x.RawRowView(r*group + i))
			s := score.Score(mean, math.Sqrt(v))
			if i == 0 {
				c.Mean, c.Variance = mean, v
			}
			if weights != nil {
				s *= weights[i]
			}
			c.Score += s
		}
		if penalty != nil {
			c.Score -= penalty[r]
		}
		if c.Score > math.Inf(-1) {
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b Candidate) int { return cmp.Compare(b.Score, a.Score) })
	return all[:min(k, len(all))]
}

// TestTopRemembers: whatever becomes of the model between searches among the same
// places, some of which are exchanged, rows, order and bits are those of a search
// that begins anew: it grows, is copied, loses observations, gets other ones or other
// hyper-parameters, is made anew of the same, negated, moved, or sparse and then
// placed anew.
func TestTopRemembers(t *testing.T) {
	rng := newRand(64)
	for run := range 60 {
		d := 1 + rng.IntN(3)
		h := randomHyper(rng, d)
		h.Kind = Kind(rng.IntN(len(kindNames)))
		limit := 500
		if run%3 == 0 {
			limit = 10
		}
		cfg := SparseConfig{ExactLimit: limit, MaxInducing: 16, Tolerance: 1e-3}
		obs := randomObservations(rng, 40, d)
		if d == 3 && run%2 == 0 { // those of the short way come first
			for i := range 25 {
				obs[i].Belief.Cov = nil
			}
		}
		made := func(n int) *GP {
			g, err := NewSparse(h, cfg)
			if err != nil {
				t.Fatal(err)
			}
			if err := g.AddAll(obs[:n]); err != nil {
				t.Fatal(err)
			}
			return g
		}
		group := []int{1, 1, 2, 5}[rng.IntN(4)]
		var weights []float64
		if group > 1 || rng.IntN(2) == 0 {
			weights = randomVec(rng, group, 1)
		}
		places, k := 5+rng.IntN(40), 1+rng.IntN(8)
		x := mat.NewDense(places*group, d, nil)
		for i := range places * group {
			x.SetRow(i, randomVec(rng, d, 3))
		}
		stock := [][]float64{randomVec(rng, d, 3), randomVec(rng, d, 3), randomVec(rng, d, 3)}
		cov := queryCov(d)
		if rng.IntN(3) == 0 {
			cov = nil
		}
		g := made(5)
		p := mustPredictor(t, g, cov)
		for step := range 25 {
			var done string
			switch n := g.Len(); rng.IntN(10) {
			case 0, 1, 2, 3:
				if n == len(obs) {
					continue
				}
				if done = "one more"; step%2 == 0 {
					g, done = g.Clone(), "one more of a copy"
				}
				if err := g.Add(obs[n]); err != nil {
					t.Fatal(err)
				}
			case 4:
				g, done = made(n), "the same anew"
			case 5:
				g, done = made(1+rng.IntN(n)), "fewer"
			case 6:
				i := rng.IntN(n)
				obs[i].Value, obs[i].NoiseVariance = obs[i].Value+1, 0.1+rng.Float64()
				if rng.IntN(2) == 0 {
					obs[i].Belief.Mean = randomVec(rng, d, 3)
				}
				g, done = made(n), "another one among them"
			case 7:
				next := randomHyper(rng, d)
				if rng.IntN(2) == 0 {
					next.LengthScales = h.LengthScales
				}
				h.SignalVariance, h.NoiseVariance, h.LengthScales = next.SignalVariance, next.NoiseVariance, next.LengthScales
				g, done = made(n), "another kernel"
			case 8:
				g, done = g.Negated(), "negated"
			case 9:
				g, done = g.Translated(randomVec(rng, d, 1)), "moved"
			}
			if err := p.Follow(g); err != nil {
				t.Fatal(err)
			}
			for range rng.IntN(5) { // some come back
				x.SetRow(rng.IntN(places*group), stock[rng.IntN(len(stock))])
			}
			penalty := make([]float64, places)
			for i := range penalty {
				if penalty[i] = rng.Float64(); rng.IntN(5) == 0 {
					penalty[i] = math.Inf(1)
				}
			}
			score := expected(rng.NormFloat64())
			got := p.Top(make([]Candidate, k), x, score, weights, penalty)
			if want := bruteTop(t, g, cov, k, x, score, weights, penalty); !slices.Equal(got, want) {
				t.Fatalf("run %d step %d, %s, %d observations, sparse %t, %d rows a place:\ngot  %v\nwant %v", run, step, done, g.Len(), g.sparse != nil, group, got, want)
			}
		}
	}
}

// TestTopIsDoneOnce: with one more observation nothing is left to do of most rows, and
// of those that are finished only the last entry of the substitution.
func TestTopIsDoneOnce(t *testing.T) {
	rng := newRand(65)
	obs := fieldObservations(201, rng)
	g := mustGP(t, fieldHyper, obs[:200])
	p := mustPredictor(t, g, nil)
	x := mat.NewDense(1000, 2, nil)
	for i := range 1000 {
		randomInField(rng, x.RawRowView(i))
	}
	top := make([]Candidate, 5)
	p.TopUCB(top, x, 3, nil)
	before := slices.Clone(p.screen.rows)
	g = g.Clone()
	if err := g.Add(obs[200]); err != nil {
		t.Fatal(err)
	}
	if err := p.Follow(g); err != nil {
		t.Fatal(err)
	}
	p.sync()
	if !slices.Equal(p.screen.rows, before) {
		t.Error("something is forgotten of what an observation more leaves as it is")
	}
	p.TopUCB(top, x, 3, nil)
	entries := 0
	for i, at := range p.screen.rows {
		entries += at.solved - before[i].solved
	}
	if entries > 2000 { // 100 finished rows took as many from the start
		t.Errorf("%d entries of the substitution with one observation more", entries)
	}
}

// TestTopInSlabs: among more rows than are remembered at once the result is the same.
func TestTopInSlabs(t *testing.T) {
	rng := newRand(66)
	g := mustGP(t, fieldHyper, fieldObservations(1100, rng))
	p := mustPredictor(t, g, nil)
	const m = 4000
	x := mat.NewDense(m, 2, nil)
	for i := range m {
		randomInField(rng, x.RawRowView(i))
	}
	best := p.TopUCB(make([]Candidate, 3), x, 3, nil)
	if rows := len(p.screen.rows); rows >= m {
		t.Fatalf("%d rows are remembered", rows)
	}
	for half := range 2 {
		part := mustPredictor(t, g, nil).TopUCB(make([]Candidate, 3), x.Slice(half*m/2, (half+1)*m/2, 0, 2).(*mat.Dense), 3, nil)
		for _, c := range part {
			c.Row += half * m / 2
			if i := slices.IndexFunc(best, func(b Candidate) bool { return b.Row == c.Row }); i >= 0 && best[i] != c || i < 0 && c.Score > best[2].Score {
				t.Errorf("half %d has %v, all have %v", half, c, best)
			}
		}
	}
}

func TestFollowRefuses(t *testing.T) {
	h := Hyper{SignalVariance: 1, LengthScales: []float64{1, 1}, NoiseVariance: 0.1}
	p := mustPredictor(t, mustGP(t, h, []Observation{{Belief: Point(0, 0), Value: 1}}), queryCov(2))
	m, v := p.Predict([]float64{0.3, 0})
	h.LengthScales = []float64{1e-6, 1e-6}
	if err := p.Follow(mustGP(t, h, nil)); !errors.Is(err, ErrBelief) {
		t.Errorf("length-scales too short for the covariance: %v", err)
	}
	if again, w := p.Predict([]float64{0.3, 0}); again != m || w != v {
		t.Errorf("after an error: %g, %g, want %g, %g", again, w, m, v)
	}
	defer func() {
		if recover() == nil {
			t.Error("another dimension: no panic")
		}
	}()
	p.Follow(mustGP(t, Hyper{SignalVariance: 1, LengthScales: []float64{1}}, nil))
}

// TestMemoryIsBounded: whatever searches follow upon each other, there is room for the
// one at hand and not for much more than is ever remembered.
func TestMemoryIsBounded(t *testing.T) {
	var s memory
	for _, size := range [][2]int{{1000, 5}, {1001, 5}, {100000, 40}, {100, 4000}, {2000, 2000}, {1000, 2001}, {10, 30}, {1, 4000000}} {
		rows, n := size[0], size[1]
		s.reserve(rows, n, 2)
		if len(s.rows) < rows || s.room < n || len(s.x) != 2*len(s.rows) || len(s.k) != s.room*len(s.rows) || len(s.z) != len(s.rows) {
			t.Fatalf("%d rows of %d: room for %d of %d", rows, n, len(s.rows), s.room)
		}
		if len(s.k) > mostRemembered*5/4 {
			t.Errorf("%d rows of %d: %d covariances", rows, n, len(s.k))
		}
	}
}

package gp

import (
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

// TestTopUCBPrunes: the point of it. In a field well covered with samples only
// few of 1000 rows keep their place until the end.
func TestTopUCBPrunes(t *testing.T) {
	rng := newRand(31)
	g := mustGP(t, fieldHyper, fieldObservations(300, rng))
	p := mustPredictor(t, g, nil)
	x := mat.NewDense(1000, 2, nil)
	for i := range 1000 {
		randomInField(rng, x.RawRowView(i))
	}
	got := p.TopUCB(make([]Candidate, 5), x, 3, nil)
	if want := bruteUCB(p, 5, x, 3, nil); !slices.Equal(got, want) {
		t.Fatalf("got  %v\nwant %v", got, want)
	}
	above := 0
	for _, r := range p.screen.rows {
		if r.bound >= got[4].Score {
			above++
		}
	}
	if above > 500 {
		t.Errorf("%d of 1000 rows pass the first bound", above)
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

// TestBoundBatch: the means are those of Predict, no variance is below its own, and
// with one observation, which tells all there is, none is above.
func TestBoundBatch(t *testing.T) {
	rng := newRand(63)
	for _, n := range []int{1, 25} {
		g := mustGP(t, randomHyper(rng, 2), randomObservations(rng, n, 2))
		p := mustPredictor(t, g, queryCov(2))
		x := mat.NewDense(50, 2, nil)
		for i := range 50 {
			copy(x.RawRowView(i), randomVec(rng, 2, 3))
		}
		mean, bound := make([]float64, 50), make([]float64, 50)
		p.BoundBatch(mean, bound, x)
		for i := range 50 {
			m, v := p.Predict(x.RawRowView(i))
			if mean[i] != m || bound[i] < v {
				t.Errorf("n=%d: mean %g, bound %g, want %g and at least %g", n, mean[i], bound[i], m, v)
			}
			if n == 1 {
				near(t, "bound", bound[i], v, 1e-8*g.Hyper().SignalVariance)
			}
		}
	}
}

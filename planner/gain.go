package planner

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// MaximumGain is the most that n observations at N(x, Σ̂) could tell of f̂,
//
//	γ_n = max over x_1 … x_n of ½ log|I + λ⁻¹K̂|                 (Eq. uibo-mig)
//
// as the greedy choice from a finite set of places finds it. That is at least
// 1 - 1/e of the maximum over the set (Nemhauser, Wolsey and Fisher 1978), which
// the paper's sources use in its place too. λ is the noise variance of the
// model's hyper-parameters and the mean of its observations' own. One is for one
// goroutine; what it has found it keeps while hyper-parameters and λ stay.
type MaximumGain struct {
	beliefs []gp.Belief

	hyper  gp.Hyper
	lambda float64     // λ/σ_f²
	gains  []float64   // γ_0, γ_1, …
	left   []float64   // variance of each place given those chosen, over σ_f²
	told   [][]float64 // of each place, what each choice told: rows of the pivoted Cholesky factor
}

// NewMaximumGain returns the maximum over so many quasi-random places of the
// space, judged with the covariance cov; nil judges points. The error wraps
// [ErrSchedule].
func NewMaximumGain(space Space, places int, cov *mat.SymDense, rng *rand.Rand) (*MaximumGain, error) {
	if space == nil || rng == nil {
		return nil, fmt.Errorf("%w: maximum information gain: space and random source must be given", ErrSchedule)
	}
	if places < 1 {
		return nil, fmt.Errorf("%w: maximum information gain over %d places, want at least 1", ErrSchedule, places)
	}
	if err := (gp.Belief{Mean: make([]float64, space.Dim()), Cov: cov}).Validate(space.Dim()); err != nil {
		return nil, fmt.Errorf("%w: maximum information gain: %w", ErrSchedule, err)
	}
	x := space.Points(places, rng)
	g := &MaximumGain{beliefs: make([]gp.Belief, places)}
	for i := range g.beliefs {
		g.beliefs[i] = gp.Belief{Mean: x.RawRowView(i), Cov: copyCov(cov)}
	}
	return g, nil
}

// Of returns γ_n in nats for a model of n observations; +Inf without noise.
func (g *MaximumGain) Of(model *gp.GP) float64 {
	hyper, n := model.Hyper(), model.Len()
	lambda := hyper.NoiseVariance
	for _, o := range model.Observations() {
		lambda += o.NoiseVariance / float64(n)
	}
	lambda /= hyper.SignalVariance
	if n > 0 && lambda == 0 {
		return math.Inf(1)
	}
	if g.gains == nil || lambda != g.lambda || !sameHyper(hyper, g.hyper) {
		g.begin(hyper, lambda)
	}
	for len(g.gains) <= n {
		g.choose()
	}
	return g.gains[n]
}

func sameHyper(a, b gp.Hyper) bool {
	return a.Kind == b.Kind && a.SignalVariance == b.SignalVariance && slices.Equal(a.LengthScales, b.LengthScales)
}

func (g *MaximumGain) begin(hyper gp.Hyper, lambda float64) {
	g.hyper, g.lambda, g.gains = hyper, lambda, []float64{0}
	k := hyper.Kernel()
	g.left, g.told = make([]float64, len(g.beliefs)), make([][]float64, len(g.beliefs))
	for i, b := range g.beliefs {
		g.left[i] = k.Cov(b, b) / hyper.SignalVariance
	}
}

// choose adds the place of which least is known. A place may be chosen again.
func (g *MaximumGain) choose() {
	best := 0
	for i, v := range g.left {
		if v > g.left[best] {
			best = i
		}
	}
	k := g.hyper.Kernel()
	pivot := g.left[best] + g.lambda
	g.gains = append(g.gains, g.gains[len(g.gains)-1]+0.5*math.Log(pivot/g.lambda))
	chosen, root := g.told[best], math.Sqrt(pivot)
	for i, b := range g.beliefs {
		c := k.Cov(g.beliefs[best], b) / g.hyper.SignalVariance
		for j, v := range chosen {
			c -= v * g.told[i][j]
		}
		c /= root
		g.left[i] = max(g.left[i]-c*c, 0)
		g.told[i] = append(g.told[i], c)
	}
}

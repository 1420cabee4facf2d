package paper

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/planner/field"
)

// MaximumGain is the largest information gain of n observations at N(x, Σ̂) about f̂,
//
//	γ_n = max over x_1 … x_n of ½ log|I + λ⁻¹K̂|                 (Eq. uibo-mig)
//
// found by greedy choice from a finite set of places. That is at least 1 - 1/e of the
// maximum over the set (Nemhauser, Wolsey and Fisher 1978), and the paper's sources use it
// in place of the maximum too. λ is the noise variance of the model's hyper-parameters plus
// the mean of its observations' own. γ_n does not bound the gain of samples whose places are
// known better than Σ̂, such as those at P^L.
//
// The first N = 1000 places are chosen one by one. For n > N observations, each of these
// places is taken n/N times,
//
//	γ_n = ½ Σ_i log(1 + n/N·μ_i/λ)
//
// where μ are the eigenvalues of the K̂ of the N places. So neither time nor memory grows
// with n. For 10,000 observations from 1000 places, of squared exponential and Matérn 3/2
// fields 6 and 20 length-scales wide with λ of 0.01 and 0.3 σ_f², this was 0.04 to 1.7 %
// below the continued greedy choice, and β less than 1 % below.
//
// One is for one goroutine. It keeps its results while hyper-parameters and λ stay the same.
type MaximumGain struct {
	beliefs []gp.Belief

	hyper  gp.Hyper
	lambda float64     // λ/σ_f² of the choices
	gains  []float64   // γ_0, γ_1, …
	left   []float64   // variance of each place given those chosen, over σ_f²
	told   [][]float64 // columns of the pivoted Cholesky factor: one per choice, with an entry per place
	times  []float64   // number of times that each place was chosen
	mu     []float64   // μ/σ_f²; nil before N are chosen
}

const (
	// gainChoices is N.
	gainChoices = 1000
	// lambdaStep is the step to which log λ is rounded for the choice of the N places. λ
	// changes a little with each observation, and the choice is not repeated for that.
	lambdaStep = 0.01
)

// NewMaximumGain returns the maximum over a number of quasi-random places of the space,
// for beliefs with the covariance cov; nil: for points. rng is used at once and is not
// kept. The error wraps [planner.ErrSchedule].
func NewMaximumGain(space field.Space, places int, cov *mat.SymDense, rng *rand.Rand) (*MaximumGain, error) {
	if space == nil || rng == nil {
		return nil, fmt.Errorf("%w: maximum information gain: space and random source must be given", planner.ErrSchedule)
	}
	if places < 1 {
		return nil, fmt.Errorf("%w: maximum information gain over %d places, want at least 1", planner.ErrSchedule, places)
	}
	if err := (gp.Belief{Mean: make([]float64, space.Dim()), Cov: cov}).Validate(space.Dim()); err != nil {
		return nil, fmt.Errorf("%w: maximum information gain: %w", planner.ErrSchedule, err)
	}
	if cov != nil { // the caller may change its own
		own := mat.NewSymDense(cov.SymmetricDim(), nil)
		own.CopySym(cov)
		cov = own
	}
	x := space.Points(places, rng)
	g := &MaximumGain{beliefs: make([]gp.Belief, places)}
	for i := range g.beliefs {
		g.beliefs[i] = gp.Belief{Mean: x.RawRowView(i), Cov: cov}
	}
	return g, nil
}

// Of returns γ_n in nats for a model of n observations. It is +Inf without noise.
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
	chosen := lambda
	if n > gainChoices {
		chosen = math.Exp(math.Round(math.Log(lambda)/lambdaStep) * lambdaStep)
	}
	if g.gains == nil || chosen != g.lambda || !sameHyper(hyper, g.hyper) {
		g.begin(hyper, chosen)
	}
	return g.most(n, lambda)
}

// most returns γ_n. For at most N observations lambda must be the one of the choices.
func (g *MaximumGain) most(n int, lambda float64) float64 {
	for len(g.gains) <= min(n, gainChoices) {
		g.choose()
	}
	if n <= gainChoices {
		return g.gains[n]
	}
	if g.mu == nil {
		g.mu, g.told = g.spectrum(), nil
	}
	gain := 0.0
	for _, mu := range g.mu {
		gain += 0.5 * math.Log1p(float64(n)/gainChoices*max(mu, 0)/lambda) // rounding may take one below 0
	}
	return gain
}

func sameHyper(a, b gp.Hyper) bool {
	return a.Kind == b.Kind && a.SignalVariance == b.SignalVariance && slices.Equal(a.LengthScales, b.LengthScales)
}

func (g *MaximumGain) begin(hyper gp.Hyper, lambda float64) {
	g.hyper, g.lambda, g.gains, g.told, g.mu = hyper, lambda, []float64{0}, nil, nil
	k := hyper.Kernel()
	g.left, g.times = make([]float64, len(g.beliefs)), make([]float64, len(g.beliefs))
	for i, b := range g.beliefs {
		g.left[i] = k.Cov(b, b) / hyper.SignalVariance
	}
}

// choose adds the place with the largest remaining variance. A place may be chosen again.
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
	c := make([]float64, len(g.beliefs))
	for i, b := range g.beliefs {
		c[i] = k.Cov(g.beliefs[best], b) / g.hyper.SignalVariance
	}
	for _, t := range g.told {
		floats.AddScaled(c, -t[best], t)
	}
	root := math.Sqrt(pivot)
	for i := range c {
		c[i] /= root
		g.left[i] = max(g.left[i]-c[i]*c[i], 0)
	}
	g.told = append(g.told, c)
	g.times[best]++
}

// spectrum returns the eigenvalues of K̂/σ_f² of the choices, without those zeros that
// repeated choices cause: the eigenvalues of √t_i K̂_ij √t_j over the distinct places, where
// t_i is the number of times that place i was chosen.
func (g *MaximumGain) spectrum() []float64 {
	var places []int
	for i, t := range g.times {
		if t > 0 {
			places = append(places, i)
		}
	}
	k := g.hyper.Kernel()
	gram := mat.NewSymDense(len(places), nil)
	for a, i := range places {
		for b, j := range places[:a+1] {
			cov := k.Cov(g.beliefs[i], g.beliefs[j]) / g.hyper.SignalVariance
			gram.SetSym(a, b, math.Sqrt(g.times[i]*g.times[j])*cov)
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(gram, false) {
		panic("paper: the eigenvalues of a Gram matrix were not found") // it is finite
	}
	return eigen.Values(nil)
}

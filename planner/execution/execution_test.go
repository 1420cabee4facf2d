// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package execution

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/must"
)

// robotNoise is a true execution noise in the plane, of a robot that steers by its estimate.
type robotNoise struct {
	bias   [2]float64 // m
	x, y   float64    // m, standard deviations
	narrow float64    // smallest standard deviation of the localisation, m; the largest is three times that
}

// draw returns arrivals and where the samples were truly taken.
func (w robotNoise) draw(rng *rand.Rand, n int) (arrivals []Arrival, truth [][2]float64) {
	for range n {
		s := w.narrow * (1 + 2*rng.Float64())
		cov := mat.NewSymDense(2, []float64{s * s, 0, 0, s * s})
		x := []float64{1000 * rng.Float64(), 1000 * rng.Float64()}
		estimate := []float64{x[0] + w.bias[0] + w.x*rng.NormFloat64(), x[1] + w.bias[1] + w.y*rng.NormFloat64()}
		arrivals = append(arrivals, Arrival{Target: x, Located: gp.Belief{Mean: estimate, Cov: cov}})
		truth = append(truth, [2]float64{estimate[0] + s*rng.NormFloat64(), estimate[1] + s*rng.NormFloat64()})
	}
	return arrivals, truth
}

// spread returns the standard deviation of x̃ - x in a coordinate, the bias included, as a
// root mean square over the coordinates.
func spread(e noise) float64 {
	return math.Sqrt((mat.Trace(e.Cov) + e.Bias[0]*e.Bias[0] + e.Bias[1]*e.Bias[1]) / 2)
}

// With many arrivals the noise that is learnt is that of the true places, whatever
// the guess.
func TestExecutionIsConsistent(t *testing.T) {
	const n = 1000
	for name, w := range map[string]robotNoise{
		"without bias": {x: 1, y: 2, narrow: 0.5},
		"biased":       {bias: [2]float64{-1.5, 0.5}, x: 1, y: 1, narrow: 0.5},
	} {
		t.Run(name, func(t *testing.T) {
			arrivals, truth := w.draw(rand.New(rand.NewPCG(1, 2)), n)
			for _, guess := range []float64{0.2, 5} {
				e, err := learn(DefaultConfig(guess), 2, arrivals)
				must.OK(t, err)
				var chol mat.Cholesky
				if !chol.Factorize(e.Cov) {
					t.Fatal("the covariance is not positive definite")
				}
				var l mat.TriDense
				chol.LTo(&l)
				// By what was learnt the true misses are white: no mean, unit covariance.
				var mean [2]float64
				var second [3]float64
				for i, a := range arrivals {
					z0 := (truth[i][0] - a.Target[0] - e.Bias[0]) / l.At(0, 0)
					z1 := (truth[i][1] - a.Target[1] - e.Bias[1] - l.At(1, 0)*z0) / l.At(1, 1)
					mean[0] += z0 / n
					mean[1] += z1 / n
					second[0] += z0 * z0 / n
					second[1] += z0 * z1 / n
					second[2] += z1 * z1 / n
				}
				// Four standard errors: of a mean 4/√n, of a variance 4√(2/n).
				one := 4 / math.Sqrt(n)
				within := []float64{one, one, 1.5 * one, one, 1.5 * one}
				for i, want := range []float64{0, 0, 1, 0, 1} {
					got := append(mean[:], second[:]...)[i]
					if math.Abs(got-want) > within[i] {
						t.Errorf("guess %g m: whitened misses have moments %v %v, want 0 0, 1 0 1", guess, mean, second)
						break
					}
				}
			}
		})
	}
}

// The localisation's covariance is added.
func TestExecutionAddsLocalisation(t *testing.T) {
	arrivals, _ := robotNoise{x: 2, y: 2, narrow: 0.7}.draw(rand.New(rand.NewPCG(3, 4)), 4000)
	want := 0.0
	for _, a := range arrivals {
		for i := range 2 {
			d := a.Located.Mean[i] - a.Target[i]
			want += (d*d + a.Located.Cov.At(i, i)) / 8000
		}
	}
	e, err := learn(DefaultConfig(2), 2, arrivals)
	must.OK(t, err)
	if got := spread(e) * spread(e); math.Abs(got/want-1) > 0.03 {
		t.Errorf("learnt variance %g m², want %g", got, want)
	}
}

// A guess that is five times too large or too small is put right by few samples:
// over draws, the median of what is learnt after ten is within 1.25 of the truth, and
// after three within a factor of two.
func TestExecutionRescuesAGuess(t *testing.T) {
	const draws = 75
	want := math.Sqrt(1 + 0.04*13.0/3) // the control's variance and the mean of 0.2²(1+2u)²
	for _, guess := range []float64{0.2, 1, 5} {
		for n, within := range map[int]float64{3: 2, 10: 1.25, 30: 1.12} {
			var ratios []float64
			for draw := range draws {
				arrivals, _ := robotNoise{x: 1, y: 1, narrow: 0.2}.draw(rand.New(rand.NewPCG(uint64(draw), 5)), n)
				e, err := learn(DefaultConfig(guess), 2, arrivals)
				must.OK(t, err)
				ratios = append(ratios, spread(e)/want)
			}
			slices.Sort(ratios)
			if m := ratios[draws/2]; math.Abs(math.Log(m)) > math.Log(within) {
				t.Errorf("guess %g m: learnt %.3g of the truth after %d samples, want it within a factor of %g", guess, m, n, within)
			}
		}
	}
}

// Without samples the guess stands.
func TestExecutionWithoutSamplesIsTheGuess(t *testing.T) {
	for _, c := range []Config{DefaultConfig(0.7), {StdDev: 3, Factor: 2, Weight: 1}} {
		e, err := learn(c, 2, nil)
		must.OK(t, err)
		for i := range 2 {
			if e.Bias[i] != 0 || math.Abs(math.Sqrt(e.Cov.At(i, i))/c.StdDev-1) > 1e-6 || math.Abs(e.Cov.At(0, 1)) > 1e-12 {
				t.Errorf("%+v: learnt bias %v, covariance %v", c, e.Bias, mat.Formatted(e.Cov))
			}
		}
	}
}

func TestExecutionRefuses(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"guess":  func(c *Config) { c.StdDev = 0 },
		"factor": func(c *Config) { c.Factor = 1 },
		"weight": func(c *Config) { c.Weight = math.NaN() },
	} {
		c := NoiseConfig{Learn: true, Config: DefaultConfig(1)}
		change(&c.Config)
		if err := c.Validate(); !errors.Is(err, errExecution) {
			t.Errorf("%s: error %v, want one that wraps errExecution", name, err)
		}
	}
	for name, target := range map[string][]float64{"dimension": {0}, "target": {math.NaN(), 0}} {
		if _, err := learn(DefaultConfig(1), 2, []Arrival{{Target: target, Located: gp.Point(1, 0)}}); !errors.Is(err, errExecution) {
			t.Errorf("%s: error %v, want one that wraps errExecution", name, err)
		}
	}
}

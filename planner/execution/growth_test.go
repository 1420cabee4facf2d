package execution

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// straight returns arrivals in one dimension whose noise grows with the path: paths of up to 200 m.
func straight(rng *rand.Rand, n int, bias, stdDev, growth, located float64) (list []Arrival) {
	for range n {
		length := 200 * rng.Float64()
		off := bias + math.Sqrt(1+growth*length)*stdDev*rng.NormFloat64() + located*rng.NormFloat64()
		list = append(list, Arrival{
			Target:  []float64{0},
			Located: gp.Belief{Mean: []float64{off}, Cov: mat.NewSymDense(1, []float64{located * located})}, Length: length,
		})
	}
	return list
}

// logMarginal returns the log marginal likelihood of arrivals in one dimension for a growth, up to a
// constant: the integral over b, log Σ and log s, by sums over a grid.
func logMarginal(cfg Config, arrivals []Arrival, growth float64) float64 {
	nu, prior, spread := cfg.Weight, 2*math.Log(cfg.StdDev), 2*math.Log(cfg.Factor)
	var terms []float64
	for logCov := -7.0; logCov <= 4; logCov += 0.1 {
		cov := math.Exp(logCov)
		// IW(ν, νs) in one dimension, as a density of log Σ, and the prior of log s.
		var scales []float64
		for logScale := -12.0; logScale <= 12; logScale += 0.2 {
			z := (logScale - prior) / spread
			scales = append(scales, nu/2*(logScale-logCov-math.Exp(logScale-logCov))-z*z/2)
		}
		scale := logSum(scales)
		var biases []float64
		for b := -8.0; b <= 8; b += 0.02 {
			log := -logCov/2 - nu*b*b/(2*cov)
			for _, a := range arrivals {
				h, l := 1+growth*a.Length, a.Located.Cov.At(0, 0)
				v, r := h*cov, a.Located.Mean[0]-b
				if cfg.Locating == LocatingMeasured {
					v += l
				} else { // the mean over l ~ N(0, Σ_L)
					log -= l / (2 * v)
				}
				log -= math.Log(v)/2 + r*r/(2*v)
			}
			biases = append(biases, log)
		}
		terms = append(terms, scale+logSum(biases))
	}
	return logSum(terms)
}

func logSum(list []float64) float64 {
	most, sum := math.Inf(-1), 0.0
	for _, v := range list {
		most = max(most, v)
	}
	for _, v := range list {
		sum += math.Exp(v - most)
	}
	return most + math.Log(sum)
}

// Growths are compared by the marginal likelihood. What is left of a difference from it is that the
// curvature about the mode of s and, with Σ_L, of Σ depends on the growth a little.
func TestGrowthsAreComparedByTheMarginalLikelihood(t *testing.T) {
	for name, c := range map[string]struct {
		locating Locating
		located  float64
		weight   float64
		within   float64 // nats
	}{
		"exact places": {LocatingFiltered, 0, 4, 0.1},
		"weak prior":   {LocatingFiltered, 0, 1, 0.25}, // leaves s open
		"filtered":     {LocatingFiltered, 0.3, 4, 0.1},
		"measured":     {LocatingMeasured, 0.3, 4, 0.1},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := DefaultConfig(0.7)
			cfg.Growing, cfg.Locating, cfg.Weight = true, c.locating, c.weight
			rng := rand.New(rand.NewPCG(3, 4))
			l := learner{cfg: cfg, dim: 1}
			arrivals := straight(rng, 12, 0.5, 0.5, 0.02, c.located)
			for _, a := range arrivals {
				if err := l.take(a); err != nil {
					t.Fatal(err)
				}
			}
			none, noneWant := l.learn(&Noise{}), logMarginal(cfg, arrivals, 0)
			for _, growth := range []float64{0.01, 0.04, 0.16} {
				got, want := l.learn(&Noise{Growth: growth})-none, logMarginal(cfg, arrivals, growth)-noneWant
				t.Logf("growth %g /m: %.4f nats above none, the integral has %.4f", growth, got, want)
				if math.Abs(got-want) > c.within {
					t.Errorf("growth %g /m: %.3f nats above none, the integral has %.3f", growth, got, want)
				}
			}
		})
	}
}

// In two dimensions, for the covariance that is learnt: the integral over the bias alone is exact.
func TestBiasIsIntegratedOut(t *testing.T) {
	for _, locating := range []Locating{LocatingFiltered, LocatingMeasured} {
		w := robotNoise{bias: [2]float64{-0.5, 0.2}, along: 0.5, side: 1, growth: 0.01, locating: locating, narrow: 0.4}
		cfg := w.config(0.7)
		arrivals, _ := w.draw(rand.New(rand.NewPCG(5, 6)), 10)
		l := learner{cfg: cfg, dim: 2}
		for _, a := range arrivals {
			if err := l.take(a); err != nil {
				t.Fatal(err)
			}
		}
		for _, growth := range []float64{0, 0.05} {
			e := Noise{Growth: growth}
			l.learn(&e)
			var chol mat.Cholesky
			var inverse mat.SymDense
			if !chol.Factorize(e.Cov) || chol.InverseTo(&inverse) != nil {
				t.Fatal("the covariance is not positive definite")
			}
			got := l.likelihood(e.Cov, &inverse, mat.NewVecDense(2, e.Bias), growth)

			type gaussian struct{ logDet, xx, xy, yy float64 } // of S and S⁻¹
			var each []gaussian
			lost := 0.0 // tr(S⁻¹Σ_L)/2 where it is the mean over l
			for i := range arrivals {
				var sum mat.SymDense
				sum.ScaleSym(1+growth*l.lengths[i], e.Cov)
				if locating == LocatingMeasured {
					sum.AddSym(&sum, l.located[i])
				}
				det := sum.At(0, 0)*sum.At(1, 1) - sum.At(0, 1)*sum.At(0, 1)
				g := gaussian{math.Log(det), sum.At(1, 1) / det, -sum.At(0, 1) / det, sum.At(0, 0) / det}
				if locating == LocatingFiltered {
					lost += (g.xx*l.located[i].At(0, 0) + 2*g.xy*l.located[i].At(0, 1) + g.yy*l.located[i].At(1, 1)) / 2
				}
				each = append(each, g)
			}
			const step = 0.05
			var terms []float64
			for x := e.Bias[0] - 6; x <= e.Bias[0]+6; x += step {
				for y := e.Bias[1] - 6; y <= e.Bias[1]+6; y += step {
					b := mat.NewVecDense(2, []float64{x, y})
					log := -chol.LogDet()/2 - cfg.Weight/2*mat.Inner(b, &inverse, b) - lost
					for i, g := range each {
						dx, dy := l.off[i].AtVec(0)-x, l.off[i].AtVec(1)-y
						log -= (g.logDet + g.xx*dx*dx + 2*g.xy*dx*dy + g.yy*dy*dy) / 2
					}
					terms = append(terms, log)
				}
			}
			want := logSum(terms) + 2*math.Log(step) - math.Log(2*math.Pi)
			if math.Abs(got-want) > 1e-3 {
				t.Errorf("locating %v, growth %g /m: %.4f, the integral is %.4f", locating, growth, got, want)
			}
		}
	}
}

package execution

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// robotNoise is a true execution noise in the plane.
type robotNoise struct {
	bias        [2]float64 // m
	along, side float64    // m, standard deviations along the axes, or along and across the approach
	directional bool
	growth      float64 // 1/m
	locating    Locating
	narrow      float64 // smallest standard deviation of the localisation, m; the largest is three times that
}

// draw returns arrivals and where the samples were truly taken.
func (w robotNoise) draw(rng *rand.Rand, n int) (arrivals []Arrival, truth [][2]float64) {
	for range n {
		turn := 2 * math.Pi * rng.Float64()
		u, length := []float64{math.Cos(turn), math.Sin(turn)}, 600*rng.Float64()
		grown := math.Sqrt(1 + w.growth*length)
		e := []float64{w.bias[0] + grown*w.along*rng.NormFloat64(), w.bias[1] + grown*w.side*rng.NormFloat64()}
		if w.directional {
			e = turned(u, e)
		}
		s := w.narrow * (1 + 2*rng.Float64())
		cov := mat.NewSymDense(2, []float64{s * s, 0, 0, s * s})
		l := [2]float64{s * rng.NormFloat64(), s * rng.NormFloat64()}
		x := []float64{1000 * rng.Float64(), 1000 * rng.Float64()}
		// Measured: e is where the robot truly is, and the estimate is off by l.
		// Filtered: e is where it takes itself to be, and it truly is off by l.
		estimate, at := []float64{x[0] + e[0], x[1] + e[1]}, [2]float64{x[0] + e[0], x[1] + e[1]}
		for i := range l {
			if w.locating == LocatingMeasured {
				estimate[i] += l[i]
			} else {
				at[i] += l[i]
			}
		}
		arrivals = append(arrivals, Arrival{Target: x, Located: gp.Belief{Mean: estimate, Cov: cov}, Direction: u, Length: length})
		truth = append(truth, at)
	}
	return arrivals, truth
}

func (w robotNoise) config(guess float64) Config {
	c := DefaultConfig(guess)
	c.Locating, c.Directional, c.Growing = w.locating, w.directional, w.growth > 0
	return c
}

// spread returns the standard deviation of x̃ - x in a coordinate, the bias included, as a
// root mean square over the coordinates.
func spread(e Noise) float64 {
	bias, cov := e.Overall()
	return math.Sqrt((mat.Trace(cov) + bias[0]*bias[0] + bias[1]*bias[1]) / 2)
}

// With many arrivals the noise that is learnt is that of the true places, whatever
// the guess, and whatever the direction of the localisation error.
func TestExecutionIsConsistent(t *testing.T) {
	for name, w := range map[string]robotNoise{
		"measured":               {along: 1, side: 2, locating: LocatingMeasured, narrow: 0.5},
		"measured, biased":       {bias: [2]float64{-1.5, 0.5}, along: 1, side: 1, locating: LocatingMeasured, narrow: 0.5},
		"filtered":               {along: 1, side: 2, narrow: 0.5},
		"filtered, biased":       {bias: [2]float64{-1.5, 0.5}, along: 1, side: 1, narrow: 0.5},
		"measured, directional":  {bias: [2]float64{-1.5, 0}, along: 0.5, side: 2, directional: true, locating: LocatingMeasured, narrow: 0.3},
		"filtered, directional":  {bias: [2]float64{-1.5, 0}, along: 0.5, side: 2, directional: true, narrow: 0.3},
		"measured, growing":      {along: 0.5, side: 0.5, growth: 0.01, locating: LocatingMeasured, narrow: 0.2},
		"both, and not told far": {bias: [2]float64{-1, 0}, along: 0.5, side: 1, directional: true, growth: 0.01, locating: LocatingMeasured, narrow: 0.1},
	} {
		t.Run(name, func(t *testing.T) {
			n, guesses := 1000, []float64{0.2, 5}
			if w.growth > 0 { // takes eight times as long
				n, guesses = 300, []float64{5}
			}
			arrivals, truth := w.draw(rand.New(rand.NewPCG(1, 2)), n)
			for _, guess := range guesses {
				e, err := Learn(w.config(guess), 2, arrivals)
				if err != nil {
					t.Fatal(err)
				}
				if w.growth > 0 && math.Abs(math.Log(e.Growth/w.growth)) > math.Log(4) { // few paths are short enough to distinguish it from Σ
					t.Errorf("guess %g m: learnt growth %g /m, it is %g", guess, e.Growth, w.growth)
				}
				// By what was learnt the true misses are white: no mean, unit covariance.
				var mean [2]float64
				var second [3]float64
				for i, a := range arrivals {
					bias, cov := e.At(a.Direction, a.Length)
					var chol mat.Cholesky
					if !chol.Factorize(cov) {
						t.Fatal("the covariance is not positive definite")
					}
					var l mat.TriDense
					chol.LTo(&l)
					z0 := (truth[i][0] - a.Target[0] - bias[0]) / l.At(0, 0)
					z1 := (truth[i][1] - a.Target[1] - bias[1] - l.At(1, 0)*z0) / l.At(1, 1)
					mean[0] += z0 / float64(n)
					mean[1] += z1 / float64(n)
					second[0] += z0 * z0 / float64(n)
					second[1] += z0 * z1 / float64(n)
					second[2] += z1 * z1 / float64(n)
				}
				// Four standard errors: of a mean 4/√n, of a variance 4√(2/n); and the lattice
				// of growths costs a little.
				one := 4 / math.Sqrt(float64(n))
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

// The localisation's covariance goes in with the opposite sign in the two cases.
func TestExecutionAddsOrTakesOutLocalisation(t *testing.T) {
	arrivals, _ := robotNoise{along: 2, side: 2, locating: LocatingMeasured, narrow: 0.7}.draw(rand.New(rand.NewPCG(3, 4)), 4000)
	var off, located float64
	for _, a := range arrivals {
		for i := range 2 {
			d := a.Located.Mean[i] - a.Target[i]
			off += d * d / 8000
			located += a.Located.Cov.At(i, i) / 8000
		}
	}
	for locating, want := range map[Locating]float64{LocatingFiltered: off + located, LocatingMeasured: off - located} {
		c := DefaultConfig(2)
		c.Locating = locating
		e, err := Learn(c, 2, arrivals)
		if err != nil {
			t.Fatal(err)
		}
		if got := spread(e) * spread(e); math.Abs(got/want-1) > 0.03 {
			t.Errorf("locating %d: learnt variance %g m², want %g", locating, got, want)
		}
	}
}

// A guess that is five times too large or too small is put right by few samples:
// over draws, the median of what is learnt after ten is within 1.25 of the truth, and
// after three within a factor of two.
func TestExecutionRescuesAGuess(t *testing.T) {
	const draws = 75
	for _, locating := range []Locating{LocatingFiltered, LocatingMeasured} {
		for _, guess := range []float64{0.2, 1, 5} {
			for n, within := range map[int]float64{3: 2, 10: 1.25, 30: 1.12} {
				w := robotNoise{along: 1, side: 1, locating: locating, narrow: 0.2}
				var ratios []float64
				for draw := range draws {
					arrivals, _ := w.draw(rand.New(rand.NewPCG(uint64(draw), 5)), n)
					e, err := Learn(w.config(guess), 2, arrivals)
					if err != nil {
						t.Fatal(err)
					}
					want := 1.0
					if locating == LocatingFiltered { // and the mean of 0.2²(1+2u)²
						want = math.Sqrt(1 + 0.04*13.0/3)
					}
					ratios = append(ratios, spread(e)/want)
				}
				slices.Sort(ratios)
				if m := ratios[draws/2]; math.Abs(math.Log(m)) > math.Log(within) {
					t.Errorf("locating %d, guess %g m: learnt %.3g of the truth after %d samples, want it within a factor of %g", locating, guess, m, n, within)
				}
			}
		}
	}
}

// Without samples the guess stands; with one, the noise is still round but for what
// that sample says.
func TestExecutionWithoutSamplesIsTheGuess(t *testing.T) {
	for _, c := range []Config{
		DefaultConfig(0.7), {StdDev: 3, Factor: 2, Weight: 1, Locating: LocatingMeasured, Directional: true, Growing: true},
	} {
		e, err := Learn(c, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		bias, cov := e.At([]float64{0, 1}, 100)
		for i := range 2 {
			if bias[i] != 0 || math.Abs(math.Sqrt(cov.At(i, i))/c.StdDev-1) > 1e-6 || math.Abs(cov.At(0, 1)) > 1e-12 {
				t.Errorf("%+v: learnt bias %v, covariance %v", c, bias, mat.Formatted(cov))
			}
		}
	}
}

// A noise from all directions is round, and has the second moment of what it is
// made of.
func TestExecutionFromAnywhere(t *testing.T) {
	e := Noise{Bias: []float64{-2, 0}, Cov: mat.NewSymDense(2, []float64{1, 0.3, 0, 4}), Directional: true, Growth: 0.01, Length: 100}
	bias, cov := e.Overall()
	if bias[0] != 0 || bias[1] != 0 {
		t.Errorf("bias %v", bias)
	}
	var want [3]float64
	const turns = 360
	for k := range turns {
		turn := 2 * math.Pi * float64(k) / turns
		b, s := e.At([]float64{math.Cos(turn), math.Sin(turn)}, 100)
		want[0] += (s.At(0, 0) + b[0]*b[0]) / turns
		want[1] += (s.At(0, 1) + b[0]*b[1]) / turns
		want[2] += (s.At(1, 1) + b[1]*b[1]) / turns
	}
	for i, got := range []float64{cov.At(0, 0), cov.At(0, 1), cov.At(1, 1)} {
		if math.Abs(got-want[i]) > 1e-9 {
			t.Errorf("covariance %v, want %v", mat.Formatted(cov), want)
		}
	}
}

func TestExecutionRefuses(t *testing.T) {
	good := Arrival{Target: []float64{0, 0}, Located: gp.Point(1, 0), Direction: []float64{1, 0}}
	for name, c := range map[string]struct {
		change  func(*Config)
		dim     int
		arrival Arrival
	}{
		"guess":     {func(c *Config) { c.StdDev = 0 }, 2, good},
		"factor":    {func(c *Config) { c.Factor = 1 }, 2, good},
		"weight":    {func(c *Config) { c.Weight = math.NaN() }, 2, good},
		"locating":  {func(c *Config) { c.Locating = 2 }, 2, good},
		"dimension": {func(c *Config) { c.Directional = true }, 3, good},
		"direction": {func(c *Config) { c.Directional = true }, 2, Arrival{Target: good.Target, Located: good.Located}},
		"target":    {func(*Config) {}, 2, Arrival{Target: []float64{math.NaN(), 0}, Located: good.Located}},
		"length":    {func(*Config) {}, 2, Arrival{Target: good.Target, Located: good.Located, Length: -1}},
	} {
		cfg := DefaultConfig(1)
		c.change(&cfg)
		if _, err := Learn(cfg, c.dim, []Arrival{c.arrival}); !errors.Is(err, ErrExecution) {
			t.Errorf("%s: error %v, want one that wraps ErrExecution", name, err)
		}
	}
}

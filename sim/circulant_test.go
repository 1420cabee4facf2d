package sim

import (
	"math"
	"testing"

	"ugp_explorer/planner/surface"
)

var fieldModels = []Variogram{
	{Model: Spherical, Nugget: 0.3, Structured: 1, Range: 60},
	{Model: Exponential, Nugget: 0.3, Structured: 1, Range: 20},
	{Model: Gaussian, Nugget: 0.3, Structured: 1, Range: 20},
	{Model: Matern32, Nugget: 0.3, Structured: 1, Range: 15},
	{Model: Matern52, Nugget: 0.3, Structured: 1, Range: 15},
}

// The covariance of the fields drawn is Σ λ·exp(2πI(...)) over the torus, summed
// here term by term. It must be the model's for every lag on the grid.
func TestEmbeddingIsExact(t *testing.T) {
	for _, g := range []surface.Grid{
		{DX: 5, DY: 5, NX: 24, NY: 17},
		{DX: 4, DY: 7, NX: 16, NY: 20}, // a torus wider than a strip of the transform, and not a multiple of it
		{DX: 5, DY: 5, NX: 30, NY: 1},
		{DX: 5, DY: 5, NX: 1, NY: 1},
	} {
		for _, v := range fieldModels {
			s, err := NewSampler(g, v)
			if err != nil {
				t.Fatal(err)
			}
			for _, lag := range [][2]int{{0, 0}, {1, 0}, {0, 1}, {3, 2}, {g.NX - 1, 0}, {g.NX - 1, g.NY - 1}} {
				i, j := min(lag[0], g.NX-1), min(lag[1], g.NY-1)
				sum := 0.0
				for q := range s.my {
					for p := range s.mx {
						phase := 2 * math.Pi * (float64(i*p)/float64(s.mx) + float64(j*q)/float64(s.my))
						sum += square(s.root[q*s.mx+p]) * math.Cos(phase)
					}
				}
				near(t, v.Model.String()+" lag", sum, v.Structured*v.correlationAt(math.Hypot(float64(i)*g.DX, float64(j)*g.DY)), 2*covarianceTolerance)
			}
		}
	}
}

// Mean and variance at single nodes, and the covariance of neighbours.
func TestSampleMoments(t *testing.T) {
	const draws = 4000
	g := surface.Grid{DX: 5, DY: 5, NX: 6, NY: 5}
	v := Variogram{Model: Spherical, Structured: 0.5, Range: 20}
	s, err := NewSampler(g, v)
	if err != nil {
		t.Fatal(err)
	}
	rng := Stream(5, "pair")
	a := make([]float64, g.Len())
	var first, last, products []float64
	for range draws {
		s.Sample(a, rng)
		first = append(first, a[0])
		last = append(last, a[g.Len()-1])
		products = append(products, a[0]*a[g.Index(1, 1)])
	}
	c := v.Structured
	covariance, spread := moments(products)
	near(t, "covariance of neighbours", covariance, v.Covariance(5*math.Sqrt2), 4*math.Sqrt(spread/draws))
	for _, z := range [][]float64{first, last} {
		mean, variance := moments(z)
		near(t, "mean", mean, 0, 4*math.Sqrt(c/draws))
		// The variance of a sample variance of normal variates is 2c²/(n−1).
		near(t, "variance", variance, c, 4*c*math.Sqrt(2.0/(draws-1)))
	}
	if n := testing.AllocsPerRun(5, func() { s.Sample(a, rng) }); n != 0 {
		t.Errorf("Sample allocates %v times", n)
	}
}

func TestSamplerDoublesOrRefuses(t *testing.T) {
	g := surface.Grid{DX: 5, DY: 5, NX: 20, NY: 20}
	smooth := Variogram{Model: Gaussian, Structured: 1, Range: 80}
	s, err := newSampler(g, smooth, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	if mx, my := s.mx, s.my; mx <= 40 || my <= 40 {
		t.Errorf("torus of %d × %d: a range of 80 m on 95 m cannot be embedded in twice the grid", mx, my)
	}
	_, err = newSampler(g, smooth, 2000)
	wantError(t, err, "covariances would still be wrong")
	_, err = newSampler(g, smooth, 100)
	wantError(t, err, "at most 100 in all")
}

func TestSimulateStreams(t *testing.T) {
	g := surface.Grid{DX: 5, DY: 5, NX: 20, NY: 20}
	draw := func(nugget float64, seed uint64) (value, smooth []float64) {
		v := BroomsBarnVariogram()
		v.Nugget = nugget
		f, err := Simulate(g, v, 1.4, "z", "", Stream(seed, "field"))
		if err != nil {
			t.Fatal(err)
		}
		return layers(f)
	}
	a, smooth := draw(0.005, 1)
	b, same := draw(0.01, 1)
	var nuggets []float64
	for k := range smooth {
		nuggets = append(nuggets, a[k]-smooth[k])
		if smooth[k] != same[k] {
			t.Fatal("the nugget changed the structured part")
		}
		// The nugget part is the same normal variate, scaled.
		near(t, "nugget", (b[k]-same[k])/math.Sqrt2, a[k]-smooth[k], 1e-12)
	}
	_, variance := moments(nuggets)
	near(t, "variance of the nugget", variance, 0.005, 4*0.005*math.Sqrt(2.0/400))
	if _, other := draw(0.005, 2); smooth[0] == other[0] {
		t.Error("two seeds gave the same field")
	}
	if value, smooth := draw(0, 1); value[3] != smooth[3] {
		t.Error("a field without nugget has two faces")
	}
}

// layers returns the values of a field's two surfaces at its nodes.
func layers(f *surface.GridField) (value, smooth []float64) {
	g := f.Grid()
	for k := range g.Len() {
		v, s := f.At(k%g.NX, k/g.NX)
		value, smooth = append(value, v), append(smooth, s)
	}
	return value, smooth
}

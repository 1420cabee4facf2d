package report

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/node/record"
)

// randomCovariance returns A·Aᵀ for a random A.
func randomCovariance(rng *rand.Rand) record.Covariance {
	a, b, c, d := rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()
	scale := math.Pow(10, 4*rng.Float64()-2)
	return record.Covariance{XX: scale * (a*a + b*b), XY: scale * (a*c + b*d), YY: scale * (c*c + d*d)}
}

func TestPrincipalAgainstEigenSym(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		c := randomCovariance(rng)
		var eig mat.EigenSym
		if !eig.Factorize(mat.NewSymDense(2, []float64{c.XX, c.XY, c.XY, c.YY}), true) {
			t.Fatal("no eigenvalues")
		}
		values := eig.Values(nil) // rising
		var vectors mat.Dense
		eig.VectorsTo(&vectors)
		got := principal(c)
		tol := 1e-7 * math.Sqrt(values[1]) // the root of the smaller one loses half of the digits
		if math.Abs(got.Major-math.Sqrt(values[1])) > tol || math.Abs(got.Minor-math.Sqrt(math.Max(0, values[0]))) > tol {
			t.Errorf("%+v: axes %g, %g; want %g, %g", c, got.Major, got.Minor, math.Sqrt(values[1]), math.Sqrt(values[0]))
		}
		along := math.Cos(got.Angle)*vectors.At(0, 1) + math.Sin(got.Angle)*vectors.At(1, 1)
		if math.Abs(math.Abs(along)-1) > 1e-6 {
			t.Errorf("%+v: angle %g is not along (%g, %g)", c, got.Angle, vectors.At(0, 1), vectors.At(1, 1))
		}
	}
}

func TestEllipseIsAtItsMahalanobisDistance(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		c := randomCovariance(rng)
		b := record.Belief{X: 10, Y: -20, XX: c.XX, XY: c.XY, YY: c.YY}
		det := c.XX*c.YY - c.XY*c.XY
		if det < 1e-6*c.XX*c.YY {
			continue // the distance itself would be rounding
		}
		ring := ellipse(b, 2)
		for _, p := range ring {
			u, v := p[0]-b.X, p[1]-b.Y
			d2 := (c.YY*u*u - 2*c.XY*u*v + c.XX*v*v) / det
			if math.Abs(math.Sqrt(d2)-2) > 1e-6 {
				t.Fatalf("%+v: corner %v lies at %g standard deviations, want 2", c, p, math.Sqrt(d2))
			}
		}
		if ring[0] != ring[len(ring)-1] {
			t.Error("the ring is open")
		}
	}
}

func TestPrincipalOfSingularCovariances(t *testing.T) {
	for _, c := range []struct {
		cov  record.Covariance
		want axes
	}{
		{record.Covariance{}, axes{0, 0, 0}},
		{record.Covariance{XX: 4}, axes{2, 0, 0}},
		{record.Covariance{YY: 9}, axes{3, 0, math.Pi / 2}},
		{record.Covariance{XX: 1, XY: 1, YY: 1}, axes{math.Sqrt2, 0, math.Pi / 4}},
		{record.Covariance{XX: 1, XY: -1.0000000001, YY: 1}, axes{math.Sqrt2, 0, -math.Pi / 4}},
	} {
		got := principal(c.cov)
		for _, pair := range [][2]float64{{got.Major, c.want.Major}, {got.Minor, c.want.Minor}, {got.Angle, c.want.Angle}} {
			if !(math.Abs(pair[0]-pair[1]) <= 1e-9) {
				t.Errorf("%+v: %+v, want %+v", c.cov, got, c.want)
			}
		}
	}
}

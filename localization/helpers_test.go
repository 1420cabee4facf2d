package localization

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// sym returns the leading n×n block of rows as a gonum matrix.
func sym(n int, at func(i, j int) float64) *mat.SymDense {
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, at(i, j))
		}
	}
	return s
}

// smallestEigenvalue returns gonum's smallest eigenvalue of the correlation matrix:
// the entries in units of the standard deviations, each at least floor.
func smallestEigenvalue(t testing.TB, n int, floor float64, at func(i, j int) float64) float64 {
	t.Helper()
	d := func(i int) float64 { return math.Max(math.Sqrt(math.Abs(at(i, i))), floor) }
	var eig mat.EigenSym
	if !eig.Factorize(sym(n, func(i, j int) float64 { return at(i, j) / d(i) / d(j) }), false) {
		t.Fatal("eigenvalues not found")
	}
	return eig.Values(nil)[0]
}

// randomCov returns a random covariance A·Aᵀ of x, y, yaw.
func randomCov(rng *rand.Rand, posStdDev, yawStdDev float64) [3][3]float64 {
	scale := [3]float64{posStdDev, posStdDev, yawStdDev}
	var a, p [3][3]float64
	for i := range 3 {
		for j := range 3 {
			a[i][j] = scale[i] * rng.NormFloat64()
		}
	}
	for i := range 3 {
		for j := range 3 {
			for k := range 3 {
				p[i][j] += a[i][k] * a[j][k]
			}
		}
	}
	return p
}

// drawPose returns a sampler of x, y, yaw from p. It uses gonum's Cholesky factor of
// a covariance that may be singular up to 1e-15.
func drawPose(t testing.TB, p Pose, rng *rand.Rand) func() (x, y, yaw float64) {
	t.Helper()
	s := sym(3, func(i, j int) float64 { return p.Cov[i][j] })
	for i := range 3 {
		s.SetSym(i, i, s.At(i, i)+1e-15)
	}
	var chol mat.Cholesky
	if !chol.Factorize(s) {
		t.Fatalf("covariance not positive definite: %v", p.Cov)
	}
	var l mat.TriDense
	chol.LTo(&l)
	return func() (x, y, yaw float64) {
		n := [3]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		var e [3]float64
		for i := range 3 {
			for k := 0; k <= i; k++ {
				e[i] += l.At(i, k) * n[k]
			}
		}
		return p.X + e[0], p.Y + e[1], p.Yaw + e[2]
	}
}

// moments accumulates mean and covariance of a sample of vectors.
type moments struct {
	n    float64
	sum  []float64
	prod [][]float64
}

func newMoments(dim int) *moments {
	m := &moments{sum: make([]float64, dim), prod: make([][]float64, dim)}
	for i := range m.prod {
		m.prod[i] = make([]float64, dim)
	}
	return m
}

func (m *moments) add(v ...float64) {
	m.n++
	for i, a := range v {
		m.sum[i] += a
		for j, b := range v {
			m.prod[i][j] += a * b
		}
	}
}

func (m *moments) mean(i int) float64 { return m.sum[i] / m.n }

func (m *moments) cov(i, j int) float64 {
	return (m.prod[i][j] - m.sum[i]*m.sum[j]/m.n) / (m.n - 1)
}

// diag returns a covariance without correlations.
func diag(xx, yy, tt float64) [3][3]float64 {
	return [3][3]float64{{xx, 0, 0}, {0, yy, 0}, {0, 0, tt}}
}

func diag2(xx, yy float64) [2][2]float64 { return [2][2]float64{{xx, 0}, {0, yy}} }

func must[T any](t testing.TB, v T, err error) T {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func near(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %v, want %v ± %v", what, got, want, tol)
	}
}

package sim

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/planner/surface"
)

// scattered returns n made-up data.
func scattered(n int, seed uint64) *PointData {
	rng := Stream(seed, "scattered")
	p := &PointData{Name: "z"}
	for range n {
		p.XY = append(p.XY, orb.Point{500 * rng.Float64(), 300 * rng.Float64()})
		p.Values = append(p.Values, 10+3*rng.NormFloat64())
	}
	return p
}

// textbook solves the ordinary kriging system in semivariances as Webster &
// Oliver print it (eq. 8.11: Γ 1; 1ᵀ 0 with the Lagrange multiplier), by LU.
func textbook(t *testing.T, p *PointData, between func(i, j int) float64, to func(i int) float64) (z float64) {
	t.Helper()
	n := len(p.Values)
	a, b := mat.NewDense(n+1, n+1, nil), mat.NewVecDense(n+1, nil)
	for i := range n {
		for j := range n {
			a.Set(i, j, between(i, j))
		}
		a.Set(i, n, 1)
		a.Set(n, i, 1)
		b.SetVec(i, to(i))
	}
	b.SetVec(n, 1)
	var x mat.VecDense
	if err := x.SolveVec(a, b); err != nil {
		t.Fatal(err)
	}
	for i, v := range p.Values {
		z += x.AtVec(i) * v
	}
	return z
}

func TestKrigingAgainstTextbook(t *testing.T) {
	p := scattered(10, 1)
	distance := func(i int, at orb.Point) float64 { return math.Hypot(at[0]-p.XY[i][0], at[1]-p.XY[i][1]) }
	for _, v := range []Variogram{
		{Model: Spherical, Nugget: 2, Structured: 7, Range: 250},
		{Model: Exponential, Structured: 7, Range: 120},
		{Model: Matern52, Nugget: 1, Structured: 7, Range: 60},
	} {
		for _, micro := range []float64{0, 150} {
			// The quantity's own semivariance, with the nugget as a spherical
			// structure where the micro range is not 0.
			own := func(h float64) float64 {
				if micro == 0 || h == 0 {
					return v.Semivariance(h)
				}
				u := min(h/micro, 1)
				return v.Semivariance(h) - v.Nugget + v.Nugget*(1.5*u-0.5*u*u*u)
			}
			// Filtered kriging (Cressie, section 3.2.1): towards the noise-free
			// value even a datum at the same place is a nugget away.
			filtered := func(h float64) float64 { return v.Nugget + v.Structured*(1-v.Correlation(h)) }
			k, err := NewKriger(p, v, micro)
			if err != nil {
				t.Fatal(err)
			}
			places := []orb.Point{{100, 100}, {250, 10}, {-300, 900}, p.XY[3], p.XY[7], {p.XY[2][0] + 20, p.XY[2][1]}}
			for _, at := range places {
				wantZ := textbook(t, p, func(i, j int) float64 { return own(distance(i, p.XY[j])) }, func(i int) float64 { return own(distance(i, at)) })
				wantF := textbook(t, p, func(i, j int) float64 { return v.Semivariance(distance(i, p.XY[j])) }, func(i int) float64 { return filtered(distance(i, at)) })
				z, f := k.Predict(at[0], at[1])
				near(t, v.Model.String()+" value", z, wantZ, 1e-10)
				near(t, v.Model.String()+" smooth", f, wantF, 1e-10)
			}
		}
	}
}

func TestKrigingProperties(t *testing.T) {
	p := scattered(80, 2)
	v := Variogram{Model: Spherical, Nugget: 2, Structured: 7, Range: 250}
	k, err := NewKriger(p, v, 20)
	if err != nil {
		t.Fatal(err)
	}
	moved := scattered(80, 2)
	for i := range moved.Values {
		moved.Values[i] = 100 - 2*moved.Values[i]
	}
	m, err := NewKriger(moved, v, 20)
	if err != nil {
		t.Fatal(err)
	}
	for i, at := range p.XY {
		z, f := k.Predict(at[0], at[1])
		near(t, "value at datum", z, p.Values[i], 1e-9)
		if math.Abs(f-p.Values[i]) < 1e-6 {
			t.Errorf("smooth passes through datum %d", i)
		}
		// No jump at the data: Value is continuous where the micro range is not 0.
		z, _ = k.Predict(at[0]+1e-6, at[1])
		near(t, "value beside datum", z, p.Values[i], 1e-4)
		// Kriging is linear and unbiased.
		z, f = k.Predict(at[0]+13, at[1]-7)
		zm, fm := m.Predict(at[0]+13, at[1]-7)
		near(t, "linear value", zm, 100-2*z, 1e-9)
		near(t, "linear smooth", fm, 100-2*f, 1e-9)
	}
	if n := testing.AllocsPerRun(10, func() { k.Predict(3, 4) }); n != 0 {
		t.Errorf("Predict allocates %v times", n)
	}
	g := surface.Grid{X0: 10, Y0: 20, DX: 30, DY: 25, NX: 4, NY: 3}
	f, err := Krige(p, v, 20, g)
	if err != nil {
		t.Fatal(err)
	}
	z, s := k.Predict(70, 45)
	gotZ, gotS := f.At(2, 1)
	if gotZ != z || gotS != s || f.Name() != "z" {
		t.Errorf("field has %v, %v at (70, 45); predicted are %v, %v", gotZ, gotS, z, s)
	}
}

func TestKrigingErrors(t *testing.T) {
	p := scattered(10, 3)
	v := BroomsBarnVariogram()
	near2 := scattered(60, 3)
	coincident := &PointData{Name: "z", XY: []orb.Point{{1, 1}, {1, 1}}, Values: []float64{1, 2}} // singular on every processor
	tests := []struct {
		p     *PointData
		v     Variogram
		micro float64
		want  string
	}{
		{p, Variogram{}, 0, "Model"},
		{p, Variogram{Model: Spherical, Range: 3}, 0, "sill above 0"},
		{p, v, -1, "micro range is -1"},
		{scattered(1, 1), v, 0, "1 values"},
		{near2, Variogram{Model: Gaussian, Structured: 1, Range: 400}, 0, "ill-conditioned (condition number"},
		{coincident, Variogram{Model: Spherical, Structured: 1, Range: 400}, 0, "ill-conditioned (condition number +Inf"},
	}
	for _, tt := range tests {
		_, err := NewKriger(tt.p, tt.v, tt.micro)
		wantError(t, err, tt.want)
	}
}

func TestFieldFromPoints(t *testing.T) {
	// A smooth hill sampled on a lattice comes back between the samples.
	hill := func(x, y float64) float64 { return 5 * math.Exp(-(square(x-200)+square(y-150))/(2*square(90))) }
	p := &PointData{Name: "z", Units: "u"}
	for j := range 8 {
		for i := range 10 {
			x, y := 40*float64(i), 40*float64(j)
			p.XY, p.Values = append(p.XY, orb.Point{x, y}), append(p.Values, hill(x, y))
		}
	}
	o, err := Outline(p)
	if err != nil {
		t.Fatal(err)
	}
	f, v, err := FieldFromPoints(p, o)
	if err != nil {
		t.Fatal(err)
	}
	if v.Validate() != nil || v.Nugget > 0.05*v.Sill() {
		t.Errorf("variogram of a hill is %+v", v)
	}
	for i, at := range p.XY {
		near(t, "datum", f.Value(at[0], at[1]), p.Values[i], 1e-9)
	}
	for _, at := range [][2]float64{{180, 140}, {100, 100}, {220, 60}} {
		near(t, "between", f.Value(at[0], at[1]), hill(at[0], at[1]), 0.25)
	}
	_, _, err = FieldFromPoints(p, nil)
	wantError(t, err, "outline")
	_, _, err = FieldFromPoints(scattered(1, 1), o)
	wantError(t, err, "1 points")
}

func BenchmarkKrige434(b *testing.B) {
	p := scattered(434, 4)
	g := surface.Grid{DX: 5, DY: 5, NX: 144, NY: 248}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Krige(p, Variogram{Model: Spherical, Nugget: 2, Structured: 7, Range: 426}, 20, g); err != nil {
			b.Fatal(err)
		}
	}
}

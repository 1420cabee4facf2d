package sim

import (
	"math"
	"testing"

	"github.com/paulmach/orb"
)

// line returns data at x = 0, 10, 20, …
func line(values ...float64) *PointData {
	p := &PointData{Values: values}
	for i := range values {
		p.XY = append(p.XY, orb.Point{10 * float64(i), 5})
	}
	return p
}

func TestEmpiricalVariogram(t *testing.T) {
	lags, err := EmpiricalVariogram(line(1, 2, 4, 3), 10, 25)
	if err != nil {
		t.Fatal(err)
	}
	// By hand: differences 1, 2, −1 at 10 m; 3, 1 at 20 m.
	want := []Lag{{10, (1.0 + 4 + 1) / 6, 3}, {20, (9.0 + 1) / 4, 2}}
	if len(lags) != len(want) {
		t.Fatalf("got %v", lags)
	}
	for i := range want {
		if lags[i] != want[i] {
			t.Errorf("lag %d is %+v, want %+v", i, lags[i], want[i])
		}
	}
	for _, tt := range []struct {
		width, reach float64
		want         string
	}{{0, 10, "lag width is 0"}, {10, 5, "largest lag is 5"}, {1, 2, "no two of 4 points"}} {
		_, err := EmpiricalVariogram(line(1, 2, 4, 3), tt.width, tt.reach)
		wantError(t, err, tt.want)
	}
}

// Lags that follow a model exactly give the model back.
func TestFitVariogramRecovers(t *testing.T) {
	for _, v := range []Variogram{
		BroomsBarnVariogram(),
		{Model: Spherical, Structured: 3, Range: 200},
		{Model: Exponential, Nugget: 2, Structured: 3, Range: 90},
		{Model: Gaussian, Nugget: 2, Structured: 3, Range: 150},
		{Model: Matern32, Nugget: 1, Structured: 3, Range: 70},
		{Model: Matern52, Nugget: 1, Structured: 3, Range: 70},
	} {
		var lags []Lag
		for k := 1; k <= 14; k++ {
			h := 40 * float64(k)
			lags = append(lags, Lag{h, v.Semivariance(h), 100 * (20 - k)})
		}
		got, err := FitVariogram(lags, v.Model)
		if err != nil {
			t.Fatal(err)
		}
		name := v.Model.String()
		near(t, name+" range", got.Range, v.Range, 1e-3*v.Range)
		near(t, name+" nugget", got.Nugget, v.Nugget, 1e-3*v.Sill())
		near(t, name+" structured", got.Structured, v.Structured, 1e-3*v.Sill())
	}
}

func TestFitVariogramEdges(t *testing.T) {
	flat := []Lag{{10, 2, 5}, {20, 2, 5}, {30, 2, 5}, {40, 2, 5}}
	v, err := FitVariogram(flat, Spherical)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "semivariance of flat lags at 10 m", v.Semivariance(10), 2, 1e-9)
	near(t, "semivariance of flat lags at 40 m", v.Semivariance(40), 2, 1e-9)

	// A variogram that falls has no structure to find.
	v, err = FitVariogram([]Lag{{10, 3, 5}, {20, 2, 5}, {30, 1, 5}, {40, 1, 5}}, Exponential)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "sill of falling lags", v.Semivariance(100), 1.75, 1e-9)
	if v.Nugget < 0 || v.Structured < 0 {
		t.Errorf("negative variance in %+v", v)
	}
	_, err = FitVariogram(flat[:3], Spherical)
	wantError(t, err, "3 lags are too few")
	_, err = FitVariogram([]Lag{{10, 0, 5}, {20, 0, 5}, {30, 0, 5}, {40, 0, 5}}, Spherical)
	wantError(t, err, "all values are the same")
	_, err = FitVariogram([]Lag{{10, math.NaN(), 5}, {20, 0, 5}, {30, 0, 5}, {40, 0, 5}}, Spherical)
	wantError(t, err, "lag 0")
	_, err = FitVariogram(flat, 0)
	wantError(t, err, "Model")
}

// The figures that the default field is built on, to 1 %: the fits differ by
// that much with the choice of classes and weights.
func TestBroomsBarnVariogramFit(t *testing.T) {
	p, err := LoadPoints(sharedData(t, "brooms_barn.dat"), "")
	if err != nil {
		t.Fatal(err)
	}
	lags, err := EmpiricalVariogram(p, 40, 560)
	if err != nil {
		t.Fatal(err)
	}
	v, err := FitVariogram(lags, Spherical)
	if err != nil {
		t.Fatal(err)
	}
	want := BroomsBarnVariogram()
	near(t, "nugget", v.Nugget, want.Nugget, 0.01*want.Nugget)
	near(t, "structured", v.Structured, want.Structured, 0.01*want.Structured)
	near(t, "range", v.Range, want.Range, 0.01*want.Range)
	// Matérn ν = 5/2, in machine learning's length-scale √(2ν)·r.
	m, err := FitVariogram(lags, Matern52)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "Matérn nugget", m.Nugget, 0.00617, 0.01*0.00617)
	near(t, "Matérn structured", m.Structured, 0.01402, 0.01*0.01402)
	near(t, "Matérn length-scale", math.Sqrt(5)*m.Range, 160, 1.6)
}

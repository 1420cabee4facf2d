package sim

import (
	"math"
	"strings"
	"testing"
)

func TestCorrelation(t *testing.T) {
	tests := []struct {
		name   string
		model  Model
		nu, u  float64 // u = h/r
		want   float64
		source string
	}{
		{"spherical half", Spherical, 0, 0.5, 0.3125, "1 − 3/4 + 1/16"},
		{"spherical sill", Spherical, 0, 1, 0, "Webster & Oliver, eq. 5.16"},
		{"exponential", Exponential, 0, 3, 0.049787068367863944, "e^-3"},
		{"gaussian", Gaussian, 0, math.Sqrt(3), 0.049787068367863944, "e^-3"},
		{"matern 0.5", Matern, 0.5, 3, 0.049787068367863944, "ν = ½ is the exponential model"},
		{"matern 1.5", Matern, 1.5, 2, 0.40600584970983811, "3·e^-2"},
		{"matern 2.5", Matern, 2.5, 3, 0.34850947857504761, "7·e^-3"},
		{"matern 1 at 1", Matern, 1, 1, 0.601907230197235, "u·K₁(u), Abramowitz & Stegun, table 9.8"},
		{"matern 1 at 2", Matern, 1, 2, 0.279731763633044, "u·K₁(u), table 9.8"},
		{"matern 2 at 1", Matern, 2, 1, 0.812419449317589, "u²·K₂(u)/2, table 9.8"},
		{"matern 1 far away", Matern, 1, 5000, 0, "below the smallest float64"},
	}
	for _, tt := range tests {
		v := Variogram{Model: tt.model, Nugget: 0.5, Structured: 2, Range: 40, Smoothness: tt.nu}
		near(t, tt.name+" ("+tt.source+")", v.Correlation(40*tt.u), tt.want, 1e-12)
		near(t, tt.name+" semivariance", v.Semivariance(40*tt.u), 0.5+2*(1-tt.want), 1e-11)
		near(t, tt.name+" covariance", v.Covariance(-40*tt.u), 2*tt.want, 1e-11)
	}
}

// The integral must agree with the closed forms wherever there are any.
func TestMaternGeneralAgainstClosedForms(t *testing.T) {
	for _, nu := range []float64{0.5, 1.5, 2.5} {
		for _, u := range []float64{1e-13, 1e-9, 1e-4, 0.1, 1, 7, 30, 400} {
			want := maternCorrelation(u, nu)
			near(t, "ν, u = "+formatFloats(nu, u), maternGeneral(u, nu), want, 2e-11)
		}
	}
	// ν → ∞ with h scaled by √(2ν)/ℓ is exp(−h²/(2ℓ²)) (Stein 1999, section 2.7),
	// with an error of order 1/ν.
	for _, d := range []float64{0.3, 1, 2} {
		near(t, "limit", maternGeneral(d*math.Sqrt(2*50), 50), math.Exp(-d*d/2), 0.5/50)
	}
}

func TestVariogramAtZeroAndAtItsEffectiveRange(t *testing.T) {
	v := BroomsBarnVariogram()
	near(t, "γ(0)", v.Semivariance(0), 0, 0)
	near(t, "C(0)", v.Covariance(0), 0.00459+0.01512, 1e-17)
	near(t, "sill", v.Semivariance(426), 0.01971, 1e-17)
	near(t, "nugget", v.Semivariance(1e-9), 0.00459, 1e-10)
	// 95 % of the sill: −r·ln 0.05 and r·√(−ln 0.05).
	tests := []struct {
		v    Variogram
		want float64
		rho  float64
	}{
		{v, 426, 0},
		{Variogram{Model: Exponential, Range: 10}, 10 * -math.Log(0.05), 0.05},
		{Variogram{Model: Gaussian, Range: 10}, 10 * math.Sqrt(-math.Log(0.05)), 0.05},
		{Variogram{Model: Matern, Range: 10, Smoothness: 0.5}, 10 * -math.Log(0.05), 0.05},
	}
	for _, tt := range tests {
		near(t, tt.v.Model.String()+" at its effective range", tt.v.Correlation(tt.want), tt.rho, 1e-12)
	}
}

func TestVariogramValidate(t *testing.T) {
	good := BroomsBarnVariogram()
	tests := []struct {
		change func(*Variogram)
		want   string
	}{
		{func(v *Variogram) {}, ""},
		{func(v *Variogram) { v.Nugget = 0 }, ""},
		{func(v *Variogram) { v.Structured = 0 }, ""},
		{func(v *Variogram) { v.Model = 0 }, "Model"},
		{func(v *Variogram) { v.Model = Matern }, "Smoothness"},
		{func(v *Variogram) { v.Model, v.Smoothness = Matern, 51 }, "Smoothness is 51"},
		{func(v *Variogram) { v.Nugget = -1 }, "Nugget is -1"},
		{func(v *Variogram) { v.Structured = math.NaN() }, "Structured is NaN"},
		{func(v *Variogram) { v.Range = 0 }, "Range is 0"},
		{func(v *Variogram) { v.Range = math.Inf(1) }, "Range is +Inf"},
	}
	for _, tt := range tests {
		v := good
		tt.change(&v)
		wantError(t, v.Validate(), tt.want)
	}
}

// wantError checks that err says want, or that it is nil when want is empty.
func wantError(t *testing.T, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("unexpected error: %v", err)
	case want != "" && err == nil:
		t.Errorf("no error, want one with %q", want)
	case want != "" && !strings.Contains(err.Error(), want):
		t.Errorf("error %q does not say %q", err, want)
	}
}

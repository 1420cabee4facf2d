// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"strings"
	"testing"
)

func TestCorrelation(t *testing.T) {
	tests := []struct {
		name   string
		model  ModelKind
		u      float64 // h/r
		want   float64
		source string
	}{
		{"spherical half", Spherical, 0.5, 0.3125, "1 − 3/4 + 1/16"},
		{"spherical sill", Spherical, 1, 0, "Webster & Oliver, eq. 5.16"},
		{"exponential", Exponential, 3, 0.049787068367863944, "e^-3"},
		{"gaussian", Gaussian, math.Sqrt(3), 0.049787068367863944, "e^-3"},
		{"matern 1.5", Matern32, 2, 0.40600584970983811, "3·e^-2"},
		{"matern 2.5", Matern52, 3, 0.34850947857504761, "7·e^-3"},
	}
	for _, tt := range tests {
		v := Variogram{Model: tt.model, Nugget: 0.5, Structured: 2, Range: 40}
		near(t, tt.name+" ("+tt.source+")", v.correlationAt(40*tt.u), tt.want, 1e-12)
		near(t, tt.name+" semivariance", v.semivariance(40*tt.u), 0.5+2*(1-tt.want), 1e-11)
		near(t, tt.name+" covariance", v.Covariance(-40*tt.u), 2*tt.want, 1e-11)
	}
}

func TestVariogramAtZero(t *testing.T) {
	v := BroomsBarnVariogram()
	near(t, "γ(0)", v.semivariance(0), 0, 0)
	near(t, "C(0)", v.Covariance(0), 0.00459+0.01512, 1e-17)
	near(t, "sill", v.semivariance(426), 0.01971, 1e-17)
	near(t, "nugget", v.semivariance(1e-9), 0.00459, 1e-10)
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

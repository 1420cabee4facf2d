// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/paulmach/orb"
)

// sharedData returns the path of a data file that is not part of this
// repository, and skips the test when it is not there.
func sharedData(t *testing.T, name string) string {
	t.Helper()
	dir := os.Getenv("UGP_SHARED_DATA")
	if dir == "" {
		// The package's folder is one below the repository's root.
		dir = filepath.Join("..", "..", "shared", "data")
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("needs %s, which is not shipped; point UGP_SHARED_DATA at its folder (%v)", name, err)
	}
	return path
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: got %.12g, want %.12g ± %.3g", what, got, want, tolerance)
	}
}

// moments returns mean and variance of v.
func moments(v []float64) (mean, variance float64) {
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		variance += (x - mean) * (x - mean) / float64(len(v)-1)
	}
	return mean, variance
}

// turn is positive when a → b → c turns left.
func turn(a, b, c orb.Point) float64 {
	return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0])
}

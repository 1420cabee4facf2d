package simulation

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"ugp_explorer/sim"
)

// Drawn rasters have the correlations with the true field that are asked for. Those of a mission
// without a folder are gone when it is closed.
func TestDrawnCovariates(t *testing.T) {
	cfg := DefaultConfig(3)
	want := []float64{0.6, 0.8, -0.3}
	cfg.Explorer.Covariates = []string{"farm", "farm:0.8", "farm:-0.3"}
	s, err := New(&cfg, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(s.Explorer().Record().Covariates); n != len(want) {
		t.Errorf("the explorer has %d rasters, want %d", n, len(want))
	}
	var own [3][]float64 // parts that have nothing to do with the field
	for i, file := range cfg.Explorer.Covariates {
		points, err := sim.LoadPoints(file, "")
		if err != nil {
			t.Fatal(err)
		}
		var truth []float64
		for _, p := range points.XY {
			truth = append(truth, s.truth.Smooth(p[0], p[1]))
		}
		if got := stat.Correlation(points.Values, truth, nil); math.Abs(got-want[i]) > 1e-3 {
			t.Errorf("raster %d has the correlation %g, want %g", i, got, want[i])
		}
		mean, stdDev := stat.MeanStdDev(truth, nil)
		for k, v := range points.Values {
			own[i] = append(own[i], v-want[i]*(truth[k]-mean)/stdDev)
		}
	}
	if c := stat.Correlation(own[0], own[1], nil); math.Abs(c) > 0.9 {
		t.Errorf("two rasters of one field have the same noise: its correlation is %g", c)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, file := range cfg.Explorer.Covariates {
		if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is there after the end: %v", file, err)
		}
	}
	for _, entry := range []string{"farm:2", "farm:", "farm:high"} {
		cfg := DefaultConfig(3)
		cfg.Explorer.Covariates = []string{entry}
		if _, err := New(&cfg, Options{}); err == nil || !strings.Contains(err.Error(), entry) || !strings.Contains(err.Error(), "from -1 to 1") {
			t.Errorf("%s: the error is %v", entry, err)
		}
	}
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner"
	"ugp_explorer/sim"
)

// Drawn rasters have the correlations with the true field that are asked for. Nodes as processes find them in files, and
// a mission without a folder leaves none.
func TestDrawnCovariates(t *testing.T) {
	cfg := DefaultConfig(3)
	want := []float64{0.6, 0.8, -0.3}
	cfg.Explorer.Covariates = []string{"farm", "farm:0.8", "farm:-0.3"}
	cfg.Explorer.Mission.Budget.Samples = 3
	t.Chdir(t.TempDir())
	s, err := New(&cfg, Options{})
	must.OK(t, err)
	defer s.Close()
	dir := t.TempDir()
	_, err = cfg.WriteFiles(dir, 1)
	must.OK(t, err)
	if n := len(s.Explorer().Record().Covariates); n != len(want) {
		t.Errorf("the explorer has %d rasters, want %d", n, len(want))
	}
	var own [3][]float64 // parts that have nothing to do with the field
	for i, file := range cfg.Explorer.Covariates {
		points, err := sim.LoadPoints(filepath.Join(dir, file), "", nil)
		must.OK(t, err)
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
	must.OK(t, s.Run(t.Context()))
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("a mission without a folder left %v (%v)", left, err)
	}
	for _, entry := range []string{"farm:2", "farm:", "farm:high"} {
		cfg := DefaultConfig(3)
		cfg.Explorer.Covariates = []string{entry}
		if _, err := New(&cfg, Options{}); err == nil || !strings.Contains(err.Error(), entry) || !strings.Contains(err.Error(), "from -1 to 1") {
			t.Errorf("%s: the error is %v", entry, err)
		}
	}
}

// BenchmarkRasters measures a whole decision, fits included, with 0, 1 and 3 rasters in turn. It says how
// long it takes without one, in ms, and the ratios to that.
func BenchmarkRasters(b *testing.B) {
	const most = 3
	for _, n := range []int{30, 100, 1000} {
		b.Run(fmt.Sprint("n=", n), func(b *testing.B) {
			jobs := map[int]*planner.Optimizer{}
			for _, q := range []int{0, 1, most} {
				cfg := DefaultConfig(3)
				cfg.Explorer.Covariates = slices.Repeat([]string{DrawnCovariate}, q)
				s, err := New(&cfg, Options{})
				must.OK(b, err)
				defer s.Close()
				if jobs[q], err = cfg.Explorer.NewOptimizer(s.explorer.Region()); err != nil {
					b.Fatal(err)
				}
				rng := sim.Stream(1, "samples")
				for _, x := range s.explorer.Region().Grid(n, 1) {
					at := []float64{x[0] + 0.6*rng.NormFloat64(), x[1] + 0.6*rng.NormFloat64()}
					jobs[q].Add(planner.Sample{
						Target: x, Located: gp.Belief{Mean: at, Cov: mat.NewSymDense(2, []float64{0.2, 0.05, 0.05, 0.2})},
						Value: s.truth.Value(at[0], at[1]), Variance: 1e-3,
					})
				}
			}
			var took [most + 1]time.Duration
			for b.Loop() {
				for q, o := range jobs {
					started := time.Now()
					job := o.Job(&planner.TargetRequest{Robot: []float64{300, 300}})
					if job.Run(); job.Err != nil {
						b.Fatal(job.Err)
					}
					took[q] += time.Since(started)
				}
			}
			b.ReportMetric(took[0].Seconds()*1000/float64(b.N), "ms")
			b.ReportMetric(took[1].Seconds()/took[0].Seconds(), "ratio-1")
			b.ReportMetric(took[most].Seconds()/took[0].Seconds(), "ratio-3")
		})
	}
}

// A robot that samples while it drives uses a raster, too: its map is better with one that goes with the field.
func TestDrivingWithRaster(t *testing.T) {
	var off [2]float64
	for with, rasters := range [][]string{nil, {"farm:0.95"}} {
		cfg := DefaultConfig(3)
		cfg.Explorer.Covariates = rasters
		s := begin(t, &cfg, Options{Parameters: parameters(t, fmt.Sprintf(driving, 700.))})
		must.OK(t, s.Run(t.Context()))
		survey, err := s.Explorer().Survey()
		must.OK(t, err)
		off[with] = survey.Error
	}
	if !(off[1] < 0.8*off[0]) {
		t.Errorf("the map's error is %.3f with the raster and %.3f without", off[1], off[0])
	}
}

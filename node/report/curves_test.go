package report

import (
	"math"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"ugp_explorer/node/record"
)

func TestRegretCurves(t *testing.T) {
	nan := math.NaN()
	m := &record.Mission{Truth: &record.Truth{RegretOverSamples: []record.RegretAt{
		{Samples: 1, Simple: 5, Recommended: 6, Smooth: nan, Expected: nan},
		{Samples: 2, Simple: 4, Recommended: nan, Smooth: nan, Expected: 2},
	}}}
	want := []plotter.XYs{{{X: 1, Y: 5}, {X: 2, Y: 4}}, {{X: 1, Y: 6}}, {{X: 2, Y: 2}}}
	got := regretCurves(m)
	if len(got) != len(want) {
		t.Fatalf("%d curves, want %d", len(got), len(want))
	}
	for i, c := range got {
		for k, p := range want[i] {
			if len(c.points) != len(want[i]) || c.points[k] != p {
				t.Errorf("%s: %v, want %v", c.label, c.points, want[i])
				break
			}
		}
	}
	if n := len(regretCurves(&record.Mission{})); n != 0 {
		t.Errorf("%d curves without a truth", n)
	}
}

// TestPanelRanges checks the axes, and that panels of every kind can be drawn:
// the drawing library panics on a logarithm of zero and on an empty range.
func TestPanelRanges(t *testing.T) {
	for name, c := range map[string]struct {
		y          []float64
		log, zero  bool
		ymin, ymax float64
	}{
		"decades":       {[]float64{30, 0.04, 2}, true, true, 0.02, 50},
		"exact decades": {[]float64{100, 1}, true, true, 1, 100},
		"from zero":     {[]float64{3, 2}, false, true, 0, 3},
		"below zero":    {[]float64{3, -2}, false, true, -2, 3},
		"free":          {[]float64{3, 2}, false, false, 2, 3},
		"constant":      {[]float64{50, 50, 50}, false, false, 49.5, 50.5},
		"all zero":      {[]float64{0, 0}, false, true, -1e-3, 1e-3},
		"one point":     {[]float64{7}, false, true, 0, 7},
	} {
		points := make(plotter.XYs, len(c.y))
		for i, y := range c.y {
			points[i] = plotter.XY{X: float64(i + 1), Y: y}
		}
		curves := []curve{{points: points, style: stroke(ink, 1)}}
		if got := logServes(curves); got != c.log {
			t.Errorf("%s: logarithmic %v, want %v", name, got, c.log)
		}
		p := panel{title: name, curves: curves, log: c.log, zero: c.zero}
		q := p.plot()
		if math.Abs(q.Y.Min-c.ymin) > 1e-9 || math.Abs(q.Y.Max-c.ymax) > 1e-9 {
			t.Errorf("%s: from %g to %g, want %g to %g", name, q.Y.Min, q.Y.Max, c.ymin, c.ymax)
		}
		if _, err := plotsPNG([]*plot.Plot{q}, 1, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHyperCurvesSkipWhatIsUnknown(t *testing.T) {
	h := []record.HyperAt{
		{Samples: 2, LogLikelihood: math.NaN(), Hyper: record.Hyper{LengthScales: []float64{5}}},
		{Samples: 3, LogLikelihood: -4, Hyper: record.Hyper{LengthScales: []float64{6, 7}}},
	}
	c := hyperCurve(h, stroke(ink, 1), func(h record.HyperAt) float64 { return h.LogLikelihood })
	if len(c.points) != 1 || c.points[0] != (plotter.XY{X: 3, Y: -4}) {
		t.Errorf("%v, want the second only", c.points)
	}
	lengths := lengthScales(h)
	if len(lengths) != 2 || len(lengths[0].points) != 2 || len(lengths[1].points) != 1 {
		t.Errorf("length-scale curves %v", lengths)
	}
}

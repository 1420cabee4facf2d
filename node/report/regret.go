package report

import (
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// regretCurves returns the regret over the samples, one curve for each kind
// that was evaluated.
func regretCurves(m *Mission) []curve {
	if m.Truth == nil {
		return nil
	}
	var list []curve
	for _, k := range []struct {
		label string
		value func(RegretAt) float64
		style draw.LineStyle
	}{
		{"best place sampled so far", func(r RegretAt) float64 { return r.Simple }, stroke(orange, 1.8)},
		{"recommended place", func(r RegretAt) float64 { return r.Recommended }, stroke(blue, 1.5, 6, 2)},
		{"recommended, smooth field", func(r RegretAt) float64 { return r.Smooth }, stroke(green, 1.5, 2, 1.5)},
		{"recommended, expected under execution noise", func(r RegretAt) float64 { return r.Expected }, stroke(vermillion, 1.5, 6, 1.5, 1.5, 1.5)},
	} {
		var points plotter.XYs
		for _, r := range m.Truth.RegretOverSamples {
			if v := k.value(r); finite(v) {
				points = append(points, plotter.XY{X: float64(r.Samples), Y: v})
			}
		}
		if len(points) > 0 {
			list = append(list, curve{k.label, points, k.style})
		}
	}
	return list
}

func (s *scene) regret() picture {
	title := withUnits("regret", s.m.Units)
	return picture{
		File: "regret.png", Title: "Regret over the samples",
		Alt:     "Curves of the " + title + " over the number of samples.",
		Caption: "How far from the " + s.m.extreme() + " true value the mission was after so many samples. Zero is perfect.",
		draw: func() ([]byte, error) {
			curves := regretCurves(s.m)
			var legend []entry
			for _, c := range curves {
				legend = append(legend, entry{c.label, c.symbol})
			}
			p := panel{title: title, curves: curves, log: logServes(curves), zero: true}
			return panelPicture([]panel{p}, 1, legend)
		},
	}
}

// logServes says whether a logarithmic axis shows the curves better: all are
// above zero, and the highest value is more than 30 times the lowest.
func logServes(curves []curve) bool {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, c := range curves {
		for _, p := range c.points {
			lo, hi = math.Min(lo, p.Y), math.Max(hi, p.Y)
		}
	}
	return lo > 0 && hi > 30*lo
}

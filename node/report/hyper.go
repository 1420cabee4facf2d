package report

import (
	"math"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

func (s *scene) hyper() picture {
	return picture{
		File: "hyperparameters.png", Title: "Hyper-parameters over the samples",
		Alt:     "Small curves of the length-scales, the signal and noise deviation, the prior mean, the log likelihood and the execution noise over the number of samples.",
		Caption: "What the model learnt of the field's texture as the samples came in.",
		draw: func() ([]byte, error) {
			lengths := s.lengthScales()
			var legend []entry
			for _, c := range lengths {
				legend = append(legend, entry{c.label, c.symbol})
			}
			units := s.m.Transform.modelUnits(s.m.Units)
			panels := []panel{{title: "length-scales (m)", curves: lengths, zero: true}}
			for _, p := range []struct {
				title string
				value func(HyperAt) float64
				zero  bool
			}{
				{withUnits("signal σ", units), func(h HyperAt) float64 { return math.Sqrt(h.SignalVariance) }, true},
				{"log likelihood", func(h HyperAt) float64 { return h.LogLikelihood }, false},
				{withUnits("prior mean", units), func(h HyperAt) float64 { return h.Mean }, false},
				{withUnits("added noise σ", units), func(h HyperAt) float64 { return math.Sqrt(h.NoiseVariance) }, true},
			} {
				if c := hyperCurve(s.m.Hyper, stroke(ink, 1.4), p.value); len(c.points) > 0 {
					panels = append(panels, panel{title: p.title, curves: []curve{c}, zero: p.zero})
				}
			}
			execution := func(h HyperAt) float64 {
				if h.Noise == nil {
					return math.NaN()
				}
				return math.Sqrt((h.Noise.XX + h.Noise.YY) / 2)
			}
			if c := hyperCurve(s.m.Hyper, stroke(ink, 1.4), execution); len(c.points) > 0 {
				panels = append(panels, panel{title: "execution σ (m)", curves: []curve{c}, zero: true})
			}
			const columns = 3
			return panelPicture(panels, columns, legend)
		},
	}
}

// lengthScales returns one curve for each axis that the model has.
func (s *scene) lengthScales() []curve {
	var list []curve
	for axis, a := range []struct {
		label string
		style draw.LineStyle
	}{
		{"length-scale along x", stroke(blue, 1.5)},
		{"length-scale along y", stroke(vermillion, 1.5, dashed...)},
	} {
		c := hyperCurve(s.m.Hyper, a.style, func(h HyperAt) float64 {
			if axis < len(h.LengthScales) {
				return h.LengthScales[axis]
			}
			return math.NaN()
		})
		if c.label = a.label; len(c.points) > 0 {
			list = append(list, c)
		}
	}
	return list
}

// hyperCurve returns one hyper-parameter over the samples, where it is known.
func hyperCurve(list []HyperAt, style draw.LineStyle, value func(HyperAt) float64) curve {
	c := curve{style: style}
	for _, h := range list {
		if v := value(h); finite(v) {
			c.points = append(c.points, plotter.XY{X: float64(h.Samples), Y: v})
		}
	}
	return c
}

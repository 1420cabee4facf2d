package report

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// Series is the result of one method in a comparison: its mean over the trials, and their
// standard deviation or standard error, for each iteration or setting.
type Series struct {
	Label           string
	Mean, Deviation []float64
	At              []float64 // places on the horizontal axis, for [LinesPNG] alone
}

// seriesColours distinguish the methods, also for people with colour vision deficiency
// (Okabe and Ito). If there are more methods than colours, the further lines are
// dashed.
var seriesColours = []color.RGBA{blue, vermillion, green, grey, orange, purple}

func seriesStyle(i int) draw.LineStyle {
	s := stroke(seriesColours[i%len(seriesColours)], 1.5)
	if i >= len(seriesColours) {
		s.Dashes = dashed
	}
	return s
}

// BandsPNG draws each series over the iterations, which count from 1, in a band of mean ±
// Deviation. spread is the name of the band in the legend.
func BandsPNG(title, spread string, series []Series) ([]byte, error) {
	p := panel{title: title, zero: true}
	for i, s := range series {
		if len(s.Mean) != len(s.Deviation) || len(s.Mean) == 0 {
			return nil, fmt.Errorf("report: %s: %d means and %d standard deviations; the numbers must be equal and at least 1", s.Label, len(s.Mean), len(s.Deviation))
		}
		c := curve{label: s.Label, style: seriesStyle(i)}
		n := len(s.Mean)
		b := make(plotter.XYs, 2*n)
		for k, v := range s.Mean {
			x := float64(k + 1)
			c.points = append(c.points, plotter.XY{X: x, Y: v})
			b[k] = plotter.XY{X: x, Y: max(v-s.Deviation[k], 0)} // a regret is never negative
			b[2*n-1-k] = plotter.XY{X: x, Y: v + s.Deviation[k]}
		}
		p.curves, p.bands = append(p.curves, c), append(p.bands, b)
	}
	legend := append(legendOf(p.curves), entry{"± " + spread, []plot.Thumbnailer{&plotter.Polygon{Color: faint(ink)}}})
	return plotsPNG([]*plot.Plot{p.plot()}, 1, legend)
}

// LinesPNG draws each series as a line through its means at the places At, with a line from
// mean − Deviation to mean + Deviation at each. axis is the title of the horizontal axis, and
// spread the name of the upright lines in the legend.
func LinesPNG(title, axis, spread string, series []Series) ([]byte, error) {
	q := newPanel(axis, title)
	var legend []entry
	for i, s := range series {
		if len(s.At) == 0 || len(s.Mean) != len(s.At) || len(s.Deviation) != len(s.At) {
			return nil, fmt.Errorf("report: %s: %d means and %d standard deviations at %d places; the numbers must be equal and at least 1", s.Label, len(s.Mean), len(s.Deviation), len(s.At))
		}
		style := seriesStyle(i)
		errors := &plotter.YErrorBars{LineStyle: stroke(style.Color, 0.9)}
		errors.CapWidth = 4
		for k, v := range s.Mean {
			errors.XYs = append(errors.XYs, plotter.XY{X: s.At[k], Y: v})
			errors.YErrors = append(errors.YErrors, struct{ Low, High float64 }{min(s.Deviation[k], v), s.Deviation[k]})
		}
		line := &plotter.Line{XYs: errors.XYs, LineStyle: style}
		dots := &plotter.Scatter{XYs: errors.XYs, GlyphStyle: draw.GlyphStyle{Color: style.Color, Radius: 2.2, Shape: draw.CircleGlyph{}}}
		q.Add(line, errors, dots)
		legend = append(legend, entry{s.Label, []plot.Thumbnailer{line}})
	}
	legend = append(legend, entry{"± " + spread, []plot.Thumbnailer{thumb(func(c *draw.Canvas) {
		m := c.Center()
		c.StrokeLine2(stroke(ink, 0.9), m.X, m.Y-4.5, m.X, m.Y+4.5)
	})}})
	q.X.Min, q.Y.Min = 0, 0
	return plotsPNG([]*plot.Plot{q}, 1, legend)
}

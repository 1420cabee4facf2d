package report

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Series is a figure of one method in a comparison: its mean over the trials and its
// standard deviation or standard error, at each iteration or in each group.
type Series struct {
	Label           string
	Mean, Deviation []float64
}

// seriesColours tell methods apart, for people without red or green vision too
// (Okabe and Ito). There are more methods than colours: lines are dashed then, and bars hollow.
var seriesColours = []color.RGBA{blue, vermillion, green, grey, orange, purple}

func seriesStyle(i int) draw.LineStyle {
	s := stroke(seriesColours[i%len(seriesColours)], 1.5)
	if i >= len(seriesColours) {
		s.Dashes = dashed
	}
	return s
}

// BandsPNG draws each series over the iterations, from 1, in a band of one
// standard deviation to either side. spread names it in the legend.
func BandsPNG(title, spread string, series []Series) ([]byte, error) {
	p := panel{title: title, zero: true}
	for i, s := range series {
		if len(s.Mean) != len(s.Deviation) || len(s.Mean) == 0 {
			return nil, fmt.Errorf("report: %s: %d means and %d standard deviations, want the same number, at least one", s.Label, len(s.Mean), len(s.Deviation))
		}
		c := curve{label: s.Label, style: seriesStyle(i)}
		n := len(s.Mean)
		b := make(plotter.XYs, 2*n)
		for k, v := range s.Mean {
			x := float64(k + 1)
			c.points = append(c.points, plotter.XY{X: x, Y: v})
			b[k] = plotter.XY{X: x, Y: max(v-s.Deviation[k], 0)} // a regret is not below zero
			b[2*n-1-k] = plotter.XY{X: x, Y: v + s.Deviation[k]}
		}
		p.curves, p.bands = append(p.curves, c), append(p.bands, b)
	}
	legend := append(legendOf(p.curves), entry{"± " + spread, []plot.Thumbnailer{&plotter.Polygon{Color: faint(ink)}}})
	return plotsPNG([]*plot.Plot{p.plot()}, 1, legend)
}

// BarsPNG draws a group of bars for each setting, a bar for each series, with a
// line of one standard deviation to either side. spread names it in the legend.
func BarsPNG(title, settings, spread string, names []string, series []Series) ([]byte, error) {
	q := newPanel(settings, title)
	share := 0.8 / float64(max(len(series), 1))                           // of the distance between groups
	width := 0.9 * share * 0.9 * curveWidth / (float64(len(names)) + 0.2) // the axis takes a tenth of the picture
	var legend []entry
	for i, s := range series {
		if len(s.Mean) != len(names) || len(s.Deviation) != len(names) {
			return nil, fmt.Errorf("report: %s: %d means and %d standard deviations of %d settings", s.Label, len(s.Mean), len(s.Deviation), len(names))
		}
		style := seriesStyle(i)
		bars, err := plotter.NewBarChart(plotter.Values(s.Mean), vg.Length(width))
		if err != nil {
			return nil, fmt.Errorf("report: %s: %w", s.Label, err)
		}
		bars.XMin = (float64(i) - float64(len(series)-1)/2) * share
		bars.Color, bars.LineStyle = style.Color, draw.LineStyle{}
		if style.Dashes != nil {
			bars.Color, bars.LineStyle = color.White, stroke(style.Color, style.Width)
		}
		lines := &plotter.YErrorBars{LineStyle: stroke(ink, 0.9)}
		for k, v := range s.Mean {
			lines.XYs = append(lines.XYs, plotter.XY{X: bars.XMin + float64(k), Y: v})
			lines.YErrors = append(lines.YErrors, struct{ Low, High float64 }{min(s.Deviation[k], v), s.Deviation[k]})
		}
		q.Add(bars, lines)
		legend = append(legend, entry{s.Label, []plot.Thumbnailer{bars}})
	}
	legend = append(legend, entry{"± " + spread, []plot.Thumbnailer{thumb(func(c *draw.Canvas) {
		m := c.Center()
		c.StrokeLine2(stroke(ink, 0.9), m.X, m.Y-4.5, m.X, m.Y+4.5)
	})}})
	list := make(plot.ConstantTicks, len(names))
	for k, name := range names {
		list[k] = plot.Tick{Value: float64(k), Label: name}
	}
	q.X.Tick.Marker = list
	q.X.Min, q.X.Max, q.Y.Min = -0.6, float64(len(names))-0.4, 0
	return plotsPNG([]*plot.Plot{q}, 1, legend)
}

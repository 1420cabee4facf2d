package report

import (
	"bytes"
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Bounded is a line with bounds about each of its points.
type Bounded struct {
	Label    string
	At, Mean []float64
	Low, Up  []float64 // bounds; infinite: none
}

// BoundedPanel is a plot of lines. The horizontal axis has the same lines in each panel of a
// picture.
type BoundedPanel struct {
	Title, Axis string
	Lines       []Bounded
}

// BoundedPictures draws panels beside one another, as PNG and as SVG. bounds is the name of the
// upright lines in the legend.
func BoundedPictures(bounds string, panels []BoundedPanel) (png, svg []byte, err error) {
	var plots []*plot.Plot
	var legend []entry
	for k, p := range panels {
		q := newPanel(p.Axis, p.Title)
		for i, s := range p.Lines {
			if n := len(s.At); n == 0 || len(s.Mean) != n || len(s.Low) != n || len(s.Up) != n {
				return nil, nil, fmt.Errorf("report: %s: %d values, %d lower and %d upper bounds at %d places; the numbers must be equal and at least 1", s.Label, len(s.Mean), len(s.Low), len(s.Up), n)
			}
			style := seriesStyle(i)
			upright := &plotter.YErrorBars{LineStyle: stroke(style.Color, 0.9)}
			upright.CapWidth = 4
			for j, v := range s.Mean {
				low, up := v, v
				if !math.IsInf(s.Low[j], 0) {
					low = s.Low[j]
				}
				if !math.IsInf(s.Up[j], 0) {
					up = s.Up[j]
				}
				upright.XYs = append(upright.XYs, plotter.XY{X: s.At[j], Y: v})
				upright.YErrors = append(upright.YErrors, struct{ Low, High float64 }{v - low, up - v})
			}
			line := &plotter.Line{XYs: upright.XYs, LineStyle: style}
			q.Add(line, upright, &plotter.Scatter{XYs: upright.XYs, GlyphStyle: draw.GlyphStyle{Color: style.Color, Radius: 2.2, Shape: draw.CircleGlyph{}}})
			if k == 0 {
				legend = append(legend, entry{s.Label, []plot.Thumbnailer{line}})
			}
		}
		q.X.Min, q.Y.Min = 0, 0
		plots = append(plots, q)
	}
	legend = append(legend, entry{bounds, []plot.Thumbnailer{thumb(func(c *draw.Canvas) {
		m := c.Center()
		c.StrokeLine2(stroke(ink, 0.9), m.X, m.Y-4.5, m.X, m.Y+4.5)
	})}})
	if png, err = plotsPNG(plots, len(plots), legend); err != nil {
		return nil, nil, err
	}
	l := newLegend(legend, curveWidth)
	canvas := vgsvg.New(curveWidth+2*margin, curveHeight+2*margin+l.height)
	layOut(draw.New(canvas), l, plotsIn(plots, len(plots)))
	var b bytes.Buffer
	_, err = canvas.WriteTo(&b)
	return png, b.Bytes(), err
}

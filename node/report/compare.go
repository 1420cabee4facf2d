package report

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Series is a figure of one method in a comparison: its mean over the trials and
// how far that spreads, over iterations or over groups.
type Series struct {
	Label           string
	Mean, Deviation []float64
}

// seriesColours tell methods apart, for people without red or green vision too
// (Okabe and Ito). There are more methods than colours: lines are dashed then, and bars hollow.
var seriesColours = []color.RGBA{blue, vermillion, green, {0x77, 0x77, 0x77, 0xFF}, orange, {0xCC, 0x79, 0xA7, 0xFF}}

func seriesStyle(i int) draw.LineStyle {
	s := stroke(seriesColours[i%len(seriesColours)], 1.5)
	if i >= len(seriesColours) {
		s.Dashes = dashed
	}
	return s
}

// faint is a colour that lets what is below show through.
func faint(c color.Color) color.Color {
	r, g, b, _ := c.RGBA()
	const share = 5                                                                                            // a fifth
	return color.RGBA{uint8((r >> 8) / share), uint8((g >> 8) / share), uint8((b >> 8) / share), 0xFF / share} // alpha-premultiplied
}

// BandsPNG draws each series over the iterations, from 1, in a band of one
// deviation to either side. The legend says of what kind that is: spread.
func BandsPNG(title, spread string, series []Series) ([]byte, error) {
	p := panel{title: title, zero: true}
	var legend []entry
	for i, s := range series {
		if len(s.Mean) != len(s.Deviation) || len(s.Mean) == 0 {
			return nil, fmt.Errorf("report: %s: %d means and %d deviations, want as many and at least one", s.Label, len(s.Mean), len(s.Deviation))
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
		legend = append(legend, entry{c.label, c.symbol})
	}
	legend = append(legend, entry{"± " + spread, func(d draw.Canvas, at vg.Point) {
		d.FillPolygon(faint(ink), []vg.Point{{X: at.X - 8, Y: at.Y - 4}, {X: at.X + 8, Y: at.Y - 4}, {X: at.X + 8, Y: at.Y + 4}, {X: at.X - 8, Y: at.Y + 4}})
	}})
	return panelPicture([]panel{p}, 1, legend)
}

// BarsPNG draws a group of bars for each setting, a bar for each series, with a
// line of one deviation to either side. The legend says of what kind that is: spread.
func BarsPNG(title, settings, spread string, names []string, series []Series) ([]byte, error) {
	p := panel{title: title, zero: true}
	q, err := p.plot()
	if err != nil {
		return nil, err
	}
	q.X.Label.Text = settings
	width := 0.8 / float64(max(len(series), 1))
	var legend []entry
	for i, s := range series {
		if len(s.Mean) != len(names) || len(s.Deviation) != len(names) {
			return nil, fmt.Errorf("report: %s: %d means and %d deviations of %d settings", s.Label, len(s.Mean), len(s.Deviation), len(names))
		}
		style := seriesStyle(i)
		fill, outline := style.Color, stroke(style.Color, 0)
		if style.Dashes != nil {
			fill, outline.Width = color.White, style.Width
		}
		for k, v := range s.Mean {
			at := float64(k) + (float64(i)-float64(len(series)-1)/2)*width
			b, err := plotter.NewPolygon(plotter.XYs{
				{X: at - 0.45*width, Y: 0}, {X: at + 0.45*width, Y: 0}, {X: at + 0.45*width, Y: v}, {X: at - 0.45*width, Y: v},
			})
			if err != nil {
				return nil, err
			}
			b.Color, b.LineStyle = fill, outline
			l, err := plotter.NewLine(plotter.XYs{{X: at, Y: max(v-s.Deviation[k], 0)}, {X: at, Y: v + s.Deviation[k]}})
			if err != nil {
				return nil, err
			}
			l.LineStyle = stroke(ink, 0.9)
			q.Add(b, l)
		}
		legend = append(legend, entry{s.Label, func(d draw.Canvas, at vg.Point) {
			disc(d, outline.Color, at, 4)
			disc(d, fill, at, 4-outline.Width)
		}})
	}
	legend = append(legend, entry{"± " + spread, func(d draw.Canvas, at vg.Point) {
		d.StrokeLine2(stroke(ink, 0.9), at.X, at.Y-4.5, at.X, at.Y+4.5)
	}})
	list := make([]plot.Tick, len(names))
	for k, name := range names {
		list[k] = plot.Tick{Value: float64(k), Label: name}
	}
	q.X.Tick.Marker = plot.ConstantTicks(list)
	q.X.Min, q.X.Max, q.Y.Min = -0.6, float64(len(names))-0.4, 0

	f := newFigure(curveWidth, curveHeight)
	lines := layOut(legend, curveWidth-16)
	bottom := vg.Length(4 + legendRow*len(lines))
	drawLegend(f.Canvas, lines, bottom)
	q.Draw(draw.Canvas{Canvas: f.Canvas.Canvas, Rectangle: vg.Rectangle{
		Min: vg.Point{X: 6, Y: bottom + 6}, Max: vg.Point{X: f.Max.X - 8, Y: f.Max.Y - 6},
	}})
	return f.png()
}

package report

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"

	"ugp_explorer/node/record"
)

// Size of the pictures with curves in points, without the legend.
const curveWidth, curveHeight = 438, 235

// curve is a line over the number of samples.
type curve struct {
	label  string
	points plotter.XYs
	style  draw.LineStyle
}

func (c curve) line() *plotter.Line {
	return &plotter.Line{XYs: c.points, LineStyle: c.style, StepStyle: plotter.PostStep}
}

// legendOf returns the legend of the curves.
func legendOf(curves []curve) (list []entry) {
	for _, c := range curves {
		list = append(list, entry{c.label, []plot.Thumbnailer{c.line()}})
	}
	return list
}

// panel is a plot of curves over the number of samples. The curves are step functions: a
// value is valid until the next sample.
type panel struct {
	title  string
	curves []curve
	bands  []plotter.XYs // outlines of areas below the curves, in their colours; nil or one per curve
	log    bool          // logarithmic axis; all values must be positive
	zero   bool          // the axis begins at zero unless a value is negative
}

// newPanel returns an empty plot with horizontal grid lines.
func newPanel(xTitle, yTitle string) *plot.Plot {
	q := newPlot(xTitle, yTitle)
	grid := plotter.NewGrid()
	grid.Vertical.Color = nil
	grid.Horizontal = stroke(color.Gray{0xDD}, hairline)
	q.Add(grid)
	return q
}

// plot returns the panel as a plot.
func (p panel) plot() *plot.Plot {
	q := newPanel("samples", p.title)
	q.X.Tick.Marker = ticks{most: 6, least: 1}
	for i, b := range p.bands {
		q.Add(&plotter.Polygon{XYs: []plotter.XYs{b}, Color: faint(p.curves[i].style.Color)})
	}
	for _, c := range p.curves {
		q.Add(c.line())
		if len(c.points) == 1 { // a single point has no line
			q.Add(&plotter.Scatter{XYs: c.points, GlyphStyle: draw.GlyphStyle{Color: c.style.Color, Radius: 2.5, Shape: draw.CircleGlyph{}}})
		}
	}
	p.setRange(q)
	return q
}

// faint returns the colour with an opacity of 20 %.
func faint(c color.Color) color.Color {
	f := color.NRGBAModel.Convert(c).(color.NRGBA)
	f.A = 0x33
	return f
}

// setRange sets the range of the y axis. The curves must have been added.
func (p panel) setRange(q *plot.Plot) {
	if p.log {
		q.Y.Scale = plot.LogScale{}
		q.Y.Tick.Marker = plot.LogTicks{Prec: -1}
		q.Y.Min, q.Y.Max = 1/niceStep(1/q.Y.Min), niceStep(q.Y.Max)
		return
	}
	if p.zero && q.Y.Min > 0 {
		q.Y.Min = 0
	}
	if len(p.curves) > 0 && q.Y.Max-q.Y.Min <= 1e-9*math.Abs(q.Y.Max) {
		half := max(math.Abs(q.Y.Max)/100, 1e-3) // a constant is drawn in the middle
		q.Y.Min, q.Y.Max = q.Y.Min-half, q.Y.Max+half
	}
}

// plotsPNG draws plots row by row in the given number of columns.
func plotsPNG(plots []*plot.Plot, columns int, legend []entry) ([]byte, error) {
	return picturePNG(curveWidth, curveHeight, legend, plotsIn(plots, columns))
}

// plotsIn returns the function that draws plots row by row in the given number of columns.
func plotsIn(plots []*plot.Plot, columns int) func(draw.Canvas) {
	t := draw.Tiles{Cols: columns, Rows: (len(plots) + columns - 1) / columns, PadX: 8, PadY: 6}
	return func(c draw.Canvas) {
		for i, q := range plots {
			tile := t.At(c, i%columns, i/columns)
			shrink(&q.Y, tile.Size().Y)
			q.Draw(tile)
		}
	}
}

// regretCurves returns the regret over the samples, one curve for each kind of regret that
// was computed.
func regretCurves(m *record.Mission) (list []curve) {
	if m.Truth == nil {
		return nil
	}
	for _, k := range []struct {
		label string
		value func(record.RegretAt) float64
		style draw.LineStyle
	}{
		{"best place sampled so far", func(r record.RegretAt) float64 { return r.Simple }, stroke(orange, 1.8)},
		{"recommended place", func(r record.RegretAt) float64 { return r.Recommended }, stroke(blue, 1.5, 6, 2)},
		{"recommended, smooth field", func(r record.RegretAt) float64 { return r.Smooth }, stroke(green, 1.5, 2, 1.5)},
		{"recommended, expected under execution noise", func(r record.RegretAt) float64 { return r.Expected }, stroke(vermillion, 1.5, 6, 1.5, 1.5, 1.5)},
	} {
		c := curve{label: k.label, style: k.style}
		for _, r := range m.Truth.RegretOverSamples {
			c.add(r.Samples, k.value(r))
		}
		if len(c.points) > 0 {
			list = append(list, c)
		}
	}
	return list
}

// add appends a value if it is finite.
func (c *curve) add(samples int, v float64) {
	if finite(v) {
		c.points = append(c.points, plotter.XY{X: float64(samples), Y: v})
	}
}

func (s *scene) regret() picture {
	title := withUnits("regret", s.m.Units)
	return picture{
		File: "regret.png", Title: "Regret over the samples",
		Alt:     "Curves of the " + title + " over the number of samples.",
		Caption: "Difference from the " + extreme(s.m) + " true value after each sample. Zero is perfect.",
		draw: func() ([]byte, error) {
			curves := regretCurves(s.m)
			p := panel{title: title, curves: curves, log: logServes(curves), zero: true}
			return plotsPNG([]*plot.Plot{p.plot()}, 1, legendOf(curves))
		},
	}
}

// logServes reports whether the curves are shown on a logarithmic axis: all values are
// positive, and the highest is more than 30 times the lowest.
func logServes(curves []curve) bool {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, c := range curves {
		for _, p := range c.points {
			lo, hi = min(lo, p.Y), max(hi, p.Y)
		}
	}
	return lo > 0 && hi > 30*lo
}

func (s *scene) hyper() picture {
	return picture{
		File: "hyperparameters.png", Title: "Hyper-parameters over the samples",
		Alt:     "Small curves of the length-scales, the signal and noise standard deviation, the prior mean, the log likelihood and the execution noise over the number of samples.",
		Caption: "The likeliest hyper-parameters, as they were learnt from the samples. Maps and the best place may be averaged over others, too: models in mission.json.",
		draw: func() ([]byte, error) {
			lengths := lengthScales(s.m.Hyper)
			units := modelUnits(s.m.Transform, s.m.Units)
			plots := []*plot.Plot{panel{title: "length-scales (m)", curves: lengths, zero: true}.plot()}
			for _, p := range []struct {
				title string
				value func(record.HyperAt) float64
				zero  bool
			}{
				{withUnits("signal σ", units), func(h record.HyperAt) float64 { return math.Sqrt(h.SignalVariance) }, true},
				{"log likelihood", func(h record.HyperAt) float64 { return h.LogLikelihood }, false},
				{withUnits("prior mean", units), func(h record.HyperAt) float64 { return h.Mean }, false},
				{withUnits("added noise σ", units), func(h record.HyperAt) float64 { return math.Sqrt(h.NoiseVariance) }, true},
				{"execution σ (m)", func(h record.HyperAt) float64 { return rootMeanSquare(h.Noise) }, true},
			} {
				if c := hyperCurve(s.m.Hyper, stroke(ink, 1.4), p.value); len(c.points) > 0 {
					plots = append(plots, panel{title: p.title, curves: []curve{c}, zero: p.zero}.plot())
				}
			}
			const columns = 3
			return plotsPNG(plots, columns, legendOf(lengths))
		},
	}
}

// lengthScales returns one curve per axis of the model.
func lengthScales(hyper []record.HyperAt) (list []curve) {
	for axis, a := range []struct {
		label string
		style draw.LineStyle
	}{
		{"length-scale along x", stroke(blue, 1.5)},
		{"length-scale along y", stroke(vermillion, 1.5, dashed...)},
	} {
		c := hyperCurve(hyper, a.style, func(h record.HyperAt) float64 {
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

// hyperCurve returns the finite values of one hyper-parameter over the samples.
func hyperCurve(list []record.HyperAt, style draw.LineStyle, value func(record.HyperAt) float64) curve {
	c := curve{style: style}
	for _, h := range list {
		c.add(h.Samples, value(h))
	}
	return c
}

// rootMeanSquare returns the root mean square of the standard deviations in x and y, NaN
// if c is nil.
func rootMeanSquare(c *record.Covariance) float64 {
	if c == nil {
		return math.NaN()
	}
	return math.Sqrt((c.XX + c.YY) / 2)
}

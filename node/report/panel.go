package report

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Size of the pictures with curves, points.
const curveWidth, curveHeight = 450, 270

var dashed = []vg.Length{4, 2.5}

// curve is one line over the number of samples.
type curve struct {
	label  string
	points plotter.XYs
	style  draw.LineStyle
}

// symbol is the curve's sign in a legend.
func (c curve) symbol(d draw.Canvas, p vg.Point) { d.StrokeLine2(c.style, p.X-8, p.Y, p.X+8, p.Y) }

// panel is a plot of curves over the number of samples. A value holds until
// the next sample changes it, so the curves are steps.
type panel struct {
	title  string
	curves []curve
	bands  []plotter.XYs // outlines of areas in the curves' colours, below them; nil or one for each
	log    bool          // logarithmic axis; every value must be above zero
	zero   bool          // the axis begins at zero, when no value is below
}

// plot returns the panel as a plot.
func (p panel) plot() (*plot.Plot, error) {
	q := plot.New()
	q.BackgroundColor = color.Transparent
	q.X.Label.Text, q.Y.Label.Text = "samples", p.title
	for _, a := range []*plot.Axis{&q.X, &q.Y} {
		a.Label.TextStyle.Font = lettering(textSize, draw.XCenter, draw.YTop).Font
		a.Label.TextStyle.Color, a.Tick.Label.Color = ink, ink
		a.Label.Padding = 4
		a.Tick.Label.Font = lettering(smallSize, draw.XCenter, draw.YTop).Font
		a.LineStyle, a.Tick.LineStyle = stroke(ink, hairline), stroke(ink, hairline)
		a.Tick.Length = tickLength
		a.Tick.Marker = ticks(6)
	}
	q.X.Tick.Marker = wholeTicks(6)
	grid := plotter.NewGrid()
	grid.Vertical.Color = nil
	grid.Horizontal = stroke(color.Gray{0xDD}, hairline)
	q.Add(grid)
	for i, b := range p.bands {
		area, err := plotter.NewPolygon(b)
		if err != nil {
			return nil, err
		}
		area.Color, area.LineStyle.Width = faint(p.curves[i].style.Color), 0
		q.Add(area)
	}
	for _, c := range p.curves {
		l, err := plotter.NewLine(c.points)
		if err != nil {
			return nil, err
		}
		l.LineStyle, l.StepStyle = c.style, plotter.PostStep
		q.Add(l)
		if len(c.points) == 1 { // a single point has no line
			dot, err := plotter.NewScatter(c.points)
			if err != nil {
				return nil, err
			}
			dot.GlyphStyle = draw.GlyphStyle{Color: c.style.Color, Radius: 2.5, Shape: draw.CircleGlyph{}}
			q.Add(dot)
		}
	}
	p.setRange(q)
	return q, nil
}

// setRange sets the axes' ranges after the curves are known.
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
		half := math.Max(math.Abs(q.Y.Max)/100, 1e-3) // a constant lies in the middle
		q.Y.Min, q.Y.Max = q.Y.Min-half, q.Y.Max+half
	}
}

// panelPicture draws panels in so many columns, row after row, with a legend below,
// and returns the picture.
func panelPicture(panels []panel, columns int, legend []entry) ([]byte, error) {
	f := newFigure(curveWidth, curveHeight)
	lines := layOut(legend, curveWidth-16)
	bottom := vg.Length(4 + legendRow*len(lines))
	drawLegend(f.Canvas, lines, bottom)
	bottom += 4
	rows := (len(panels) + columns - 1) / columns
	width, height := f.Max.X/vg.Length(columns), (f.Max.Y-bottom)/vg.Length(rows)
	for i, p := range panels {
		made, err := p.plot()
		if err != nil {
			return nil, err
		}
		left, top := width*vg.Length(i%columns), f.Max.Y-height*vg.Length(i/columns)
		made.Draw(draw.Canvas{Canvas: f.Canvas.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: left + 6, Y: top - height + 2},
			Max: vg.Point{X: left + width - 8, Y: top - 6},
		}})
	}
	return f.png()
}

package report

import (
	"image"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Room of a map picture, points. A map fills what its shape allows of the
// largest area, so pictures of one mission have one size.
const (
	mapWidth, mapHeight = 350, 440
	topMargin           = 8
	tickLength          = 3
	barWidth            = 11
	legendRow           = 13
)

// chart is a picture of a piece of the map frame: equal scales on both axes,
// metres along the edges, a colour bar on the right when there is one to show,
// the legend below.
type chart struct {
	*figure
	area     draw.Canvas // where the map is
	view     view        // what it shows
	perMetre float64     // points to the metre
}

// bar says what the colours of a chart mean.
type bar struct {
	scale scale
	title string
}

// newChart returns a chart with its axes' room reserved and, when b is not
// nil, the colour bar drawn.
func newChart(v view, b *bar, xTitle, yTitle string, legend []entry) *chart {
	perMetre := math.Min(mapWidth/v.width(), mapHeight/v.height())
	w, h := math.Ceil(v.width()*perMetre-1e-6), math.Ceil(v.height()*perMetre-1e-6)
	// Rounding up to whole points widens the view a little, about its middle.
	v.x0, v.x1 = middle(v.x0, v.x1, w/perMetre)
	v.y0, v.y1 = middle(v.y0, v.y1, h/perMetre)

	xTicks, yTicks := mapTicks(w).Ticks(v.x0, v.x1), mapTicks(h).Ticks(v.y0, v.y1)
	left := tickLength + 3 + widest(yTicks) + 3 + textSize + 4
	right := 14.0
	var barTicks []plot.Tick
	if b != nil {
		barTicks = mapTicks(h).Ticks(b.scale.lo, b.scale.hi)
		right = 10 + barWidth + tickLength + 3 + widest(barTicks) + 5 + textSize + 4
	}
	left, right = math.Ceil(left), math.Ceil(right)
	width := left + w + right
	rows := layOut(legend, vg.Length(width-16))
	bottom := float64(tickLength + 2 + smallSize + 4 + textSize + 6 + legendRow*len(rows) + 4)

	f := newFigure(int(width), int(topMargin+h+bottom))
	c := &chart{figure: f, view: v, perMetre: perMetre, area: draw.Canvas{
		Canvas: f.Canvas.Canvas,
		Rectangle: vg.Rectangle{
			Min: vg.Point{X: vg.Length(left), Y: vg.Length(bottom)},
			Max: vg.Point{X: vg.Length(left + w), Y: vg.Length(bottom + h)},
		},
	}}
	c.drawAxes(xTicks, yTicks, xTitle, yTitle)
	if b != nil {
		c.drawBar(b, barTicks)
	}
	drawLegend(f.Canvas, rows, vg.Length(4+legendRow*len(rows)))
	return c
}

// mapTicks returns how many ticks fit along an edge of so many points.
func mapTicks(length float64) ticks { return ticks(max(3, min(8, int(length/40)))) }

func middle(lo, hi, width float64) (float64, float64) {
	m := (lo + hi) / 2
	return m - width/2, m + width/2
}

func widest(list []plot.Tick) float64 {
	w := 0.0
	for _, t := range list {
		w = math.Max(w, float64(lettering(smallSize, draw.XLeft, draw.YTop).Width(t.Label)))
	}
	return w
}

// at returns where a place of the map frame is on the picture.
func (c *chart) at(p Place) vg.Point {
	return vg.Point{
		X: c.area.Min.X + vg.Length((p[0]-c.view.x0)*c.perMetre),
		Y: c.area.Min.Y + vg.Length((p[1]-c.view.y0)*c.perMetre),
	}
}

func (c *chart) all(places []Place) []vg.Point {
	points := make([]vg.Point, len(places))
	for i, p := range places {
		points[i] = c.at(p)
	}
	return points
}

// pixels returns the part of the picture's image under the map, and what it
// shows.
func (c *chart) pixels() (*image.RGBA, window) {
	whole := c.canvas.Image().(*image.RGBA)
	top := whole.Bounds().Max.Y
	r := image.Rect(
		pixel(c.area.Min.X), top-pixel(c.area.Max.Y),
		pixel(c.area.Max.X), top-pixel(c.area.Min.Y),
	)
	return whole.SubImage(r).(*image.RGBA), window{c.view.x0, c.view.y1, 1 / (c.perMetre * pixelsPerPoint)}
}

func pixel(l vg.Length) int { return int(math.Round(float64(l) * pixelsPerPoint)) }

// drawFrame draws the box around the map; it comes last, over what the map
// holds.
func (c *chart) drawFrame() { c.StrokeLines(stroke(ink, hairline), box(c.area.Rectangle)) }

func box(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}, r.Min}
}

func (c *chart) drawAxes(xTicks, yTicks []plot.Tick, xTitle, yTitle string) {
	a, s := c.area, stroke(ink, hairline)
	below := lettering(smallSize, draw.XCenter, draw.YTop)
	for _, t := range xTicks {
		p := vg.Point{X: c.at(Place{t.Value, 0}).X, Y: a.Min.Y}
		c.StrokeLine2(s, p.X, p.Y, p.X, p.Y-tickLength)
		c.FillText(below, p.Add(vg.Point{Y: -tickLength - 2}), t.Label)
	}
	beside := lettering(smallSize, draw.XRight, midHeight)
	for _, t := range yTicks {
		p := vg.Point{X: a.Min.X, Y: c.at(Place{0, t.Value}).Y}
		c.StrokeLine2(s, p.X, p.Y, p.X-tickLength, p.Y)
		c.FillText(beside, p.Add(vg.Point{X: -tickLength - 3}), t.Label)
	}
	mid := a.Center()
	c.FillText(lettering(textSize, draw.XCenter, draw.YTop),
		vg.Point{X: mid.X, Y: a.Min.Y - tickLength - 2 - smallSize - 4}, xTitle)
	upright(c.Canvas, yTitle, vg.Point{X: 4 + textSize/2, Y: mid.Y})
}

func (c *chart) drawBar(b *bar, list []plot.Tick) {
	r := vg.Rectangle{
		Min: vg.Point{X: c.area.Max.X + 10, Y: c.area.Min.Y},
		Max: vg.Point{X: c.area.Max.X + 10 + barWidth, Y: c.area.Max.Y},
	}
	whole := c.canvas.Image()
	top := whole.Bounds().Max.Y
	first, last := top-pixel(r.Max.Y), top-pixel(r.Min.Y)
	for y := first; y < last; y++ {
		share := (float64(last-y) - 0.5) / float64(last-first)
		colour := b.scale.at(b.scale.lo + share*(b.scale.hi-b.scale.lo))
		for x := pixel(r.Min.X); x < pixel(r.Max.X); x++ {
			whole.Set(x, y, colour)
		}
	}
	s := stroke(ink, hairline)
	c.StrokeLines(s, box(r))
	right := lettering(smallSize, draw.XLeft, midHeight)
	for _, t := range list {
		share := (t.Value - b.scale.lo) / (b.scale.hi - b.scale.lo)
		p := vg.Point{X: r.Max.X, Y: r.Min.Y + vg.Length(share)*r.Size().Y}
		c.StrokeLine2(s, p.X, p.Y, p.X+tickLength, p.Y)
		c.FillText(right, p.Add(vg.Point{X: tickLength + 3}), t.Label)
	}
	upright(c.Canvas, b.title, vg.Point{X: c.Max.X - 4 - textSize/2, Y: c.area.Center().Y})
}

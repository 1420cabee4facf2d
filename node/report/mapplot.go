package report

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"ugp_explorer/node/record"
)

// Largest size of a map and width of the colour bar, points. A map is as large as its
// shape allows, so all pictures of a mission have the same size.
const mapWidth, mapHeight, barWidth = 350, 440, 11

// bar is the colour bar of a map.
type bar struct {
	colours palette.ColorMap
	title   string
}

// mapPNG draws layers on a section of the map frame, with the same scale on both axes, a
// frame, and a colour bar on the right unless b is nil.
func mapPNG(v view, b *bar, xTitle, yTitle string, layers []layer) ([]byte, error) {
	perMetre := min(mapWidth/v.width(), mapHeight/v.height())
	area := vg.Rectangle{Max: vg.Point{X: vg.Length(v.width() * perMetre), Y: vg.Length(v.height() * perMetre)}}
	q := newPlot(xTitle, yTitle)
	var legend []entry
	for _, l := range layers {
		for _, p := range l.plotters {
			q.Add(unpadded{p})
		}
		if l.label != "" && len(l.plotters) > 0 {
			legend = append(legend, l.entry)
		}
	}
	q.X.Min, q.X.Max, q.Y.Min, q.Y.Max = v.x0, v.x1, v.y0, v.y1
	whole := framed(q, area)
	parts := []placed{{q, whole}}
	if b != nil {
		c := newPlot("", b.title)
		c.Add(&plotter.ColorBar{ColorMap: b.colours, Vertical: true, Colors: 256})
		c.HideX()
		at := framed(c, vg.Rectangle{Max: vg.Point{X: barWidth, Y: area.Max.Y}})
		at = at.Add(vg.Point{X: whole.Max.X + 10 - at.Min.X})
		parts = append(parts, placed{c, at})
		whole.Max.X, whole.Min.Y, whole.Max.Y = at.Max.X, min(whole.Min.Y, at.Min.Y), max(whole.Max.Y, at.Max.Y)
	}
	return picturePNG(whole.Size().X, whole.Size().Y, legend, func(c draw.Canvas) {
		for _, p := range parts {
			p.plot.Draw(draw.Canvas{Canvas: c.Canvas, Rectangle: p.at.Add(c.Min.Sub(whole.Min))})
		}
	})
}

// unpadded is a plotter without the boxes around its glyphs, for which a plot would leave
// room inside the frame. A heat map has a box per cell.
type unpadded struct{ plot.Plotter }

// placed is a plot and the area where it is drawn.
type placed struct {
	plot *plot.Plot
	at   vg.Rectangle
}

// framed adds a frame to a plot. It returns the area of the plot with its axes for which
// the data are in the given area.
func framed(q *plot.Plot, area vg.Rectangle) vg.Rectangle {
	shrink(&q.X, area.Size().X)
	shrink(&q.Y, area.Size().Y)
	q.X.Padding, q.Y.Padding, q.X.Width, q.Y.Width = 0, 0, 0, 0
	for a, length := range map[*plot.Axis]vg.Length{&q.X: area.Size().X, &q.Y: area.Size().Y} {
		if _, ok := a.Tick.Marker.(ticks); ok {
			a.Tick.Marker = ticks{most: max(3, min(8, int(length/40)))}
		}
	}
	q.Add(polygon([][]record.Place{{{q.X.Min, q.Y.Min}, {q.X.Max, q.Y.Min}, {q.X.Max, q.Y.Max}, {q.X.Min, q.Y.Max}}}, nil, stroke(ink, hairline)))
	at := area
	// The size of the axes hardly depends on that of the data, so the iteration converges
	// quickly.
	for range 6 {
		data := q.DataCanvas(draw.Canvas{Rectangle: at})
		at.Min = at.Min.Add(area.Min.Sub(data.Min))
		at.Max = at.Max.Add(area.Max.Sub(data.Max))
	}
	return at
}

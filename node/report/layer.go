package report

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"ugp_explorer/node/record"
)

// layer is one kind of object on a map with its entry in the legend. The entry is shown
// if the layer has a label and something to draw.
type layer struct {
	entry
	plotters []plot.Plotter
}

// Lines on a colour map are white with dark edges, so that they are visible on any colour.
var (
	glow      = color.NRGBA{0xFF, 0xFF, 0xFF, 0xC8}
	shade     = color.NRGBA{0x00, 0x00, 0x00, 0x70}
	forbidden = color.RGBA{0xC4, 0xC4, 0xC4, 0xFF} // a grey that is in no colour map
)

// ring returns a ring of a polygon in counter-clockwise or clockwise order; nil if a place
// is not finite. plotter.Polygon needs holes in clockwise order.
func ring(r []record.Place, clockwise bool) plotter.XYs {
	area := 0.0
	list := make(plotter.XYs, len(r))
	for i, p := range r {
		if !isPlace(p) {
			return nil
		}
		q := r[(i+1)%len(r)]
		area += (p[0]-r[0][0])*(q[1]-r[0][1]) - (q[0]-r[0][0])*(p[1]-r[0][1])
		list[i] = plotter.XY{X: p[0], Y: p[1]}
	}
	if (area < 0) != clockwise {
		slices.Reverse(list)
	}
	return list
}

// polygon returns a polygon of which the first ring is the outer one. It is filled unless
// colour is nil.
func polygon(rings [][]record.Place, colour color.Color, edge draw.LineStyle) *plotter.Polygon {
	p := &plotter.Polygon{Color: colour, LineStyle: edge}
	for i, r := range rings {
		if list := ring(r, i > 0); len(list) > 0 {
			p.XYs = append(p.XYs, list)
		}
	}
	return p
}

// outline draws the field's boundary.
func outline(f record.Field) layer {
	p := polygon(f.Boundary, nil, stroke(ink, 1))
	if len(p.XYs) == 0 {
		return layer{}
	}
	return layer{entry{"field", []plot.Thumbnailer{p}}, []plot.Plotter{p}}
}

// outside covers the area outside the field.
func outside(f record.Field, v view) layer {
	p := polygon([][]record.Place{{{v.x0, v.y0}, {v.x1, v.y0}, {v.x1, v.y1}, {v.x0, v.y1}}}, white, draw.LineStyle{})
	for i, r := range f.Boundary {
		if list := ring(r, i == 0); len(list) > 0 {
			p.XYs = append(p.XYs, list)
		}
	}
	return layer{plotters: []plot.Plotter{p}}
}

// keepOuts draws the areas that the robot must not enter.
func keepOuts(f record.Field) layer {
	var l layer
	for _, k := range f.KeepOuts {
		p := polygon(k, forbidden, stroke(ink, 0.8))
		l.entry = entry{"keep-out", []plot.Thumbnailer{p}}
		l.plotters = append(l.plotters, p)
	}
	return l
}

// track draws a path once in each style.
func track(label string, places []record.Place, styles ...draw.LineStyle) layer {
	l := layer{entry: entry{label: label}}
	for _, piece := range pieces(places) {
		for _, s := range styles {
			l.plotters = append(l.plotters, &plotter.Line{XYs: piece, LineStyle: s})
		}
	}
	for _, s := range styles {
		l.thumbs = append(l.thumbs, &plotter.Line{LineStyle: s})
	}
	return l
}

// pieces splits a path at places that are not finite.
func pieces(places []record.Place) (list []plotter.XYs) {
	open := false
	for _, p := range places {
		if !isPlace(p) {
			open = false
			continue
		}
		if !open {
			list, open = append(list, nil), true
		}
		last := &list[len(list)-1]
		*last = append(*last, plotter.XY{X: p[0], Y: p[1]})
	}
	return list
}

// joined draws a line from each place in from to the place in to with the same index.
func joined(label string, from, to []record.Place, s draw.LineStyle) layer {
	var places []record.Place
	for i := range from {
		places = append(places, from[i], to[i], record.Place{math.NaN(), math.NaN()})
	}
	return track(label, places, s)
}

// contour draws the line along which a map has the given level.
func contour(label string, r raster, level float64, styles ...draw.LineStyle) layer {
	// Where many cells have exactly the level, as in a map of rounded values,
	// plotter.Contour takes minutes to tell the lines apart that meet there.
	lo, hi := extent(r.values)
	level += 1e-6 * (hi - lo)
	l := track(label, nil, styles...)
	for _, s := range styles {
		l.plotters = append(l.plotters, &plotter.Contour{
			GridXYZ: r.filled(), Levels: []float64{level}, LineStyles: []draw.LineStyle{s}, Min: math.Inf(-1), Max: math.Inf(1),
		})
	}
	return l
}

// thumb draws the symbol of a legend entry.
type thumb func(*draw.Canvas)

// Thumbnail draws the symbol.
func (t thumb) Thumbnail(c *draw.Canvas) { t(c) }

// beliefs draws the beliefs about the places of samples: an ellipse to scale and a dot,
// which is visible if the ellipse is too small.
func beliefs(list []record.Observation, styles ...draw.LineStyle) layer {
	var l layer
	var means []record.Place
	for _, o := range list {
		l.plotters = append(l.plotters, track("", ellipse(o.Belief, ellipseSigmas), styles...).plotters...)
		means = append(means, record.Place{o.Belief.X, o.Belief.Y})
	}
	dots := mark("sample, 2σ ellipse (true size)", means, dot)
	l.plotters = append(l.plotters, dots.plotters...)
	l.entry = dots.entry
	l.thumbs = append([]plot.Thumbnailer{thumb(func(c *draw.Canvas) {
		m := c.Center()
		var corners []vg.Point
		for _, p := range ellipse(record.Belief{X: float64(m.X), Y: float64(m.Y), XX: 9, YY: 3}, ellipseSigmas) {
			corners = append(corners, vg.Point{X: vg.Length(p[0]), Y: vg.Length(p[1])})
		}
		for _, s := range styles {
			c.StrokeLines(s, corners)
		}
	})}, l.thumbs...)
	return l
}

// mark draws a sign at each place.
func mark(label string, places []record.Place, s sign) layer {
	p := &plotter.Scatter{GlyphStyle: draw.GlyphStyle{Shape: s}}
	for _, piece := range pieces(places) {
		p.XYs = append(p.XYs, piece...)
	}
	if len(p.XYs) == 0 {
		return layer{}
	}
	return layer{entry{label, []plot.Thumbnailer{p}}, []plot.Plotter{p}}
}

// sign is a glyph of filled shapes, from bottom to top. Its size does not depend on that
// of the field.
type sign []draw.GlyphStyle

// DrawGlyph draws the sign in its own style.
func (s sign) DrawGlyph(c *draw.Canvas, _ draw.GlyphStyle, p vg.Point) {
	for _, g := range s {
		c.DrawGlyphNoClip(g, p)
	}
}

// corners is the shape of a polygon in units of the radius.
type corners []vg.Point

// DrawGlyph fills the polygon.
func (s corners) DrawGlyph(c *draw.Canvas, g draw.GlyphStyle, p vg.Point) {
	at := make([]vg.Point, len(s))
	for i, q := range s {
		at[i] = p.Add(q.Scale(g.Radius))
	}
	c.FillPolygon(g.Color, at)
}

// star returns a star with the given number of tips. first is the angle of the first tip
// from x, inner the distance of the inner corners from the centre.
func star(tips int, first, inner float64) (s corners) {
	for i := range 2 * tips {
		sin, cos := math.Sincos(first + float64(i)*math.Pi/float64(tips))
		p := vg.Point{X: vg.Length(cos), Y: vg.Length(sin)}
		if i%2 == 1 {
			p = p.Scale(vg.Length(inner))
		}
		s = append(s, p)
	}
	return s
}

// cross returns the shape × with strokes of the given width.
func cross(width float64) (s corners) {
	w := width / math.Sqrt2
	for k := range 4 {
		sin, cos := math.Sincos(-float64(k) * math.Pi / 2)
		for _, p := range []record.Place{{0, w}, {1 - w, 1}, {1, 1 - w}} {
			s = append(s, vg.Point{X: vg.Length(cos*p[0] - sin*p[1]), Y: vg.Length(sin*p[0] + cos*p[1])})
		}
	}
	return s
}

var (
	diamond  = star(4, 0, math.Sqrt2/2)
	square   = star(4, math.Pi/4, math.Sqrt2/2)
	triangle = star(3, math.Pi/2, 0.5)

	dot         = sign{{Color: ink, Radius: 2.1, Shape: draw.CircleGlyph{}}, {Color: white, Radius: 1.5, Shape: draw.CircleGlyph{}}}
	start       = sign{{Color: ink, Radius: 5, Shape: triangle}, {Color: white, Radius: 3, Shape: triangle}}
	earlier     = sign{{Color: white, Radius: 2.6, Shape: draw.CircleGlyph{}}, {Color: grey, Radius: 2, Shape: draw.CircleGlyph{}}}
	teamSample  = sign{{Color: ink, Radius: 3.8, Shape: diamond}, {Color: orange, Radius: 2.6, Shape: diamond}}
	recommended = sign{
		{Color: white, Radius: 9, Shape: star(5, math.Pi/2, 0.46)},
		{Color: ink, Radius: 7.4, Shape: star(5, math.Pi/2, 0.44)},
		{Color: vermillion, Radius: 6.2, Shape: star(5, math.Pi/2, 0.42)},
	}
)

// open returns the sign of an open square.
func open(c color.Color, radius vg.Length) sign {
	return sign{{Color: c, Radius: radius + 0.6, Shape: square}, {Color: white, Radius: radius - 0.6, Shape: square}}
}

// crossed returns the sign × with white edges.
func crossed(c color.Color, radius float64) sign {
	stroke := func(c color.Color, radius, width float64) draw.GlyphStyle {
		return draw.GlyphStyle{Color: c, Radius: vg.Length(radius), Shape: cross(width / radius)}
	}
	return sign{stroke(white, radius+0.9, 2.9), stroke(c, radius, 1.3)}
}

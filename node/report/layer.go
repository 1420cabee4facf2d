package report

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// layer is one kind of thing on a chart and its line of the legend.
type layer struct {
	entry
	draw func(c *chart)
}

// Sizes of marks, points. They are the least size at which a place is seen,
// however large the field.
const (
	dotRadius    = 1.5
	markRadius   = 3
	targetRadius = 2.6
	starRadius   = 6.5
)

// Lines on a colour map are white with dark edges, or the other way round: one
// of the two stands out from any colour.
var (
	glow  = color.NRGBA{0xFF, 0xFF, 0xFF, 0xC8}
	shade = color.NRGBA{0x00, 0x00, 0x00, 0x70}
)

// outline draws the field's boundary.
func outline(f Field) layer {
	s := stroke(ink, 1)
	return layer{
		entry{"field", func(c draw.Canvas, p vg.Point) { c.StrokeLine2(s, p.X-7, p.Y, p.X+7, p.Y) }},
		func(c *chart) {
			for _, r := range f.Boundary {
				line(c.area, s, c.all(closed(r)))
			}
		},
	}
}

// keepOuts draws the places that the robot must not enter, hatched.
func keepOuts(f Field) layer {
	edge, hatch := stroke(ink, 0.8), stroke(ink, 0.4)
	area := func(c draw.Canvas, rings [][]vg.Point) {
		const gap = 3 // between hatches, points
		for _, p := range hatches(rings, gap, c.Rectangle) {
			line(c, hatch, p)
		}
		for _, r := range rings {
			line(c, edge, r)
		}
	}
	return layer{
		entry{"keep-out", func(c draw.Canvas, p vg.Point) {
			half := vg.Point{X: 7, Y: 3.5}
			area(c, [][]vg.Point{box(vg.Rectangle{Min: p.Sub(half), Max: p.Add(half)})})
		}},
		func(c *chart) {
			for _, polygon := range f.KeepOuts {
				rings := make([][]vg.Point, len(polygon))
				for i, r := range polygon {
					rings[i] = c.all(closed(r))
				}
				area(c.area, rings)
			}
		},
	}
}

// hatches returns lines at 45° across the part of a polygon with holes that
// lies in a rectangle, and perhaps a little beyond.
func hatches(rings [][]vg.Point, gap vg.Length, within vg.Rectangle) [][]vg.Point {
	// In coordinates along and across the hatches they are horizontals.
	turned := make([][]Place, len(rings))
	lo, hi := math.Inf(1), math.Inf(-1)
	for i, r := range rings {
		for _, p := range r {
			q := Place{float64(p.X + p.Y), float64(p.Y - p.X)}
			turned[i] = append(turned[i], q)
			lo, hi = math.Min(lo, q[1]), math.Max(hi, q[1])
		}
	}
	lo = math.Max(lo, float64(within.Min.Y-within.Max.X))
	hi = math.Min(hi, float64(within.Max.Y-within.Min.X))
	step := float64(gap) * math.Sqrt2
	var list [][]vg.Point
	var spans []float64
	for y := (math.Floor(lo/step) + 1) * step; y < hi; y += step {
		spans = crossings(spans[:0], turned, y)
		for i := 0; i+1 < len(spans); i += 2 {
			hatch := make([]vg.Point, 2)
			for k, x := range spans[i : i+2] {
				hatch[k] = vg.Point{X: vg.Length(x-y) / 2, Y: vg.Length(x+y) / 2}
			}
			list = append(list, hatch)
		}
	}
	return list
}

// track draws a path.
func track(label string, places []Place, styles ...draw.LineStyle) layer {
	return layer{
		entry{label, func(c draw.Canvas, p vg.Point) {
			for _, s := range styles {
				c.StrokeLine2(s, p.X-7, p.Y, p.X+7, p.Y)
			}
		}},
		func(c *chart) {
			for _, piece := range c.thinned(places) {
				for _, s := range styles {
					line(c.area, s, piece)
				}
			}
		},
	}
}

// thinned returns a path's points on the picture, without those that cannot be
// seen apart, broken where a place is not finite.
func (c *chart) thinned(places []Place) [][]vg.Point {
	const least = 0.25 // points: below one pixel
	var pieces [][]vg.Point
	open := false
	for i, p := range places {
		if !isPlace(p) {
			open = false
			continue
		}
		at := c.at(p)
		if !open {
			pieces, open = append(pieces, []vg.Point{at}), true
			continue
		}
		piece := &pieces[len(pieces)-1]
		d := at.Sub((*piece)[len(*piece)-1])
		if math.Hypot(float64(d.X), float64(d.Y)) >= least || i == len(places)-1 {
			*piece = append(*piece, at)
		}
	}
	return pieces
}

// beliefs draws where the samples were probably taken: an ellipse in true size
// and a dot, which is seen where the ellipse is too small. A nil halo is none.
func beliefs(list []Observation, edge, halo color.Color) layer {
	styles := []draw.LineStyle{stroke(edge, 0.8)}
	if halo != nil {
		styles = []draw.LineStyle{stroke(halo, 1.6), stroke(edge, 0.8)}
	}
	around := func(c draw.Canvas, corners []vg.Point) {
		for _, s := range styles {
			line(c, s, corners)
		}
	}
	dot := func(c draw.Canvas, p vg.Point) {
		disc(c, ink, p, dotRadius+0.6)
		disc(c, white, p, dotRadius)
	}
	return layer{
		entry{"sample, 2σ ellipse (true size)", func(c draw.Canvas, p vg.Point) {
			var corners []vg.Point
			for _, q := range ellipse(Belief{X: float64(p.X), Y: float64(p.Y), XX: 9, YY: 3}, ellipseSigmas) {
				corners = append(corners, vg.Point{X: vg.Length(q[0]), Y: vg.Length(q[1])})
			}
			around(c, corners)
			dot(c, p)
		}},
		func(c *chart) {
			for _, o := range list {
				around(c.area, c.all(ellipse(o.Belief, ellipseSigmas)))
			}
			for _, o := range list {
				if p := (Place{o.Belief.X, o.Belief.Y}); isPlace(p) {
					dot(c.area, c.at(p))
				}
			}
		},
	}
}

// mark draws one kind of sign at some places.
func mark(label string, places []Place, sign func(c draw.Canvas, p vg.Point)) layer {
	return layer{
		entry{label, sign},
		func(c *chart) {
			for _, p := range places {
				if isPlace(p) {
					sign(c.area, c.at(p))
				}
			}
		},
	}
}

func closed(r []Place) []Place {
	if len(r) == 0 || r[0] == r[len(r)-1] {
		return r
	}
	return append(r[:len(r):len(r)], r[0])
}

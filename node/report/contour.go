package report

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// contour draws the line along which a map crosses a level.
func contour(label string, g Grid, values []float64, level float64, styles ...draw.LineStyle) layer {
	return layer{
		entry{label, func(c draw.Canvas, p vg.Point) {
			for _, s := range styles {
				c.StrokeLine2(s, p.X-7, p.Y, p.X+7, p.Y)
			}
		}},
		func(c *chart) {
			segments := crossing(g, values, level)
			for _, s := range styles {
				for _, piece := range segments {
					line(c.area, s, c.all(piece[:]))
				}
			}
		},
	}
}

// crossing returns the pieces of the line along which a map, linear between the
// centres of its cells, crosses a level. Each square of four centres is taken as two
// triangles, in which the line is straight and never ambiguous. Where a centre is
// NaN there is none.
func crossing(g Grid, values []float64, level float64) (pieces [][2]Place) {
	if len(values) == 0 {
		return nil
	}
	for j := range g.NY - 1 {
		for i := range g.NX - 1 {
			for _, t := range [2][3][2]int{{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}} {
				var ends []Place
				for k := range 3 {
					a, b := t[k], t[(k+1)%3]
					va := values[(j+a[1])*g.NX+i+a[0]] - level
					vb := values[(j+b[1])*g.NX+i+b[0]] - level
					if math.IsNaN(va) || math.IsNaN(vb) || (va > 0) == (vb > 0) {
						continue
					}
					pa, pb, share := g.Centre(i+a[0], j+a[1]), g.Centre(i+b[0], j+b[1]), va/(va-vb)
					ends = append(ends, Place{pa[0] + share*(pb[0]-pa[0]), pa[1] + share*(pb[1]-pa[1])})
				}
				if len(ends) == 2 {
					pieces = append(pieces, [2]Place{ends[0], ends[1]})
				}
			}
		}
	}
	return pieces
}

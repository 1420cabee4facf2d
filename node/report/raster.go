package report

import (
	"image"
	"math"
	"slices"
)

// window says which piece of the map frame an image shows: pixel (0, 0) is its
// upper left corner, y points up on the map and down in the image.
type window struct {
	left, top float64 // m
	perPixel  float64 // m
}

// paint draws a map into img, which shows the given window. Values are
// interpolated between the cells' centres. The map ends where the field's
// outline and its keep-outs say; without an outline, at the edge of the cells.
// Pixels outside stay as they are.
func paint(img *image.RGBA, w window, g Grid, values []float64, s scale, f Field) {
	b := img.Bounds()
	area, outs := inside{rings: f.Boundary}, make([]inside, len(f.KeepOuts))
	for i, polygon := range f.KeepOuts {
		outs[i].rings = polygon
	}
	// Between an outline and the first centre inside it there is up to one
	// cell of which the grid knows nothing: there the nearest cells go on.
	least := math.SmallestNonzeroFloat64
	if len(f.Boundary) == 0 {
		least = 0.5
	}
	for py := b.Min.Y; py < b.Max.Y; py++ {
		y := w.top - (float64(py-b.Min.Y)+0.5)*w.perPixel
		area.row(y)
		for i := range outs {
			outs[i].row(y)
		}
	pixels:
		for px := b.Min.X; px < b.Max.X; px++ {
			x := w.left + (float64(px-b.Min.X)+0.5)*w.perPixel
			if len(f.Boundary) > 0 && !area.has(x) {
				continue
			}
			for i := range outs {
				if outs[i].has(x) {
					continue pixels
				}
			}
			if v, weight := g.interpolate(values, x, y); weight >= least {
				img.SetRGBA(px, py, s.at(v))
			}
		}
	}
}

// inside tells which places are inside a polygon with holes, for places in
// rows of rising x.
type inside struct {
	rings [][]Place
	spans []float64 // crossings of the row
	next  int       // the first crossing not passed
}

func (p *inside) row(y float64) { p.spans, p.next = crossings(p.spans[:0], p.rings, y), 0 }

func (p *inside) has(x float64) bool {
	for p.next < len(p.spans) && p.spans[p.next] < x {
		p.next++
	}
	return p.next%2 == 1
}

// interpolate returns the mean of the four cells around a place, weighted
// bilinearly, and the share of the weight that lies on finite cells.
func (g Grid) interpolate(values []float64, x, y float64) (v, weight float64) {
	u, t := (x-g.X)/g.Cell-0.5, (y-g.Y)/g.Cell-0.5
	i, j := math.Floor(u), math.Floor(t)
	if i < -1 || j < -1 || i >= float64(g.NX) || j >= float64(g.NY) {
		return 0, 0
	}
	u, t = u-i, t-j
	add := func(i, j int, w float64) {
		if i < 0 || j < 0 || i >= g.NX || j >= g.NY {
			return
		}
		if z := values[j*g.NX+i]; finite(z) {
			v += w * z
			weight += w
		}
	}
	add(int(i), int(j), (1-u)*(1-t))
	add(int(i)+1, int(j), u*(1-t))
	add(int(i), int(j)+1, (1-u)*t)
	add(int(i)+1, int(j)+1, u*t)
	return v / weight, weight
}

// crossings appends to dst, in order, where the horizontal line at y crosses
// the rings: between the first and the second it is inside, and so on.
func crossings(dst []float64, rings [][]Place, y float64) []float64 {
	for _, r := range rings {
		for i, p := range r {
			q := r[(i+1)%len(r)]
			if (p[1] <= y) != (q[1] <= y) {
				dst = append(dst, p[0]+(y-p[1])/(q[1]-p[1])*(q[0]-p[0]))
			}
		}
	}
	slices.Sort(dst)
	return dst
}

package report

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"
)

func TestInterpolateIsExactOnPlanes(t *testing.T) {
	g := Grid{X: -3, Y: 10, Cell: 2.5, NX: 7, NY: 5}
	plane := func(x, y float64) float64 { return 3 - 2*x + 0.5*y }
	values := make([]float64, g.NX*g.NY)
	for i := range values {
		p := g.Centre(i%g.NX, i/g.NX)
		values[i] = plane(p[0], p[1])
	}
	rng := rand.New(rand.NewPCG(5, 6))
	first, last := g.Centre(0, 0), g.Centre(g.NX-1, g.NY-1)
	for range 100 {
		x := first[0] + rng.Float64()*(last[0]-first[0])
		y := first[1] + rng.Float64()*(last[1]-first[1])
		v, w := g.interpolate(values, x, y)
		if math.Abs(v-plane(x, y)) > 1e-12 || math.Abs(w-1) > 1e-12 {
			t.Errorf("(%g, %g): %g of weight %g, want %g", x, y, v, w, plane(x, y))
		}
	}
	// Beyond the outermost centres the weight falls to a half at the edge of
	// the cells, and to nothing half a cell further.
	for _, c := range []struct{ x, want float64 }{{-3, 0.5}, {-3 - 1.25, 0}, {-100, 0}, {-3 + 17.5, 0.5}, {100, 0}} {
		if _, w := g.interpolate(values, c.x, 15); math.Abs(w-c.want) > 1e-12 {
			t.Errorf("x = %g: weight %g, want %g", c.x, w, c.want)
		}
	}
}

// TestPaint draws a small map ten pixels to the metre and looks at single
// pixels.
func TestPaint(t *testing.T) {
	g := Grid{X: 0, Y: 0, Cell: 1, NX: 4, NY: 3}
	nan := math.NaN()
	values := []float64{
		0, 1, 2, 3,
		4, nan, 6, 7,
		8, 9, 10, 11,
	}
	s := scale{&viridis, 0, 11}
	paintAt := func(f Field, p Place) color.RGBA {
		img := image.NewRGBA(image.Rect(0, 0, 60, 50))
		paint(img, window{left: -1, top: 4, perPixel: 0.1}, g, values, s, f)
		return img.RGBAAt(int((p[0]+1)*10), int((4-p[1])*10))
	}
	nothing := color.RGBA{}
	diamond := Field{Boundary: [][]Place{{{2, -0.5}, {4.5, 1.5}, {2, 3.5}, {-0.5, 1.5}}}}
	holed := Field{Boundary: [][]Place{{{0, 0}, {4, 0}, {4, 3}, {0, 3}}, {{2, 1}, {3, 1}, {3, 2}, {2, 2}}}}
	out := Field{Boundary: [][]Place{{{0, 0}, {4, 0}, {4, 3}, {0, 3}}}, KeepOuts: [][][]Place{{{{3, 2}, {6, 2}, {6, 5}, {3, 5}}}}}
	for _, c := range []struct {
		name  string
		field Field
		at    Place
		want  color.RGBA
	}{
		{"lowest cell", Field{}, Place{0.55, 0.55}, s.at(0.25)}, // half a pixel off the centre: ¹⁄₂₀·1 + ¹⁄₂₀·4
		{"highest cell", Field{}, Place{3.55, 2.55}, s.at(11)},
		{"unknown cell", Field{}, Place{1.55, 1.55}, nothing},
		{"left of the cells", Field{}, Place{-0.15, 1.5}, nothing},
		{"inside the outline", diamond, Place{2.05, 3.05}, s.at((9*0.45 + 10*0.55))},
		{"outside the outline", diamond, Place{0.55, 0.55}, nothing},
		{"outline beyond the cells", diamond, Place{2.05, -0.15}, s.at(1.55)},
		{"hole", holed, Place{2.55, 1.55}, nothing},
		{"beside the hole", holed, Place{3.55, 1.55}, s.at(7.2)},
		{"keep-out across the outline", out, Place{3.55, 2.55}, nothing},
		{"beside the keep-out", out, Place{3.55, 1.55}, s.at(7.2)},
	} {
		got := paintAt(c.field, c.at)
		for _, d := range []int{int(got.R) - int(c.want.R), int(got.G) - int(c.want.G), int(got.B) - int(c.want.B), int(got.A) - int(c.want.A)} {
			if d < -4 || d > 4 { // one step of the colour map
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
				break
			}
		}
	}
}

func TestCrossingsAgainstPointInPolygon(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	rings := [][]Place{syntheticField.Boundary[0], syntheticField.KeepOuts[0][0]}
	for range 500 {
		p := Place{800*rng.Float64() - 40, 1300*rng.Float64() - 40}
		in := inside{rings: rings}
		in.row(p[1])
		if got, want := in.has(p[0]), contains(rings, p); got != want {
			t.Errorf("%v: inside %v, want %v", p, got, want)
		}
	}
}

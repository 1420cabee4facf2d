package report

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"ugp_explorer/node/record"
)

// lightness is CIE L* of an sRGB colour (IEC 61966-2-1, CIE 15).
func lightness(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	y := 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
	if y > 216.0/24389 {
		return 116*math.Cbrt(y) - 16
	}
	return y * 24389 / 27
}

// TestColourMapsAreEvenlyLight holds the maps to what makes them legible in
// grey and for any colour vision: lightness that rises in equal steps, but for the
// rounding of colours.
func TestColourMapsAreEvenlyLight(t *testing.T) {
	for name, m := range map[string][]color.RGBA{"viridis": shades, "magma": coloursOf(magma())} {
		mean := (lightness(m[255]) - lightness(m[0])) / 255
		for i := 1; i < len(m); i++ {
			if rise := lightness(m[i]) - lightness(m[i-1]); rise < -0.2 {
				t.Errorf("%s: lightness falls by %.2f at colour %d", name, -rise, i)
			}
		}
		for i := 16; i < len(m); i += 16 {
			if rise := lightness(m[i]) - lightness(m[i-16]); math.Abs(rise-16*mean) > 0.1*16*mean {
				t.Errorf("%s: colours %d to %d rise by %.1f in lightness, %.1f on average", name, i-16, i, rise, 16*mean)
			}
		}
	}
}

// Every colour of matplotlib's viridis is in the map, though not at the same place:
// _cm_listed.py, entries 0, 64, 128, 191 and 255 of 256.
func TestViridisAgainstItsTable(t *testing.T) {
	last := -1
	for _, want := range [][3]float64{
		{0.267004, 0.004874, 0.329415}, {0.229739, 0.322361, 0.545706},
		{0.127568, 0.566949, 0.550556}, {0.477504, 0.821444, 0.318195}, {0.993248, 0.906157, 0.143936},
	} {
		at, off := 0, math.Inf(1)
		for i, c := range shades {
			d := max(math.Abs(float64(c.R)-255*want[0]), math.Abs(float64(c.G)-255*want[1]), math.Abs(float64(c.B)-255*want[2]))
			if d < off {
				at, off = i, d
			}
		}
		if off > 3 || at <= last {
			t.Errorf("%v: the nearest colour is %v at %d, after one at %d", want, shades[at], at, last)
		}
		last = at
	}
	if last != 255 {
		t.Errorf("the lightest colour is at %d", last)
	}
}

func TestScale(t *testing.T) {
	nan := math.NaN()
	for name, c := range map[string]struct {
		lists  [][]float64
		lo, hi float64
	}{
		"two lists":      {[][]float64{{nan, 3, 5}, {4, math.Inf(1), 9}}, 3, 9},
		"none finite":    {[][]float64{{nan}, nil}, 0, 1},
		"one value":      {[][]float64{{50, 50}}, 49.5, 50.5},
		"zero":           {[][]float64{{0}}, -1e-3, 1e-3},
		"only rounding":  {[][]float64{{50, 50 + 1e-9}}, 49.5, 50.5},
		"small but real": {[][]float64{{1e-7, 3e-7}}, 1e-7, 3e-7},
	} {
		m := scaled(viridis(), c.lists...)
		if math.Abs(m.Min()-c.lo) > 1e-9*math.Abs(c.lo) || math.Abs(m.Max()-c.hi) > 1e-9*math.Abs(c.hi) {
			t.Errorf("%s: from %g to %g, want %g to %g", name, m.Min(), m.Max(), c.lo, c.hi)
		}
	}
	m := scaled(viridis(), []float64{10, 20})
	for v, want := range map[float64]int{10: 0, 15: 128, 20: 255} {
		got, err := m.At(v)
		if c := color.RGBAModel.Convert(got).(color.RGBA); err != nil || max(c.G, shades[want].G)-min(c.G, shades[want].G) > 1 {
			t.Errorf("value %g: %v, want %v: %v", v, c, shades[want], err)
		}
	}
}

// TestHeat draws a small map and looks at single pixels.
func TestHeat(t *testing.T) {
	g := record.Grid{X: 0, Y: 0, Cell: 1, NX: 4, NY: 3}
	nan := math.NaN()
	values := []float64{
		0, 1, 2, 3,
		4, nan, 6, 7,
		8, 9, 10, 11,
	}
	shade := func(v float64) color.RGBA { return shades[int(math.Round(v/11*255))] }
	between := func(a, b color.RGBA) color.RGBA {
		mean := func(a, b uint8) uint8 { return uint8((int(a) + int(b)) / 2) }
		return color.RGBA{mean(a.R, b.R), mean(a.G, b.G), mean(a.B, b.B), 0xFF}
	}
	diamond := record.Field{Boundary: [][]record.Place{{{2, 0}, {4, 1.5}, {2, 3}, {0, 1.5}}}}
	holed := record.Field{Boundary: [][]record.Place{{{0, 0}, {4, 0}, {4, 3}, {0, 3}}, {{2, 1}, {3, 1}, {3, 2}, {2, 2}}}}
	clockwise := record.Field{Boundary: [][]record.Place{{{0, 3}, {4, 3}, {4, 0}, {0, 0}}, {{2, 2}, {3, 2}, {3, 1}, {2, 1}}}}
	keepOut := [][]record.Place{{{2, 2}, {6, 2}, {6, 5}, {2, 5}}, {{3.2, 2.2}, {3.8, 2.2}, {3.8, 2.8}, {3.2, 2.8}}}
	out := record.Field{Boundary: [][]record.Place{{{0, 0}, {4, 0}, {4, 3}, {0, 3}}}, KeepOuts: [][][]record.Place{keepOut}}
	for _, c := range []struct {
		name  string
		field record.Field
		at    record.Place
		want  color.RGBA
	}{
		{"lowest cell", record.Field{}, record.Place{0.5, 0.5}, shade(0)},
		{"highest cell", record.Field{}, record.Place{3.5, 2.5}, shade(11)},
		{"between cells", record.Field{}, record.Place{3.5, 1}, between(shade(3), shade(7))},
		{"unknown cell", record.Field{}, record.Place{1.5, 1.5}, white},
		{"left of the cells", record.Field{}, record.Place{-0.03, 1.5}, white},
		{"inside the outline", diamond, record.Place{2, 2.5}, shade(9.5)},
		{"outside the outline", diamond, record.Place{0.5, 0.5}, white},
		{"unknown cell inside the outline", diamond, record.Place{1.5, 1.5}, shade(5)}, // any of 1, 4, 6 and 9
		{"hole", holed, record.Place{2.5, 1.5}, white},
		{"beside the hole", holed, record.Place{3.5, 1.5}, shade(7)},
		{"hole of rings the other way round", clockwise, record.Place{2.5, 1.5}, white},
		{"beside that hole", clockwise, record.Place{3.5, 1.5}, shade(7)},
		{"keep-out across the outline", out, record.Place{2.5, 2.5}, forbidden},
		{"hole of the keep-out", out, record.Place{3.5, 2.5}, shade(11)},
		{"beside the keep-out", out, record.Place{3.5, 1.5}, shade(7)},
	} {
		m := &record.Mission{Field: c.field}
		maps := &record.Maps{Grid: g, Mean: values}
		img := drawn(t, m, maps, nil, "mean.png")
		p := pixelOf(framedArea(t, img), viewOf(m, maps, new(record.Tracks)), c.at)
		got := color.RGBAModel.Convert(img.At(p.X, p.Y)).(color.RGBA)
		slack := 4 // one step of the colour map
		if c.name == "unknown cell inside the outline" {
			slack = 120
		}
		for _, d := range []int{int(got.R) - int(c.want.R), int(got.G) - int(c.want.G), int(got.B) - int(c.want.B)} {
			if d < -slack || d > slack {
				t.Errorf("%s: %v, want %v", c.name, got, c.want)
				break
			}
		}
	}
}

// Unknown cells get the value of a neighbour, those further away what that got.
func TestFilled(t *testing.T) {
	nan := math.NaN()
	r := raster{record.Grid{Cell: 1, NX: 3, NY: 4}, []float64{
		1, nan, nan,
		nan, nan, nan,
		nan, nan, math.Inf(1),
		nan, nan, 7,
	}}
	f := r.filled()
	for i, want := range []float64{
		1, 1, 1,
		1, 1, 7,
		1, 7, 7,
		7, 7, 7,
	} {
		if f.values[i] != want {
			t.Errorf("cell %d is %g, want %g", i, f.values[i], want)
		}
	}
	if !math.IsNaN(r.values[1]) {
		t.Error("the map itself was filled")
	}
	if f := (raster{record.Grid{NX: 1, NY: 1}, []float64{nan}}).filled(); !math.IsNaN(f.values[0]) {
		t.Errorf("a map without a value was filled with %g", f.values[0])
	}
}

// On a plane the line is where the plane has the level, from one end of the field to
// the other. It passes cells that are not known, for the outline cuts it off.
func TestContour(t *testing.T) {
	g := record.Grid{X: -3, Y: 2, Cell: 2, NX: 6, NY: 5}
	values := make([]float64, g.NX*g.NY)
	plane := func(p record.Place) float64 { return 3*p[0] - p[1] }
	for k := range values {
		values[k] = plane(g.Centre(k%g.NX, k/g.NX))
	}
	v := view{-3, 9, 2, 12}
	draw := func(level float64) (area image.Rectangle, on []image.Point) {
		l := contour("level", raster{g, values}, level, stroke(vermillion, 1))
		img := decoded(t, func() ([]byte, error) { return mapPNG(v, nil, "x", "y", []layer{l}) })
		area = framedArea(t, img)
		for y := area.Min.Y; y < area.Max.Y; y++ {
			for x := area.Min.X; x < area.Max.X; x++ {
				if color.RGBAModel.Convert(img.At(x, y)) == color.Color(vermillion) {
					on = append(on, image.Pt(x, y))
				}
			}
		}
		return area, on
	}
	area, on := draw(4)
	box := image.Rectangle{}
	metre := float64(area.Dx()) / v.width()
	for _, p := range on {
		at := record.Place{v.x0 + (float64(p.X-area.Min.X)+0.5)/metre, v.y1 - (float64(p.Y-area.Min.Y)+0.5)/metre}
		if off := math.Abs(plane(at)-4) / math.Sqrt(10); off > 2/metre {
			t.Fatalf("%v is on the line, but %g m off", at, off)
		}
		box = box.Union(image.Rectangle{p, p.Add(image.Pt(1, 1))})
	}
	// From y = 3 to y = 11 the line x = (4 + y)/3 stays between the outermost centres.
	if high := float64(box.Dy()) / metre; math.Abs(high-8) > 0.1 {
		t.Errorf("the line is %g m high, want 8", high)
	}
	values[2*g.NX+3] = math.NaN() // centre (4, 7), 1/3 m beside the line
	if _, after := draw(4); float64(len(after)) < 0.8*float64(len(on)) {
		t.Errorf("%d pixels of the line are left of %d beside an unknown cell", len(after), len(on))
	}
	if _, none := draw(100); none != nil {
		t.Errorf("%d pixels of a level that there is not", len(none))
	}
}

// A map of rounded noise has the level in a tenth of its cells; it is drawn all the same.
func TestContourOfRoundedValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	g := record.Grid{Cell: 1, NX: 150, NY: 250}
	values := make([]float64, g.NX*g.NY)
	for k := range values {
		values[k] = math.Round(10 * rng.Float64())
	}
	l := contour("level", raster{g, values}, 5, stroke(vermillion, 0.5))
	if _, err := mapPNG(view{0, 150, 0, 250}, nil, "x", "y", []layer{l}); err != nil {
		t.Error(err)
	}
}

package report

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"testing"

	"gonum.org/v1/plot/palette"

	"ugp_explorer/node/record"
	"ugp_explorer/sim/rig/recordtest"
)

// bare is a mission of which a map shows the colours alone.
func bare(v view) *record.Mission {
	return &record.Mission{Version: record.Version, Quantity: "moisture", Units: "%", Field: record.Field{
		Boundary: [][]record.Place{{{v.x0, v.y0}, {v.x1, v.y0}, {v.x1, v.y1}, {v.x0, v.y1}}},
	}}
}

// shades are viridis's colours.
var shades = coloursOf(viridis())

func coloursOf(m palette.ColorMap) []color.RGBA {
	var list []color.RGBA
	for _, c := range m.Palette(256).Colors() {
		list = append(list, color.RGBAModel.Convert(c).(color.RGBA))
	}
	return list
}

// drawn renders the picture of a file name and decodes it.
func drawn(t *testing.T, m *record.Mission, maps *record.Maps, tracks *record.Tracks, file string) image.Image {
	t.Helper()
	for _, p := range pictures(m, maps, tracks) {
		if p.File == file {
			return decoded(t, p.render)
		}
	}
	t.Fatalf("there is no %s", file)
	return nil
}

func decoded(t *testing.T, draw func() ([]byte, error)) image.Image {
	t.Helper()
	data, err := draw()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// framedArea returns the pixels inside the frame around a map.
func framedArea(t *testing.T, img image.Image) (r image.Rectangle) {
	t.Helper()
	dark := func(x, y int) bool {
		c := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
		return max(c.R, c.G, c.B) < 0xC0
	}
	b := img.Bounds()
	for x := b.Min.X; x < b.Max.X; x++ {
		top, run := 0, 0
		for y := b.Min.Y; y < b.Max.Y; y++ {
			if !dark(x, y) {
				top, run = y+1, 0
			} else if run++; run > b.Dy()/3 {
				r.Min = image.Pt(x, top)
				for r.Max.Y = top; dark(x, r.Max.Y); r.Max.Y++ {
				}
				for r.Max.X = x; dark(r.Max.X, top); r.Max.X++ {
				}
				return r
			}
		}
	}
	t.Fatal("there is no frame")
	return r
}

// pixelOf returns the pixel of a place on a map that shows a view.
func pixelOf(area image.Rectangle, v view, p record.Place) image.Point {
	return image.Pt(
		area.Min.X+int((p[0]-v.x0)/v.width()*float64(area.Dx())),
		area.Max.Y-int((p[1]-v.y0)/v.height()*float64(area.Dy())),
	)
}

// where returns the bounding box and the number of the map's pixels that are
// like a colour. The map ends where the white gap before the colour bar begins.
func where(img image.Image, like color.RGBA) (box image.Rectangle, count int) {
	b := img.Bounds()
	began := false
	for x, gap := b.Min.X, 0; x < b.Max.X && (!began || gap < 15); x++ {
		gap++
		for y := b.Min.Y; y < b.Max.Y; y++ {
			c := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
			if c != white && y < b.Max.Y*3/5 { // below are the axis and the legend
				gap = 0
				began = began || max(c.R, c.G, c.B)-min(c.R, c.G, c.B) > 40 // the first colour that is no grey
			}
			if math.Abs(float64(c.R)-float64(like.R)) < 6 && math.Abs(float64(c.G)-float64(like.G)) < 6 && math.Abs(float64(c.B)-float64(like.B)) < 6 {
				box = box.Union(image.Rect(x, y, x+1, y+1))
				count++
			}
		}
	}
	return box, count
}

// TestMapIsTrueToScale puts one square block of high values on fields of
// several shapes and finds it again among the pixels: it must be square, and
// as far along the field as it is in metres.
func TestMapIsTrueToScale(t *testing.T) {
	for name, v := range map[string]view{
		"square": {0, 100, 0, 100}, "tall": {-50, 50, 1000, 1180}, "wide": {5000, 5300, -100, 0}, "narrow": {0, 400, 0, 20},
	} {
		const cell = 1.0
		g := record.Grid{X: v.x0, Y: v.y0, Cell: cell, NX: int(v.width()), NY: int(v.height())}
		values := make([]float64, g.NX*g.NY)
		// The block begins a fifth along and a quarter up and is 12 cells wide.
		i0, j0, n := g.NX/5, g.NY/4, 12
		for j := j0; j < j0+n; j++ {
			for i := i0; i < i0+n; i++ {
				values[j*g.NX+i] = 1
			}
		}
		img := drawn(t, bare(v), &record.Maps{Grid: g, Mean: values}, nil, "mean.png")
		low, lows := where(img, shades[0])
		high, highs := where(img, shades[255])
		if lows == 0 || highs == 0 {
			t.Fatalf("%s: %d low and %d high pixels", name, lows, highs)
		}
		metre := float64(low.Dx()) / v.width()
		if d := float64(low.Dy()) - metre*v.height(); math.Abs(d) > 4 { // the outline takes a pixel or two of each edge
			t.Errorf("%s: the field is %d pixels high, %.0f by its width", name, low.Dy(), metre*v.height())
		}
		// The full colour is reached on the centres of the outermost cells.
		want := image.Rect(
			low.Min.X+int(metre*(float64(i0)+0.5)), low.Max.Y-int(metre*float64(j0+n)-0.5*metre),
			low.Min.X+int(metre*(float64(i0+n)-0.5)), low.Max.Y-int(metre*(float64(j0)+0.5)),
		)
		slack := 3 + int(metre/5) // pixels: outline, rounding, and colours near the highest
		for _, d := range []int{high.Min.X - want.Min.X, high.Min.Y - want.Min.Y, high.Max.X - want.Max.X, high.Max.Y - want.Max.Y} {
			if d < -slack || d > slack {
				t.Errorf("%s: the block is at %v, want %v", name, high, want)
				break
			}
		}
	}
}

// TestTruthAndMeanShareTheirColours draws a truth from 0 to 10 and a mean from
// 4 to 6: the mean must stay in the middle of the colours.
func TestTruthAndMeanShareTheirColours(t *testing.T) {
	v := view{0, 40, 0, 40}
	g := record.Grid{Cell: 1, NX: 40, NY: 40}
	truth, mean := make([]float64, 1600), make([]float64, 1600)
	for i := range truth {
		truth[i], mean[i] = 10*float64(i/800), 4+2*float64(i/800)
	}
	maps := &record.Maps{Grid: g, Truth: truth, Mean: mean}
	img := drawn(t, bare(v), maps, nil, "truth.png")
	for name, c := range map[string]color.RGBA{"lowest": shades[0], "highest": shades[255]} {
		if _, n := where(img, c); n < 1000 {
			t.Errorf("truth: %d pixels of the %s colour", n, name)
		}
	}
	img = drawn(t, bare(v), maps, nil, "mean.png")
	for name, c := range map[string]color.RGBA{"0.4": shades[102], "0.6": shades[153]} {
		if _, n := where(img, c); n < 1000 {
			t.Errorf("mean: %d pixels of the colour at %s of the scale", n, name)
		}
	}
	if _, n := where(img, shades[255]); n > 0 {
		t.Errorf("mean: %d pixels have the highest colour", n)
	}
}

// TestMapUndoesTheTransform gives the mean in logarithms: 1 and 2 are 10 and
// 100 mg/l, and 1.5 is 31.6, a quarter of the way up and not a half.
func TestMapUndoesTheTransform(t *testing.T) {
	v := view{0, 30, 0, 30}
	m := bare(v)
	m.Transform = record.TransformLog10
	mean := make([]float64, 900)
	for i := range mean {
		mean[i] = 1 + float64(i/300)/2
	}
	img := drawn(t, m, &record.Maps{Grid: record.Grid{Cell: 1, NX: 30, NY: 30}, Mean: mean}, nil, "mean.png")
	quarter := shades[int(math.Round((math.Pow(10, 1.5)-10)/90*255))]
	if _, n := where(img, quarter); n < 10000 {
		t.Errorf("%d pixels of the colour of 31.6 mg/l", n)
	}
	// Between 31.6 and 100 the colours pass the middle, within one cell.
	if _, n := where(img, shades[128]); n > 1000 {
		t.Errorf("%d pixels of the middle colour", n)
	}
}

// TestMarksAreSeen draws a sample of 0.1 m on a field of 1 km, and the star.
func TestMarksAreSeen(t *testing.T) {
	v := view{0, 1000, 0, 1000}
	m := bare(v)
	m.Observations = []record.Observation{{Sequence: 1, Target: record.Place{250, 250}, Belief: record.Belief{X: 250, Y: 250, XX: 0.01, YY: 0.01}}}
	m.Recommendation = m.NewRecommendation(record.Place{750, 750}, 1, 1, 1)
	grid := record.Grid{Cell: 10, NX: 100, NY: 100}
	img := drawn(t, m, &record.Maps{Grid: grid, Mean: make([]float64, 10000)}, nil, "mean.png")
	field, _ := where(img, shades[128])
	for name, c := range map[string]struct {
		colour color.RGBA
		share  float64
	}{"star": {vermillion, 0.75}, "sample": {white, 0.25}} {
		inner := img.(interface {
			SubImage(image.Rectangle) image.Image
		}).SubImage(field.Inset(4))
		box, n := 0, image.Rectangle{}
		b := inner.Bounds()
		for y := b.Min.Y; y < b.Max.Y; y++ {
			for x := b.Min.X; x < b.Max.X; x++ {
				// The star has a white edge of its own: look for the sample below it.
				if name == "sample" && y < (b.Min.Y+b.Max.Y)/2 {
					continue
				}
				if color.RGBAModel.Convert(inner.At(x, y)) == color.Color(c.colour) {
					n = n.Union(image.Rect(x, y, x+1, y+1))
					box++
				}
			}
		}
		if box < 8 {
			t.Errorf("%s: %d pixels", name, box)
			continue
		}
		x := float64(n.Min.X+n.Max.X)/2 - float64(field.Min.X)
		y := float64(field.Max.Y) - float64(n.Min.Y+n.Max.Y)/2
		if math.Abs(x/float64(field.Dx())-c.share) > 0.01 || math.Abs(y/float64(field.Dy())-c.share) > 0.01 {
			t.Errorf("%s: at (%.3f, %.3f) of the field, want %.2f", name, x/float64(field.Dx()), y/float64(field.Dy()), c.share)
		}
	}
}

// TestPicturesOfOneSample draws the shortest mission that has every picture.
func TestPicturesOfOneSample(t *testing.T) {
	m, maps, tracks := recordtest.Mission(1, 12, 20)
	list := pictures(m, maps, tracks)
	if len(list) != len(pictureFiles) {
		t.Errorf("%d pictures, want %d", len(list), len(pictureFiles))
	}
	for i, p := range list {
		if _, err := p.render(); err != nil || p.File != pictureFiles[i] {
			t.Errorf("%s, want %s: %v", p.File, pictureFiles[i], err)
		}
	}
}

// TestDamagedPlaces draws a mission with places that are not numbers: a
// diverged filter must not keep the report from being written.
func TestDamagedPlaces(t *testing.T) {
	m, maps, tracks := recordtest.Mission(4, 12, 20)
	nan, inf := math.NaN(), math.Inf(1)
	m.Observations[1].Belief = record.Belief{X: nan, Y: 5, XX: nan, XY: 0, YY: inf}
	m.Observations[2].Target = record.Place{inf, nan}
	m.Observations[3].Belief.XX = -1
	m.Field.KeepOuts = append(m.Field.KeepOuts, [][]record.Place{{{0, 0}, {inf, 0}, {inf, inf}}}, nil, [][]record.Place{nil})
	m.Recommendation.Target = record.Place{nan, nan}
	tracks.Estimated[7] = record.Place{nan, 0}
	// These three have everything in them that is drawn on a map.
	for _, file := range []string{"truth.png", "path.png", "offsets.png"} {
		drawn(t, m, maps, tracks, file)
	}
}

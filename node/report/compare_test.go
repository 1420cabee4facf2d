package report

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
)

// pixels counts a picture's pixels that are exactly of a colour, and their box.
func pixels(t *testing.T, data []byte, like color.RGBA) (box image.Rectangle, count int) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y*4/5; y++ { // below is the legend
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			if color.RGBAModel.Convert(img.At(x, y)) == like {
				box = box.Union(image.Rect(x, y, x+1, y+1))
				count++
			}
		}
	}
	return box, count
}

// The band is as wide as the deviation, below the curve that it belongs to.
func TestBands(t *testing.T) {
	flat := func(v float64) []float64 { return []float64{v, v, v, v} }
	wide, err := BandsPNG("regret", "deviation", []Series{{Label: "a", Mean: flat(2), Deviation: flat(1)}, {Label: "b", Mean: flat(5), Deviation: flat(0)}})
	if err != nil {
		t.Fatal(err)
	}
	band := color.RGBA{}
	img, _ := png.Decode(bytes.NewReader(wide))
	line, n := pixels(t, wide, seriesColours[0])
	if n == 0 {
		t.Fatal("the first curve is not there")
	}
	// Above the curve, halfway to the band's edge at 3 of an axis to 5.
	mid := image.Pt((line.Min.X+line.Max.X)/2, (line.Min.Y+line.Max.Y)/2)
	other, n := pixels(t, wide, seriesColours[1])
	if n == 0 {
		t.Fatal("the second curve is not there")
	}
	unit := float64(mid.Y-(other.Min.Y+other.Max.Y)/2) / 3
	band = color.RGBAModel.Convert(img.At(mid.X, mid.Y-int(unit/2))).(color.RGBA)
	if band == (color.RGBA{255, 255, 255, 255}) {
		t.Error("there is no band above the curve")
	}
	box, _ := pixels(t, wide, band)
	if high := float64(mid.Y - box.Min.Y); high < 0.9*unit || high > 1.1*unit {
		t.Errorf("the band rises %g pixels above the curve, want about %g", high, unit)
	}
	if _, err := BandsPNG("regret", "deviation", []Series{{Label: "a", Mean: flat(1)}}); err == nil || !strings.Contains(err.Error(), "a: 4 means and 0") {
		t.Errorf("no standard deviations: %v", err)
	}
}

// Lines rise to their values, at their places.
func TestLines(t *testing.T) {
	data, err := LinesPNG("regret", "driven, km", "standard error", []Series{
		{Label: "a", At: []float64{1, 2}, Mean: []float64{4, 4}, Deviation: []float64{0, 0}},
		{Label: "b", At: []float64{2, 4}, Mean: []float64{1, 1}, Deviation: []float64{0, 0}},
	})
	if err != nil {
		t.Fatal(err)
	}
	a, n := pixels(t, data, seriesColours[0])
	b, m := pixels(t, data, seriesColours[1])
	if n == 0 || m == 0 || a.Max.Y >= b.Min.Y {
		t.Fatalf("lines %v and %v", a, b)
	}
	for _, series := range []Series{{Label: "a"}, {Label: "a", At: []float64{1}, Mean: []float64{1, 2}, Deviation: []float64{0, 0}}} {
		if _, err := LinesPNG("regret", "km", "error", []Series{series}); err == nil || !strings.Contains(err.Error(), "a: ") {
			t.Errorf("%+v: %v", series, err)
		}
	}
}

// As many series as there are methods, and more, can be told apart.
func TestSeriesStyles(t *testing.T) {
	for i := range 12 {
		for k := range i {
			a, b := seriesStyle(i), seriesStyle(k)
			if a.Color == b.Color && (len(a.Dashes) == 0) == (len(b.Dashes) == 0) {
				t.Errorf("%d and %d look the same", i, k)
			}
		}
	}
}

package report

import (
	"image/color"
	"math"
	"testing"
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
// grey and for any colour vision: lightness that rises, in about equal steps.
// Their authors made them uniform in CAM02-UCS, which differs from L* in the
// darkest colours by up to a half.
func TestColourMapsAreEvenlyLight(t *testing.T) {
	for name, m := range map[string]*colourMap{"viridis": &viridis, "magma": &magma} {
		mean := (lightness(m[255]) - lightness(m[0])) / 255
		for i := 1; i < len(m); i++ {
			if rise := lightness(m[i]) - lightness(m[i-1]); rise < -0.05 {
				t.Errorf("%s: lightness falls by %.2f at colour %d", name, -rise, i)
			}
		}
		for i := 16; i < len(m); i += 16 {
			if rise := lightness(m[i]) - lightness(m[i-16]); math.Abs(rise-16*mean) > 0.55*16*mean {
				t.Errorf("%s: colours %d to %d rise by %.1f in lightness, %.1f on average", name, i-16, i, rise, 16*mean)
			}
		}
	}
}

func TestViridisAgainstItsTable(t *testing.T) {
	// matplotlib's _cm_listed.py, entries 0, 64, 128, 191 and 255 of 256.
	for i, want := range map[int][3]float64{
		0: {0.267004, 0.004874, 0.329415}, 64: {0.229739, 0.322361, 0.545706},
		128: {0.127568, 0.566949, 0.550556}, 255: {0.993248, 0.906157, 0.143936},
	} {
		got := viridis[i]
		for k, v := range []uint8{got.R, got.G, got.B} {
			if math.Abs(float64(v)-255*want[k]) > 3 {
				t.Errorf("colour %d is %v, want %v", i, got, want)
			}
		}
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
		s := scaleOf(&viridis, c.lists...)
		if math.Abs(s.lo-c.lo) > 1e-9*math.Abs(c.lo) || math.Abs(s.hi-c.hi) > 1e-9*math.Abs(c.hi) {
			t.Errorf("%s: from %g to %g, want %g to %g", name, s.lo, s.hi, c.lo, c.hi)
		}
	}
	s := scale{&viridis, 10, 20}
	for v, want := range map[float64]int{-5: 0, 10: 0, 15: 128, 20: 255, 99: 255} {
		if got := s.at(v); got != viridis[want] {
			t.Errorf("value %g: %v, want colour %d", v, got, want)
		}
	}
}

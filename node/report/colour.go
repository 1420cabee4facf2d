package report

import (
	"image/color"
	"math"
)

// colourMap is a sequential colour map in equal steps.
type colourMap [256]color.RGBA

// viridis is the map of Smith and van der Walt (CC0), perceptually uniform and
// legible without red or green vision: 16 colours at equal steps, linear in
// between.
var viridis = interpolate([]uint32{
	0x440154, 0x481A6C, 0x472F7D, 0x414487, 0x39568C, 0x31688E, 0x2A788E, 0x23888E,
	0x1F988B, 0x22A884, 0x35B779, 0x54C568, 0x7AD151, 0xA5DB36, 0xD2E21B, 0xFDE725,
})

// magma is a map by the same authors and with the same properties. It is for
// deviations, so that nobody takes them for values.
var magma = interpolate([]uint32{
	0x000004, 0x0B0924, 0x20114B, 0x3B0F70, 0x57157E, 0x721F81, 0x8C2981, 0xA8327D,
	0xC43C75, 0xDE4968, 0xF1605D, 0xFA7F5E, 0xFE9F6D, 0xFEBF84, 0xFDDEA0, 0xFCFDBF,
})

func interpolate(anchors []uint32) (m colourMap) {
	for i := range m {
		at := float64(i) / float64(len(m)-1) * float64(len(anchors)-1)
		k := min(int(at), len(anchors)-2)
		mix := func(shift uint) uint8 {
			a, b := float64(anchors[k]>>shift&0xFF), float64(anchors[k+1]>>shift&0xFF)
			return uint8(math.Round(a + (b-a)*(at-float64(k))))
		}
		m[i] = color.RGBA{mix(16), mix(8), mix(0), 0xFF}
	}
	return m
}

// scale maps values to the colours of a map.
type scale struct {
	colours *colourMap
	lo, hi  float64
}

// scaleOf returns a scale over the finite values of the lists. A single value
// gets a little room around it.
func scaleOf(colours *colourMap, lists ...[]float64) scale {
	s := scale{colours, math.Inf(1), math.Inf(-1)}
	for _, l := range lists {
		for _, v := range l {
			if finite(v) {
				s.lo, s.hi = math.Min(s.lo, v), math.Max(s.hi, v)
			}
		}
	}
	if s.lo > s.hi {
		s.lo, s.hi = 0, 1
	}
	// Below 1e-9 of the values' size a difference is rounding, not a pattern.
	if room := 1e-9 * math.Max(math.Abs(s.lo), math.Abs(s.hi)); s.hi-s.lo <= room {
		half := math.Max(math.Abs(s.lo)/100, 1e-3)
		s.lo, s.hi = s.lo-half, s.hi+half
	}
	return s
}

// at returns the colour of a value; values outside the scale get its ends.
func (s scale) at(v float64) color.RGBA {
	n := float64(len(s.colours) - 1)
	return s.colours[int(math.Round(math.Max(0, math.Min(n, (v-s.lo)/(s.hi-s.lo)*n))))]
}

// Line colours: Okabe and Ito's, which people with any colour vision tell apart.
var (
	blue       = color.RGBA{0x00, 0x72, 0xB2, 0xFF}
	orange     = color.RGBA{0xE6, 0x9F, 0x00, 0xFF}
	vermillion = color.RGBA{0xD5, 0x5E, 0x00, 0xFF}
	green      = color.RGBA{0x00, 0x9E, 0x73, 0xFF}
	ink        = color.RGBA{0x1A, 0x1A, 0x1A, 0xFF}
	grey       = color.RGBA{0x80, 0x80, 0x80, 0xFF}
	white      = color.RGBA{0xFF, 0xFF, 0xFF, 0xFF}
	faintBlue  = color.NRGBA{0x00, 0x72, 0xB2, 0xA0} // for lines that lie on each other
)

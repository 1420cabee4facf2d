package gazebo

import (
	"image"
	"image/color"
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
)

// textureSize is the number of pixels along a side of the ground's texture: two per metre.
const textureSize = 2 * int(groundSize)

// Colours of the ground, as indices of its palette.
const (
	crop = iota
	cropDark
	wheelMark
	meadow
	meadowDark
	woodFloor
	yard
	edge
)

var palette = color.Palette{
	crop: color.RGBA{138, 154, 78, 255}, cropDark: color.RGBA{126, 143, 70, 255}, wheelMark: color.RGBA{140, 122, 86, 255},
	meadow: color.RGBA{96, 128, 66, 255}, meadowDark: color.RGBA{88, 119, 60, 255}, woodFloor: color.RGBA{82, 74, 50, 255},
	yard: color.RGBA{150, 142, 128, 255}, edge: color.RGBA{112, 104, 72, 255},
}

// Texture returns the picture of the ground from above: the crop in rows within the field's
// outline, a meadow around it, the floor of the wood and a yard about the shed.
func (l Layout) Texture() *image.Paletted {
	p := image.NewPaletted(image.Rect(0, 0, textureSize, textureSize), palette)
	const metres = 0.5 // per pixel
	for row := range textureSize {
		y := groundSize/2 - (float64(row)+0.5)*metres
		for column := range textureSize {
			x := (float64(column)+0.5)*metres - groundSize/2
			p.SetColorIndex(column, row, l.colour(x, y))
		}
	}
	return p
}

// colour returns the colour of the ground at a place.
func (l Layout) colour(x, y float64) uint8 {
	at := orb.Point{x, y}
	shed := l.Boxes[0]
	switch {
	case planar.RingContains(l.Wood, at):
		return woodFloor
	case math.Hypot(x-shed.X, y-shed.Y) < 13:
		return yard
	case planar.DistanceFrom(orb.LineString(l.Outline), at) < 0.8:
		return edge
	case !planar.RingContains(l.Outline, at):
		if patchy(x, y) {
			return meadowDark
		}
		return meadow
	}
	// Tramlines 18 m apart, two wheel marks each, and rows 3 m wide.
	across := math.Mod(0.9848*x-0.1736*y+1000, 18)
	switch {
	case across < 0.5 || across > 1.7 && across < 2.2:
		return wheelMark
	case math.Mod(across, 6) < 3:
		return cropDark
	}
	return crop
}

// patchy returns a coarse irregular pattern.
func patchy(x, y float64) bool {
	return math.Sin(x/7)+math.Sin(y/9+1)+math.Sin((x+y)/13)+math.Sin((x-2*y)/17) > 0.3
}

package report

import (
	"bytes"
	"image/color"
	"image/png"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Pictures are laid out in points, as on paper, and stored with two pixels
// to the point, so that whole points fall on whole pixels.
const (
	pixelsPerPoint = 2
	dpi            = 72 * pixelsPerPoint

	textSize  = 9 // axis titles and legends, points
	smallSize = 8 // tick labels, points
	hairline  = vg.Length(0.6)
)

// figure is one picture on white paper.
type figure struct {
	canvas *vgimg.Canvas
	draw.Canvas
}

// newFigure returns an empty picture of so many points.
func newFigure(width, height int) *figure {
	c := vgimg.NewWith(vgimg.UseWH(vg.Length(width), vg.Length(height)), vgimg.UseDPI(dpi))
	return &figure{c, draw.New(c)}
}

// png returns the picture as a PNG file.
func (f *figure) png() ([]byte, error) {
	var b bytes.Buffer
	if err := png.Encode(&b, f.canvas.Image()); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// lettering returns the style of the pictures' text: Liberation Sans, which
// comes with gonum.org/v1/plot, so that no machine's own fonts matter.
func lettering(size vg.Length, x draw.XAlignment, y draw.YAlignment) draw.TextStyle {
	return draw.TextStyle{
		Color:   ink,
		Font:    font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, size),
		XAlign:  x,
		YAlign:  y,
		Handler: plot.DefaultTextHandler,
	}
}

// midHeight centres digits and small letters on a line: half of the letters'
// height, without the room for their tails.
const midHeight draw.YAlignment = -0.42

func stroke(c color.Color, width vg.Length, dashes ...vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: width, Dashes: dashes}
}

// line draws a line, cut at the canvas's edges. A line through a point that is
// not finite is not drawn.
func line(c draw.Canvas, s draw.LineStyle, points []vg.Point) {
	for _, p := range points {
		if !isPlace(Place{float64(p.X), float64(p.Y)}) {
			return
		}
	}
	c.StrokeLines(s, c.ClipLinesXY(points)...)
}

// disc draws a filled circle.
func disc(c draw.Canvas, colour color.Color, centre vg.Point, radius vg.Length) {
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: colour, Radius: radius, Shape: draw.CircleGlyph{}}, centre)
}

// upright draws text turned by a quarter, read from below, around a point. It
// moves and shrinks as far as it must to stay on the canvas.
func upright(c draw.Canvas, text string, centre vg.Point) {
	s := lettering(textSize, draw.XCenter, midHeight)
	const border = 2
	length, room := s.Width(text), c.Max.Y-c.Min.Y-2*border
	if length > room {
		s.Font.Size *= room / length
		length = room
	}
	centre.Y = max(c.Min.Y+border+length/2, min(c.Max.Y-border-length/2, centre.Y))
	s.Rotation = math.Pi / 2
	c.FillText(s, centre, text)
}

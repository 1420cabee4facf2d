package report

import (
	"bytes"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// Lengths in pictures are in points. A point has two pixels.
const (
	pixelsPerPoint = 2

	textSize  = 9 // axis titles, points
	smallSize = 8 // tick labels and legends, points
	hairline  = vg.Length(0.6)
	margin    = 6 // around the content of a picture, points
)

// Colours of lines, by Okabe and Ito: people with colour vision deficiency can distinguish them.
var (
	blue       = color.RGBA{0x00, 0x72, 0xB2, 0xFF}
	orange     = color.RGBA{0xE6, 0x9F, 0x00, 0xFF}
	vermillion = color.RGBA{0xD5, 0x5E, 0x00, 0xFF}
	green      = color.RGBA{0x00, 0x9E, 0x73, 0xFF}
	purple     = color.RGBA{0xCC, 0x79, 0xA7, 0xFF}
	ink        = color.RGBA{0x1A, 0x1A, 0x1A, 0xFF}
	grey       = color.RGBA{0x77, 0x77, 0x77, 0xFF}
	white      = color.RGBA{0xFF, 0xFF, 0xFF, 0xFF}
)

var dashed = []vg.Length{4, 2.5}

func stroke(c color.Color, width vg.Length, dashes ...vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: width, Dashes: dashes}
}

// sans returns Liberation Sans, which is part of gonum.org/v1/plot: pictures do not depend
// on the fonts of the computer.
func sans(size vg.Length) font.Font {
	return font.From(font.Font{Typeface: "Liberation", Variant: "Sans"}, size)
}

// newPlot returns an empty plot in the style of the report.
func newPlot(xTitle, yTitle string) *plot.Plot {
	q := plot.New()
	q.BackgroundColor = color.Transparent
	q.X.Label.Text, q.Y.Label.Text = xTitle, yTitle
	for _, a := range []*plot.Axis{&q.X, &q.Y} {
		a.Label.TextStyle.Font, a.Tick.Label.Font = sans(textSize), sans(smallSize)
		a.Label.TextStyle.Color, a.Tick.Label.Color = ink, ink
		a.Label.Padding = 4
		a.LineStyle, a.Tick.LineStyle = stroke(ink, hairline), stroke(ink, hairline)
		a.Tick.Length = 3
		a.Tick.Marker = ticks{most: 6}
	}
	return q
}

// shrink reduces the title of an axis to the given length.
func shrink(a *plot.Axis, length vg.Length) {
	if s := &a.Label.TextStyle; s.Width(a.Label.Text) > length {
		s.Font.Size *= length / s.Width(a.Label.Text)
	}
}

// entry is a line of a legend.
type entry struct {
	label  string
	thumbs []plot.Thumbnailer
}

// legend is a picture's legend in as many columns as fit into its width.
type legend struct {
	columns []plot.Legend
	widths  []vg.Length
	height  vg.Length
}

const columnGap = 12

func newLegend(entries []entry, width vg.Length) (l legend) {
	for rows := 1; rows <= len(entries); rows++ {
		l = legend{}
		used := vg.Length(-columnGap)
		for i, e := range entries {
			if i%rows == 0 {
				c := plot.NewLegend()
				c.TextStyle.Font, c.TextStyle.Color = sans(smallSize), ink
				c.ThumbnailWidth, c.Padding, c.Top, c.Left = 18, 5.5, true, true
				l.columns = append(l.columns, c)
			}
			l.columns[len(l.columns)-1].Add(" "+e.label, e.thumbs...)
		}
		for i := range l.columns {
			size := l.columns[i].Rectangle(draw.Canvas{}).Size()
			l.widths = append(l.widths, size.X+1)
			l.height = max(l.height, size.Y+2*margin)
			used += columnGap + l.widths[i]
		}
		if used <= width {
			break
		}
	}
	return l
}

// draw draws the columns at the top of a canvas, centred.
func (l legend) draw(c draw.Canvas) {
	used := vg.Length(-columnGap)
	for _, w := range l.widths {
		used += columnGap + w
	}
	c.Min.X = max(c.Min.X, c.Center().X-used/2)
	for i := range l.columns {
		l.columns[i].Draw(c)
		c.Min.X += l.widths[i] + columnGap
	}
}

// picturePNG returns a picture with a legend below its content. width and height are
// those of the content in points.
func picturePNG(width, height vg.Length, entries []entry, content func(draw.Canvas)) ([]byte, error) {
	l := newLegend(entries, width)
	canvas := vgimg.PngCanvas{Canvas: vgimg.NewWith(
		vgimg.UseWH(width+2*margin, height+2*margin+l.height), vgimg.UseDPI(72*pixelsPerPoint),
	)}
	layOut(draw.New(canvas), l, content)
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// layOut draws the content of a picture above its legend.
func layOut(c draw.Canvas, l legend, content func(draw.Canvas)) {
	c = draw.Crop(c, margin, -margin, margin, -margin)
	content(draw.Crop(c, 0, 0, l.height, 0))
	l.draw(draw.Crop(c, 0, 0, 0, l.height-margin-c.Size().Y))
}

// ticks places labels at multiples of 1, 2 or 5 times a power of ten. The ticks of plot
// can be such as 4, 16, 28.
type ticks struct {
	most  int     // greatest number of ticks
	least float64 // least step; 1: ticks at whole numbers only
}

var _ plot.Ticker = ticks{}

// Ticks returns the ticks from lo to hi, both included.
func (n ticks) Ticks(lo, hi float64) (list []plot.Tick) {
	step := niceStep((hi - lo) / float64(max(1, n.most-1)))
	if step == 0 {
		return nil
	}
	step = max(step, n.least)
	// Rounding of the division must not lose the ticks at the ends.
	const slack = 1e-9
	first := math.Ceil(lo/step - slack)
	for i := range n.most {
		k := first + float64(i)
		if k > hi/step+slack {
			break
		}
		list = append(list, plot.Tick{Value: k * step, Label: tickLabel(k*step, step)})
	}
	return list
}

// niceStep returns the smallest 1, 2 or 5 times a power of ten that is not below length,
// or 0 if length is not positive and finite.
func niceStep(length float64) float64 {
	if !(length > 0) || !finite(length) {
		return 0
	}
	power := math.Pow(10, math.Floor(math.Log10(length)))
	for _, f := range []float64{1, 2, 5} {
		if f*power >= length*(1-1e-9) {
			return f * power
		}
	}
	return 10 * power
}

// tickLabel writes a multiple of a step with as many decimals as the step has.
func tickLabel(v, step float64) string {
	if math.Abs(v) < step/2 {
		return "0"
	}
	if e := math.Floor(math.Log10(step) + 1e-9); e >= -5 && math.Abs(v) < 1e7 {
		return minus(strconv.FormatFloat(v, 'f', int(max(0, -e)), 64))
	}
	return minus(strconv.FormatFloat(v, 'g', 3, 64))
}

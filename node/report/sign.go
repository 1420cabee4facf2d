package report

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// star is the sign of the recommended place.
func star(c draw.Canvas, p vg.Point) {
	corners := make([]vg.Point, 11)
	for i := range corners {
		radius := vg.Length(starRadius)
		if i%2 == 1 {
			radius *= 0.42
		}
		sin, cos := math.Sincos(math.Pi/2 + float64(i%10)*math.Pi/5)
		corners[i] = p.Add(vg.Point{X: radius * vg.Length(cos), Y: radius * vg.Length(sin)})
	}
	c.StrokeLines(stroke(white, 2.6), corners)
	c.FillPolygon(vermillion, corners)
	c.StrokeLines(stroke(ink, 0.7), corners)
}

// diagonal returns a sign of two crossing strokes: ×.
func diagonal(colour, halo color.Color, radius, width vg.Length) func(draw.Canvas, vg.Point) {
	return func(c draw.Canvas, p vg.Point) {
		for _, s := range []draw.LineStyle{stroke(halo, width+1.4), stroke(colour, width)} {
			c.StrokeLine2(s, p.X-radius, p.Y-radius, p.X+radius, p.Y+radius)
			c.StrokeLine2(s, p.X-radius, p.Y+radius, p.X+radius, p.Y-radius)
		}
	}
}

// square returns the sign of an open square.
func square(colour color.Color, radius, width vg.Length) func(draw.Canvas, vg.Point) {
	return func(c draw.Canvas, p vg.Point) {
		r := vg.Point{X: radius, Y: radius}
		c.StrokeLines(stroke(colour, width), box(vg.Rectangle{Min: p.Sub(r), Max: p.Add(r)}))
	}
}

// diamond is the sign of a sample of another robot.
func diamond(c draw.Canvas, p vg.Point) {
	const r = 3
	corners := []vg.Point{
		p.Add(vg.Point{X: -r}), p.Add(vg.Point{Y: -r}), p.Add(vg.Point{X: r}), p.Add(vg.Point{Y: r}), p.Add(vg.Point{X: -r}),
	}
	c.FillPolygon(orange, corners)
	c.StrokeLines(stroke(ink, 0.8), corners)
}

// triangle is the sign of the place where the robot started.
func triangle(c draw.Canvas, p vg.Point) {
	const r = 4
	corners := []vg.Point{
		p.Add(vg.Point{X: -r, Y: -0.7 * r}), p.Add(vg.Point{X: r, Y: -0.7 * r}),
		p.Add(vg.Point{Y: r}), p.Add(vg.Point{X: -r, Y: -0.7 * r}),
	}
	c.FillPolygon(white, corners)
	c.StrokeLines(stroke(ink, 1), corners)
}

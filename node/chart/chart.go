// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package chart draws curves as SVG: regret over samples, limits over budgets, memory over hours.
package chart

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"strconv"
	"unicode/utf8"

	"ugp_explorer/internal/num"
)

// Line is a curve. Points that are not finite are left out.
type Line struct {
	Label     string
	X, Y      []float64
	Low, High []float64 // bounds of the points, drawn as a band; nil: none. An infinite one is not drawn
}

// Panel is a plot of lines.
type Panel struct {
	Title string // of the vertical axis
	Axis  string // of the horizontal one
	Lines []Line // lines of the same index look alike in all panels of a picture
	Steps bool   // a value holds until the next point
}

// Sizes in a picture, px.
const (
	fontSize               = 11
	charWidth              = 6.2 // of text, about
	left, right, top, base = 48, 12, 24, 38
	legendRow              = 18
	legendSample           = 24
)

// colours distinguish lines, also for people with colour vision deficiency (Okabe and Ito). Lines
// beyond them are dashed.
var colours = []string{"#0072b2", "#d55e00", "#009e73", "#777777", "#e69f00", "#cc79a7"}

// SVG draws panels row by row in a number of columns above a legend of the first panel's lines.
// band is the name of the bands in the legend; "": none.
func SVG(panels []Panel, columns int, band string) []byte {
	width, height := 460.0, 250.0
	if columns > 1 {
		width, height = 290, 190
	}
	rows := (len(panels) + columns - 1) / columns
	whole := width * float64(columns)
	var body bytes.Buffer
	for i, p := range panels {
		p.draw(&body, width*float64(i%columns), height*float64(i/columns), width, height)
	}
	x, y := left/2.0, height*float64(rows)+legendRow/2
	entry := func(label, sample string) {
		need := legendSample + 8 + charWidth*float64(utf8.RuneCountInString(label)) + 16
		if x+need > whole && x > left {
			x, y = left/2.0, y+legendRow
		}
		fmt.Fprintf(&body, `<g transform="translate(%.1f %.1f)">%s<text x="%d" y="4">%s</text></g>`+"\n", x, y, sample, legendSample+6, html.EscapeString(label))
		x += need
	}
	for i, l := range panels[0].Lines {
		if l.Label != "" {
			entry(l.Label, fmt.Sprintf(`<path d="M0 0H%d" %s/>`, legendSample, stroke(i)))
		}
	}
	if band != "" {
		entry(band, fmt.Sprintf(`<path d="M0 -5H%d V5H0Z" fill="#777777" fill-opacity="0.3"/>`, legendSample))
	}
	var file bytes.Buffer
	fmt.Fprintf(&file, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" font-family="Liberation Sans, Arial, sans-serif" font-size="%d" fill="#1a1a1a">`+"\n",
		whole, y+legendRow/2, whole, fontSize)
	fmt.Fprintf(&file, `<rect width="%g" height="%g" fill="#ffffff"/>`+"\n", whole, y+legendRow/2)
	file.Write(body.Bytes())
	file.WriteString("</svg>\n")
	return file.Bytes()
}

func stroke(i int) string {
	dashes := ""
	if i >= len(colours) {
		dashes = ` stroke-dasharray="5 3"`
	}
	return fmt.Sprintf(`fill="none" stroke="%s" stroke-width="1.6"%s`, colours[i%len(colours)], dashes)
}

// draw draws the panel into a rectangle.
func (p *Panel) draw(b *bytes.Buffer, x0, y0, width, height float64) {
	x, y := p.ranges()
	w, h := width-left-right, height-top-base
	px := func(v float64) float64 { return x0 + left + w*(v-x.low)/(x.high-x.low) }
	py := func(v float64) float64 { return y0 + top + h*(y.high-v)/(y.high-y.low) }
	text := func(x, y float64, anchor, more, words string) {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" text-anchor="%s"%s>%s</text>`+"\n", x, y, anchor, more, html.EscapeString(words))
	}
	text(x0+8, y0+14, "start", ` font-weight="bold"`, p.Title)
	text(x0+left+w/2, y0+height-6, "middle", "", p.Axis)
	for v, label := range y.ticks(5, 0) {
		fmt.Fprintf(b, `<path d="M%.1f %.1fh%.1f" stroke="#dddddd"/>`, x0+left, py(v), w)
		text(x0+left-5, py(v)+4, "end", "", label)
	}
	least := 0.0
	if p.Steps {
		least = 1
	}
	for v, label := range x.ticks(6, least) {
		fmt.Fprintf(b, `<path d="M%.1f %.1fv4" stroke="#1a1a1a"/>`, px(v), y0+top+h)
		text(px(v), y0+top+h+15, "middle", "", label)
	}
	fmt.Fprintf(b, `<path d="M%.1f %.1fv%.1fh%.1f" fill="none" stroke="#1a1a1a"/>`+"\n", x0+left, y0+top, h, w)
	for i := range p.Lines {
		l := p.Lines[i].finite()
		if len(l.X) == 0 {
			continue
		}
		if l.Low != nil {
			b.WriteString(`<path d="`)
			for k, v := range l.X {
				fmt.Fprintf(b, "%c%.1f %.1f", "ML"[min(k, 1)], px(v), py(l.High[k]))
			}
			for k := len(l.X) - 1; k >= 0; k-- {
				fmt.Fprintf(b, "L%.1f %.1f", px(l.X[k]), py(l.Low[k]))
			}
			fmt.Fprintf(b, `Z" fill="%s" fill-opacity="0.18"/>`+"\n", colours[i%len(colours)])
		}
		b.WriteString(`<path d="`)
		for k, v := range l.X {
			switch {
			case k == 0:
				fmt.Fprintf(b, "M%.1f %.1f", px(v), py(l.Y[k]))
			case p.Steps:
				fmt.Fprintf(b, "H%.1fV%.1f", px(v), py(l.Y[k]))
			default:
				fmt.Fprintf(b, "L%.1f %.1f", px(v), py(l.Y[k]))
			}
		}
		fmt.Fprintf(b, `" %s/>`+"\n", stroke(i))
		const fewPoints = 12 // that are marked
		if len(l.X) == 1 || len(l.X) <= fewPoints && !p.Steps {
			for k, v := range l.X {
				fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="2.4" fill="%s"/>`, px(v), py(l.Y[k]), colours[i%len(colours)])
			}
		}
	}
}

// finite returns the line without points that are not finite, and with bounds that are.
func (l Line) finite() (f Line) {
	for k, y := range l.Y {
		if !num.Finite(y) || !num.Finite(l.X[k]) {
			continue
		}
		f.X, f.Y = append(f.X, l.X[k]), append(f.Y, y)
		if l.Low != nil {
			low, high := l.Low[k], l.High[k]
			if !num.Finite(low) {
				low = y
			}
			if !num.Finite(high) {
				high = y
			}
			f.Low, f.High = append(f.Low, low), append(f.High, high)
		}
	}
	return f
}

// interval is the range of an axis.
type interval struct{ low, high float64 }

func (r *interval) add(values ...float64) {
	for _, v := range values {
		r.low, r.high = min(r.low, v), max(r.high, v)
	}
}

// ranges returns what the axes show, which is never empty.
func (p *Panel) ranges() (x, y interval) {
	x, y = interval{math.Inf(1), math.Inf(-1)}, interval{math.Inf(1), math.Inf(-1)}
	for _, l := range p.Lines {
		l = l.finite()
		x.add(l.X...)
		for _, values := range [][]float64{l.Y, l.Low, l.High} {
			y.add(values...)
		}
	}
	y.add(0)
	for _, r := range []*interval{&x, &y} {
		if r.low > r.high {
			*r = interval{0, 1}
		}
		if r.high-r.low <= 1e-9*max(math.Abs(r.low), math.Abs(r.high)) { // a constant is drawn in the middle
			half := max(math.Abs(r.high)/100, 1e-3)
			*r = interval{r.low - half, r.high + half}
		}
	}
	return x, y
}

// ticks yields at most n places on an axis with their labels: multiples of 1, 2 or 5 times a
// power of ten that is at least least.
func (r interval) ticks(most int, least float64) func(yield func(v float64, label string) bool) {
	least = max(least, (r.high-r.low)/float64(most-1))
	step := math.Pow(10, math.Floor(math.Log10(least)))
	for _, factor := range []float64{2, 2.5, 2} { // 2, 5, 10
		if step < least*(1-1e-9) {
			step *= factor
		}
	}
	decimals := int(max(0, -math.Floor(math.Log10(step)+1e-9)))
	return func(yield func(float64, string) bool) {
		first := math.Ceil(r.low/step - 1e-9)
		for i := range most {
			v := (first + float64(i)) * step
			if v > r.high+1e-9*step {
				return
			}
			label := strconv.FormatFloat(v, 'f', decimals, 64)
			if decimals > 5 || math.Abs(v) >= 1e7 {
				label = strconv.FormatFloat(v, 'g', 3, 64)
			}
			if !yield(v, label) {
				return
			}
		}
	}
}

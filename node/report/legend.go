package report

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// entry is one thing that a legend explains: how it looks, drawn around a
// point in a space of symbolWidth, and what it is.
type entry struct {
	label  string
	symbol func(c draw.Canvas, centre vg.Point)
}

const (
	symbolWidth = 18
	entryGap    = 12
)

func (e entry) width() vg.Length {
	return symbolWidth + 3 + lettering(smallSize, draw.XLeft, draw.YCenter).Width(e.label)
}

// layOut breaks the entries into rows of at most the given width.
func layOut(entries []entry, width vg.Length) [][]entry {
	var rows [][]entry
	var used vg.Length
	for _, e := range entries {
		w := e.width()
		if len(rows) == 0 || used+entryGap+w > width {
			rows, used = append(rows, nil), -entryGap
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], e)
		used += entryGap + w
	}
	return rows
}

// drawLegend draws the rows, each centred, downwards from the given height.
func drawLegend(c draw.Canvas, rows [][]entry, top vg.Length) {
	text := lettering(smallSize, draw.XLeft, midHeight)
	for i, row := range rows {
		var width vg.Length = -entryGap
		for _, e := range row {
			width += entryGap + e.width()
		}
		x, y := c.Center().X-width/2, top-legendRow*(vg.Length(i)+0.5)
		for _, e := range row {
			e.symbol(c, vg.Point{X: x + symbolWidth/2, Y: y})
			c.FillText(text, vg.Point{X: x + symbolWidth + 3, Y: y}, e.label)
			x += e.width() + entryGap
		}
	}
}

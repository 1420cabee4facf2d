package explorer

import (
	"fmt"
	"math"

	"github.com/paulmach/orb/planar"

	"ugp_explorer/node/record"
)

// Extent says how large the field and its keep-outs are and, if they and the margin cut it into parts, where.
func (e *Explorer) Extent() string {
	outline, region := e.ground.Outline(), e.ground.Region()
	area := math.Abs(planar.Area(outline.Boundary))
	square := func(m2 float64) string {
		switch {
		case area < 1000:
			return fmt.Sprintf("%.0f m²", m2)
		case m2 < 1e4:
			return fmt.Sprintf("%.2f ha", m2/1e4)
		}
		return fmt.Sprintf("%.1f ha", m2/1e4)
	}
	text := square(area)
	if n := len(outline.KeepOuts); n > 0 {
		kept := 0.0
		for _, k := range outline.KeepOuts {
			kept += math.Abs(planar.Area(k))
		}
		text += fmt.Sprintf(", %d keep-outs of %s", n, square(kept))
		if n == 1 {
			text = square(area) + ", 1 keep-out of " + square(kept)
		}
	}
	narrows := region.Narrows()
	if len(narrows) == 0 {
		return text
	}
	text += fmt.Sprintf("; the margin of %.2g m cuts it into %d parts, of which the robot explores only the one that it starts in", region.Margin(), len(narrows)+1)
	datum := e.cfg.datum()
	for _, n := range narrows {
		at := place(n.At)
		if datum != nil {
			at = record.DegreesText(datum.LonLat(n.At[0], n.At[1]))
		}
		if n.Width > 0 {
			text += fmt.Sprintf("; the way is %.2g m wide at %s", n.Width, at)
		} else {
			text += "; keep-outs close off what is about " + at
		}
	}
	return text
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package show

import (
	"fmt"
	"math"

	"github.com/paulmach/orb/planar"

	"ugp_explorer/internal/num"
	"ugp_explorer/node/explorer/ground"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/planner/mission"
)

// Area formats an area, m², that is part of a field with another area, m².
func Area(m2, field float64) string {
	switch {
	case field < 1000 || m2 < 100: // 0.00 ha would be none
		return fmt.Sprintf("%.0f m²", m2)
	case m2 < 1e4:
		return fmt.Sprintf("%.2f ha", m2/1e4)
	}
	return fmt.Sprintf("%.1f ha", m2/1e4)
}

// Extent says how large the field and its keep-outs are and, if they and the margin cut it into parts, where.
func Extent(cfg *settings.Config, g *ground.Ground) string {
	outline, region := g.Outline(), g.Region()
	area := math.Abs(planar.Area(outline.Boundary))
	square := func(m2 float64) string { return Area(m2, area) }
	text := square(area)
	if n := len(outline.KeepOuts); n > 0 {
		kept := 0.0
		for _, k := range outline.KeepOuts {
			kept += math.Abs(planar.Area(k))
		}
		text += fmt.Sprintf(", %s of %s", num.Count(n, "keep-out"), square(kept))
		if k := outline.Outside(); k > 0 {
			text += fmt.Sprintf(" (%d outside the field)", k)
		}
	}
	for _, c := range outline.Changes {
		text += fmt.Sprintf("; %s", c)
	}
	narrows := region.Narrows()
	if len(narrows) == 0 {
		return text
	}
	text += fmt.Sprintf("; the margin of %.2g m cuts it into %d parts, and the robot explores only the one in which it starts", region.Margin(), len(narrows)+1)
	for _, n := range narrows {
		at := PlaceText(cfg, n.At)
		if n.Width > 0 {
			text += fmt.Sprintf("; the way is %.2g m wide at %s", n.Width, at)
		} else {
			text += "; keep-outs close off an area of about " + at
		}
	}
	return text
}

// hopeless is the path from the start and back home, relative to the length of the field, with which a mission has
// nothing to choose from: the number was probably meant in another unit.
const hopeless = 0.1

// TightBudget says that the budgets of distance and time keep the robot near its start, or "", and whether it stays so close that a mission
// is pointless.
func TightBudget(cfg *settings.Config, g *ground.Ground) (why string, pointless bool) {
	lo, hi := g.Region().Bounds()
	across := max(hi[0]-lo[0], hi[1]-lo[1])
	rules := cfg.Rules().BudgetConfig
	rules.Budget.Samples = 0
	path := mission.Ledger{Config: rules}.Range()
	if cfg.Passive || path >= across {
		return "", false
	}
	return fmt.Sprintf("the budget allows a path of %.3g m from the start and back home, and the field is %.4g m long, so only places near the start can be sampled", path, across),
		path < hopeless*across
}

package ground

import (
	"math"
	"slices"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/acquire"
)

// skipped is a target that was given up. It is left out of the search until a stamp in ns.
type skipped struct {
	disc  acquire.Disc
	until int64
}

// Skip leaves out the places within radius m of a target until a stamp in ns; math.MaxInt64:
// for good.
func (g *Ground) Skip(target orb.Point, radius float64, until int64) {
	g.skipped = append(g.skipped, skipped{acquire.Disc{Centre: target[:], Radius: radius}, until})
}

// Obstructed makes paths lead around what is in front of a robot that is stuck, until a stamp
// in ns, where that is possible. It returns the disc that is left out, m.
func (g *Ground) Obstructed(at orb.Point, yaw float64, until int64) (centre orb.Point, radius float64) {
	centre, radius = g.detours.ahead(at[0], at[1], yaw, g.cfg.Radius)
	g.detours.add(centre, radius, until)
	return centre, radius
}

// Avoid makes paths lead around a disc, m, until a stamp in ns, where that is possible.
func (g *Ground) Avoid(centre orb.Point, radius float64, until int64) {
	g.detours.add(centre, radius, until)
}

// Skipped forgets everything that was left out until now, a stamp in ns, or earlier. It
// returns the discs around targets that are still left out.
func (g *Ground) Skipped(now int64) []acquire.Disc {
	g.skipped = slices.DeleteFunc(g.skipped, func(v skipped) bool { return v.until <= now })
	g.detours.expire(now)
	discs := make([]acquire.Disc, len(g.skipped))
	for i, v := range g.skipped {
		discs[i] = v.disc
	}
	return discs
}

// Shift moves the ends of what is left out by so many ns, after the clock was set.
func (g *Ground) Shift(by int64) {
	g.detours.shift(by)
	for i := range g.skipped {
		if v := &g.skipped[i]; v.until != math.MaxInt64 {
			v.until += by
		}
	}
}

package explorer

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
)

const (
	// shortestLeg is the least length of the last leg of a way, m: a shorter one
	// gives the robot no heading.
	shortestLeg = 0.1
	// runUpLength is the length of a leg that is there to give the heading, m.
	runUpLength = 2.0
	// runUps is how many headings are tried for such a leg.
	runUps = 16
)

// wayTo returns a way at the end of which the robot's probe lies on the target:
// straight on from the last corner before it, where the base then stands in the
// region. Else, and for a target nearer than the probe, it ends with a run-up, of
// all headings the one nearest to straight on that stays in the region. Where none
// does, as for a probe behind the base and a target on the region's very edge, the
// margin has to give way, as little as possible; outside the field and in keep-outs
// the base has no business, and the error says that there is no way.
func (e *Explorer) wayTo(target [2]float64) ([]orb.Point, error) {
	from := [2]float64{e.pose.X, e.pose.Y}
	path, _, err := e.region.Path(from, target)
	if err != nil {
		return nil, err
	}
	path = path[: len(path)-1 : len(path)-1]
	before := from
	if n := len(path); n > 0 {
		before = path[n-1]
	}
	centre := e.region.Centre()
	heading := math.Atan2(target[1]-centre[1], target[0]-centre[0]) // outwards: there is room behind
	most := 0.0
	var last []orb.Point // of the way: the base's place, and where the run-up to it begins
	if base, ok := e.approach(before, target); ok {
		heading = math.Atan2(base[1]-before[1], base[0]-before[0])
		if room := e.room(middle(before, base), base); room > most {
			most, last = room, []orb.Point{base}
		}
	}
	for i := 0; i < runUps && !math.IsInf(most, 1); i++ {
		turn := float64((i+1)/2) * 2 * math.Pi / runUps // 0, 1, -1, 2, -2 …
		if i%2 == 0 {
			turn = -turn
		}
		behind, base := e.runUp(target, heading+turn)
		if room := e.room(behind, middle(behind, base), base); room > most {
			most, last = room, []orb.Point{behind, base}
		}
	}
	switch len(last) {
	case 0:
		return nil, fmt.Errorf("with its probe on (%.6g, %.6g) the robot would stand, or have come, outside the field or in a keep-out", target[0], target[1])
	case 2:
		if path, _, err = e.region.Path(from, last[0]); err != nil {
			return nil, err
		}
	}
	return append(path, last[len(last)-1]), nil
}

// room returns the least distance of the places from the field's edges and
// keep-outs, m, negative outside; +Inf when all of them are in the region.
func (e *Explorer) room(places ...[2]float64) float64 {
	room := math.Inf(1)
	for _, p := range places {
		if !e.region.Contains(p[:]) {
			room = min(room, e.region.SignedDistance(p))
		}
	}
	return room
}

func middle(a, b [2]float64) [2]float64 { return [2]float64{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2} }

// approach returns where the base has to stand for its probe to lie on the
// target when it has come there straight: d metres on at the heading θ with
//
//	from + d·(cos θ, sin θ) + R(θ)·lever = target
//
// It is false when there is no such place ahead.
func (e *Explorer) approach(from, target [2]float64) (base [2]float64, ok bool) {
	lever := e.cfg.Matcher.Probe
	if lever == (localization.Lever{}) {
		return target, true
	}
	dx, dy := target[0]-from[0], target[1]-from[1]
	ahead2 := dx*dx + dy*dy - lever.Y*lever.Y // (d + lever.X)²
	if ahead2 < 0 || math.Sqrt(ahead2)-lever.X < shortestLeg {
		return base, false
	}
	ahead := math.Sqrt(ahead2)
	sin, cos := math.Sincos(math.Atan2(dy, dx) - math.Atan2(lever.Y, ahead))
	d := ahead - lever.X
	return [2]float64{from[0] + d*cos, from[1] + d*sin}, true
}

// runUp returns a place from which the base drives straight on at the heading to
// the place where its probe lies on the target.
func (e *Explorer) runUp(target [2]float64, heading float64) (behind, base [2]float64) {
	sin, cos := math.Sincos(heading)
	lever := e.cfg.Matcher.Probe
	base = [2]float64{target[0] - cos*lever.X + sin*lever.Y, target[1] - sin*lever.X - cos*lever.Y}
	return [2]float64{base[0] - cos*runUpLength, base[1] - sin*runUpLength}, base
}

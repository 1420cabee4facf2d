package report

import (
	"math"

	"ugp_explorer/node/record"
)

// view is the section of the map frame that the pictures show, m.
type view struct{ x0, x1, y0, y1 float64 }

// maxAspect is the greatest ratio of a view's sides.
const maxAspect = 2

// viewOf returns the view that contains everything that the pictures of a mission show,
// with a small border. All pictures of a mission have the same view.
func viewOf(m *record.Mission, maps *record.Maps, tracks *record.Tracks) view {
	v := view{math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)}
	for _, r := range m.Field.Boundary {
		v.add(r...)
	}
	if g := maps.Grid; g.NX > 0 {
		v.add(record.Place{g.X, g.Y}, record.Place{g.X + float64(g.NX)*g.Cell, g.Y + float64(g.NY)*g.Cell})
	}
	v.add(each(m.Observations, target)...)
	v.add(each(m.Observations, mean)...)
	v.add(each(m.Earlier, mean)...)
	v.add(each(m.Team, func(t record.TeamSample) record.Place { return mean(t.Observation) })...)
	v.add(each(m.Suggestions, func(g record.Suggestion) record.Place { return g.Target })...)
	v.add(each(m.Skipped, func(t record.Skipped) record.Place { return t.Target })...)
	v.add(some(m.Home)...)
	v.add(tracks.Estimated...)
	v.add(tracks.True...)
	if v.x0 > v.x1 {
		return view{0, 1, 0, 1}
	}
	return v.framed()
}

// add enlarges the view to contain the places. It ignores places that are not finite.
func (v *view) add(places ...record.Place) {
	for _, p := range places {
		if isPlace(p) {
			v.x0, v.x1 = math.Min(v.x0, p[0]), math.Max(v.x1, p[0])
			v.y0, v.y1 = math.Min(v.y0, p[1]), math.Max(v.y1, p[1])
		}
	}
}

// framed returns the view with a border of 2 % of its longer side. The shorter side is
// enlarged so that the ratio of the sides is at most maxAspect.
func (v view) framed() view {
	longer := math.Max(math.Max(v.x1-v.x0, v.y1-v.y0), 1) // a single place is shown in a square of 1 m
	border := 0.02 * longer
	v = view{v.x0 - border, v.x1 + border, v.y0 - border, v.y1 + border}
	widen := func(lo, hi *float64) {
		if lack := (longer+2*border)/maxAspect - (*hi - *lo); lack > 0 {
			*lo, *hi = *lo-lack/2, *hi+lack/2
		}
	}
	widen(&v.x0, &v.x1)
	widen(&v.y0, &v.y1)
	return v
}

func (v view) width() float64  { return v.x1 - v.x0 }
func (v view) height() float64 { return v.y1 - v.y0 }

func isPlace(p record.Place) bool { return finite(p[0]) && finite(p[1]) }

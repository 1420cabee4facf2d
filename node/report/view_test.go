package report

import (
	"math"
	"testing"

	"ugp_explorer/node/record"
	"ugp_explorer/sim/rig/recordtest"
)

func TestViewHoldsEverything(t *testing.T) {
	m, maps, tracks := recordtest.Mission(6, 12, 20)
	m.Skipped[0].Target = record.Place{-300, 400}
	tracks.True = append(tracks.True, record.Place{900, 500}, record.Place{math.NaN(), 7000})
	v := viewOf(m, maps, tracks)
	want := view{-300, 900, 0, 1240}
	border := 0.02 * 1240
	for _, pair := range [][2]float64{{v.x0, want.x0 - border}, {v.x1, want.x1 + border}, {v.y0, want.y0 - border}, {v.y1, want.y1 + border}} {
		if math.Abs(pair[0]-pair[1]) > 1e-9 {
			t.Fatalf("view %+v, want %+v with a border of %g", v, want, border)
		}
	}
}

func TestViewIsNeverDegenerate(t *testing.T) {
	one := &record.Mission{Observations: []record.Observation{{Target: record.Place{5, 7}, Belief: record.Belief{X: 5, Y: 7}}}}
	flat := &record.Mission{Field: record.Field{Boundary: [][]record.Place{{{0, 0}, {1000, 0}, {1000, 1}}}}}
	lost := &record.Mission{Observations: []record.Observation{{Target: record.Place{math.NaN(), 7}, Belief: record.Belief{X: math.Inf(1)}}}}
	for name, m := range map[string]*record.Mission{"nothing": {}, "one place": one, "flat": flat, "no finite place": lost} {
		v := viewOf(m, new(record.Maps), new(record.Tracks))
		w, h := v.width(), v.height()
		if !(w > 0) || !(h > 0) || w > maxAspect*h*1.000001 || h > maxAspect*w*1.000001 {
			t.Errorf("%s: view of %g by %g m", name, w, h)
		}
	}
}

package report

import (
	"math"
	"testing"
)

func TestViewHoldsEverything(t *testing.T) {
	m, maps, tracks := SyntheticMission(6, 12, 20)
	m.Skipped[0].Target = Place{-300, 400}
	tracks.True = append(tracks.True, Place{900, 500}, Place{math.NaN(), 7000})
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
	one := &Mission{Observations: []Observation{{Target: Place{5, 7}, Belief: Belief{X: 5, Y: 7}}}}
	flat := &Mission{Field: Field{Boundary: [][]Place{{{0, 0}, {1000, 0}, {1000, 1}}}}}
	lost := &Mission{Observations: []Observation{{Target: Place{math.NaN(), 7}, Belief: Belief{X: math.Inf(1)}}}}
	for name, m := range map[string]*Mission{"nothing": {}, "one place": one, "flat": flat, "no finite place": lost} {
		v := viewOf(m, new(Maps), new(Tracks))
		w, h := v.width(), v.height()
		if !(w > 0) || !(h > 0) || w > maxAspect*h*1.000001 || h > maxAspect*w*1.000001 {
			t.Errorf("%s: view of %g by %g m", name, w, h)
		}
	}
}

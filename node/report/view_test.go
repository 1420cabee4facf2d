package report

import (
	"math"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestViewHoldsEverything(t *testing.T) {
	m, maps, tracks := syntheticMission(6, 12, 20)
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
		v := viewOf(m, nil, nil)
		w, h := v.width(), v.height()
		if !(w > 0) || !(h > 0) || w > maxAspect*h*1.000001 || h > maxAspect*w*1.000001 {
			t.Errorf("%s: view of %g by %g m", name, w, h)
		}
	}
}

// TestHatchesStayInside checks every hatch's middle and ends against the
// polygon, and that the hatches are as far apart as they should be.
func TestHatchesStayInside(t *testing.T) {
	outer := []vg.Point{{X: 10, Y: 10}, {X: 110, Y: 20}, {X: 100, Y: 90}, {X: 20, Y: 80}}
	hole := []vg.Point{{X: 40, Y: 40}, {X: 70, Y: 40}, {X: 70, Y: 60}, {X: 40, Y: 60}}
	var rings [][]Place
	for _, r := range [][]vg.Point{outer, hole} {
		var ring []Place
		for _, p := range r {
			ring = append(ring, Place{float64(p.X), float64(p.Y)})
		}
		rings = append(rings, ring)
	}
	all := vg.Rectangle{Max: vg.Point{X: 200, Y: 200}}
	list := hatches([][]vg.Point{outer, hole}, 5, all)
	if len(list) < 20 {
		t.Fatalf("%d hatches", len(list))
	}
	total := 0.0
	for _, h := range list {
		for _, share := range []vg.Length{0.001, 0.5, 0.999} {
			p := Place{float64(h[0].X + share*(h[1].X-h[0].X)), float64(h[0].Y + share*(h[1].Y-h[0].Y))}
			if !contains(rings, p) {
				t.Errorf("hatch %v leaves the polygon at %v", h, p)
			}
		}
		total += math.Hypot(float64(h[1].X-h[0].X), float64(h[1].Y-h[0].Y))
	}
	// Lines 5 apart have a fifth of the area as their length. Area by the
	// shoelace formula: 6350 less the hole's 600.
	if want := (6350.0 - 600) / 5; math.Abs(total-want) > 0.02*want {
		t.Errorf("hatches of %.0f in all, want %.0f", total, want)
	}
	// A polygon far larger than the page is hatched on the page alone.
	huge := []vg.Point{{X: -1e9, Y: -1e9}, {X: 1e9, Y: -1e9}, {X: 1e9, Y: 1e9}, {X: -1e9, Y: 1e9}}
	if n := len(hatches([][]vg.Point{huge}, 5, all)); n < 20 || n > 100 {
		t.Errorf("%d hatches of a huge polygon", n)
	}
}

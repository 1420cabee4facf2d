package rivals

import (
	"math"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"ugp_explorer/planner/plantest"
)

// A tour visits each stop once, and is no longer than that to the nearest stop each time.
func TestTours(t *testing.T) {
	r := star(t)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 25).Draw(t, "stops")
		points := r.Points(n+2, plantest.Rand(rapid.Uint64().Draw(t, "seed")))
		var home []float64
		if rapid.Bool().Draw(t, "home") {
			home = points.RawRowView(n + 1)
		}
		legs := NewLegs(r.Travel(), points.RawRowView(n), home, rowsOf(points, upTo(n)))
		tour, nearest := legs.Tour(upTo(n)), legs.Nearest(upTo(n))
		for _, order := range [][]int{tour, nearest} {
			if sorted := slices.Sorted(slices.Values(order)); !slices.Equal(sorted, upTo(n)) {
				t.Fatalf("%v is no tour of %d stops", order, n)
			}
		}
		if legs.Length(tour) > legs.Length(nearest)+1e-9 {
			t.Fatalf("a tour of %g m, to the nearest stop each time %g m", legs.Length(tour), legs.Length(nearest))
		}
		for i := range tour { // by hand: no piece is better reversed
			for j := i + 1; j < n; j++ {
				other := slices.Clone(tour)
				slices.Reverse(other[i : j+1])
				if legs.Length(other) < legs.Length(tour)-1e-5 {
					t.Fatalf("%v takes %g m, and %v %g m", tour, legs.Length(tour), other, legs.Length(other))
				}
			}
		}
	})
}

// The best tour of points on a circle goes round it.
func TestTourRoundACircle(t *testing.T) {
	r := star(t)
	const n = 12
	var stops [][]float64
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64((i*5)%n+1) / (n + 1))
		stops = append(stops, []float64{20 + 4*cos, 60 + 4*sin})
	}
	robot := []float64{24, 60}
	legs := NewLegs(r.Travel(), robot, robot, stops)
	want := (n + 1) * 8 * math.Sin(math.Pi/(n+1))
	if got := legs.Length(legs.Tour(upTo(n))); math.Abs(got-want) > 1e-9 {
		t.Errorf("%g m, want %g m", got, want)
	}
}

// Legs are the shortest paths inside the field.
func TestLegs(t *testing.T) {
	r := star(t)
	points := r.Points(8, plantest.Rand(5))
	stops := rowsOf(points, upTo(6))
	legs := NewLegs(r.Travel(), points.RawRowView(6), points.RawRowView(7), stops)
	path := func(a, b []float64) float64 {
		_, length, err := r.Path(orb.Point(a), orb.Point(b))
		if err != nil {
			t.Fatal(err)
		}
		return length
	}
	want, at := 0.0, points.RawRowView(6)
	for _, x := range stops {
		want += path(at, x)
		at = x
	}
	want += path(at, points.RawRowView(7))
	if got := legs.Length(upTo(6)); math.Abs(got-want) > 1e-9 {
		t.Errorf("%g m, want %g m", got, want)
	}
	for i := range stops {
		for k := range stops {
			if legs.Between[i][k] != legs.Between[k][i] || math.Abs(legs.Between[i][k]-path(stops[i], stops[k])) > 1e-9 {
				t.Errorf("from %d to %d: %g m", i, k, legs.Between[i][k])
			}
		}
	}
}

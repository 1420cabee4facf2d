package field

import (
	"math"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/plantest"
)

func TestRegionGrid(t *testing.T) {
	r := mustRegion(t, starField(), 2)
	for _, n := range []int{1, 2, 5, 30, 31, 100, 997} {
		points := r.Grid(n)
		if len(points) != n {
			t.Errorf("%d points, want %d", len(points), n)
		}
		for _, p := range points {
			if !r.Contains(p) {
				t.Errorf("n = %d: %v is outside", n, p)
			}
		}
		if n < 30 {
			continue
		}
		// A square lattice: every point's nearest neighbour is one spacing away, save for lone ones.
		side := math.Sqrt(r.Area() / float64(n))
		near := 0
		for i, p := range points {
			best := math.Inf(1)
			for j, q := range points {
				if i != j {
					best = math.Min(best, Distance(p, q))
				}
			}
			if math.Abs(best-side) < 0.25*side {
				near++
			}
		}
		if near < n*9/10 {
			t.Errorf("n = %d: only %d points have a neighbour about %g m away", n, near, side)
		}
		drive := 0.0
		for i := 1; i < n; i++ {
			drive += Distance(points[i-1], points[i])
		}
		if drive > 1.5*side*float64(n) {
			t.Errorf("n = %d: the points in their order are %g m to drive, with %g m between neighbours", n, drive, side)
		}
	}
}

// In strips narrower than the spacing the points are as even as a line allows.
func TestRegionGridInStrips(t *testing.T) {
	for _, ring := range []orb.Ring{
		plantest.Rect(0, 0, 1000, 0.5),
		{{0, 0}, {1000, 999.9}, {1000, 1000}, {0, 0.1}},
	} {
		r := mustRegion(t, Field{Boundary: orb.Polygon{ring}}, 0.01)
		points := r.Grid(30)
		if len(points) != 30 {
			t.Fatalf("%d points, want 30", len(points))
		}
		length := Distance([]float64{ring[0][0], ring[0][1]}, []float64{ring[2][0], ring[2][1]})
		for i := 1; i < 30; i++ {
			if !r.Contains(points[i]) {
				t.Errorf("%v is outside", points[i])
			}
			if d := Distance(points[i], points[i-1]); d < length/75 || d > length/12 {
				t.Errorf("%g m from %v to %v, want about %g m", d, points[i-1], points[i], length/29)
			}
		}
	}
}

func TestBoxGrid(t *testing.T) {
	tests := []struct {
		lo, hi []float64
		n      int
		want   int
	}{
		{[]float64{0}, []float64{10}, 7, 7},
		{[]float64{0, 0}, []float64{10, 10}, 25, 25},
		{[]float64{0, 0}, []float64{10, 10}, 30, 25}, // 5×5 is nearer to 30 than 6×6
		{[]float64{0, 0}, []float64{20, 5}, 16, 16},  // 8×2
		{[]float64{0, 0, 0}, []float64{1, 1, 1}, 27, 27},
		{[]float64{0, 0, 0}, []float64{100, 100, 1e-9}, 100, 100},
	}
	for _, tt := range tests {
		b, err := NewBox(tt.lo, tt.hi)
		if err != nil {
			t.Fatal(err)
		}
		points := b.Grid(tt.n)
		if len(points) != tt.want {
			t.Errorf("%v to %v: %d points, want %d", tt.lo, tt.hi, len(points), tt.want)
		}
		seen := map[[3]float64]bool{}
		for i, p := range points {
			var key [3]float64
			copy(key[:], p)
			if seen[key] || !b.Contains(p) {
				t.Errorf("%v to %v: point %v is double or outside", tt.lo, tt.hi, p)
			}
			seen[key] = true
			changed := 0
			for k := range p {
				if i > 0 && p[k] != points[i-1][k] {
					changed++
				}
			}
			if i > 0 && changed != 1 {
				t.Errorf("from %v to %v in one step", points[i-1], p)
			}
		}
	}
}

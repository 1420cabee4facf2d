package field

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/paulmach/orb"
)

const (
	// gridScan is how many lattice spacings are tried, over half of the one that
	// the area suggests to either side.
	gridScan = 400
	// gridShifts is how many positions of each lattice are tried along each axis.
	gridShifts = 4
	// gridSpread is up to how many points a grid is spread out when no lattice
	// fits; that takes time in proportion to the square of their number.
	gridSpread = 5000
)

// Grid returns n points of a square lattice inside the region. Rows run along
// the longer side of the bounding box, each in the direction opposite to the one
// before. A lattice with up to 2 % more or fewer points serves where none has
// exactly n. Where none of them does either, as in a region narrower than the
// spacing, n points as far as possible from one another are returned, each
// followed by the nearest one left; of more than 5000, the best lattice found.
func (r *Region) Grid(n int) [][]float64 {
	if n <= 0 {
		panic(panicPoints)
	}
	side := math.Sqrt(r.area / float64(n))
	var best []orb.Point
	for k := range gridScan {
		// 1, 1+s, 1-s, 1+2s, ...: of lattices equally good the one whose cells are nearest to area/n.
		f := side * (1 + float64((k+1)/2)*float64(1-2*(k%2))/gridScan)
		if (r.hi[0]-r.lo[0])*(r.hi[1]-r.lo[1]) > f*f*float64(30*n+3000) {
			break // next to nothing of the box belongs to the region
		}
		for s := range gridShifts * gridShifts {
			got := r.lattice(f, float64(s%gridShifts)/gridShifts, float64(s/gridShifts)/gridShifts)
			if best == nil || abs(len(got)-n) < abs(len(best)-n) {
				best = got
			}
			if len(best) == n {
				return coordinates(best)
			}
		}
	}
	if n > gridSpread && len(best) > 0 || abs(len(best)-n) <= n/50 {
		return coordinates(best)
	}
	return coordinates(r.spread(n))
}

// lattice returns the points inside of the square lattice with the given
// spacing, shifted by a share u of it along the rows and v across.
func (r *Region) lattice(side, u, v float64) []orb.Point {
	w, h := r.hi[0]-r.lo[0], r.hi[1]-r.lo[1]
	along, across := 0, 1
	if h > w {
		along, across = 1, 0
	}
	var out []orb.Point
	// Half a cell from the bounding box's edge, when u and v are 0.
	for row := 0; ; row++ {
		var p orb.Point
		p[across] = r.lo[across] + (float64(row)+0.5-v)*side
		if p[across] > r.hi[across] {
			return out
		}
		begin := len(out)
		for col := 0; ; col++ {
			p[along] = r.lo[along] + (float64(col)+0.5-u)*side
			if p[along] > r.hi[along] {
				break
			}
			if r.strict(p[0], p[1]) {
				out = append(out, p)
			}
		}
		if row%2 == 1 {
			slices.Reverse(out[begin:])
		}
	}
}

// spread returns n of many quasi-random points: the centre, and then always the
// point farthest from those chosen; put into an order that begins at an end.
func (r *Region) spread(n int) []orb.Point {
	many := r.Points(20*n+200, rand.New(rand.NewPCG(1, 1)))
	count, _ := many.Dims()
	from := make([]float64, count) // distance to those chosen
	for i := range from {
		from[i] = math.Inf(1)
	}
	chosen := make([]orb.Point, 0, n)
	for at := r.pole; ; {
		chosen = append(chosen, at)
		if len(chosen) == n {
			break
		}
		far := 0
		for i := range from {
			from[i] = min(from[i], dist(at, orb.Point(many.RawRowView(i))))
			if from[i] > from[far] {
				far = i
			}
		}
		at = orb.Point(many.RawRowView(far))
	}
	// The one farthest from the centre is an end.
	begin := 0
	for i, p := range chosen {
		if dist(p, r.pole) > dist(chosen[begin], r.pole) {
			begin = i
		}
	}
	chosen[0], chosen[begin] = chosen[begin], chosen[0]
	for i := 1; i < n; i++ {
		next := i
		for j := i; j < n; j++ {
			if dist(chosen[j], chosen[i-1]) < dist(chosen[next], chosen[i-1]) {
				next = j
			}
		}
		chosen[i], chosen[next] = chosen[next], chosen[i]
	}
	return chosen
}

func coordinates(points []orb.Point) [][]float64 {
	out := make([][]float64, len(points))
	for i := range points {
		out[i] = []float64{points[i][0], points[i][1]}
	}
	return out
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

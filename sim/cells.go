package sim

import (
	"slices"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/surface"
)

// cellMask marks cells of a grid, each one centred on a node, with a rim of
// unmarked cells around them.
type cellMask struct {
	grid   surface.Grid
	nx, ny int // with the rim
	on     []bool
}

func newCellMask(g surface.Grid) *cellMask {
	m := &cellMask{grid: g, nx: g.NX + 2, ny: g.NY + 2}
	m.on = make([]bool, m.nx*m.ny)
	return m
}

// set marks the cell of node (i, j) of the grid.
func (m *cellMask) set(i, j int) { m.on[(j+1)*m.nx+i+1] = true }

// neighbours returns the indices of the four cells beside k.
func (m *cellMask) neighbours(k int) [4]int { return [4]int{k + 1, k + m.nx, k - 1, k - m.nx} }

// inner calls f for each cell but those of the rim.
func (m *cellMask) inner(f func(k int)) {
	for j := 1; j < m.ny-1; j++ {
		for i := 1; i < m.nx-1; i++ {
			f(j*m.nx + i)
		}
	}
}

// flood returns the cells that are connected with cell k by their sides and have the
// same mark.
func (m *cellMask) flood(k int) []bool {
	seen := make([]bool, len(m.on))
	seen[k] = true
	for todo := []int{k}; len(todo) > 0; {
		k := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, n := range m.neighbours(k) {
			if n >= 0 && n < len(m.on) && !seen[n] && m.on[n] == m.on[k] {
				seen[n] = true
				todo = append(todo, n)
			}
		}
	}
	return seen
}

// close fills holes. Then, where two cells touch only at a corner, it marks
// the one of the two cells between them that has more marked neighbours. That may create
// another such corner, so close repeats until there is none. Every round marks a cell,
// so it ends.
func (m *cellMask) close() {
	for again := true; again; {
		again = false
		// Rows of the rim are connected with one another, which does no harm: all of
		// them are outside.
		outside := m.flood(0)
		for k := range m.on {
			m.on[k] = !outside[k]
		}
		for j := range m.ny - 1 {
			for i := range m.nx - 1 {
				a := j*m.nx + i
				b, c, d := a+1, a+m.nx, a+m.nx+1
				if m.on[a] != m.on[d] || m.on[b] != m.on[c] || m.on[a] == m.on[b] {
					continue
				}
				if m.on[a] {
					a, d = b, c
				}
				m.on[m.fuller(a, d)] = true
				again = true
			}
		}
	}
}

// fuller returns the one of two cells that has more marked neighbours, the
// first when they have the same number.
func (m *cellMask) fuller(a, b int) int {
	count := func(k int) (n int) {
		for _, o := range m.neighbours(k) {
			if m.on[o] {
				n++
			}
		}
		return n
	}
	if count(b) > count(a) {
		return b
	}
	return a
}

// connected reports whether all marked cells are connected by their sides.
func (m *cellMask) connected() bool {
	first := slices.Index(m.on, true)
	return first >= 0 && slices.Equal(m.flood(first), m.on)
}

// trace returns the marked cells' outline, outer ring first, with the marked
// cells on the left of every ring.
func (m *cellMask) trace() orb.Polygon {
	// From each corner of the cells at most one edge starts that has a marked
	// cell on its left and none on its right, because no two cells touch at a
	// corner alone. Corner k is the lower left one of cell k.
	next := make([]int, len(m.on))
	for k := range next {
		next[k] = -1
	}
	m.inner(func(k int) {
		if !m.on[k] {
			return
		}
		right, up := k+1, k+m.nx
		if !m.on[k-m.nx] {
			next[k] = right
		}
		if !m.on[right] {
			next[right] = right + m.nx
		}
		if !m.on[up] {
			next[up+1] = up
		}
		if !m.on[k-1] {
			next[up] = k
		}
	})
	var poly orb.Polygon
	for k := range next {
		var ring []orb.Point
		last := 0
		for at := k; next[at] >= 0; {
			to := next[at]
			next[at] = -1
			if to-at != last { // a corner, not a point on a straight edge
				ring = append(ring, m.corner(at))
			}
			last, at = to-at, to
		}
		if ring != nil {
			poly = append(poly, closed(ring))
		}
	}
	return poly
}

// corner returns the position of the lower left corner of cell k.
func (m *cellMask) corner(k int) orb.Point {
	x, y := m.grid.Node(k%m.nx-1, k/m.nx-1)
	return orb.Point{x - m.grid.DX/2, y - m.grid.DY/2}
}

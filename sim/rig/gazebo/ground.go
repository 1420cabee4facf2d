package gazebo

import (
	"fmt"
	"math"
	"strings"
)

// The ground is a square mesh about the datum: groundCells² squares of groundCell metres,
// each of two triangles. It reaches 30 m beyond the field.
const (
	groundCell  = 8.0
	groundCells = 44
	groundSize  = groundCell * groundCells // m
)

// Ground is the surface of a world.
type Ground struct {
	heights [groundCells + 1][groundCells + 1]float64 // of the mesh's nodes, m, by row from the south and column from the west
}

// NewGround returns ground with gentle relief: waves of 90 m and more with slopes of at most
// 7 %, and a height of 0 at the datum.
func NewGround() *Ground {
	waves := []struct{ x, y, phase, height float64 }{ // wavelengths in m, 0 for none
		{210, 0, 0.6, 0.9}, {0, 260, 2.1, 1.1}, {130, 170, 4.0, 0.45}, {-150, 120, 1.2, 0.35}, {95, -240, 5.1, 0.2},
	}
	inverse := func(length float64) float64 {
		if length == 0 {
			return 0
		}
		return 2 * math.Pi / length
	}
	height := func(x, y float64) (h float64) {
		for _, w := range waves {
			h += w.height * math.Sin(inverse(w.x)*x+inverse(w.y)*y+w.phase)
		}
		return h
	}
	g := &Ground{}
	for j := range g.heights {
		for i := range g.heights[j] {
			h := height(node(i), node(j)) - height(0, 0)
			g.heights[j][i] = math.Round(1000*h) / 1000
		}
	}
	return g
}

// NewFlatGround returns ground of height 0.
func NewFlatGround() *Ground { return &Ground{} }

// node returns the coordinate of the i-th row or column of nodes, m.
func node(i int) float64 { return groundCell*float64(i) - groundSize/2 }

// Height returns the height of the ground at a place, m: that of the triangle of the mesh
// there. It panics when the place is not on the mesh.
func (g *Ground) Height(x, y float64) float64 {
	u, v := (x+groundSize/2)/groundCell, (y+groundSize/2)/groundCell
	i, j := int(min(math.Floor(u), groundCells-1)), int(min(math.Floor(v), groundCells-1))
	u, v = u-float64(i), v-float64(j)
	sw, se, nw, ne := g.heights[j][i], g.heights[j][i+1], g.heights[j+1][i], g.heights[j+1][i+1]
	if u > v { // the triangle in the south-east
		return sw + u*(se-sw) + v*(ne-se)
	}
	return sw + v*(nw-sw) + u*(ne-nw)
}

// normal returns the unit normal of the ground at a node, from the heights of its
// neighbours.
func (g *Ground) normal(i, j int) (x, y, z float64) {
	at := func(i, j int) float64 {
		return g.heights[min(max(j, 0), groundCells)][min(max(i, 0), groundCells)]
	}
	x, y = (at(i-1, j)-at(i+1, j))/(2*groundCell), (at(i, j-1)-at(i, j+1))/(2*groundCell)
	n := math.Sqrt(x*x + y*y + 1)
	return x / n, y / n, 1 / n
}

// OBJ returns the ground as a Wavefront OBJ file, with z up. Its texture covers the ground
// once, with north at the top.
func (g *Ground) OBJ() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Ground of field.sdf, z up, in m: %d x %d nodes, west to east in rows from south to north. Generated.\no ground\n", groundCells+1, groundCells+1)
	each := func(do func(i, j int)) {
		for j := range groundCells + 1 {
			for i := range groundCells + 1 {
				do(i, j)
			}
		}
	}
	each(func(i, j int) { fmt.Fprintf(&b, "v %g %g %g\n", node(i), node(j), g.heights[j][i]) })
	each(func(i, j int) {
		fmt.Fprintf(&b, "vt %.4f %.4f\n", float64(i)/groundCells, float64(j)/groundCells)
	})
	each(func(i, j int) {
		x, y, z := g.normal(i, j)
		fmt.Fprintf(&b, "vn %.4f %.4f %.4f\n", x, y, z)
	})
	face := func(nodes ...int) {
		b.WriteString("f")
		for _, n := range nodes {
			fmt.Fprintf(&b, " %d/%[1]d/%[1]d", n)
		}
		b.WriteString("\n")
	}
	for j := range groundCells {
		for i := range groundCells {
			sw := j*(groundCells+1) + i + 1
			se, nw, ne := sw+1, sw+groundCells+1, sw+groundCells+2
			face(sw, se, ne)
			face(sw, ne, nw)
		}
	}
	return b.String()
}

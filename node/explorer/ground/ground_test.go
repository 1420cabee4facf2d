package ground

import (
	"math"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/planner/field"
)

// square returns the ground of a square field of 100 m with a margin of 2 m, the probe half a
// metre behind the robot's base.
func square(t *testing.T, cell float64) (*Ground, error) {
	t.Helper()
	outline := field.Field{Boundary: orb.Polygon{{{0, 0}, {100, 0}, {100, 100}, {0, 100}, {0, 0}}}}
	region, err := field.NewRegion(outline, 2)
	if err != nil {
		t.Fatal(err)
	}
	return New(Config{Outline: outline, Region: region, Inscribed: 50, Radius: 0.8, Probe: localization.Lever{X: -0.5}, HomeTolerance: 3, Cell: cell})
}

func TestGround(t *testing.T) {
	g, err := square(t, 0)
	if err != nil {
		t.Fatal(err)
	}
	if g.Passable(orb.Point{0.5, 50}) || !g.Passable(orb.Point{1, 50}) || g.Cells().At(orb.Point{1, 50}) || !g.Cells().At(orb.Point{50, 50}) {
		t.Error("the edge must be occupied, the rest of the margin passable, and the middle free")
	}
	if p := g.Allowed(orb.Point{-5, 50}); !g.Cells().At(p) || math.Hypot(p[0]-2, p[1]-50) > 0.2 {
		t.Errorf("the allowed place nearest to (-5, 50) is %v, want one close to (2, 50)", p)
	}
	g.SetHome(orb.Point{50, -1})
	if d := g.HomeDistance(orb.Point{50, 1}); d != 2 {
		t.Errorf("the distance home is %g m, want 2 m straight from a place within the tolerance", d)
	}
	if _, err := square(t, 0.001); err == nil || !strings.HasPrefix(err.Error(), "keepout.cell is 0.001 m: the grid would have") {
		t.Errorf("New: %v", err)
	}
}

// The probe lies on the target at the end of a path, straight behind the base.
func TestPathPutsTheProbeOnTheTarget(t *testing.T) {
	g, err := square(t, 0)
	if err != nil {
		t.Fatal(err)
	}
	from, target := orb.Point{20, 20}, orb.Point{60, 50}
	path, err := g.PathTo(from, target)
	if err != nil || len(path) != 2 {
		t.Fatalf("the path is %v: %v", path, err)
	}
	base := path[1]
	d := math.Hypot(base[0]-from[0], base[1]-from[1])
	probe := orb.Point{base[0] - 0.5*(base[0]-from[0])/d, base[1] - 0.5*(base[1]-from[1])/d}
	if math.Hypot(probe[0]-target[0], probe[1]-target[1]) > 1e-9 {
		t.Errorf("the probe comes to %v, want %v", probe, target)
	}
}

// What is left out is so until its time, also after the clock was set, and what has no end
// stays.
func TestLeftOutForAWhile(t *testing.T) {
	g, err := square(t, 0)
	if err != nil {
		t.Fatal(err)
	}
	g.Skip(orb.Point{10, 10}, 5, 100)
	g.Skip(orb.Point{20, 20}, 5, math.MaxInt64)
	from, home := orb.Point{20, 50}, orb.Point{80, 50}
	g.SetHome(home)
	centre, radius := g.Obstructed(orb.Point{49, 50}, 0, 100)
	if math.Abs(centre[0]-50.6) > 1e-9 || centre[1] != 50 || radius != 0.8 {
		t.Errorf("the disc is at %v, %g m, want it before the robot, and as large", centre, radius)
	}
	if path, err := g.PathHome(from); err != nil || len(path) < 3 {
		t.Errorf("the path home is %v: %v, want it around the disc", path, err)
	}
	g.Shift(1000)
	if n := len(g.Skipped(1099)); n != 2 {
		t.Errorf("%d targets are left out before the end, want 2", n)
	}
	if path, err := g.PathHome(from); err != nil || len(path) < 3 {
		t.Errorf("the path home is %v: %v, want it around the disc still", path, err)
	}
	left := g.Skipped(1100)
	if len(left) != 1 || left[0].Centre[0] != 20 || left[0].Radius != 5 {
		t.Errorf("left out after the end are %v, want the disc without an end", left)
	}
	if path, err := g.PathHome(from); err != nil || len(path) != 2 {
		t.Errorf("the path home is %v: %v, want it straight", path, err)
	}
}

package guard_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"ugp_explorer/planner/guard"
)

// TestFigure keeps figure.png what the code does: UPDATE_GENERATED=1 writes it anew.
func TestFigure(t *testing.T) {
	distance := square(20)
	const sticks = 12
	var truth, proven, speed plotter.XYs
	g := guard.New(distance, guard.Config{})
	w := newWorld(rand.New(rand.NewPCG(8, 8)), g, receiver{period: 4 * tick, stdDev: 0.02, noisy: true})
	w.yaw = 0.3
	for w.now < 40*second {
		w.receiver.stuck = w.now > sticks*second
		w.drive(1)
		w.step()
		at := float64(w.now)/1e9 - 1
		truth = append(truth, plotter.XY{X: at, Y: distance(w.at)})
		speed = append(speed, plotter.XY{X: at, Y: w.speed})
		if clear := g.Clearance(); w.now > second+10*tick {
			proven = append(proven, plotter.XY{X: at, Y: clear})
		}
	}
	if last := truth[len(truth)-1].Y; last < 0 || speed[len(speed)-1].Y > 0.01 {
		t.Errorf("the figure ends %.2f m from the edge at %.2f m/s", last, speed[len(speed)-1].Y)
	}
	if _, reason := g.Limit(w.now); reason != guard.Unmoved {
		t.Errorf("the reason is %q", reason)
	}
	above, below := plot.New(), plot.New()
	above.Y.Label.Text, below.Y.Label.Text, below.X.Label.Text = "distance to the edge, m", "speed, m/s", "time, s"
	above.Legend.Top = true
	for _, p := range []*plot.Plot{above, below} {
		p.X.Min, p.X.Max = 0, 40
	}
	stuck := plotter.XYs{{X: sticks - 1, Y: 0}, {X: sticks - 1, Y: 20}}
	if err := plotutil.AddLines(above, "true", truth, "proven by the guard", proven, "the receiver sticks, with noise", stuck); err != nil {
		t.Fatal(err)
	}
	stuck = plotter.XYs{{X: sticks - 1, Y: 0}, {X: sticks - 1, Y: 1}}
	if err := plotutil.AddLines(below, speed, plotter.XYs{{}, {}}, stuck); err != nil {
		t.Fatal(err)
	}
	img := vgimg.New(16*vg.Centimeter, 12*vg.Centimeter)
	tiles := draw.Tiles{Rows: 2, Cols: 1, PadY: vg.Millimeter * 4, PadTop: vg.Millimeter * 2, PadRight: vg.Millimeter * 3}
	for i, c := range plot.Align([][]*plot.Plot{{above}, {below}}, tiles, draw.New(img)) {
		[]*plot.Plot{above, below}[i].Draw(c[0])
	}
	var b bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: img}).WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	const file = "figure.png"
	if os.Getenv("UPDATE_GENERATED") != "" {
		if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}

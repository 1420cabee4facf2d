package sim

import (
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
)

func TestDefaultFarm(t *testing.T) {
	o := DefaultOutline()
	checkSimple(t, o)
	area := planar.Area(o)
	if area < 68e4 || area > 73e4 {
		t.Errorf("the farm has %.1f ha, want about 70", area/1e4)
	}
	if b := o.Bound(); b != (orb.Bound{Max: orb.Point{720, 1240}}) {
		t.Errorf("the farm lies in %v", b)
	}
	concave := 0
	r := o[0][:len(o[0])-1]
	for i := range r {
		if turn(r[i], r[(i+1)%len(r)], r[(i+2)%len(r)]) < 0 {
			concave++
		}
	}
	if n := len(r); n < 25 || n > 40 || concave < 5 {
		t.Errorf("the farm has %d corners, %d of them concave", n, concave)
	}
	for i, k := range DefaultKeepOuts() {
		checkSimple(t, k)
		for _, p := range k[0] {
			if d := planar.DistanceFrom(o, p); !planar.PolygonContains(o, p) || d < 20 {
				t.Errorf("keep-out %d has corner %v, %v m from the edge", i, p, d)
			}
		}
	}
	o[0][0] = orb.Point{9e9, 9e9}
	DefaultKeepOuts()[0][0][0] = orb.Point{9e9, 9e9}
	if DefaultOutline()[0][0] == o[0][0] || DefaultKeepOuts()[0][0][0] == (orb.Point{9e9, 9e9}) {
		t.Error("a caller's change reached the defaults")
	}
}

func TestNewSynthetic(t *testing.T) {
	cfg := DefaultSyntheticConfig()
	cfg.Spacing = 20
	f, err := NewSynthetic(cfg, 3)
	if err != nil {
		t.Fatal(err)
	}
	again, err := NewSynthetic(cfg, 3)
	if err != nil {
		t.Fatal(err)
	}
	other, err := NewSynthetic(cfg, 4)
	if err != nil {
		t.Fatal(err)
	}
	if f.Value(333, 444) != again.Value(333, 444) {
		t.Error("the same seed gave two fields")
	}
	if f.Value(333, 444) == other.Value(333, 444) {
		t.Error("two seeds gave the same field")
	}
	b, o := f.Bounds(), cfg.Outline.Bound()
	if !b.Contains(o.Min) || !b.Contains(o.Max) || o.Min[0]-b.Min[0] < cfg.Margin || b.Max[1]-o.Max[1] < cfg.Margin {
		t.Errorf("the field covers %v", b)
	}
	cfg.Outline = nil
	_, err = NewSynthetic(cfg, 3)
	wantError(t, err, "Outline")
	cfg = DefaultSyntheticConfig()
	cfg.Spacing = 0
	_, err = NewSynthetic(cfg, 3)
	wantError(t, err, "spacing")
}

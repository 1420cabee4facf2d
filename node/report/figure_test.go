package report

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		n      int
		want   []string
	}{
		{0, 100, 6, []string{"0", "20", "40", "60", "80", "100"}},
		{-24.8, 1264.8, 8, []string{"0", "200", "400", "600", "800", "1000", "1200"}},
		{-0.3, 0.31, 5, []string{"−0.2", "0", "0.2"}},
		{1.079, 1.982, 6, []string{"1.2", "1.4", "1.6", "1.8"}},
		{651000, 651720, 4, []string{"651000", "651500"}},
		{0, 3e-7, 4, []string{"0", "1e−07", "2e−07", "3e−07"}},
		{5, 5, 5, nil},
		{0, math.Inf(1), 5, nil},
	} {
		var got []string
		for _, k := range (ticks{most: c.n}).Ticks(c.lo, c.hi) {
			got = append(got, k.Label)
			if k.Value < c.lo-1e-9 || k.Value > c.hi+1e-9 {
				t.Errorf("%g to %g: tick at %g", c.lo, c.hi, k.Value)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%g to %g: %q, want %q", c.lo, c.hi, got, c.want)
		}
	}
	var whole []string
	for _, k := range (ticks{most: 6, least: 1}).Ticks(0, 2) {
		whole = append(whole, k.Label)
	}
	if want := []string{"0", "1", "2"}; !slices.Equal(whole, want) {
		t.Errorf("whole numbers: %q, want %q", whole, want)
	}
	// Where the step is below the spacing of floats, the list must still end.
	if got := (ticks{most: 6}).Ticks(1e17, 1e17+64); len(got) > 6 {
		t.Errorf("%d ticks", len(got))
	}
}

// A legend has as many columns as fit, and every entry in one of them.
func TestLegendFits(t *testing.T) {
	var entries []entry
	for _, label := range []string{"a", "path", "sample, 2σ ellipse (true size)", "recommended", "highest true value", "start", "field"} {
		entries = append(entries, entry{label, []plot.Thumbnailer{&plotter.Line{LineStyle: stroke(ink, 1)}}})
	}
	widest := plot.NewLegend()
	widest.TextStyle.Font = sans(smallSize)
	need := widest.TextStyle.Width(entries[2].label)
	last := 0
	for _, width := range []float64{50, 160, 300, 440, 2000} {
		l := newLegend(entries, vg.Length(width))
		used := vg.Length(-columnGap)
		for _, w := range l.widths {
			used += w + columnGap
		}
		if len(l.columns) < last || len(l.columns) > 1 && used > vg.Length(width) || l.widths[len(l.widths)-1] > used || used < need {
			t.Errorf("%g points: %d columns of %v after %d", width, len(l.columns), l.widths, last)
		}
		last = len(l.columns)
	}
	if last != len(entries) {
		t.Errorf("%d columns where all fit in one row", last)
	}
	if l := newLegend(nil, 100); l.height != 0 {
		t.Errorf("a legend of nothing is %g high", l.height)
	}
	for _, list := range [][]entry{entries, entries[:1], nil} {
		if _, err := picturePNG(100, 100, list, func(draw.Canvas) {}); err != nil {
			t.Error(err)
		}
	}
}

package experiment

import (
	"context"
	"math"
	"strings"
	"testing"
)

// shortContinuous is a comparison that takes seconds.
func shortContinuous() ContinuousPlan {
	p := DefaultContinuousPlan()
	p.Distances, p.Pieces, p.Seeds, p.Tuning = []float64{1000}, []float64{20, 100}, 2, 1
	return p
}

// A mission keeps its budget and ends at home, its pieces are as long as they should be, and
// the same trial gives the same outcome.
func TestContinuousTrial(t *testing.T) {
	p := shortContinuous()
	for _, method := range []string{ContinuousPaths, ContinuousGrid} {
		trial := ContinuousTrial{Method: method, Distance: 1000, Piece: 20, Seed: 3}
		if method == ContinuousGrid {
			trial.Points = 4
		}
		o, err := p.Trial(context.Background(), trial)
		if err != nil {
			t.Fatal(err)
		}
		if o.Driven > 1000 || o.Driven < 400 || math.Abs(float64(o.Pieces)-o.Driven/20) > o.Driven/100 {
			t.Errorf("%s: %d pieces in %g m of 1000 m", method, o.Pieces, o.Driven)
		}
		if !(o.Regret >= 0 && o.Regret < 1) || !(o.MapError > 0 && o.MapError < 0.5) || !(o.Inside > 0.5 && o.Inside <= 1) {
			t.Errorf("%s: %+v", method, o)
		}
		if again, err := p.Trial(context.Background(), trial); err != nil || again != o {
			t.Errorf("%s: %+v, then %+v, %v", method, o, again, err)
		}
	}
}

// Pieces as points are the same pieces: the drive along a grid does not depend on the model.
func TestContinuousGridPoints(t *testing.T) {
	p := shortContinuous()
	trial := ContinuousTrial{Method: ContinuousGrid, Distance: 1000, Piece: 100, Points: 4, Seed: 1}
	a, err := p.Trial(context.Background(), trial)
	if err != nil {
		t.Fatal(err)
	}
	trial.Method = ContinuousGridPoints
	b, err := p.Trial(context.Background(), trial)
	if err != nil {
		t.Fatal(err)
	}
	if a.Driven != b.Driven || a.Pieces != b.Pieces || a.MapError == b.MapError {
		t.Errorf("%+v and %+v", a, b)
	}
}

func TestContinuousStudy(t *testing.T) {
	p := shortContinuous()
	densities := p.Densities("header")
	grids, err := densities.Finish(context.Background(), t.TempDir(), false, 1, func(int) func() { return func() {} })
	if err != nil {
		t.Fatal(err)
	}
	best := p.Best(grids)
	s := p.Comparison("header", best)
	results, err := s.Finish(context.Background(), t.TempDir(), false, 1, func(int) func() { return func() {} })
	if err != nil {
		t.Fatal(err)
	}
	if want := len(s.Methods) * 2 * 2; len(results) != want || len(best) != 1 || best[0] < 2 {
		t.Fatalf("%d results, want %d; the best grid has %v points", len(results), want, best)
	}
	for _, o := range grids {
		if o.Seed < ContinuousTuningSeed {
			t.Errorf("a grid was chosen on seed %d of the comparison", o.Seed)
		}
	}
	table := s.Table(results)
	if n := strings.Count(table, "\n| 1 |"); n != 8 || !strings.Contains(table, "| grid-points |") || strings.Contains(table, "NaN") {
		t.Errorf("%d rows:\n%s", n, table)
	}
}

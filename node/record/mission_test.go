package record_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ugp_explorer/node/record"
)

// The inverse of (4 1; 1 2) is (2 −1; −1 4)/7, so that (1, 2) is at
// (2 − 4 + 16)/7 = 2, and twice as far out at 8.
func TestSquaredDistance(t *testing.T) {
	b := record.Belief{X: 10, Y: 20, XX: 4, XY: 1, YY: 2}
	for _, c := range []struct {
		at     record.Place
		want   float64
		inside bool
	}{{record.Place{10, 20}, 0, true}, {record.Place{11, 22}, 2, true}, {record.Place{12, 24}, 8, false}} {
		if got := b.SquaredDistance(c.at); math.Abs(got-c.want) > 1e-15 || b.Inside(c.at) != c.inside {
			t.Errorf("%v: got %g, inside %v, want %g, %v", c.at, got, b.Inside(c.at), c.want, c.inside)
		}
	}
	singular := record.Belief{XX: 1, XY: 1, YY: 1}
	if got := singular.SquaredDistance(record.Place{11, 22}); !math.IsNaN(got) || singular.Inside(record.Place{}) {
		t.Errorf("a singular belief gives %g, want NaN", got)
	}
}

func TestRecommendationInUsersUnits(t *testing.T) {
	m := &record.Mission{Transform: record.TransformLog10}
	r := m.NewRecommendation(record.Place{3, 4}, 1.5, 0.25, 7)
	// 10^1.5, 10^1, 10^2
	want := record.Recommendation{Target: record.Place{3, 4}, Mean: 1.5, StdDev: 0.25, Value: 31.622776601683793, Low: 10, High: 100, AfterSamples: 7}
	if d := cmp.Diff(want, *r, cmpopts.EquateApprox(1e-14, 0)); d != "" {
		t.Error(d)
	}
}

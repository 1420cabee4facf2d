package pursuit

import (
	"strings"
	"testing"

	"github.com/paulmach/orb"
)

// A path of millions of points would take the time in which the robot must be steered.
func TestPathWithManyPoints(t *testing.T) {
	f, err := New(DefaultConfig())
	if err != nil {
		t.Fatal(err)
	}
	points := make([]orb.Point, maxPoints+1)
	for i := range points {
		points[i] = orb.Point{float64(i) / 20, 0}
	}
	if err := f.SetPath(Path{Points: points}); err == nil || !strings.Contains(err.Error(), "path has 100001 points: must have at most 100000") {
		t.Errorf("the error is %v", err)
	}
	if err := f.SetPath(Path{Points: points[:maxPoints]}); err != nil {
		t.Error(err)
	}
}

package record_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ugp_explorer/node/record"
)

func TestRecommendationInUsersUnits(t *testing.T) {
	m := &record.Mission{Transform: record.TransformLog10}
	r := m.NewRecommendation(record.Place{3, 4}, 1.5, 0.25, 7)
	// 10^1.5, 10^1, 10^2
	want := record.Recommendation{Target: record.Place{3, 4}, Mean: 1.5, StdDev: 0.25, Value: 31.622776601683793, Low: 10, High: 100, AfterSamples: 7}
	if d := cmp.Diff(want, *r, cmpopts.EquateApprox(1e-14, 0)); d != "" {
		t.Error(d)
	}
}

package field

import (
	"bytes"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"ugp_explorer/planner/plantest"
)

func TestWriteField(t *testing.T) {
	third := plantest.Rect(0, 0, 1.0/3, 1e6)
	for name, f := range map[string]Field{
		"boundary":  {Boundary: orb.Polygon{third}},
		"hole":      {Boundary: orb.Polygon{plantest.Rect(0, 0, 1000, 1000), plantest.Rect(2, 2, 4, 4)}},
		"keep-outs": {Boundary: orb.Polygon{plantest.Rect(0, 0, 1000, 1000)}, KeepOuts: []orb.Polygon{{plantest.Rect(2, 2, 4, 4)}, {plantest.Rect(5, 5, 9, 9), plantest.Rect(6, 6, 7, 7)}}},
	} {
		var b bytes.Buffer
		if err := WriteField(&b, f); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, err := ReadField(&b, nil)
		if diff := cmp.Diff(f, got); err != nil || diff != "" {
			t.Errorf("%s: %v; read again it differs (-want +got):\n%s", name, err, diff)
		}
	}
	bad := Field{Boundary: orb.Polygon{{{0, 0}, {math.NaN(), 1}, {1, 1}, {0, 0}}}}
	if err := WriteField(new(bytes.Buffer), bad); err == nil {
		t.Error("a point that is no number is written")
	}
}

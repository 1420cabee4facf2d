package sim

import (
	"os"
	"path/filepath"
	"testing"

	"ugp_explorer/sim/rig/must"
)

func written(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "trace.csv")
	must.OK(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

const header = "t_s,east_err_m,north_err_m,stated_stddev_m,status,moving\n"

// A recording is played from a place on that the seed chooses, forwards and backwards.
func TestTrace(t *testing.T) {
	trace, err := ReadTrace(written(t, header+"10,0,0,0.1,rtk_fixed,0\n11,1,0,,single,0\n12,2,-1,,,1\n16,6,-1,3,dgps,0\n17,7,-1,3,dgps,0\n"), 1.5)
	must.OK(t, err)
	p := &player{Trace: trace, length: 7}
	for _, want := range []struct {
		dt, x, y, stdDev float64
		status           FixStatus
		ok               bool
	}{
		{0, 0, 0, 0.1, FixRTK, true},
		{0.5, 0.5, 0, 0.1, FixRTK, true}, // between two rows
		{1, 1.5, -0.5, 1.5, FixSingle, true},
		{2, 0, 0, 0, 0, false}, // between two rows that are too far apart
		{2.5, 6, -1, 3, FixDGPS, true},
		{1.5, 6.5, -1, 3, FixDGPS, true}, // 0.5 s back from the end
		{6, 0.5, 0, 0.1, FixRTK, true},
		{1, 0.5, 0, 0.1, FixRTK, true}, // forwards again
		{14, 0.5, 0, 0.1, FixRTK, true},
	} {
		got, ok := p.step(want.dt, 1)
		if got != (fixError{want.x, want.y, want.stdDev, want.status}) || ok != want.ok {
			t.Errorf("%v, %t, want %v", got, ok, want)
		}
	}
	if a, b := trace.play(Stream(1, "fix")).at, trace.play(Stream(2, "fix")).at; a == b {
		t.Errorf("two seeds begin at %v s", a)
	}
}

func TestTraceErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                         "has 0 lines",
		"a,b\n1,2\n1,2\n":                          "has the columns a, b: want",
		header + "0,0,0,,,0\n":                     "has 2 lines",
		header + "0,0,0,,,0\n1,x,0,,,0\n":          `fix 2: east_err_m is "x": want a number`,
		header + "0,0,0,,,0\n1,0,NaN,,,0\n":        `fix 2: north_err_m is "NaN": want a number`,
		header + "0,0,0,,,0\n1,0,0,0,,0\n":         "fix 2: stated_stddev_m is 0: want more than 0",
		header + "0,0,0,,,0\n1,0,0,1,superb,0\n":   `fix 2: status is "superb": want single`,
		header + "5,0,0,,,0\n5,0,0,1,single,0\n":   "fix 2: t_s is 5 after 5: want ascending times",
		header + "0,0,0,,,0\n1,0,0,1,single,0,9\n": "wrong number of fields",
	} {
		_, err := ReadTrace(written(t, text), 1)
		wantError(t, err, want)
	}
	_, err := ReadTrace(filepath.Join(t.TempDir(), "missing.csv"), 1)
	wantError(t, err, "no such file")
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
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
		{0.5, 0, 0, 0.1, FixRTK, true},       // a solution holds until the next of another kind
		{1, 1.5, -0.5, 1.5, FixSingle, true}, // between two rows of a kind
		{2, 0, 0, 0, 0, false},               // between two rows that are too far apart
		{2.5, 6, -1, 3, FixDGPS, true},
		{1.5, 6.5, -1, 3, FixDGPS, true}, // 0.5 s back from the end
		{5, 1.5, -0.5, 1.5, FixSingle, true},
		{2, 0, 0, 0.1, FixRTK, true},
		{1, 1.5, -0.5, 1.5, FixSingle, true}, // forwards again
		{14, 1.5, -0.5, 1.5, FixSingle, true},
	} {
		got, ok := p.step(want.dt, 1)
		if got != (fixError{want.x, want.y, want.stdDev, want.status}) || ok != want.ok {
			t.Errorf("%v, %t, want %v", got, ok, want)
		}
	}
	// It begins at a fix, so that a receiver that is as slow as the recording repeats this fix for fix, and in no outage.
	for seed := range uint64(50) {
		if e, ok := trace.play(Stream(seed, "fix")).step(0, 1); !ok || !slices.ContainsFunc(trace.rows, func(r traceRow) bool { return r.fixError == e }) {
			t.Errorf("seed %d begins with %v, %t", seed, e, ok)
		}
	}
	if a, b := trace.play(Stream(1, "fix")).at, trace.play(Stream(2, "fix")).at; a == b {
		t.Errorf("two seeds begin at %v s", a)
	}
}

// A recording without standard deviations states the root mean square of each status, and no less than receivers do.
func TestTraceStates(t *testing.T) {
	trace, err := ReadTrace(written(t, header+"0,3,-4,,single,0\n1,0,0,0,single,0\n2,0.6,0.8,,rtk_float,0\n3,0,0.002,,rtk_fixed,0\n4,1,1,0.5,single,0\n"), math.NaN())
	must.OK(t, err)
	single := math.Sqrt((25 + 2) / 6.0)
	for i, want := range []float64{single, single, math.Sqrt(0.5), 0.01, 0.5} {
		if got := trace.rows[i].stdDev; math.Abs(got-want) > 1e-12 {
			t.Errorf("fix %d states %g m, want %g", i, got, want)
		}
	}
}

// seconds returns rows at each second from each first time to the last that follows it.
func seconds(times ...int) string {
	var rows strings.Builder
	for ; len(times) > 0; times = times[2:] {
		for at := times[0]; at <= times[1]; at++ {
			fmt.Fprintf(&rows, "%d,0.1,0.2,,,0\n", at)
		}
	}
	return rows.String()
}

// Recordings of other people look a little different, and mean the same.
func TestTraceForms(t *testing.T) {
	want, err := ReadTrace(written(t, header+"0,0.5,-1,0.2,rtk_float,0\n0.2,0.25,-1,,,0\n0.4,0,-2,,dgps,0\n"), 1.5)
	must.OK(t, err)
	for name, text := range map[string]string{
		"order of columns":    "status,north_err_m,moving,t_s,stated_stddev_m,east_err_m\nrtk_float,-1,0,0,0.2,0.5\n,-1,0,0.2,,0.25\ndgps,-2,0,0.4,,0\n",
		"a spreadsheet":       "\ufefft_s;east_err_m;north_err_m;stated_stddev_m;status\r\n0;0,5;-1;0,2;rtk_float\r\n0,2;0,25;-1;;\r\n0,4;0;-2;;dgps\r\n",
		"tabs":                "t_s\teast_err_m\tnorth_err_m\tstated_stddev_m\tstatus\n0\t0.5\t-1\t0.2\trtk_float\n0.2\t0.25\t-1\t\t\n0.4\t0\t-2\t\tdgps\n",
		"spaces and capitals": "T_s, East_err_m , North_err_m, Stated_stddev_m, Status\n0, 0.5, -1, 0.2, RTK_FLOAT\n 0.2, 0.25, -1, nan, unknown \n0.4, 0, -2, 0, DGPS\n",
		"a comment, quotes":   "# a roof\n\"t_s\",\"east_err_m\",\"north_err_m\",\"stated_stddev_m\",\"status\"\n0,0.5,-1,0.2,rtk_float\n\n2e-1,.25,-1,,single\n0.4,0,-2.0,NaN,dgps",
		"no fix, no value":    header + "0,0.5,-1,0.2,rtk float,0\n0.1,,,,no fix,0\n0.2,0.25,-1,NA,Unknown,0\n0.3,nan,NaN,-,,0\n0.4,0,-2,-,dgps,0\n",
		"units in brackets":   "t_s [s],east_err [m],north_err_m [m],stated_stddev_m (m),status\n0,0.5,-1,0.2,float\n0.2,0.25,-1,,\n0.4,0,-2,,DGPS\n",
		"a time twice":        header + "0,9,9,9,rtk_float,0\n0,0.5,-1,0.2,rtk_float,0\n0.2,0.25,-1,,,0\n0.4,0,-2,,dgps,0\n",
	} {
		trace, err := ReadTrace(written(t, text), 1.5)
		must.OK(t, err)
		a, b := &player{Trace: want, length: 0.4}, &player{Trace: trace, length: 0.4}
		for range 20 {
			x, okX := a.step(0.07, 1)
			if y, okY := b.step(0.07, 1); x != y || okX != okY {
				t.Errorf("%s: at %.2f s %v, want %v", name, a.at, y, x)
			}
		}
	}
	// A receiver that errs by hundreds of metres, or always by the same few, is one.
	for _, rows := range []string{"0,300,0\n1,-200,10\n2,0,0\n", "0,20,20\n1,20,20\n"} {
		_, err := ReadTrace(written(t, "t_s,east_err_m,north_err_m\n"+rows), 1.5)
		must.OK(t, err)
	}
	// Seconds since 1970, and no column but the necessary ones.
	trace, err := ReadTrace(written(t, "t_s,east_err_m,north_err_m\n1700000000.0,1,2\n1700000000.2,3,4\n1700000000.4,5,6\n"), 1.5)
	must.OK(t, err)
	p := trace.play(Stream(1, "fix"))
	for range 100 {
		if e, ok := p.step(0.05, 1); !ok || e.x < 1 || e.x > 5 || math.Abs(e.y-e.x-1) > 1e-6 || e.stdDev != 1.5 || e.status != FixSingle {
			t.Fatalf("%v, %t", e, ok)
		}
	}
}

func TestTraceErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                          "is empty: want a CSV file",
		"a,b\n1,2\n1,2\n":                           `has the columns a, b: want`,
		"0,0.1,0.2\n1,0.1,0.2\n":                    `begins with the number 0, so it does not name the columns: insert a line with their names before it: want a CSV file with the columns t_s,`,
		header:                                      "has 0 fixes at one time: want at least two",
		header + "0,0,0,,,0\n":                      "has 1 fixes at one time: want at least two",
		header + "5,0,0,,,0\n5,0,0,,,0\n":           "has 2 fixes at one time: want at least two",
		header + "0,0,0,,,0\n1,x,0,,,0\n":           `line 3: column east_err_m is "x", want a finite number; times are in seconds, errors`,
		header + "s,m,m,m,,\n0,0,0,,,0\n":           `line 2: column t_s is "s", want a finite number`,
		header + "0,0,0,,,0\n,1,0,,,0\n":            `line 3: t_s is "": want a time`,
		header + "0,0,0,,,0\n1,0,NaN,,,0\n":         `line 3: only one of east_err_m and north_err_m has a number: want both, or neither`,
		header + "0,0,0,,,0\n1,0,inf,,,0\n":         `line 3: column north_err_m is "inf", want a finite number`,
		header + "0,0,0,,,0\n1,0,0,-1,,0\n":         `line 3: stated_stddev_m is "-1": want 0 or more`,
		header + "0,0,0,,,0\n1,0,0,1,superb,0\n":    `line 3: status is "superb": want single`,
		header + "0,0,0,,,0\n1,0,0,1,RTK,0\n":       `line 3: status is "RTK": want single`,
		header + "5,0,0,,,0\n4,0,0,1,single,0\n":    "line 3: t_s is 4 after 5: want times that do not go back",
		"t_s,east_err_m,north_err_m,t_s\n0,0,0,0\n": "there are two columns t_s: leave one of them out",
		header + "0,0,0,,,0\n1,0,0,1,single,0,9\n":  "line 3 has 7 columns, want 6",
		header + "0,0,0,,,0\n1,0,0,,,0\n40000,0,0,,,0\n40001,0,0,,,0\n": "has no fix for 39999 s after t_s = 1: want at most 3600 s",
		// Times and places in units of others, and a way that was not removed.
		header + "1700000000000,0,0,,,0\n1700000001000,1,0,,,0\n":                                            "has a fix each 1000 s: want t_s in seconds, and a fix each 0.005 to 60 s",
		header + "60000.00000000,0,0,,,0\n60000.00001157,1,0,,,0\n":                                          "has a fix each 1.157e-05 s: want t_s in seconds", // days
		"t_s,east_err_deg,north_err_deg\n0,0,0\n1,0,0\n":                                                     "column east_err_deg is in another unit: convert its numbers, and call it east_err_m",
		"t_s,east_err_m [mm],north_err_m [mm]\n0,0,0\n1,900,0\n":                                             "column east_err_m [mm] is in another unit",
		header + "0,8.04711,52.27261,,,0\n1,8.04714,52.27263,,,0\n":                                          "has errors about (8.04714, 52.27263) m, half of them within 3.61e-05 m of that: want the errors of positions, and these look like positions",
		header + "0,432123,5791234,,,0\n1,432129,5791230,,,0\n":                                              "has errors about (432129, 5791234) m",
		header + "0,0,0,,,0\n1,900,900,,,0\n2,1800,1900,,,0\n3,0,2500,,,0\n":                                 "has errors about (900, 1900) m",
		header + seconds(235700, 235758, 235800, 235858, 235900, 235958):                                     "has t_s from 235700 to 235958, and none of its fixes in the last 40 s of any 100 s, as if they were hours, minutes and seconds",
		"$GNGGA,165016.00,4220.2947808,N,07105.1903316,W,1,09,0.8,18.1,M,-28.7,M,,*54\n$GNRMC,165016.00,A\n": "is an NMEA log of a receiver, not a table of errors; save its times and positions as CSV, and subtract the true positions: want a CSV file with the columns t_s, east_err_m and north_err_m, which are positions minus the true ones",
		"t,lat,lon\n0,52.1,8.2\n1,52.1,8.2\n":                                                                "has the columns t, lat, lon: want a CSV file with the columns t_s, east_err_m and north_err_m, which are positions minus the true ones",
	} {
		_, err := ReadTrace(written(t, text), 1)
		wantError(t, err, want)
	}
	// A recording with outages is not one of a clock.
	for _, rows := range []string{seconds(0, 58, 100, 158), seconds(0, 59, 300, 359, 600, 659, 900, 959)} {
		_, err := ReadTrace(written(t, header+rows), 1)
		must.OK(t, err)
	}
	_, err := ReadTrace(filepath.Join(t.TempDir(), "missing.csv"), 1)
	wantError(t, err, "no such file")
}

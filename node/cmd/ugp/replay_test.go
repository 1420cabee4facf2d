// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/record"
	"ugp_explorer/node/report"
)

// lawnmower is a bag that rosbag2 recorded: 8161 messages in 24 minutes.
var lawnmower, _ = filepath.Abs("../../../msgs/bag/testdata/lawnmower_mcap_zstd")

// cutBag returns the first 150 KB of it, as after a power loss.
func cutBag(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(lawnmower + "/lawnmower_mcap_zstd_0.mcap")
	must.OK(t, err)
	return write(t, "cut_0.mcap", string(data[:150_000]))
}

// Ctrl-C ends what reads a bag, also while the bag is opened.
func TestInterruptedBag(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{
		{"replay", lawnmower, "--out", filepath.Join(t.TempDir(), "replay")},
		{"outline", lawnmower, "--out", filepath.Join(t.TempDir(), "field.geojson")},
	} {
		var out, errs bytes.Buffer
		code := run(terminal{ctx: ctx, out: &out, err: &errs, now: ticking(time.Millisecond)}, args)
		if code != exitInterrupted || out.Len()+errs.Len() > 0 {
			t.Errorf("%q: exit code %d, want %d, and says %q %q", args, code, exitInterrupted, out.String(), errs.String())
		}
	}
}

// With --fix-topic the filter computes the poses, and -p sets its parameters. A bag of which no reading is used
// is refused, and one of which many are not is said to be.
func TestReplayProblems(t *testing.T) {
	filter := []string{"--fix-topic", "/pose", "--odom-topic", "/odometry/filtered", "--config", write(t, "p.yaml", quickReplay), "--duration", "200"}
	sparse := []string{"--pose-topic", "/pose", "-p", "reading.stddev:=0.02", "--duration", "100"}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{filter, 0, "poses on /odometry/filtered and /pose through the filter, readings on /soil/reading"},
		{append(filter, "-p", "ekf:covariance.max_stddev:=0.01"), exitBadInput, "covariance.max_stddev is 0.01 m"},
		{sparse, exitBadInput, "poses come every 1 s: use -p pose.timeout:=8"},
		{append(sparse, "-p", "reading.delay:=0.2"), 0, "Problem: many readings belong to no sample: readings matched with a pose: "},
	} {
		out := filepath.Join(t.TempDir(), "out")
		r := ugp(t, append([]string{"replay", lawnmower, "--out", out}, c.args...)...)
		if r.code != c.code || !strings.Contains(r.out+r.err, c.want) || c.code != 0 && len(names(t, out)) > 0 {
			t.Errorf("%q: code %d, it left %q: %q is not in\n%s%s", c.args, r.code, names(t, out), c.want, r.out, r.err)
		}
	}
}

const quickReplay = "ugp_explorer: {ros__parameters: {reading.stddev: 0.02, reading.delay: 0.2, probe.x: -0.4, path.length: 30.0}}\n"

func TestReplay(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	boundary := write(t, "field.geojson", `{"type":"Polygon","coordinates":[[[-10,-10],[370,-10],[370,370],[-10,370],[-10,-10]]]}`)
	r := ugp(t, "replay", lawnmower, "--config", write(t, "p.yaml", quickReplay), "--out", out, "--field", boundary,
		"--start", "60", "--duration", "400", "--method", "gp-ucb", "--seed", "3", "-p", "beta.fixed:=2.5")
	if r.code != 0 {
		t.Fatalf("code %d: %s", r.code, r.err)
	}
	for _, want := range []string{"Replayed 1867 messages", "poses on /odometry/filtered, readings on /soil/reading", "The true place was inside the 2σ ellipse", "the end of the requested part", "Highest "} {
		if !strings.Contains(r.out, want) {
			t.Errorf("%q is not in\n%s", want, r.out)
		}
	}
	m, err := record.ReadMission(filepath.Join(out, record.MissionFile))
	must.OK(t, err)
	if m.Method != "gp-ucb" || m.Seed != 3 || m.Settings["ugp_explorer"]["beta.fixed"] == nil || len(m.Field.Boundary[0]) != 5 || len(m.Suggestions) < 2 || m.Source == nil {
		t.Errorf("method %s, seed %d, %d suggestions, field %v", m.Method, m.Seed, len(m.Suggestions), m.Field.Boundary)
	}
	page, err := os.ReadFile(filepath.Join(out, report.PageFile))
	must.OK(t, err)
	for _, want := range []string{"Suggested and driven", "Truth inside 2σ", "Replayed", "path pieces"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the report lacks %q", want)
		}
	}
}

// A replay with a raster says what the answer is with it and without, and writes the one with it.
func TestReplayWithRaster(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	points := "x,y,value\n"
	for x := 0; x <= 360; x += 30 {
		for y := 0; y <= 360; y += 30 {
			points += fmt.Sprintf("%d,%d,%d\n", x, y, (x-180)*(x-180)+y*y)
		}
	}
	args := []string{"replay", lawnmower, "--config", write(t, "p.yaml", quickReplay), "--duration", "300"}
	plain := ugp(t, append(args, "--out", filepath.Join(t.TempDir(), "plain"))...)
	r := ugp(t, append(args, "--out", out, "--covariate", write(t, "soil.csv", points))...)
	if r.code != 0 {
		t.Fatalf("code %d: %s", r.code, r.err)
	}
	before, after, _ := strings.Cut(r.out, "\nWith the rasters:\n")
	answer := regexp.MustCompile(`(?m)^Highest .*$`)
	without, with := answer.FindString(before), answer.FindString(after)
	if without == "" || without != answer.FindString(plain.out) || with == without || !strings.Contains(after, "soil.csv explains ") || strings.Contains(plain.out, "rasters") {
		t.Errorf("the replay with a raster says\n%s\nand without\n%s", r.out, plain.out)
	}
	m, err := record.ReadMission(filepath.Join(out, record.MissionFile))
	must.OK(t, err)
	if len(m.Covariates) != 1 || !(m.Covariates[0].Share > 0) {
		t.Errorf("the record has the rasters %+v", m.Covariates)
	}
	if r := ugp(t, append(args, "--out", filepath.Join(t.TempDir(), "no"), "--covariate", "none.tif")...); r.code != exitBadInput || !strings.Contains(r.err, "none.tif") {
		t.Errorf("a missing raster: code %d, %s", r.code, r.err)
	}
}

// The topics of a bag are listed with what they can be used for, and nothing is written.
func TestReplayTopics(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	r := succeeds(t, "replay", "--topics", cutBag(t), "--out", out)
	for _, want := range []string{`/soil/reading +std_msgs/msg/Float64 +\d+ +readings`, `/pose +geometry_msgs/msg/PoseWithCovarianceStamped +\d+ +poses`, "Problem: cut_0.mcap: the file is cut off"} {
		if !regexp.MustCompile(want).MatchString(r.out) {
			t.Errorf("%q is not in\n%s", want, r.out)
		}
	}
	if len(names(t, out)) > 0 {
		t.Errorf("it left %q", names(t, out))
	}
}

func TestReplayOfCutBag(t *testing.T) {
	r := succeeds(t, "replay", cutBag(t), "--config", write(t, "p.yaml", quickReplay), "--out", filepath.Join(t.TempDir(), "out"))
	for _, want := range []string{"Note: no outline is given: the field is the hull of the path and", "Problem: cut_0.mcap: the file is cut off", "bytes of the bag are lost; the rest was replayed", "the end of the readable part of the bag"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("%q is not in\n%s", want, r.out)
		}
	}
}

// What cannot be used ends with 2 and a line that names it, and leaves nothing.
func TestReplayBadInput(t *testing.T) {
	refuses(t, "replay", []bad{
		{[]string{"nowhere"}, []string{"opening a bag", "nowhere", "no such file"}},
		{[]string{write(t, "none_0.mcap", "")}, []string{"none_0.mcap holds no message", "the file is empty, it has 0 bytes"}},
		{[]string{lawnmower}, []string{"reading.stddev is 0", "-p reading.stddev:=VALUE"}},
		{[]string{lawnmower, "--pose-topic", "/x"}, []string{"--pose-topic is /x", "/odometry/filtered (nav_msgs/msg/Odometry, 2880 messages)"}},
		{[]string{lawnmower, "--start", "-1"}, []string{"--start", `"-1"`, "from 0 to"}},
		{[]string{lawnmower, "--start", "1e5", "-p", "reading.stddev:=0.1"}, []string{"--start is 100000 s", "1439.5 s"}},
		{[]string{lawnmower, "--method", "guess"}, []string{"--method", `"guess"`, "ugp-ucb"}},
		{[]string{lawnmower, "-p", "beta.fixd:=1"}, []string{"beta.fixd"}},
		{[]string{lawnmower, "-p", "beta.fixed=1"}, []string{`-p is "beta.fixed=1": want NAME:=VALUE`}},
		{[]string{lawnmower, "-p", "follower:seed:=1"}, []string{"-p", "follower:seed", "NAME:=VALUE"}},
		{[]string{lawnmower, "-p", "ekf:seed:=1"}, []string{"ekf", "seed"}},
		{[]string{lawnmower, "--pose-topic", "/pose", "--fix-topic", "/fix"}, []string{"--pose-topic is /pose", "--fix-topic"}},
		{[]string{lawnmower, "--datum", "1,2"}, []string{"--datum", "--field"}},
		{[]string{lawnmower, "--field", "nowhere.geojson"}, []string{"--field", "nowhere.geojson"}},
		{[]string{lawnmower, "--field", write(t, "field.geojson", square) + "#south", "-p", "reading.stddev:=0.1"}, []string{`there is no field "south"`}},
	})
}

// Away from a terminal the progress is a line every few seconds, with the time left.
func TestShareProgress(t *testing.T) {
	var b strings.Builder
	p := newProgress(terminal{err: &b, now: ticking(time.Second)})
	for i := range 11 {
		p.share("replaying", float64(i)/10)
	}
	p.finish()
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) < 3 || lines[0] != "replaying: 20 %, about 12 s left" || lines[1] != "replaying: 50 %, about 6 s left" {
		t.Errorf("%q", lines)
	}
}

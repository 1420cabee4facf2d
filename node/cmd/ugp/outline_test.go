// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/drivetest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/cdr"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/fieldsim"
)

// outlineDatum is the map's origin of the simulated drive.
var outlineDatum = []float64{8.0471, 52.2726}

// The edge and the tree that the simulated robot is driven round.
var (
	drivenEdge = orb.Ring{{300, 300}, {340, 300}, {340, 330}, {320, 322}, {300, 330}, {300, 300}}
	drivenTree = orb.Ring{{316, 308}, {316, 314}, {324, 314}, {324, 308}, {316, 308}}
)

// drivenBag records a simulated robot that somebody drives by sight round the edge of a field,
// into it and round a tree: its wheels, satellite receiver and IMU. It returns the bag and the
// times at which each drive begins and ends, s.
func drivenBag(t *testing.T) (path string, edge, tree [2]float64) {
	t.Helper()
	cfg := fieldsim.DefaultConfig()
	cfg.Seed, cfg.Datum, cfg.PublishIMU, cfg.Start = 1, outlineDatum, true, []float64{290, 300, 0}
	cfg.Fix.OutageGap, cfg.Fix.StdDev = 0, 0.05
	r := drivetest.New(t, cfg, map[string]cdr.Message{"/odom": &nav_msgs.Odometry{}, "/fix": &sensor_msgs.NavSatFix{}, "/imu": &sensor_msgs.Imu{}}, nil)
	to := func(places ...orb.Point) {
		t.Helper()
		for _, p := range places {
			for k := 0; ; k++ {
				at := r.True.Pose.Pose
				dx, dy := p[0]-at.Position.X, p[1]-at.Position.Y
				if math.Hypot(dx, dy) <= 0.3 {
					break
				}
				if k > 2000 {
					t.Fatalf("the robot is at %v after 200 s, on its way to %v", at, p)
				}
				speed, off := 0.0, math.Remainder(math.Atan2(dy, dx)-2*math.Atan2(at.Orientation.Z, at.Orientation.W), 2*math.Pi)
				if math.Abs(off) < 0.3 {
					speed = 1
				}
				r.Drive(speed, max(-0.8, min(0.8, 2*off)))
			}
		}
	}
	for range 10 {
		r.Drive(0, 0)
	}
	to(orb.Point{310, 300}) // the filter learns the heading on the way
	edge[0] = r.Now()
	to(drivenEdge[1:]...)
	to(orb.Point{313, 300})
	edge[1] = r.Now()
	to(orb.Point{316, 304}, drivenTree[0])
	tree[0] = r.Now()
	to(drivenTree[1:]...)
	to(orb.Point{316, 309})
	tree[1] = r.Now()
	r.Close()
	return r.Path, edge, tree
}

// farthest returns the largest distance of a corner of one ring from the line of the other, m.
func farthest(a, b orb.Ring) (most float64) {
	for _, p := range a {
		least := math.Inf(1)
		for i := 1; i < len(b); i++ {
			dx, dy := b[i][0]-b[i-1][0], b[i][1]-b[i-1][1]
			share := min(max(((p[0]-b[i-1][0])*dx+(p[1]-b[i-1][1])*dy)/(dx*dx+dy*dy), 0), 1)
			least = min(least, math.Hypot(p[0]-b[i-1][0]-share*dx, p[1]-b[i-1][1]-share*dy))
		}
		most = max(most, least)
	}
	return most
}

// A field is driven round, its outline made of the bag by the filter, and a mission begins with it.
func TestOutline(t *testing.T) {
	path, edge, tree := drivenBag(t)
	file := filepath.Join(t.TempDir(), "field.geojson")
	seconds := func(v float64) string { return double(math.Round(v*10) / 10) }
	args := []string{
		"outline", path, "--from", seconds(edge[0]), "--to", seconds(edge[1]), "--keep-out", seconds(tree[0]) + "s," + seconds(tree[1]),
		"--datum", "8.0471,52.2726", "--out", file,
	}
	r := succeeds(t, args...)
	t.Log(r.out)
	for _, want := range []string{"/odom, /fix and /imu through the filter", "the outline: 0.1", "keep-out 1: ", "standard deviation of its edge 0.", "overlap", "datum is 8.0471,52.2726", "2σ of the edge, to field.margin"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("no %q in the output", want)
		}
	}
	f, err := convert.ReadBoundary(file, outlineDatum)
	must.OK(t, err)
	if len(f.KeepOuts) != 1 || !(f.StdDev > 0.01 && f.StdDev < 0.6) {
		t.Fatalf("%d keep-outs, edge ±%g m", len(f.KeepOuts), f.StdDev)
	}
	for name, pair := range map[string][2]orb.Ring{"outline": {f.Boundary[0], drivenEdge}, "keep-out": {f.KeepOuts[0][0], drivenTree}} {
		// The driver turns 0.3 m before each corner.
		if d := max(farthest(pair[0], pair[1]), farthest(pair[1], pair[0])); d > 0.7 {
			t.Errorf("the %s is up to %.2f m from the driven line", name, d)
		}
	}

	out := filepath.Join(t.TempDir(), "demo")
	demo := ugp(t, "demo", "--field", file, "--datum", "8.0471,52.2726", "--receiver", "rtk", "--samples", "2", "--out", out)
	if demo.code != 0 {
		t.Fatalf("demo: exit code %d: %s", demo.code, demo.err)
	}
	if _, err := os.Stat(filepath.Join(out, "mission.json")); err != nil {
		t.Error(err)
	}

	// The edge beside the robot: to the right of the drive round the field, and of the one round
	// the tree, which runs the other way. The first file is kept.
	before, _ := os.ReadFile(file)
	if r = ugp(t, append(args, "--offset", "-0.5")...); r.code != 0 || !strings.Contains(r.out, file+".bak") {
		t.Fatalf("again: exit code %d: %s%s", r.code, r.out, r.err)
	}
	if kept, err := os.ReadFile(file + ".bak"); err != nil || string(kept) != string(before) {
		t.Errorf("the file before is not kept: %v", err)
	}
	larger, err := convert.ReadBoundary(file, outlineDatum)
	must.OK(t, err)
	a, b := larger.Boundary[0].Bound().Min, f.Boundary[0].Bound().Min
	if d := math.Hypot(b[0]-a[0], b[1]-a[1]); math.Abs(d-0.5*math.Sqrt2) > 0.3 {
		t.Errorf("with the edge 0.5 m to the right, the corner is %.2f m further out", d)
	}
}

// What cannot be an outline gives exit code 2 and one line that names it, and nothing is written.
func TestOutlineBadInput(t *testing.T) {
	dir := t.TempDir()
	refuses(t, "outline", []bad{
		{[]string{"--out", "field.geojson", "none"}, []string{"none", "no such file"}},
		{[]string{"--out", "field.geojson", lawnmower, "--from", "30", "--to", "10"}, []string{"--from is 30 s", "--to is 10 s"}},
		{[]string{"--out", "field.geojson", lawnmower, "--from", "5000"}, []string{"5000 s", "1439.5 s"}},
		{[]string{"--out", "field.geojson", lawnmower, "--keep-out", "10"}, []string{"--keep-out", `"10"`, "two numbers"}},
		{[]string{"--out", "field.geojson", lawnmower, "--datum", "8"}, []string{"--datum", `"8"`}},
		{[]string{"--out", "field.geojson", lawnmower, "--offset", "wide"}, []string{"--offset", `"wide"`}},
		{[]string{lawnmower, "--out", dir}, []string{"--out", dir, "folder"}},
		{[]string{"--out", "field.geojson", lawnmower, "--pose-topic", "/nothing"}, []string{"--pose-topic", "/nothing", "/odometry/filtered"}},
		{[]string{"--out", "field.geojson", lawnmower}, []string{"23 gaps", "from 12.5 s to 59.5 s", "95 poses refused", "limit 1 m", "--max-stddev"}},
		{[]string{"--out", "field.geojson", lawnmower, "--to", "200", "--max-stddev", "5"}, []string{"from its start", "drive on to the start"}},
		{[]string{"--out", "field.geojson", lawnmower, "--max-stddev", "5", "--max-gap", "2000"}, []string{"crosses itself in 5 places", "(60.85, 61.06) m", "359.5 and 1439.5 s", "--from"}},
	})
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package replay

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/buildtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/launcher"
	"ugp_explorer/node/record"
	"ugp_explorer/node/report"
)

// livePatience is how long the test waits for what another process is to do.
const livePatience = 3 * time.Minute

// TestLive has the explorer, as a process in passive mode, follow `ros2 bag play
// --clock` over DDS, and compares what comes of it with the replay of the same part
// of the bag.
func TestLive(t *testing.T) {
	if os.Getenv("AMENT_PREFIX_PATH") == "" {
		t.Skip("no ROS 2 is sourced (AMENT_PREFIX_PATH is empty)")
	}
	env := append(os.Environ(), "ROS_LOCALHOST_ONLY=1", fmt.Sprint("ROS_DOMAIN_ID=", 41+os.Getpid()%10), "ROS_LOG_DIR="+t.TempDir())
	ctx, cancel := context.WithTimeout(t.Context(), livePatience)
	defer cancel()
	ros2 := func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, "ros2", args...)
		cmd.Env = env
		return cmd
	}
	if out, err := ros2("bag", "--help").CombinedOutput(); err != nil {
		t.Skipf("there is no ros2 bag: %v: %s", err, out)
	}
	const start, rate = 1200.0, "8"
	cfg := quick()
	e := &cfg.Explorer
	e.Truth, cfg.Start = true, start
	own := settings.DefaultConfig() // what no parameter sets
	e.Path.Every, e.Search, e.Model.Prior, e.Recommend = own.Path.Every, own.Search, own.Model.Prior, own.Recommend
	r := run(t, bags+"lawnmower_mcap_zstd", cfg)
	want := r.Explorer().Record()

	dir := t.TempDir()
	program := filepath.Join(dir, "explorer")
	must.OK(t, buildtest.Programs(dir+"/", "../cmd/explorer", "../cmd/ugp"))
	folder := filepath.Join(dir, "out")
	field := filepath.Join(dir, "field.geojson")
	outline := fmt.Sprintf(`{"type":"Polygon","coordinates":[%s]}`, ringJSON(want.Field.Boundary[0]))
	must.OK(t, os.WriteFile(field, []byte(outline), 0o666))
	var log bytes.Buffer
	node, err := launcher.Start(launcher.Executable{Name: "explorer", Path: program, Log: &log, Env: env, Args: []string{
		"--ros-args", "-r", "reading:=soil/reading",
		"-p", "use_sim_time:=true", "-p", "passive:=true", "-p", "ground_truth:=true", "-p", "output_dir:=" + folder, "-p", "field.file:=" + field,
		"-p", "reading.type:=Float64", "-p", "reading.stddev:=0.02", "-p", "reading.delay:=0.2", "-p", "probe.x:=-0.4", "-p", "model.kernel:=matern32",
		"-p", "path.length:=25.0",
	}})
	must.OK(t, err)
	t.Cleanup(func() {
		node.Kill()
		if t.Failed() {
			t.Log(log.String())
		}
	})
	// With 200 ticks a second a reading's stamp, which is when it came, is off by 40 ms at the most.
	out, err := ros2("bag", "play", "--clock", "200", "--rate", rate, "--start-offset", fmt.Sprint(start), "--delay", "5", bags+"lawnmower_mcap_zstd").CombinedOutput()
	if err != nil {
		t.Fatalf("ros2 bag play: %v\n%s", err, out)
	}
	topics, err := ros2("topic", "list", "--no-daemon", "--spin-time", "5").CombinedOutput()
	if err != nil || !strings.Contains(string(topics), "/ugp_explorer/suggestion") || strings.Contains(string(topics), "/goal_pose") || strings.Contains(string(topics), "/plan") {
		t.Errorf("topics: %v\n%s", err, topics)
	}
	if out, err := ros2("service", "call", "/ugp_explorer/stop", "std_srvs/srv/Trigger").CombinedOutput(); err != nil || !strings.Contains(string(out), "success=True") {
		t.Fatalf("stop: %v\n%s", err, out)
	}
	page := filepath.Join(folder, report.PageFile)
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	for _, err := os.Stat(page); err != nil; _, err = os.Stat(page) {
		select {
		case <-ctx.Done():
			t.Fatal("no report was written")
		case <-node.Done():
			t.Fatal("the explorer has ended")
		case <-look.C:
		}
	}
	m, err := record.ReadMission(filepath.Join(folder, record.MissionFile))
	must.OK(t, err)
	// What is played before the two have found each other is missed, and where the
	// first piece begins moves the others.
	if n := len(m.Observations); n < len(want.Observations)-3 || n > len(want.Observations)+1 || !m.Passive || len(m.Suggestions) < n/5 {
		t.Errorf("%d observations live, %d in the replay, %d suggestions", n, len(want.Observations), len(m.Suggestions))
	}
	t.Logf("%d observations and %d suggestions live, %d and %d in the replay; the best %.4f live, %.4f in the replay", len(m.Observations), len(m.Suggestions),
		len(want.Observations), len(want.Suggestions), m.Recommendation.Value, want.Recommendation.Value)
	near := math.Inf(1)
	last := m.Observations[len(m.Observations)-1]
	for _, o := range want.Observations {
		near = min(near, math.Hypot(o.Belief.X-last.Belief.X, o.Belief.Y-last.Belief.Y))
	}
	if near > 30 || m.Recommendation == nil || m.Consistency == nil {
		t.Errorf("the last observation is %g m from all of the replay's; %+v", near, m.Consistency)
	} else if d := math.Abs(m.Recommendation.Value - want.Recommendation.Value); d > 0.05 {
		t.Errorf("the best value is %g live, %g in the replay", m.Recommendation.Value, want.Recommendation.Value)
	}
	if err := launcher.Stop(10*time.Second, node); err != nil {
		t.Error(err)
	}
}

func ringJSON(ring []record.Place) string {
	var s []string
	for _, p := range ring {
		s = append(s, fmt.Sprintf("[%.6f,%.6f]", p[0], p[1]))
	}
	return "[" + strings.Join(s, ",") + "]"
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package simulation

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/buildtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/launcher"
	"ugp_explorer/node/record"
)

// launchPatience is how long a test waits for what launch is to do.
const launchPatience = 3 * time.Minute

// needLaunch skips the test where no ROS 2 with ros2 launch is sourced.
func needLaunch(t *testing.T) {
	t.Helper()
	if os.Getenv("AMENT_PREFIX_PATH") == "" {
		t.Skip("no ROS 2 is sourced (AMENT_PREFIX_PATH is empty)")
	}
	if _, err := exec.LookPath("ros2"); err != nil {
		t.Skip("the ROS 2 that is sourced has no command ros2")
	}
}

// launchEnv keeps launch to this machine, and to a domain that other runs of the
// tests hardly have.
func launchEnv(t *testing.T) []string {
	return []string{
		fmt.Sprint("ROS_DOMAIN_ID=", 1+os.Getpid()%100), "ROS_LOCALHOST_ONLY=1", "ROS_LOG_DIR=" + t.TempDir(), "PYTHONDONTWRITEBYTECODE=1",
	}
}

// programs is an installation with the real programs.
func programs(t *testing.T) (dir string) {
	t.Helper()
	dir = installation(t, "")
	var args []string
	for _, program := range []string{"explorer", "follower", "guard", "ekf", "fieldsim"} {
		args = append(args, "../cmd/"+program)
	}
	must.OK(t, buildtest.Programs(filepath.Join(dir, "bin")+"/", args...))
	return dir
}

// output is what launch has said so far.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(b)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// unclean returns how many of the processes that launch has started did not finish cleanly.
func (o *output) unclean() int {
	text := o.String()
	return strings.Count(text, "process started with pid") - strings.Count(text, "process has finished cleanly")
}

// launch starts a launch file of an installation.
func launch(t *testing.T, dir, file string, arguments ...string) (*launcher.Process, *output) {
	t.Helper()
	return ros2Launch(t, append([]string{filepath.Join(dir, "launch", file)}, arguments...)...)
}

// ros2Launch runs ros2 launch. It is interrupted with the test.
func ros2Launch(t *testing.T, arguments ...string) (*launcher.Process, *output) {
	t.Helper()
	// A shell that runs the tests in the background has them ignore SIGINT, and
	// launch with them, which knows no other end: what is caught is not inherited.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, os.Interrupt)
	defer signal.Stop(caught)
	out := &output{}
	p, err := launcher.Start(launcher.Executable{
		Name: "ros2 launch", Path: "ros2", Args: append([]string{"launch"}, arguments...), Env: launchEnv(t), Log: out,
	})
	must.OK(t, err)
	t.Cleanup(func() {
		select {
		case <-p.Done():
		default:
			if err := launcher.Stop(launchPatience, p); err != nil {
				t.Error(err)
			}
		}
		if t.Failed() {
			t.Logf("launch said:\n%s", out)
		}
	})
	return p, out
}

// TestLaunchShowsArguments has ros2 launch describe every argument.
func TestLaunchShowsArguments(t *testing.T) {
	needLaunch(t)
	for _, file := range launchFiles {
		cmd := exec.Command("ros2", "launch", launchFolder+file, "--show-args")
		cmd.Env = append(os.Environ(), launchEnv(t)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v\n%s", file, err, out)
		}
		text, err := os.ReadFile(launchFolder + file)
		must.OK(t, err)
		declared := strings.Split(string(text), "DeclareLaunchArgument(\n        '")[1:]
		if len(declared) < 10 {
			t.Errorf("%s declares %d arguments", file, len(declared))
		}
		for _, d := range declared {
			name, _, _ := strings.Cut(d, "'")
			if !strings.Contains(string(out), "\n    '"+name+"':\n") || strings.Contains(string(out), "no description given") {
				t.Errorf("%s: ros2 launch does not show %s with a description:\n%s", file, name, out)
			}
		}
	}
}

// TestSimLaunchMission has the processes make a mission as the arguments
// have it, and end cleanly.
func TestSimLaunchMission(t *testing.T) {
	needLaunch(t)
	dir := programs(t)
	field, result := filepath.Join(dir, "field.geojson"), filepath.Join(dir, "result")
	writeText(t, field, `{"type": "Polygon", "coordinates": [[[0, 0], [60, 0], [60, 40], [0, 40], [0, 0]]]}`)
	p, out := launch(t, dir, "sim.launch.py", "field:="+field, "start:=10,10,0.5", "samples:=2", "seed:=5", "speed:=10", "output_dir:="+result)
	m := missionOf(t, p, filepath.Join(result, record.MissionFile))
	if len(m.Observations) != 2 || m.Outcome != "the budget of 2 samples is used" {
		t.Errorf("%d samples: %s; want 2 and that their budget is used", len(m.Observations), m.Outcome)
	}
	for _, o := range m.Observations {
		if o.Target[0] < 0 || o.Target[0] > 60 || o.Target[1] < 0 || o.Target[1] > 40 || o.TruePlace == nil {
			t.Errorf("a sample for %v, taken at %v; want both in the field that was given", o.Target, o.TruePlace)
		}
	}
	if err := launcher.Stop(launchPatience, p); err != nil {
		t.Error(err)
	}
	if n := out.unclean(); n != 0 {
		t.Errorf("%d processes did not finish cleanly", n)
	}
}

// missionOf waits for the record of a whole mission.
func missionOf(t *testing.T, p *launcher.Process, file string) *record.Mission {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), launchPatience)
	defer cancel()
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for {
		if m, err := record.ReadMission(file); err == nil && m.Outcome != "" {
			return m
		}
		select {
		case <-ticker.C:
		case <-p.Done():
			t.Fatalf("launch has ended before the mission: %v", p.Err())
		case <-ctx.Done():
			t.Fatalf("waited %v for %s", launchPatience, file)
		}
	}
}

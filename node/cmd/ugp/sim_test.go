// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/buildtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/soak"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/report"
)

// simulate runs the ugp of the folder bin on a small field in a DDS domain of its
// own. each, unless it is nil, is called with what it says of its progress.
func simulate(t *testing.T, bin string, each func(line string, program *os.Process), args ...string) (code int, out, errs string) {
	t.Helper()
	outline := write(t, "square.geojson", `{"type":"Polygon","coordinates":[[[0,0],[80,0],[80,60],[0,60],[0,0]]]}`)
	return runProgram(t, bin, each, append([]string{"sim", "--field", outline}, args...)...)
}

// runProgram runs the ugp of the folder bin in a DDS domain of its own. each, unless it is nil, is
// called with what it says of its progress.
func runProgram(t *testing.T, bin string, each func(line string, program *os.Process), args ...string) (code int, out, errs string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(bin, "ugp"), args...)
	cmd.Env = append(os.Environ(), fmt.Sprint("ROS_DOMAIN_ID=", 1+os.Getpid()%100), "ROS_LOCALHOST_ONLY=1")
	var stdout, stderr bytes.Buffer
	cmd.Stdout = &stdout
	cmd.Stderr = writerFunc(func(b []byte) (int, error) {
		if each != nil {
			each(string(b), cmd.Process)
		}
		return stderr.Write(b)
	})
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// TestSim runs the five nodes as processes: a mission to its end, and one that is
// interrupted.
func TestSim(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	bin := t.TempDir()
	must.OK(t, buildtest.Programs(bin+"/", "../..."))
	// The journal waits for the disk after each sample. While that writes programs of 150 MB a wait can take seconds, in
	// which simulated time, a hundred times as fast, continues by minutes.
	syscall.Sync()

	t.Run("mission", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "out")
		code, out, errs := simulate(t, bin, nil, "--samples", "3", "--seed", "7", "--out", dir)
		if code != 0 || !strings.Contains(out, "3 samples, ") || !strings.Contains(out, "Highest ") || !strings.Contains(out, report.PageFile) {
			t.Fatalf("exit code %d:\n%s%s", code, out, errs)
		}
		if !regexp.MustCompile(`best about \S+ mg/l \(\S+ to \S+\), `).MatchString(errs) { // not in the sensor's log10(mg/l)
			t.Errorf("the progress is not in the unit of people:\n%s", errs)
		}
		left := names(t, dir)
		for _, want := range append([]string{"params.yaml", "ekf.log", "fieldsim.log", "follower.log", "ugp_explorer.log"}, results...) {
			if !slices.Contains(left, want) {
				t.Errorf("it left %q, without %s", left, want)
			}
		}
		m, err := record.ReadMission(filepath.Join(dir, "mission.json"))
		if err != nil || len(m.Observations) != 3 || m.Seed != 7 || m.Truth == nil {
			t.Errorf("%v; the record is %+v, want 3 samples of seed 7 and the truth", err, m)
		}
	})

	t.Run("day", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "out")
		var out, errs bytes.Buffer
		// A slow machine takes samples and readings at longer intervals of simulated time.
		const kills, samples = 2, 50
		enough := func(l *soak.Log) bool {
			n := len(l.Restarts)
			return n >= kills && l.Restarts[n-1].Goal > 0 && l.Kept[len(l.Kept)-1].Samples >= samples
		}
		err := onADay(terminal{ctx: t.Context(), out: &out, err: &errs, now: time.Now}, enough, "--restart", "0.08", "--speed", "50", "--bin", bin, "--out", dir)
		if err != nil {
			t.Fatalf("%v:\n%s%s", err, &out, &errs)
		}
		table, err := os.ReadFile(filepath.Join(dir, "table.md"))
		if err != nil || !strings.Contains(out.String(), string(table)) {
			t.Fatalf("%v:\n%s%s", err, &out, &errs)
		}
		readings, err := os.ReadFile(filepath.Join(dir, "readings.csv"))
		for _, node := range []string{"fieldsim", "ekf", "follower", "ugp_explorer"} {
			if err != nil || !strings.Contains(string(table), "| `"+node+"` |") || strings.Count(string(readings), ","+node+",") <= kills {
				t.Errorf("%v: less of %s than expected:\n%s%s", err, node, table, readings)
			}
		}
		s, err := journal.Read(dir)
		if err != nil || len(s.Runs) <= kills || len(s.Observations) < samples || len(s.Problems) > 0 {
			t.Errorf("%v; %d runs, %d observations, problems %v; the table is\n%s%s", err, len(s.Runs), len(s.Observations), s.Problems, table, &errs)
		}
		if _, err := os.Stat(filepath.Join(dir, "day.svg")); err != nil {
			t.Error(err)
		}
	})

	t.Run("interrupt", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "out")
		sent := false
		code, out, errs := simulate(t, bin, func(line string, program *os.Process) {
			if strings.Contains(line, " of 900 samples") && !strings.Contains(line, " 0 of") && !sent {
				sent = true
				if err := program.Signal(os.Interrupt); err != nil {
					t.Error(err)
				}
			}
		}, "--samples", "900", "--out", dir)
		if code != exitInterrupted || !strings.Contains(out, "Interrupted: the robot is stopped, and the nodes have ended.") {
			t.Fatalf("exit code %d:\n%s%s", code, out, errs)
		}
		m, err := record.ReadMission(filepath.Join(dir, "mission.json"))
		if err != nil || len(m.Observations) == 0 || len(m.Observations) == 900 {
			t.Errorf("%v; the record is %+v, want some of 900 samples", err, m)
		}
		page := filepath.Join(dir, report.PageFile)
		if _, err := os.Stat(page); err != nil || !strings.Contains(out, page) {
			t.Errorf("%v; it says %q, want a report and where it is", err, out)
		}
	})

	t.Run("no nodes", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "out")
		code, _, errs := simulate(t, bin, nil, "--bin", t.TempDir(), "--out", dir)
		if code != exitBadInput || !strings.Contains(errs, "make ros") {
			t.Errorf("exit code %d, %q; want %d and what to do", code, errs, exitBadInput)
		}
		if left := names(t, dir); left != nil {
			t.Errorf("it left %q", left)
		}
	})

	t.Run("node that dies", func(t *testing.T) {
		broken := t.TempDir()
		for _, name := range []string{"ekf", "fieldsim", "guard", "explorer"} {
			must.OK(t, os.Symlink(filepath.Join(bin, name), filepath.Join(broken, name)))
		}
		must.OK(t, os.WriteFile(filepath.Join(broken, "follower"), []byte("#!/bin/sh\necho the wheels came off\nexit 4\n"), 0o755))
		code, _, errs := simulate(t, bin, nil, "--bin", broken, "--out", filepath.Join(t.TempDir(), "out"))
		if code != exitFailed || !strings.Contains(errs, "the node follower has ended") || !strings.Contains(errs, "the wheels came off") {
			t.Errorf("exit code %d, %q; want %d and what the node said", code, errs, exitFailed)
		}
	})
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
)

// The lines are those of rcutils' default format, "[{severity}] [{time}] [{name}]: {message}"
// with the time as "%.10d.%.9d" (rcutils, logging.c and time.c).
func TestConsole(t *testing.T) {
	var buf bytes.Buffer
	ex, n := rostest.Simulated(t, "n", ros.NodeOptions{Namespace: "/ns", LogHandler: ros.NewConsole(&buf), LogLevel: slog.LevelDebug})
	must.OK(t, ex.RunTo(t.Context(), 1700000000*int64(time.Second)+123))
	n.Logger().Debug("fine")
	n.Logger().Info("pose is stale", "age_s", 1.5)
	n.Logger().WithGroup("fix").With("a", "b").Warn("gone", slog.Group("at", "x", 1))
	n.Logger().With("node", "/other").Error("two\nlines")
	n.Logger().Log(t.Context(), ros.LevelFatal, "over")
	const time = "] [1700000000.000000123] [ns.n]: "
	want := "[DEBUG" + time + "fine\n[INFO" + time + "pose is stale age_s=1.5\n[WARN" + time + "gone fix.a=b fix.at.x=1\n" +
		"[ERROR] [1700000000.000000123] [other]: two\\nlines\n[FATAL" + time + "over\n"
	if buf.String() != want {
		t.Errorf("logged\n%s, want\n%s", buf.String(), want)
	}
}

// Numbers are rounded where they are written, for all who log: to four digits, and to a centimetre below a kilometre.
func TestConsoleRounds(t *testing.T) {
	var buf bytes.Buffer
	_, n := rostest.Simulated(t, "n", ros.NodeOptions{LogHandler: ros.NewConsole(&buf)})
	n.Logger().Info("here", "x_m", 124.16028332209648, "y_m", -71.28637001800313, "far_m", 691234.5678, "small", 1.23456e-7, "whole", 200.0,
		"huge", 1.23456e12, "none", math.NaN(), "n", 1234567, "path", "a 1.23456789")
	_, got, _ := strings.Cut(buf.String(), "]: ")
	if want := "here x_m=124.16 y_m=-71.29 far_m=691235 small=1.235e-07 whole=200 huge=1.235e+12 none=NaN n=1234567 path=a 1.23456789\n"; got != want {
		t.Errorf("logged\n%s, want\n%s", got, want)
	}
}

// The times of log lines, and of the messages on /rosout, are of the wall clock even if the
// node goes by /clock, as other ROS 2 nodes have it.
func TestLogTimesAreOfTheWallClock(t *testing.T) {
	var buf bytes.Buffer
	ex := exec.NewRealTime()
	graph := inproc.New()
	n := rostest.Node(t, graph, ex, "n", ros.NodeOptions{LogHandler: ros.NewConsole(&buf)})
	var stamp int64
	if _, err := ros.Subscribe(n, "/rosout", ros.RosoutQoS(), func(m *rcl_interfaces.Log, _ ros.MessageInfo) { stamp = ros.TimeNs(m.Stamp) }); err != nil {
		t.Fatal(err)
	}
	ex.UseSimTime()
	ex.SetTime(100 * int64(time.Second))
	before := time.Now()
	n.Logger().Info("here")
	after := time.Now()
	must.OK(t, ex.Run(t.Context(), func() bool { return stamp != 0 }))
	if stamp < before.UnixNano() || stamp > after.UnixNano() {
		t.Errorf("/rosout has the stamp %d, want one between %v and %v", stamp, before, after)
	}
	m := regexp.MustCompile(`^\[INFO\] \[(\d{10})\.(\d{9})\] \[n\]: here\n$`).FindStringSubmatch(buf.String())
	if m == nil {
		t.Fatalf("logged %q", buf.String())
	}
	if ns, err := strconv.ParseInt(m[1]+m[2], 10, 64); err != nil || ns != stamp {
		t.Error(fmt.Errorf("the line says %s.%s, /rosout %d: %w", m[1], m[2], stamp, err))
	}
}

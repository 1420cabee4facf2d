// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/builtin_interfaces"
	"ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
)

// rcl_interfaces/Log: DEBUG=10, INFO=20, WARN=30, ERROR=40, FATAL=50.
func TestRosoutLevels(t *testing.T) {
	ex, n := rostest.Simulated(t, "n", ros.NodeOptions{LogLevel: slog.LevelDebug})
	var got []uint8
	if _, err := ros.Subscribe(n, "/rosout", ros.RosoutQoS(), func(m *rcl_interfaces.Log, _ ros.MessageInfo) { got = append(got, m.Level) }); err != nil {
		t.Fatal(err)
	}
	for _, l := range []slog.Level{slog.LevelDebug, slog.LevelInfo, slog.LevelWarn, slog.LevelError, ros.LevelFatal} {
		n.Logger().Log(t.Context(), l, "x")
	}
	rostest.Drain(t, ex)
	if want := []byte{10, 20, 30, 40, 50}; !bytes.Equal(got, want) {
		t.Errorf("levels are %v, want %v", got, want)
	}
}

func TestThrottle(t *testing.T) {
	var buf bytes.Buffer
	ex, n := rostest.Simulated(t, "n", ros.NodeOptions{LogHandler: slog.NewTextHandler(&buf, &slog.HandlerOptions{AddSource: true})})
	throttle := n.NewThrottle(time.Second)
	for range 25 { // every 0.1 s from 0 to 2.4 s
		throttle.Warn("reading without a pose", "sensor", "probe")
		must.OK(t, ex.RunTo(t.Context(), ex.Now()+int64(100*time.Millisecond)))
	}
	lines := strings.Split(strings.TrimSpace(buf.String()), "\n")
	if len(lines) != 3 {
		t.Fatalf("logged %d times in 2.4 s, want 3:\n%s", len(lines), buf.String())
	}
	for i, line := range lines {
		if !strings.Contains(line, "log_test.go:") || !strings.Contains(line, "sensor=probe") {
			t.Errorf("line %d is %s", i, line)
		}
		if got := strings.Contains(line, "suppressed=9"); got != (i > 0) {
			t.Errorf("line %d is %s, want 9 suppressed after the first", i, line)
		}
	}
}

// After a jump back of the clock the next record is logged at once.
func TestThrottleClockBack(t *testing.T) {
	var buf bytes.Buffer
	ex := exec.NewRealTime()
	n := rostest.Node(t, inproc.New(), ex, "n", ros.NodeOptions{LogHandler: rostest.LogTo(&buf)})
	ex.UseSimTime()
	throttle := n.NewThrottle(time.Second)
	for _, s := range []int64{100, 100, 50, 50} {
		ex.SetTime(s * int64(time.Second))
		throttle.Error("x")
	}
	if got := strings.Count(buf.String(), "msg=x"); got != 2 {
		t.Errorf("logged %d times, want at 100 s and at 50 s:\n%s", got, buf.String())
	}
}

func TestTimeMsg(t *testing.T) {
	for _, c := range []struct {
		ns  int64
		msg builtin_interfaces.Time
	}{
		{0, builtin_interfaces.Time{}},
		{1_700_000_000_123_456_789, builtin_interfaces.Time{Sec: 1_700_000_000, Nanosec: 123_456_789}},
		{-1, builtin_interfaces.Time{Sec: -1, Nanosec: 999_999_999}}, // Sec is rounded down
		{-1_000_000_000, builtin_interfaces.Time{Sec: -1}},
	} {
		if got := ros.TimeMsg(c.ns); got != c.msg {
			t.Errorf("TimeMsg(%d) = %+v, want %+v", c.ns, got, c.msg)
		}
		if got := ros.TimeNs(c.msg); got != c.ns {
			t.Errorf("TimeNs(%+v) = %d, want %d", c.msg, got, c.ns)
		}
	}
}

// The log tap hears what is logged, with its attributes, until it is removed.
func TestLogTap(t *testing.T) {
	_, n := rostest.Simulated(t, "n", ros.NodeOptions{NoRosout: true})
	var got []string
	n.SetLogTap(func(_ int64, level slog.Level, message string, attrs []slog.Attr) {
		got = append(got, fmt.Sprint(level, " ", message, " ", attrs))
	})
	n.Logger().Debug("too fine")
	n.Logger().With("a", "b").Warn("pose is stale", slog.Group("pose", "age_s", 1.5))
	n.SetLogTap(nil)
	n.Logger().Warn("not heard")
	if want := []string{"WARN pose is stale [a=b pose.age_s=1.5]"}; !slices.Equal(got, want) {
		t.Errorf("heard %q, want %q", got, want)
	}
}

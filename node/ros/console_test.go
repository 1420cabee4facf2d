package ros_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"regexp"
	"strconv"
	"testing"
	"time"

	"ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/sim/rig/must"
	"ugp_explorer/sim/rig/rostest"
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

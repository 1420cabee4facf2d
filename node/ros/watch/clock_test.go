package watch_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"ugp_explorer/msgs/rosgraph_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/sim/rig/rostest"
)

// While /clock is missing or stands still, and with it every timer, the watch goes
// by the wall clock and says so.
func TestWatchClock(t *testing.T) {
	t.Parallel()
	graph, ex := inproc.New(), rostest.RealTime(t)
	over := &param.Overrides{}
	if err := over.AddAssignment("use_sim_time:=true"); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	n := rostest.Node(t, graph, ex, "mine", ros.NodeOptions{Overrides: over, LogHandler: rostest.LogTo(&log)})
	other := rostest.Node(t, graph, ex, "other", ros.NodeOptions{NoRosout: true})
	said := 0
	w, err := watch.New(n, func() { said++ })
	if err != nil {
		t.Fatal(err)
	}
	until := func(what string, cond func() bool) {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := ex.Run(ctx, cond); err != nil {
			t.Fatalf("waiting for %s: %v; the text is %q\n%s", what, err, w.Text(), log.String())
		}
	}
	const head = "waiting for the time on /clock [rosgraph_msgs/msg/Clock]: "
	says := func(want string, meanwhile func()) {
		t.Helper()
		until(want, func() bool { meanwhile(); return w.Text() == head+want+" (use_sim_time is true)" })
	}
	says("no publisher", func() {})
	if record := "level=WARN msg=\"" + w.Text() + "\""; !strings.Contains(log.String(), record) {
		t.Errorf("the log lacks %s:\n%s", record, log.String())
	}
	before := said
	until("the node to be told again", func() bool { return said > before })

	pub, err := ros.Advertise[rosgraph_msgs.Clock](other, "/clock", ros.DefaultQoS())
	if err != nil {
		t.Fatal(err)
	}
	says("/other is there, but nothing was received", func() {})

	var now int64
	var last time.Time
	tick := func(step time.Duration) { // at most a hundred times a second
		if time.Since(last) < 10*time.Millisecond {
			return
		}
		last, now = time.Now(), now+int64(step)
		if err := pub.Publish(&rosgraph_msgs.Clock{Clock: ros.TimeMsg(now)}); err != nil {
			t.Error(err)
		}
	}
	until("the time to pass", func() bool { tick(time.Millisecond); return w.Text() == "" })
	now = int64(12500 * time.Millisecond)
	says("/other ticks, and says 12.500 s all the while: is the simulation paused?", func() { tick(0) })
}

// A node that gets use_sim_time while it runs says that it waits for /clock, and goes on saying what it
// said before.
func TestWatchOfAClockThatChanges(t *testing.T) {
	t.Parallel()
	graph, ex := inproc.New(), rostest.RealTime(t)
	var log bytes.Buffer
	n := rostest.Node(t, graph, ex, "mine", ros.NodeOptions{LogHandler: rostest.LogTo(&log)})
	other := rostest.Node(t, graph, ex, "other", ros.NodeOptions{NoRosout: true})
	w, err := watch.New(n, nil)
	if err != nil {
		t.Fatal(err)
	}
	const wants = "waiting for a goal on /goal [std_msgs/msg/String]: no publisher"
	sub, _ := rostest.Words(t, n, "goal", ros.DefaultQoS())
	w.Input(sub, watch.Expect{Name: "goal", What: "a goal"})
	busy := ""
	n.KeepClock(func() string { return busy })
	until := func(what string, cond func() bool) {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := ex.Run(ctx, cond); err != nil {
			t.Fatalf("waiting for %s: %v; the text is %q\n%s", what, err, w.Text(), log.String())
		}
	}
	set := func(on bool) {
		t.Helper()
		if err := n.Parameters().Set(param.Assignment{Name: "use_sim_time", Value: param.NewValue(on)}); err != nil {
			t.Fatal(err)
		}
	}
	until("the lack of a goal", func() bool { return w.Text() == wants })
	set(true)
	const clock = "waiting for the time on /clock [rosgraph_msgs/msg/Clock]: no publisher (use_sim_time is true; until then the wall clock counts)"
	until("the lack of a clock", func() bool { return w.Text() == clock })
	busy = "a mission is under way"
	pub, err := ros.Advertise[rosgraph_msgs.Clock](other, "/clock", ros.DefaultQoS())
	if err != nil {
		t.Fatal(err)
	}
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	var sec int64
	ticks := func() {
		select {
		case <-tick.C:
			sec++
			if err := pub.Publish(&rosgraph_msgs.Clock{Clock: ros.TimeMsg(sec * int64(10*time.Millisecond))}); err != nil {
				t.Error(err)
			}
		default:
		}
	}
	until("the reason", func() bool {
		ticks()
		return w.Text() == "use_sim_time is true and /clock ticks, but this node keeps the wall clock for now: a mission is under way"
	})
	busy = ""
	until("the clock", func() bool { ticks(); return n.FollowsClock() && w.Text() == wants })
	if text := log.String(); strings.Contains(text, "over: "+wants) {
		t.Errorf("the goal is said to have come:\n%s", text)
	}
	set(false)
	until("the wall clock", func() bool { return !n.FollowsClock() && w.Text() == wants })
}

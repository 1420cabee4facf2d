package fieldsim_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/rosgraph_msgs"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/param"
)

// realTime returns an executor on the wall clock and a graph, closed at the end of the test.
func realTime(t *testing.T) (*exec.RealTime, *inproc.Transport) {
	t.Helper()
	ex, err := exec.NewRealTime(exec.DefaultRealTimeConfig())
	if err != nil {
		t.Fatal(err)
	}
	graph := inproc.New()
	t.Cleanup(func() {
		if err := errors.Join(ex.Close(), graph.Close()); err != nil {
			t.Error(err)
		}
	})
	return ex, graph
}

// In a separate process the world's clock may be faster than the wall clock. It skips no
// step, not even after a pause of the machine longer than the time that the world catches
// up at once.
func TestSpeed(t *testing.T) {
	ex, graph := realTime(t)
	cfg := fieldsim.DefaultConfig()
	cfg.Speed = 500
	overrides := &param.Overrides{}
	if err := overrides.AddAssignment("use_sim_time:=true"); err != nil { // as every node of a simulation is given
		t.Fatal(err)
	}
	node, err := ros.NewNode(graph, ex, "world", ros.NodeOptions{Parameters: cfg.Parameters(), Overrides: overrides, ClockSource: cfg.ClockSource})
	if err != nil {
		t.Fatal(err)
	}
	var stamps []int64
	if _, err := ros.Subscribe(node, "/clock", ros.SensorData().WithDepth(1000), func(m *rosgraph_msgs.Clock, _ ros.MessageInfo) {
		stamps = append(stamps, ros.TimeNs(m.Clock))
	}); err != nil {
		t.Fatal(err)
	}
	started := ex.Now()
	if _, err := fieldsim.New(node, &cfg); err != nil {
		t.Fatal(err)
	}
	enough := 40
	run := func() {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := ex.Run(ctx, func() bool { return len(stamps) >= enough }); err != nil {
			t.Fatal(err)
		}
	}
	run()
	ex.Post(func() { // the pause
		for until := ex.Now() + int64(5*time.Second); ex.Now() < until; {
		}
	})
	enough = len(stamps) + 200
	run()
	for i := 1; i < len(stamps); i++ {
		if d := stamps[i] - stamps[i-1]; d != tick {
			t.Fatalf("step %d is %v after the one before, want %v", i, time.Duration(d), time.Duration(tick))
		}
	}
	if late := time.Duration(ex.Now() - stamps[len(stamps)-1]); late < 3*time.Second {
		t.Errorf("after a pause of 5 s the world is %v behind: what was to be seen did not happen", late)
	}
	if stamps[0] < started {
		t.Errorf("the clock begins at %d, before the node did, at %d", stamps[0], started)
	}
}

// A fast clock waits a second for a follower that has told the robot to move, and not at
// all for one that has told it to stand: that one is silent.
func TestClockWaitsForAFollowerThatDrives(t *testing.T) {
	for _, c := range []struct {
		name  string
		speed float64 // m/s
		waits bool
	}{{"moving", 1, true}, {"standing", 0, false}} {
		t.Run(c.name, func(t *testing.T) {
			ex, graph := realTime(t)
			cfg := fieldsim.DefaultConfig()
			cfg.Speed = 500
			node, err := ros.NewNode(graph, ex, "world", ros.NodeOptions{Parameters: cfg.Parameters(), ClockSource: cfg.ClockSource})
			if err != nil {
				t.Fatal(err)
			}
			var now int64
			if _, err := ros.Subscribe(node, "/clock", ros.SensorData().WithDepth(1000), func(m *rosgraph_msgs.Clock, _ ros.MessageInfo) {
				now = ros.TimeNs(m.Clock)
			}); err != nil {
				t.Fatal(err)
			}
			if _, err := fieldsim.New(node, &cfg); err != nil {
				t.Fatal(err)
			}
			drive, err := ros.Advertise[geometry_msgs.Twist](node, "cmd_vel", ros.DefaultQoS())
			if err != nil {
				t.Fatal(err)
			}
			run := func(until func() bool) {
				t.Helper()
				ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
				defer cancel()
				if err := ex.Run(ctx, until); err != nil {
					t.Fatal(err)
				}
			}
			run(func() bool { return now > 0 })
			var m geometry_msgs.Twist
			m.Linear.X = c.speed
			// A loaded machine takes its time too, so only a clock that waits each time waits for
			// the follower.
			took := time.Second
			for attempt := 0; attempt == 0 || !c.waits && took >= time.Second && attempt < 20; attempt++ {
				if err := drive.Publish(&m); err != nil {
					t.Fatal(err)
				}
				sent, from := time.Now(), now
				run(func() bool { return now-from > int64(5*time.Second) })
				took = time.Since(sent)
			}
			if c.waits != (took >= time.Second) {
				t.Errorf("five simulated seconds took %v; waits is %v, want %v", took, took >= time.Second, c.waits)
			}
		})
	}
}

package follower_test

import (
	"math"
	"strings"
	"testing"
	"time"

	ri "ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/param"
)

// set changes a parameter through the follower's service, as `ros2 param set` does, and
// returns the answer.
func (w *world) set(name string, v param.Value) ri.SetParametersResult {
	w.t.Helper()
	client, err := ros.NewClient[ri.SetParametersRequest, ri.SetParametersResponse](w.test, "/follower/set_parameters")
	w.must(err)
	defer client.Close()
	var answer *ri.SetParametersResponse
	req := ri.SetParametersRequest{Parameters: []ri.Parameter{{Name: name, Value: v.Msg()}}}
	w.must(client.Call(&req, time.Second, func(res *ri.SetParametersResponse, err error) {
		w.must(err)
		answer = res
	}))
	w.run(tick)
	if answer == nil || len(answer.Results) != 1 {
		w.t.Fatalf("answer %+v", answer)
	}
	return answer.Results[0]
}

func TestMaxSpeedWhileDriving(t *testing.T) {
	w := newWorld(t, nil)
	w.follow(straight...)
	w.run(10 * time.Second)

	for _, c := range []struct {
		name   string
		value  param.Value
		reason []string
	}{
		{"max_speed", param.NewValue(-1.0), []string{"max_speed", "-1.0", "above 0"}},
		{"max_speed", param.NewValue("fast"), []string{"max_speed", "fast", "double"}},
		{"deceleration", param.NewValue(0.0), []string{"deceleration", "0.0", "above 0"}},
		{"robot.radius", param.NewValue(5.0), []string{"robot.radius", "read-only"}},
		{"max_sped", param.NewValue(1.0), []string{"max_sped", "max_speed"}},
	} {
		res := w.set(c.name, c.value)
		if res.Successful {
			t.Errorf("%s = %v was taken", c.name, c.value)
		}
		for _, word := range c.reason {
			if !strings.Contains(res.Reason, word) {
				t.Errorf("%s = %v: reason %q does not contain %q", c.name, c.value, res.Reason, word)
			}
		}
	}
	w.run(3 * time.Second)
	if v := w.last().v; v != 1.6 {
		t.Errorf("%g m/s after refused changes, want 1.6 as before", v)
	}
	if v, _ := w.node.Parameters().Get("deceleration"); v.Any() != 0.8 {
		t.Errorf("deceleration is %v after a refused change, want 0.8", v)
	}

	if res := w.set("max_speed", param.NewValue(0.7)); !res.Successful {
		t.Fatalf("max_speed = 0.7 is refused: %s", res.Reason)
	}
	w.run(3 * time.Second)
	if v := w.last().v; v != 0.7 {
		t.Errorf("%g m/s after max_speed was set to 0.7", v)
	}
	if v, _ := w.node.Parameters().Get("max_speed"); v.Any() != 0.7 {
		t.Errorf("max_speed is %v, want 0.7", v)
	}
}

// Errors in a configuration that a program fills in name the parameters, too.
func TestConfigurationOfAProgram(t *testing.T) {
	good := follower.DefaultConfig()
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*follower.Config){
		"goal.source":  func(c *follower.Config) { c.Source = "hearsay" },
		"goal.timeout": func(c *follower.Config) { c.GoalTimeout = -1 },
		"frame_id":     func(c *follower.Config) { c.FrameID = "" },
		"max_speed":    func(c *follower.Config) { c.Pursuit.MaxSpeed = -1 },
		"acceleration": func(c *follower.Config) { c.Pursuit.Acceleration = math.Inf(1) },
		"pose_timeout": func(c *follower.Config) { c.Pursuit.MaxPoseAge = 0 },
	} {
		cfg := follower.DefaultConfig()
		change(&cfg)
		if err := cfg.Validate(); err == nil || !strings.HasPrefix(err.Error(), "follower: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v", want, err)
		}
	}
}

func TestGoalTimeoutWhileDriving(t *testing.T) {
	w := fast(t, nil)
	if res := w.set("goal.timeout", param.NewValue(0.5)); !res.Successful {
		t.Fatalf("goal.timeout = 0.5 is refused: %s", res.Reason)
	}
	from := w.ex.Now()
	w.run(6 * time.Second)
	w.mustStand(from+int64(500*time.Millisecond+stoppingTime(w)), "goal.timeout of 0.5 s")
}

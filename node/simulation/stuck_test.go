package simulation

import (
	"bytes"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"ugp_explorer/msgs/nav_msgs"
)

// An obstacle on the way to a target, which nobody knows of: the robot is halted soon after it
// has come there, the target is skipped, and the mission goes on around the obstacle.
func TestStuckAtAnObstacle(t *testing.T) {
	free := explore(t, DefaultConfig(1), "ugp_explorer: {ros__parameters: {budget.samples: 1}}")
	from, to := *free.Home, free.Observations[0].Target
	const radius = 3
	x, y := (from[0]+to[0])/2, (from[1]+to[1])/2

	cfg := DefaultConfig(1)
	cfg.Fieldsim.Obstacles = []float64{x, y, radius}
	var log bytes.Buffer
	s := begin(t, &cfg, Options{
		Log:        slog.NewTextHandler(&log, nil),
		Parameters: parameters(t, "ugp_explorer: {ros__parameters: {budget.samples: 3}}"),
	})
	var touched, halted time.Duration // when the robot first came to the obstacle, and then to its halt
	listen(t, s, "spectator", "ground_truth/odom", func(m *nav_msgs.Odometry) {
		d := math.Hypot(m.Pose.Pose.Position.X-x, m.Pose.Pose.Position.Y-y)
		now := time.Duration(s.executor.Now())
		if touched == 0 && d < radius {
			touched = now
		}
		if touched != 0 && halted == 0 && strings.Contains(log.String(), "the robot is stuck") {
			halted = now
		}
	})
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	m := s.Explorer().Record()
	if touched == 0 || halted == 0 {
		t.Fatalf("the robot came to the obstacle at %v and was halted at %v; %s", touched, halted, m.Outcome)
	}
	// The filter notices the slip after some seconds and goes back to the fixes, which stay.
	if halted-touched > 12*time.Second {
		t.Errorf("halted %v after it came to the obstacle", halted-touched)
	}
	if len(m.Observations) != 3 || len(m.Skipped) == 0 || !strings.Contains(m.Skipped[0].Reason, "stuck at (") {
		t.Errorf("%d samples, skipped %+v", len(m.Observations), m.Skipped)
	}
}

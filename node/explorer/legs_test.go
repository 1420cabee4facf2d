package explorer_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/action_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
)

// maze is a concave field with keep-outs, in which no two corners see each other.
func maze() field.Field {
	return field.Field{
		Boundary: orb.Polygon{{{0, 0}, {100, 0}, {100, 100}, {55, 100}, {55, 60}, {45, 60}, {45, 100}, {0, 100}, {0, 0}}},
		KeepOuts: []orb.Polygon{
			{{{15, 30}, {90, 28}, {90, 31}, {15, 33}, {15, 30}}},
			{{{70, 50}, {85, 55}, {80, 80}, {65, 75}, {70, 50}}},
			{{{20, 60}, {30, 60}, {30, 85}, {20, 85}, {20, 60}}},
		},
	}
}

// around returns a mission of several samples in the maze, all over it.
func around() explorer.Config {
	cfg := byAction()
	cfg.Outline = maze()
	cfg.Method = "random"
	cfg.Model.Fit = false
	cfg.Mission.Budget.Samples = 12
	return cfg
}

// track calls check with each place of the robot until the mission ends, and returns the least
// distance from an edge, m.
func (w *world) closest() *float64 {
	least := math.Inf(1)
	_, err := w.node.NewTimer(robotStep, func() {
		least = min(least, w.explorer.Region().SignedDistance(orb.Point{w.x, w.y}))
	})
	w.must(err)
	return &least
}

// A Nav2 that knows nothing of the field and drives straight to its goals is kept out of
// every keep-out and within the field by goals at the corners of the path, most of
// the margin included, and does not stop at them. Without legs it crosses keep-outs.
func TestLegsKeepOutOfKeepOuts(t *testing.T) {
	for _, c := range []struct {
		legs  bool
		probe localization.Lever
	}{{true, localization.Lever{X: -0.5, Y: 0.4}}, {false, localization.Lever{}}} {
		t.Run(fmt.Sprintf("legs %v, probe %v", c.legs, c.probe), func(t *testing.T) {
			cfg := around()
			cfg.Legs, cfg.Matcher.Probe = c.legs, c.probe
			if !c.legs { // the robot would be halted before it crosses
				cfg.Field.Sigmas = 0
			}
			w := newWorld(t, cfg)
			w.cov = [3][3]float64{{1e-4, 0, 0}, {0, 1e-4, 0}, {0, 0, 0.0025}} // the ellipse needs no room
			s := w.serve()
			least := w.closest()
			var grid nav_msgs.OccupancyGrid
			hear(w, "ugp_explorer/keepout", ros.Latched(), func(m *nav_msgs.OccupancyGrid) { grid = *m; grid.Data = append([]int8(nil), m.Data...) })
			m := w.mission()
			if len(m.Observations) != 12 || len(m.Skipped) != 0 {
				t.Fatalf("%d samples, %d targets skipped: %s", len(m.Observations), len(m.Skipped), m.Outcome)
			}
			if keeps := *least >= 0.7*w.cfg.Field.Margin; keeps != c.legs {
				t.Errorf("the robot came to %.2f m from an edge, the margin is %g m", *least, w.cfg.Field.Margin)
			}
			preempted, stops := 0, 0
			for i, g := range s.Goals {
				p := g.Pose.Pose.Position
				if v := occupied(&grid, p.X, p.Y); v != 0 {
					t.Errorf("goal %d at (%g, %g) lies in a cell with %d", i, p.X, p.Y, v)
				}
				switch {
				case g.Replaced:
					preempted++
				case g.Status == action_msgs.GoalStatusStatusSucceeded:
					stops++
				default:
					t.Errorf("goal %d has the status %d", i, g.Status)
				}
			}
			if c.legs && preempted < 10 || !c.legs && preempted > 0 || stops > 13+3 {
				t.Errorf("of %d goals %d were replaced on the way and %d reached, want the targets and home to be reached", len(s.Goals), preempted, stops)
			}
			t.Logf("%d goals, %d replaced, %d reached, %.2f m from an edge", len(s.Goals), preempted, stops, *least)
			if log := w.log.String(); strings.Contains(log, "WARN") {
				t.Errorf("all is well, and the log has\n%s", log)
			}
		})
	}
}

// A robot that is led off its leg, so that a straight line to its goal crosses a keep-out, gets
// another goal.
func TestRobotLedOffItsLeg(t *testing.T) {
	cfg := byAction()
	cfg.Outline = between()
	cfg.Home = []float64{20, 10}
	w, s := served(t, cfg)
	w.speed = 1
	w.until("a goal", func() bool { return s.Goal() != nil })
	least := w.closest()
	w.x, w.y = 75, 8 // beyond the keep-out
	w.state(mission.StateSampling)
	w.speed = 5
	w.run(time.Second)
	w.until("a goal to the west", func() bool { return s.Goal() != nil })
	w.call("home")
	w.until("the way home", func() bool { return s.Goal() != nil && w.explorer.State() == mission.StateReturning })
	w.speed = 1
	w.x, w.y = 80, 20
	w.run(2500 * time.Millisecond)
	if g := s.Goal(); g == nil || w.explorer.Region().Clear(orb.Point{w.x, w.y}, orb.Point{g.Pose.Pose.Position.X, g.Pose.Pose.Position.Y}, 1) == false {
		t.Errorf("the goal after the robot was led to (80, 20): %v", w.way)
	}
	w.speed = 5
	w.finish()
	if *least < 0.7*w.cfg.Field.Margin {
		t.Errorf("the robot came to %.2f m from an edge", *least)
	}
	if !strings.Contains(w.log.String(), "the robot is off its way") {
		t.Errorf("the log is\n%s", w.log.String())
	}
}

// A home outside of the field is where Nav2 cannot drive: the free place nearest to it is home
// instead, and the log says so.
func TestHomeOutsideTheField(t *testing.T) {
	cfg := byAction()
	cfg.Home = []float64{50, -6}
	w := newWorld(t, cfg)
	s := w.serve()
	m := w.mission()
	last := s.Goals[len(s.Goals)-1].Pose.Pose.Position
	if m.Outcome != "the budget of 4 samples is used" || math.Hypot(last.X-50, last.Y-2) > 0.1 {
		t.Errorf("the last goal is (%g, %g): %s", last.X, last.Y, m.Outcome)
	}
	if m.Home == nil || math.Hypot(m.Home[0]-50, m.Home[1]-2) > 0.1 || !strings.Contains(w.log.String(), "home lies outside the field") {
		t.Errorf("home is %v\n%s", m.Home, w.log.String())
	}
}

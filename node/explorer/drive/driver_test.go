// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package drive_test

import (
	"context"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/fieldtest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/nav2test"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/drive"
	"ugp_explorer/node/explorer/ground"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
)

// margin, in m, of a field with a keep-out in the middle of its southern half.
const margin = 2.0

// rig is a driver and a robot that drives at 5 m/s, straight to where it is sent.
type rig struct {
	t      *testing.T
	ex     *exec.Simulated
	node   *ros.Node // of the robot
	ground *ground.Ground
	driver *drive.Driver

	at, to orb.Point
	least  float64 // distance of the robot from an edge so far, m
	events []mission.Event
	notes  []any
	held   string // why the guard stops the robot
}

func newRig(t *testing.T, cfg drive.Config) *rig {
	t.Helper()
	outline := field.Field{
		Boundary: orb.Polygon{{{0, 0}, {100, 0}, {100, 100}, {0, 100}, {0, 0}}},
		KeepOuts: []orb.Polygon{{{{40, -1}, {60, -1}, {60, 60}, {40, 60}, {40, -1}}}},
	}
	region := fieldtest.Region(t, outline, margin)
	g, err := ground.New(ground.Config{Outline: outline, Region: region, Inscribed: 40, Radius: 0.8, HomeTolerance: 2})
	must.OK(t, err)
	r := &rig{t: t, ex: exec.NewSimulated(int64(time.Second)), ground: g, at: orb.Point{20, 10}, to: orb.Point{20, 10}, least: math.Inf(1)}
	graph := inproc.New()
	quiet := ros.NodeOptions{NoRosout: true, LogHandler: slog.DiscardHandler}
	own := rostest.Node(t, graph, r.ex, "explorer", quiet)
	r.node = rostest.Node(t, graph, r.ex, "robot", quiet)
	r.driver, err = drive.New(own, cfg, g, drive.Robot{
		At: func() orb.Point { return r.at }, Yaw: func() float64 { return 0 },
		Tell: func(e mission.Event) {
			r.events = append(r.events, e)
			if _, over := e.(mission.EventRecovered); !over {
				r.driver.Halt(&r.at) // as the mission commands
			}
		},
		Note: func(entry any) { r.notes = append(r.notes, entry) },
		Held: func() string { return r.held },
	})
	must.OK(t, err)
	r.every(own, time.Duration(cfg.Period*float64(time.Second)), r.driver.Due)
	r.every(r.node, 100*time.Millisecond, r.step)
	return r
}

func (r *rig) every(n *ros.Node, period time.Duration, fn func()) {
	r.t.Helper()
	if _, err := n.NewTimer(period, fn); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) step() {
	dx, dy := r.to[0]-r.at[0], r.to[1]-r.at[1]
	if left := math.Hypot(dx, dy); left > 0 {
		d := min(0.5, left)
		r.at = orb.Point{r.at[0] + dx/left*d, r.at[1] + dy/left*d}
	}
	r.least = min(r.least, r.ground.Region().SignedDistance(r.at))
	r.driver.Moved()
}

// serve drives the robot by the action.
func (r *rig) serve() *nav2test.Server {
	r.t.Helper()
	s, err := nav2test.New(r.node, nav2test.Name)
	must.OK(r.t, err)
	s.Accepted = func(g *nav2test.Goal) { r.to = orb.Point{g.Pose.Pose.Position.X, g.Pose.Pose.Position.Y} }
	r.every(r.node, 100*time.Millisecond, func() {
		if g := s.Goal(); g != nil && r.at == (orb.Point{g.Pose.Pose.Position.X, g.Pose.Pose.Position.Y}) {
			g.Succeed()
		}
	})
	return s
}

func (r *rig) run(d time.Duration) {
	r.t.Helper()
	must.OK(r.t, r.ex.RunTo(context.Background(), r.ex.Now()+int64(d)))
}

// across drives along the shortest path around the keep-out, and returns the end.
func (r *rig) across() orb.Point {
	r.t.Helper()
	end := orb.Point{80, 10}
	path, err := r.ground.PathTo(r.at, end)
	must.OK(r.t, err)
	r.driver.Drive(r.at, path)
	return end
}

// only returns the one event that there was, which must be an E.
func only[E mission.Event](r *rig) (e E) {
	r.t.Helper()
	if len(r.events) == 1 {
		if e, ok := r.events[0].(E); ok {
			return e
		}
	}
	r.t.Fatalf("the events are %#v, want one %T", r.events, e)
	return e
}

func byAction() drive.Config {
	return drive.Config{Action: true, Frame: "map", Period: 2, Tolerance: 2, Timeout: 60, Legs: true}
}

// By the topics a path is repeated as plan until the robot is to stay, which an empty one
// says.
func TestPathOnTopics(t *testing.T) {
	r := newRig(t, drive.Config{Frame: "map", Period: 2, Tolerance: 2, Timeout: 60})
	var plans [][]orb.Point
	rostest.Hear(t, r.node, "plan", ros.DefaultQoS(), func(m *nav_msgs.Path) { plans = append(plans, convert.WayPoints(nil, m)) })
	r.run(time.Second)
	end := r.across()
	r.run(5 * time.Second)
	if n := len(plans); n < 3 || !slices.Equal(plans[0], plans[n-1]) || plans[0][len(plans[0])-1] != end {
		t.Fatalf("the plans are %v, want the same one repeatedly, to %v", plans, end)
	}
	r.driver.Halt(&r.at)
	before := len(plans)
	r.run(5 * time.Second)
	if len(plans) != before+1 || len(plans[before]) != 0 {
		t.Errorf("after the halt the plans are %v, want one without points", plans[before:])
	}
	if len(r.events) > 0 || len(r.notes) > 0 {
		t.Errorf("events %v, notes %v, want none: who follows a topic tells nothing", r.events, r.notes)
	}
}

// A server that drives straight to its goals is led around the keep-out. Each goal is noted
// for the journal, and the end is told once.
func TestPathInLegs(t *testing.T) {
	r := newRig(t, byAction())
	s := r.serve()
	r.run(time.Second)
	end := r.across()
	r.run(time.Minute)
	if only[mission.EventDriveDone](r); r.at != r.ground.Allowed(end) {
		t.Errorf("the drive ends at %v, want %v", r.at, end)
	}
	if r.least < 0.7*margin {
		t.Errorf("the robot came to %.2f m from an edge, want most of the margin, %g m", r.least, margin)
	}
	if len(s.Goals) < 3 || len(r.notes) != len(s.Goals) {
		t.Errorf("%d goals and %d notes, want a goal for each corner and a note for each goal", len(s.Goals), len(r.notes))
	}
	for _, n := range r.notes {
		if g, ok := n.(journal.Goal); !ok || len(g.ID) != 32 {
			t.Errorf("a note is %+v, want a goal with 16 bytes of id", n)
		}
	}
}

// A server that aborts every goal gets them in shorter legs, down to some metres, before the
// target is blamed.
func TestTargetIsBlamedLast(t *testing.T) {
	r := newRig(t, byAction())
	s := r.serve()
	s.Accepted = func(g *nav2test.Goal) { r.node.After(10*time.Second, g.Abort) }
	r.run(time.Second)
	r.across()
	r.run(4 * time.Minute)
	if e := only[mission.EventDriveFailed](r); e.Reason != "/navigate_to_pose aborted the goal" {
		t.Errorf("the event is %#v", e)
	}
	var far []float64
	for _, g := range s.Goals {
		p := g.Pose.Pose.Position
		far = append(far, math.Hypot(p.X-r.at[0], p.Y-r.at[1]))
	}
	n := len(far)
	for i := 1; i < n; i++ {
		if want := far[i-1] / 2; math.Abs(far[i]-want) > 0.1 {
			t.Errorf("goal %d is %.1f m away, want half of the distance of the one before, %.1f m", i, far[i], want)
		}
	}
	if n < 4 || far[n-1] > 10 || far[n-1] < 5 {
		t.Errorf("goals at %.1f m, want the last between 5 m and 10 m", far)
	}
}

// When a goal is replaced at the moment in which it is reached, Nav2 reports the success of the new
// one. That is neither a failure nor the end of the drive: the goal is sent again.
func TestSuccessOfTheGoalBefore(t *testing.T) {
	cfg := byAction()
	cfg.MaxLeg = 20 // so that far goals replace others
	r := newRig(t, cfg)
	s := r.serve()
	move := s.Accepted
	raced := 0 // successes of goals that are far away
	s.Accepted = func(g *nav2test.Goal) {
		i := len(s.Goals) - 1
		if i > 0 && s.Goals[i-1].Replaced {
			raced++
			g.Succeed()
			return
		}
		move(g)
	}
	r.run(time.Second)
	end := r.across()
	r.run(4 * time.Minute)
	if only[mission.EventDriveDone](r); math.Hypot(r.at[0]-end[0], r.at[1]-end[1]) > 0.1 || raced == 0 {
		t.Errorf("the drive ends at %v, after %d successes of goals that were far away", r.at, raced)
	}
}

// A server that stops short of its goals, farther than the explorer's tolerance, is led on
// from where it stops, and around the keep-out all the same.
func TestGoalsAreReachedFromAfar(t *testing.T) {
	const short = 0.9
	cfg := byAction()
	cfg.Tolerance = 0.3
	r := newRig(t, cfg)
	s, err := nav2test.New(r.node, nav2test.Name)
	must.OK(t, err)
	left := func(g *nav2test.Goal) float64 {
		return math.Hypot(g.Pose.Pose.Position.X-r.at[0], g.Pose.Pose.Position.Y-r.at[1])
	}
	s.Accepted = func(g *nav2test.Goal) {
		if left(g) > short {
			r.to = orb.Point{g.Pose.Pose.Position.X, g.Pose.Pose.Position.Y}
		}
	}
	r.every(r.node, 100*time.Millisecond, func() {
		if g := s.Goal(); g != nil && left(g) <= short {
			r.to = r.at
			g.Succeed()
		}
	})
	r.run(time.Second)
	end := r.across()
	r.run(2 * time.Minute)
	if only[mission.EventDriveDone](r); math.Hypot(r.at[0]-end[0], r.at[1]-end[1]) > short {
		t.Errorf("the drive ends at %v, want %.1f m from %v", r.at, short, end)
	}
	if r.least < 0.5*margin {
		t.Errorf("the robot came to %.2f m from an edge", r.least)
	}
}

// A server that aborts a goal because it is being stopped, and then rejects all, says nothing about the length of legs.
func TestServerThatIsStoppedShortensNoLegs(t *testing.T) {
	r := newRig(t, byAction())
	s := r.serve()
	r.run(time.Second)
	r.across()
	r.run(3 * time.Second)
	goal := s.Goal()
	s.Decide = func(*nav2test.Goal) bool { return false }
	goal.Abort()
	r.to = r.at
	r.run(5 * time.Second)
	s.Decide = nil
	r.run(2 * time.Second)
	if again := s.Goal(); again == nil || again.Pose.Pose.Position != goal.Pose.Pose.Position {
		t.Errorf("the goal at %+v was followed by %+v", goal.Pose.Pose.Position, again)
	}
}

// While the guard stops the robot, Nav2 aborts each goal, because the robot makes no progress. Neither the target nor the length of the legs is
// to blame: afterwards the robot drives on to the same goal.
func TestGoalsThatFailByTheGuard(t *testing.T) {
	r := newRig(t, byAction())
	s := r.serve()
	r.run(time.Second)
	r.across()
	r.run(time.Second)
	goal := s.Goal()
	r.held, r.to = "the guard stops the robot", r.at
	s.Accepted = func(g *nav2test.Goal) { r.node.After(10*time.Second, g.Abort) }
	goal.Abort()
	r.run(2 * time.Minute)
	if len(s.Goals) < 5 || len(r.events) > 0 {
		t.Errorf("%d goals, events %+v", len(s.Goals), r.events)
	}
	if again := s.Goals[len(s.Goals)-1]; again.Pose.Pose.Position != goal.Pose.Pose.Position {
		t.Errorf("the goal at %+v was followed by %+v", goal.Pose.Pose.Position, again.Pose.Pose.Position)
	}
}

// If there is no server for a path, the driver says so after the timeout, and what
// is missing is known before.
func TestNobodyServes(t *testing.T) {
	cfg := byAction()
	cfg.Timeout = 10
	r := newRig(t, cfg)
	r.run(time.Second)
	missing := r.driver.Missing()
	if missing == "" {
		t.Error("no server is missing")
	}
	r.across()
	r.run(11 * time.Second)
	if e := only[mission.EventFault](r); e.Reason != missing {
		t.Errorf("the fault is %q, want %q", e.Reason, missing)
	}
	r.serve()
	r.run(10 * time.Second)
	r.events = r.events[1:]
	if only[mission.EventRecovered](r); r.driver.Missing() != "" {
		t.Errorf("missing %q, want the fault to be over", r.driver.Missing())
	}
}

// A server that calls goals reached that are not is not led on to the next corner: the straight way
// there may cross the keep-out.
func TestLegThatSucceedsElsewhere(t *testing.T) {
	r := newRig(t, byAction())
	s := r.serve()
	s.Accepted = func(g *nav2test.Goal) { r.node.After(3*time.Second, g.Succeed) }
	r.run(time.Second)
	r.across()
	r.run(4 * time.Minute)
	if e := only[mission.EventDriveFailed](r); !strings.Contains(e.Reason, "/navigate_to_pose reported the success of a goal that is still ") {
		t.Errorf("the event is %#v", e)
	}
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package conformance

import (
	"errors"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/nav2test"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav2_msgs"
	"ugp_explorer/node/ros"
)

// Actions runs the tests of action clients on the transport. The transport must support the
// service types of an action.
func Actions(t *testing.T, open Open) {
	run(t, open, nil, []test{
		{"goals end as the server says", goalsEnd},
		{"goals are canceled", goalsCanceled},
		{"a new goal takes the place of another", goalsPreempted},
		{"a new server does not know a goal", goalLost},
		{"a goal without a server", noActionServer},
	})
}

// heard records the callbacks for a goal.
type heard struct {
	*ros.Goal
	accepted int
	feedback []float32
	outcomes []ros.Outcome
}

func newNavClient(g *graph, n *ros.Node) *ros.ActionClient {
	g.t.Helper()
	c, err := ros.NewActionClient(n, nav2test.Name)
	must.OK(g.t, err)
	return c
}

func newServer(g *graph, n *ros.Node) *nav2test.Server {
	g.t.Helper()
	s, err := nav2test.New(n, nav2test.Name)
	must.OK(g.t, err)
	return s
}

func sendGoal(g *graph, c *ros.ActionClient, x float64) *heard {
	g.t.Helper()
	h := &heard{}
	goal := nav2_msgs.NavigateToPoseGoal{Pose: geometry_msgs.PoseStamped{Pose: geometry_msgs.Pose{Position: geometry_msgs.Point{X: x}}}}
	var err error
	h.Goal, err = c.Send(&goal, ros.GoalHandlers{
		Accepted: func() { h.accepted++ },
		Feedback: func(f *nav2_msgs.NavigateToPoseFeedback) { h.feedback = append(h.feedback, f.DistanceRemaining) },
		Done:     func(o ros.Outcome) { h.outcomes = append(h.outcomes, o) },
	})
	must.OK(g.t, err)
	return h
}

// ended waits for the end of a goal.
func (h *heard) ended(g *graph, want ros.Outcome, accepted int) {
	g.t.Helper()
	g.wait("the end of a goal", func() bool { return len(h.outcomes) > 0 })
	if len(h.outcomes) != 1 || h.outcomes[0] != want || h.accepted != accepted || !h.Over() {
		g.t.Errorf("accepted %d times, ended as %v; want %d times, %v", h.accepted, h.outcomes, accepted, want)
	}
}

func goalsEnd(t *testing.T, g *graph) {
	server, client := newServer(g, g.node("server", ros.NodeOptions{})), newNavClient(g, g.node("client", ros.NodeOptions{}))
	if client.Name() != "/navigate_to_pose" {
		t.Errorf("the action is %s", client.Name())
	}
	server.Decide = func(goal *nav2test.Goal) bool { return goal.Pose.Pose.Position.X >= 0 }
	g.matched(client)
	sendGoal(g, client, -1).ended(g, ros.GoalRejected, 0)
	for i, c := range []struct {
		end  func(*nav2test.Goal)
		want ros.Outcome
	}{{(*nav2test.Goal).Succeed, ros.GoalSucceeded}, {(*nav2test.Goal).Abort, ros.GoalAborted}, {(*nav2test.Goal).Drop, ros.GoalCanceled}} {
		h := sendGoal(g, client, float64(i))
		g.wait("the acceptance", func() bool { return h.accepted == 1 && server.Goal() != nil })
		goal := server.Goal()
		if x := goal.Pose.Pose.Position.X; x != float64(i) {
			t.Errorf("the goal is at %g m, want %d m", x, i)
		}
		// Feedback before the client's subscription is matched is lost, as of every volatile topic.
		g.wait("feedback", func() bool {
			must.OK(t, goal.Feedback(2.5))
			return len(h.feedback) > 0
		})
		if h.feedback[0] != 2.5 || len(h.outcomes) != 0 {
			t.Errorf("feedback %v, outcomes %v", h.feedback, h.outcomes)
		}
		c.end(goal)
		h.ended(g, c.want, 1)
	}
	if client.OthersGoal() {
		t.Error("a goal of the client's own is taken for another's")
	}
}

func goalsCanceled(t *testing.T, g *graph) {
	server, client := newServer(g, g.node("server", ros.NodeOptions{})), newNavClient(g, g.node("client", ros.NodeOptions{}))
	g.matched(client)
	for _, early := range []bool{false, true} { // before the goal is accepted, as far as the client knows
		h := sendGoal(g, client, 1)
		if !early {
			g.wait("the acceptance", func() bool { return h.accepted == 1 })
		}
		h.Cancel()
		h.Cancel() // does nothing
		h.ended(g, ros.GoalCanceled, 1)
	}
	asked := 0
	server.Cancel = func(goal *nav2test.Goal) bool {
		asked++
		return asked > 1 // it is asked again
	}
	h := sendGoal(g, client, 1)
	g.wait("the acceptance", func() bool { return h.accepted == 1 })
	h.Cancel()
	g.wait("the second request", func() bool { return asked == 2 })
	server.Goal().Drop()
	h.ended(g, ros.GoalCanceled, 1)
}

func goalsPreempted(t *testing.T, g *graph) {
	server := newServer(g, g.node("server", ros.NodeOptions{}))
	client, other := newNavClient(g, g.node("client", ros.NodeOptions{})), newNavClient(g, g.node("other", ros.NodeOptions{}))
	g.matched(client, other)
	first := sendGoal(g, client, 1)
	g.wait("the acceptance", func() bool { return first.accepted == 1 })
	second := sendGoal(g, client, 2)
	first.ended(g, ros.GoalAborted, 1)
	g.wait("the acceptance", func() bool { return second.accepted == 1 })
	third := sendGoal(g, other, 3)
	second.ended(g, ros.GoalAborted, 1)
	g.wait("the other's goal", client.OthersGoal)
	server.Goal().Succeed()
	third.ended(g, ros.GoalSucceeded, 1)
	g.wait("the end of the other's goal", func() bool { return !client.OthersGoal() })
}

func goalLost(t *testing.T, g *graph) {
	node := g.node("server", ros.NodeOptions{})
	server, client := newServer(g, node), newNavClient(g, g.node("client", ros.NodeOptions{}))
	g.matched(client)
	h := sendGoal(g, client, 1)
	g.wait("the acceptance", func() bool { return h.accepted == 1 })
	must.OK(t, server.Close())
	newServer(g, node)
	h.ended(g, ros.GoalLost, 1)
}

func noActionServer(t *testing.T, g *graph) {
	client := newNavClient(g, g.node("client", ros.NodeOptions{}))
	if _, err := client.Send(&nav2_msgs.NavigateToPoseGoal{}, ros.GoalHandlers{}); !errors.Is(err, ros.ErrNoServer) {
		t.Errorf("a goal without a server: %v, want ErrNoServer", err)
	}
}

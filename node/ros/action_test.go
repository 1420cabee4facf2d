// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ros_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/action_msgs"
	"ugp_explorer/msgs/nav2_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/names"
)

func newNavClient(t *testing.T, n *ros.Node, name string) *ros.ActionClient {
	t.Helper()
	c, err := ros.NewActionClient(n, name)
	must.OK(t, err)
	return c
}

// rawServer serves an action so that a test has each answer in its hands.
type rawServer struct {
	accept   func(answer func(*nav2_msgs.NavigateToPoseSendGoalResponse))
	result   func(answer func(*anyResponse))
	cancels  int
	status   *ros.Publisher[action_msgs.GoalStatusArray, *action_msgs.GoalStatusArray]
	feedback *ros.RawPublisher
	ids      [][16]byte
}

// anyResponse is a response of get_result as bytes, for what other distributions
// and hostile servers send.
type anyResponse struct{ cdr []byte }

func (*anyResponse) TypeName() string                { return "nav2_msgs/action/NavigateToPose_GetResult_Response" }
func (m *anyResponse) AppendCDR(dst []byte) []byte   { return append(dst, m.cdr...) }
func (m *anyResponse) UnmarshalCDR(src []byte) error { m.cdr = slices.Clone(src); return nil }

func newRawServer(t *testing.T, n *ros.Node) *rawServer {
	t.Helper()
	s := &rawServer{
		accept: func(answer func(*nav2_msgs.NavigateToPoseSendGoalResponse)) {
			answer(&nav2_msgs.NavigateToPoseSendGoalResponse{Accepted: true})
		},
		result: func(func(*anyResponse)) {},
	}
	check := func(err error) {
		t.Helper()
		must.OK(t, err)
	}
	_, err := ros.ServeLater(n, "nav/_action/send_goal", func(req *nav2_msgs.NavigateToPoseSendGoalRequest, answer func(*nav2_msgs.NavigateToPoseSendGoalResponse)) {
		s.ids = append(s.ids, req.GoalID.Uuid)
		s.accept(answer)
	})
	check(err)
	_, err = ros.ServeLater(n, "nav/_action/get_result", func(_ *nav2_msgs.NavigateToPoseGetResultRequest, answer func(*anyResponse)) { s.result(answer) })
	check(err)
	_, err = ros.Serve(n, "nav/_action/cancel_goal", func(req *action_msgs.CancelGoalRequest, res *action_msgs.CancelGoalResponse) {
		s.cancels++
		res.ReturnCode = action_msgs.CancelGoalResponseErrorUnknownGoalID
	})
	check(err)
	s.status, err = ros.Advertise[action_msgs.GoalStatusArray](n, "nav/_action/status", ros.Latched())
	check(err)
	s.feedback, err = ros.AdvertiseRaw(n, "nav/_action/feedback", "nav2_msgs/action/NavigateToPose_FeedbackMessage", "", ros.DefaultQoS())
	check(err)
	return s
}

// say publishes the status of the last goal.
func (s *rawServer) say(t *testing.T, status int8) {
	t.Helper()
	m := action_msgs.GoalStatusArray{StatusList: make([]action_msgs.GoalStatus, 1)}
	m.StatusList[0].GoalInfo.GoalID.Uuid = s.ids[len(s.ids)-1]
	m.StatusList[0].Status = status
	must.OK(t, s.status.Publish(&m))
}

// rawPair returns a client and its server, and a function that sends a goal and
// returns it with where its outcomes are gathered.
func rawPair(t *testing.T) (ex *exec.Simulated, s *rawServer, log *bytes.Buffer, send func(ros.GoalHandlers) (*ros.Goal, *[]ros.Outcome)) {
	log = &bytes.Buffer{}
	ex = exec.NewSimulated(0)
	tr := inproc.New()
	s = newRawServer(t, rostest.Node(t, tr, ex, "server", ros.NodeOptions{}))
	c := newNavClient(t, rostest.Node(t, tr, ex, "client", ros.NodeOptions{LogHandler: rostest.LogTo(log)}), "nav")
	return ex, s, log, func(h ros.GoalHandlers) (*ros.Goal, *[]ros.Outcome) {
		outcomes := new([]ros.Outcome)
		h.Done = func(o ros.Outcome) { *outcomes = append(*outcomes, o) }
		g, err := c.Send(&nav2_msgs.NavigateToPoseGoal{}, h)
		must.OK(t, err)
		rostest.Drain(t, ex)
		return g, outcomes
	}
}

func pass(t *testing.T, ex *exec.Simulated, d time.Duration) {
	t.Helper()
	must.OK(t, ex.RunTo(context.Background(), ex.Now()+int64(d)))
}

func wantOutcome(t *testing.T, got *[]ros.Outcome, want ...ros.Outcome) {
	t.Helper()
	if !slices.Equal(*got, want) {
		t.Errorf("the goal ended as %v, want %v", *got, want)
	}
}

// A goal that is not answered is lost, and canceled in case it was accepted.
func TestGoalWithoutAnswer(t *testing.T) {
	ex, s, _, send := rawPair(t)
	var late func(*nav2_msgs.NavigateToPoseSendGoalResponse)
	s.accept = func(answer func(*nav2_msgs.NavigateToPoseSendGoalResponse)) { late = answer }
	g, outcomes := send(ros.GoalHandlers{Accepted: func() { t.Error("it was accepted") }})
	pass(t, ex, 9*time.Second)
	wantOutcome(t, outcomes)
	pass(t, ex, 2*time.Second)
	wantOutcome(t, outcomes, ros.GoalLost)
	late(&nav2_msgs.NavigateToPoseSendGoalResponse{Accepted: true})
	pass(t, ex, time.Minute)
	wantOutcome(t, outcomes, ros.GoalLost)
	if s.cancels != 1 || !g.Over() {
		t.Errorf("canceled %d times, over %v", s.cancels, g.Over())
	}
}

// Where the result does not come though the goal has ended, it is asked for again;
// when the server has forgotten it by then, the status holds.
func TestResultThatDoesNotCome(t *testing.T) {
	for _, c := range []struct {
		second []byte
		want   ros.Outcome
	}{{[]byte{0, 1, 0, 0, 4, 0}, ros.GoalSucceeded}, {[]byte{0, 1, 0, 0, 0, 0}, ros.GoalAborted}} {
		ex, s, _, send := rawPair(t)
		asked := 0
		s.result = func(answer func(*anyResponse)) {
			if asked++; asked == 2 {
				answer(&anyResponse{c.second})
			}
		}
		_, outcomes := send(ros.GoalHandlers{})
		s.say(t, action_msgs.GoalStatusStatusExecuting)
		pass(t, ex, time.Minute)
		wantOutcome(t, outcomes)
		if asked != 1 {
			t.Errorf("asked %d times for a result that is not due", asked)
		}
		s.say(t, action_msgs.GoalStatusStatusAborted)
		pass(t, ex, 4*time.Second)
		wantOutcome(t, outcomes, c.want)
	}
}

// What later distributions send is understood, and what nobody sends does no harm.
func TestAnswersOfOtherForms(t *testing.T) {
	for _, c := range []struct {
		name   string
		result []byte
		want   ros.Outcome
		text   string
		bad    bool
	}{
		{"Humble", []byte{0, 1, 0, 0, 5, 0}, ros.GoalCanceled, "", false},
		{"Jazzy", []byte{0, 1, 0, 0, 6, 0, 203, 0, 3, 0, 0, 0, 'n', 'o', 0}, ros.GoalAborted, "no", false},
		{"one with more at the end", []byte{0, 1, 0, 0, 6, 0, 203, 0, 3, 0, 0, 0, 'n', 'o', 0, 0, 1, 2, 3, 4, 5, 6, 7, 8}, ros.GoalAborted, "no", false},
		{"a broken string", []byte{0, 1, 0, 0, 6, 0, 203, 0, 99, 0, 0, 0, 'n'}, ros.GoalAborted, "", true},
		{"nothing", []byte{0, 1, 0, 0}, ros.GoalLost, "", true},
		{"garbage", []byte{9}, ros.GoalLost, "", true},
		{"a status that is none", []byte{0, 1, 0, 0, 77, 0}, ros.GoalLost, "", false},
	} {
		_, s, log, send := rawPair(t)
		s.result = func(answer func(*anyResponse)) { answer(&anyResponse{c.result}) }
		g, outcomes := send(ros.GoalHandlers{})
		wantOutcome(t, outcomes, c.want)
		if g.Result.ErrorMsg != c.text {
			t.Errorf("%s: the error is %q, want %q", c.name, g.Result.ErrorMsg, c.text)
		}
		if bad := strings.Contains(log.String(), "cannot be decoded"); bad != c.bad {
			t.Errorf("%s: the log has\n%s", c.name, log)
		}
	}
}

// Lyrical's feedback has two numbers more at its end than Humble's.
func TestFeedbackOfOtherForms(t *testing.T) {
	ex, s, log, send := rawPair(t)
	var heard []float32
	send(ros.GoalHandlers{Feedback: func(f *nav2_msgs.NavigateToPoseFeedback) { heard = append(heard, f.DistanceRemaining) }})
	m := nav2_msgs.NavigateToPoseFeedbackMessage{}
	m.GoalID.Uuid = s.ids[0]
	m.Feedback.DistanceRemaining = 3.5
	humble := m.AppendCDR(nil)
	m.GoalID.Uuid[0]++
	for _, cdr := range [][]byte{humble, append(slices.Clone(humble), make([]byte, 8)...), m.AppendCDR(nil), humble[:40], {1}} {
		must.OK(t, s.feedback.Publish(cdr, 0))
	}
	rostest.Drain(t, ex)
	if !slices.Equal(heard, []float32{3.5, 3.5}) {
		t.Errorf("heard %v", heard)
	}
	if !strings.Contains(log.String(), "cannot be decoded") {
		t.Errorf("the log has nothing of the broken ones:\n%s", log)
	}
}

// The action is remapped by its name, and its services one by one as in rcl.
func TestActionNames(t *testing.T) {
	var rules names.Remaps
	for _, text := range []string{"nav:=/robot1/nav", "/robot1/nav/_action/feedback:=/elsewhere"} {
		r, err := names.ParseRemap(text)
		must.OK(t, err)
		rules = append(rules, r)
	}
	_, n := rostest.Simulated(t, "client", ros.NodeOptions{Namespace: "/ns", Remaps: rules})
	before := map[string]bool{}
	for _, e := range n.Endpoints("") {
		before[e.Name] = true
	}
	if c := newNavClient(t, n, "nav"); c.Name() != "/robot1/nav" || c.Matched() != 0 || c.OthersGoal() {
		t.Errorf("%s, matched %d", c.Name(), c.Matched())
	}
	var got []string
	for _, e := range n.Endpoints("") {
		if !before[e.Name] {
			got = append(got, e.Kind.String()+" "+e.Name+" "+e.Type)
		}
	}
	slices.Sort(got)
	want := []string{
		"client /robot1/nav/_action/cancel_goal action_msgs/srv/CancelGoal",
		"client /robot1/nav/_action/get_result nav2_msgs/action/NavigateToPose_GetResult",
		"client /robot1/nav/_action/send_goal nav2_msgs/action/NavigateToPose_SendGoal",
		"subscription /elsewhere nav2_msgs/action/NavigateToPose_FeedbackMessage",
		"subscription /robot1/nav/_action/status action_msgs/msg/GoalStatusArray",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the endpoints are\n%s", strings.Join(got, "\n"))
	}
}

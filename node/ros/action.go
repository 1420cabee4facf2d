package ros

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ugp_explorer/msgs/action_msgs"
	"ugp_explorer/msgs/cdr"
	"ugp_explorer/msgs/unique_identifier_msgs"
)

const (
	// goalTimeout is the time in which a server must accept or reject a goal, or answer
	// a request to cancel it.
	goalTimeout = 10 * time.Second
	// goalPeriod is the time between two checks of a client's goals.
	goalPeriod = time.Second
)

// encoderPtr is the pointer to a message type M that can be written into another
// message, decoderPtr to one that can be read out of one.
type (
	encoderPtr[M any] interface {
		*M
		TypeName() string
		MarshalCDR(*cdr.Writer)
	}
	decoderPtr[M any] interface {
		*M
		TypeName() string
		DecodeCDR(*cdr.Reader)
	}
)

// ActionClient sends goals of type G to the servers of an action, and receives feedback of
// type F and results of type R. It may be used only from callbacks of its node.
//
// An action NAME of the type T is three services, NAME/_action/send_goal of the
// type T_SendGoal, NAME/_action/get_result of T_GetResult and
// NAME/_action/cancel_goal of action_msgs/srv/CancelGoal, and two topics,
// NAME/_action/feedback of T_FeedbackMessage and NAME/_action/status of
// action_msgs/msg/GoalStatusArray, which is latched. They are opened without the hashes of
// their types, so that fields which later ROS distributions append to feedback or results
// are ignored.
type ActionClient[G, R, F any] struct {
	node                 *Node
	name, typ            string
	send, result, cancel *caller
	feedback             *Subscription
	codec                actionCodec[G, R, F]
	client               [8]byte // first bytes of the ids of all its goals
	sent                 uint64
	goals                []*Goal[R, F] // that have not ended, in the order in which they were sent
	servers              string        // at the last check, see look
	others               bool          // a server works on another client's goal
	buf                  []byte
}

type actionCodec[G, R, F any] struct {
	encode   func(*G, *cdr.Writer)
	result   func(*R, *cdr.Reader)
	feedback func(*F, *cdr.Reader)
}

// NewActionClient opens a client of an action. name is expanded and remapped, and so are,
// as in rcl, the names of its services and topics. G, R and F are the goal, the result and
// the feedback of one action.
func NewActionClient[G, R, F any, PG encoderPtr[G], PR decoderPtr[R], PF decoderPtr[F]](n *Node, name string) (*ActionClient[G, R, F], error) {
	goal, result, feedback := PG(new(G)).TypeName(), PR(new(R)).TypeName(), PF(new(F)).TypeName()
	typ, ok := strings.CutSuffix(goal, "_Goal")
	if !ok || result != typ+"_Result" || feedback != typ+"_Feedback" {
		return nil, fmt.Errorf("ros: %s, %s and %s are not the goal, the result and the feedback of one action", goal, result, feedback)
	}
	full, err := n.Resolve(name)
	if err != nil {
		return nil, err
	}
	c := &ActionClient[G, R, F]{node: n, name: full, typ: typ, codec: actionCodec[G, R, F]{
		encode:   func(m *G, w *cdr.Writer) { PG(m).MarshalCDR(w) },
		result:   func(m *R, r *cdr.Reader) { PR(m).DecodeCDR(r) },
		feedback: func(m *F, r *cdr.Reader) { PF(m).DecodeCDR(r) },
	}}
	if err := c.open(); err != nil {
		return nil, err
	}
	own := c.send.Info().GUID
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(own[:], uint64(n.Now())))
	c.client = [8]byte(sum[:])
	return c, nil
}

func (c *ActionClient[G, R, F]) open() (err error) {
	var errs [6]error
	part := c.name + "/_action/"
	c.send, errs[0] = newCaller(c.node, part+"send_goal", c.typ+"_SendGoal", "")
	c.result, errs[1] = newCaller(c.node, part+"get_result", c.typ+"_GetResult", "")
	c.cancel, errs[2] = newCaller(c.node, part+"cancel_goal", action_msgs.CancelGoal.TypeName, "")
	c.feedback, errs[3] = SubscribeRaw(c.node, part+"feedback", c.typ+"_FeedbackMessage", "", DefaultQoS(), c.onFeedback)
	_, errs[4] = Subscribe(c.node, part+"status", Latched(), c.onStatus)
	_, errs[5] = c.node.NewTimer(goalPeriod, c.look)
	return errors.Join(errs[:]...)
}

// Name returns the full name of the action.
func (c *ActionClient[G, R, F]) Name() string { return c.name }

// Type returns the ROS type of the action.
func (c *ActionClient[G, R, F]) Type() string { return c.typ }

// Info returns the client of send_goal as the graph shows it.
func (c *ActionClient[G, R, F]) Info() EndpointInfo { return c.send.Info() }

// Matched returns the number of servers matched by all three service clients.
func (c *ActionClient[G, R, F]) Matched() int {
	return min(c.send.Matched(), c.result.Matched(), c.cancel.Matched())
}

// OthersGoal reports whether a server works on another client's goal.
func (c *ActionClient[G, R, F]) OthersGoal() bool { return c.others && c.Matched() > 0 }

// ErrNoServer is the error of Send if there is no server.
var ErrNoServer = errors.New("ros: there is no server")

// Send sends a goal. h is called with its progress.
func (c *ActionClient[G, R, F]) Send(goal *G, h GoalHandlers[R, F]) (*Goal[R, F], error) {
	if c.Matched() == 0 {
		return nil, fmt.Errorf("%s: %w", c.name, ErrNoServer)
	}
	if len(c.goals) == 0 {
		c.servers = c.seen()
	}
	c.sent++
	g := &Goal[R, F]{handlers: h, cancelGoal: c.cancelGoal}
	copy(g.id.Uuid[:], c.client[:])
	binary.BigEndian.PutUint64(g.id.Uuid[len(c.client):], c.sent)
	w := cdr.NewWriter(c.buf[:0])
	g.id.MarshalCDR(&w)
	c.codec.encode(goal, &w)
	c.buf = w.Bytes()
	if err := c.send.call(c.buf, goalTimeout, func(reply []byte, err error) { c.onAnswer(g, reply, err) }); err != nil {
		return nil, err
	}
	c.goals = append(c.goals, g)
	return g, nil
}

// onAnswer handles the answer of a server that accepts or rejects a goal.
func (c *ActionClient[G, R, F]) onAnswer(g *Goal[R, F], reply []byte, err error) {
	accepted := false
	if err == nil {
		r := cdr.NewReader(reply)
		accepted = r.Bool()
		r.Rest() // the time of acceptance
		if err = r.Finish(c.typ + "_SendGoal_Response"); err != nil {
			c.send.malformed(reply, err)
		}
	}
	switch {
	case err != nil:
		c.cancelGoal(g) // the server may have accepted it
		c.finish(g, GoalLost, err)
	case !accepted:
		c.finish(g, GoalRejected, nil)
	default:
		g.accepted = true
		if g.canceling {
			c.cancelGoal(g) // again: before, the server may not have known the goal
		}
		c.askResult(g)
		if g.handlers.Accepted != nil && !g.over {
			g.handlers.Accepted()
		}
	}
}

// askResult requests the result. The server answers when the goal has ended.
func (c *ActionClient[G, R, F]) askResult(g *Goal[R, F]) {
	err := c.result.call(c.encodeID(g), 0, func(reply []byte, err error) {
		switch {
		case g.over:
		case err != nil:
			c.finish(g, GoalLost, err)
		default:
			c.onResult(g, reply)
		}
	})
	if err != nil {
		c.finish(g, GoalLost, err)
	}
}

func (c *ActionClient[G, R, F]) encodeID(g *Goal[R, F]) []byte {
	w := cdr.NewWriter(c.buf[:0])
	g.id.MarshalCDR(&w)
	c.buf = w.Bytes()
	return c.buf
}

// onResult ends a goal according to its status, even if the result cannot be decoded.
func (c *ActionClient[G, R, F]) onResult(g *Goal[R, F], reply []byte) {
	r := cdr.NewReader(reply)
	status := r.Int8()
	c.codec.result(&g.Result, &r)
	r.Rest()
	if err := r.Finish(c.typ + "_GetResult_Response"); err != nil {
		c.result.malformed(reply, err)
	}
	outcome, over := outcomes[status]
	switch {
	case over:
	case g.ended: // the server has forgotten the result
		outcome = g.outcome
	default:
		outcome = GoalLost
	}
	c.finish(g, outcome, nil)
}

// outcomes maps the final statuses of a goal to outcomes.
var outcomes = map[int8]Outcome{
	action_msgs.GoalStatusStatusSucceeded: GoalSucceeded,
	action_msgs.GoalStatusStatusCanceled:  GoalCanceled,
	action_msgs.GoalStatusStatusAborted:   GoalAborted,
}

// onStatus handles the statuses of all goals of a server.
func (c *ActionClient[G, R, F]) onStatus(m *action_msgs.GoalStatusArray, _ MessageInfo) {
	c.others = false
	for i := range m.StatusList {
		s := &m.StatusList[i]
		outcome, ended := outcomes[s.Status]
		if [8]byte(s.GoalInfo.GoalID.Uuid[:]) != c.client {
			c.others = c.others || !ended
		} else if g := c.find(s.GoalInfo.GoalID); g != nil && ended {
			g.ended, g.outcome = true, outcome
		}
	}
}

func (c *ActionClient[G, R, F]) find(id unique_identifier_msgs.UUID) *Goal[R, F] {
	for _, g := range c.goals {
		if g.id == id {
			return g
		}
	}
	return nil
}

func (c *ActionClient[G, R, F]) onFeedback(data []byte, _ MessageInfo) {
	var id unique_identifier_msgs.UUID
	r := cdr.NewReader(data)
	id.DecodeCDR(&r)
	g := c.find(id)
	if g != nil && g.handlers.Feedback != nil {
		c.codec.feedback(&g.feedback, &r)
	}
	r.Rest()
	if err := r.Finish(c.typ + "_FeedbackMessage"); err != nil {
		c.feedback.malformed(data, err)
	} else if g != nil && g.handlers.Feedback != nil {
		g.handlers.Feedback(&g.feedback)
	}
}

// look repeats requests that a server may have lost. It requests the result again if
// servers have come or gone, since a new server answers that it does not know the goal, or
// if the goal has ended without a result. It cancels goals again.
func (c *ActionClient[G, R, F]) look() {
	before := c.servers
	c.servers = c.seen()
	if c.Matched() == 0 {
		c.servers = before
		return
	}
	for _, g := range slices.Clone(c.goals) {
		if g.accepted && !g.over && (g.overdue || before != c.servers) {
			c.askResult(g)
		}
		g.overdue = g.ended
		if g.accepted && !g.over && g.canceling && !g.asked {
			c.cancelGoal(g)
		}
	}
}

// seen identifies the present servers.
func (c *ActionClient[G, R, F]) seen() string {
	text := fmt.Sprint(c.Matched())
	for _, e := range c.node.Endpoints(c.result.Name()) {
		if e.Kind == ServerEnd {
			text += " " + e.GUID.String()
		}
	}
	return text
}

// finish ends a goal. It does not call the handler if the client is closed.
func (c *ActionClient[G, R, F]) finish(g *Goal[R, F], outcome Outcome, err error) {
	if g.over {
		return
	}
	g.over = true
	c.goals = slices.DeleteFunc(c.goals, func(o *Goal[R, F]) bool { return o == g })
	if g.handlers.Done != nil && !errors.Is(err, ErrClosed) {
		g.handlers.Done(outcome)
	}
}

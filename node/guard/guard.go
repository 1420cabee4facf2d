// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"ugp_explorer/internal/num"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/node/sense"
	"ugp_explorer/planner/earth"
	"ugp_explorer/planner/guard"
)

const (
	// period is the time between two checks, and between two zeros.
	period = 50 * time.Millisecond
	// grace is the wall time without a message after which it is late if the time comes from /clock. A needless stop costs a moment; a late
	// one lets the robot continue to drive.
	grace = 200 * time.Millisecond
	// byHand is the largest speed while a person is responsible for the robot, m/s, and letGo the
	// time without a message after which that ends.
	byHand, letGo = 0.5, 500 * time.Millisecond
	// patience is the time for which the guard stops a robot that wants to drive before it calls a person, and longPatience
	// that while no fix or no odometry comes: their outages end by themselves.
	patience, longPatience = 14 * time.Second, 2 * time.Minute
)

// Guard is the guard's node. All its methods run on the goroutine of its executor.
type Guard struct {
	node *ros.Node
	cfg  *Config

	fence   *guard.Guard // nil: there is no outline
	origin  *earth.Datum // of satellite fixes; nil: not known yet
	in      inputs
	outline outline
	person  int64 // until when a person is responsible for the robot, ns
	orders  orders

	twist  func(geometry_msgs.Twist) error // publishes
	timer  *exec.Timer                     // calls check
	asked  geometry_msgs.Twist             // the last command
	at     int64                           // its time, ns
	late   ros.Grace
	sent   geometry_msgs.Twist // the part of it that was passed on
	moving bool                // the last command was not zero
	zeros  int                 // still to be published
	warn   ros.Throttle

	verdict   verdict
	report    report
	obedience obedience
}

// verdict says how commands are treated.
type verdict struct {
	state  string // of a GuardStatus
	reason string // of a GuardStatus
	limit  float64
	since  int64 // since when it stops the robot, ns; 0: it does not
	blind  bool  // too few fixes or too little odometry come to judge
}

// New starts the guard on a node whose parameters are bound to cfg. It returns an
// error for an invalid cfg or field, or when an endpoint cannot be opened.
func New(node *ros.Node, cfg *Config) (*Guard, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	g := &Guard{node: node, cfg: cfg, late: node.NewGrace(grace), warn: node.NewThrottle(time.Second), verdict: verdict{state: passes, reason: none}}
	if err := sense.WithOrigin(node, &cfg.FieldDatum, g.Enclose); err != nil {
		return nil, err
	}
	// Fixes are seen in the plane of the outline, wherever the filter's map begins.
	if g.origin, _ = convert.Datum("datum", cfg.Datum); g.origin == nil { // they were checked
		g.origin, _ = convert.Datum("field.datum", cfg.FieldDatum)
	}
	in, out, err := g.connect()
	if err != nil {
		return nil, err
	}
	if err := g.listen(); err != nil {
		return nil, err
	}
	if err := g.startReport(in, out); err != nil {
		return nil, err
	}
	g.timer, err = node.NewTimer(period, g.check)
	// When the clock jumps or starts, the last messages are treated as if they had just come.
	node.OnShutdown(node.Executor().OnJump(g.jumped))
	node.OnShutdown(g.stop)
	return g, err
}

func (g *Guard) jumped(j exec.Jump) {
	now := g.node.Now()
	g.at, g.orders.at, g.person, g.verdict.since = now, now, 0, 0
	if g.fence != nil && j.From-j.To > int64(begunAgain) {
		g.fence.Restart()
	}
}

// begunAgain is the time by which simulated time goes back when the simulation begins again, and the robot is somewhere else.
// Less is a disorder of /clock.
const begunAgain = 2 * time.Second

// connect opens both topics of velocities with the configured type.
func (g *Guard) connect() (in *ros.Subscription, out watch.Sender, err error) {
	if !g.cfg.Stamped {
		pub, err := ros.Advertise[geometry_msgs.Twist](g.node, "cmd_vel", ros.Commands())
		if err != nil {
			return nil, nil, err
		}
		g.twist = func(t geometry_msgs.Twist) error { return pub.Publish(&t) }
		in, err = ros.Subscribe(g.node, "cmd_vel_in", ros.Commands(), func(m *geometry_msgs.Twist, _ ros.MessageInfo) { g.command(*m) })
		return in, pub, err
	}
	pub, err := ros.Advertise[geometry_msgs.TwistStamped](g.node, "cmd_vel", ros.Commands())
	if err != nil {
		return nil, nil, err
	}
	var stamped geometry_msgs.TwistStamped
	stamped.Header.FrameID = "base_link"
	g.twist = func(t geometry_msgs.Twist) error {
		stamped.Header.Stamp, stamped.Twist = g.node.Stamp(), t
		return pub.Publish(&stamped)
	}
	in, err = ros.Subscribe(g.node, "cmd_vel_in", ros.Commands(), func(m *geometry_msgs.TwistStamped, _ ros.MessageInfo) {
		stamped.Header.FrameID = m.Header.FrameID
		g.command(m.Twist)
	})
	return in, pub, err
}

// command passes on the allowed part of a command. One with a number that is not finite stops the
// robot.
func (g *Guard) command(t geometry_msgs.Twist) {
	for _, v := range numbers(&t) {
		if !num.Finite(*v) {
			g.warn.Warn("the robot is stopped: a velocity command is not finite", "value", *v)
			t = geometry_msgs.Twist{}
			break
		}
	}
	g.asked, g.at, g.moving, g.zeros = t, g.node.Now(), t != geometry_msgs.Twist{}, 0
	g.late.Came()
	g.pass()
}

// pass sends the allowed part of the last command: the same curve at less speed, or nothing.
func (g *Guard) pass() {
	want := speed(&g.asked)
	g.judge(want)
	t, factor := g.asked, 1.0
	switch limit := g.verdict.limit; {
	case g.verdict.state == holds:
		factor = 0
	case want > limit:
		factor = limit / want
	}
	for _, v := range numbers(&t) {
		*v *= factor
	}
	g.send(t)
}

// numbers returns the six numbers of a command.
func numbers(t *geometry_msgs.Twist) [6]*float64 {
	return [...]*float64{&t.Linear.X, &t.Linear.Y, &t.Linear.Z, &t.Angular.X, &t.Angular.Y, &t.Angular.Z}
}

// speed returns the speed of a command, m/s. A base that drives on the ground has none upwards, and one that does is bounded, too.
func speed(t *geometry_msgs.Twist) float64 {
	return math.Hypot(math.Hypot(t.Linear.X, t.Linear.Y), t.Linear.Z)
}

// The states of the guard.
const (
	passes = ugp_explorer_msgs.GuardStatusStatePasses
	slows  = ugp_explorer_msgs.GuardStatusStateSlows
	stops  = ugp_explorer_msgs.GuardStatusStateStops
	holds  = ugp_explorer_msgs.GuardStatusStateHolds
	none   = ugp_explorer_msgs.GuardStatusReasonNone
)

// words describe states and reasons for people.
var words = map[string]string{
	passes: "passes commands on",
	slows:  "slows the robot",
	stops:  "stops the robot",
	holds:  "holds the robot",

	string(guard.NoFix):      "no credible position fix has come yet",
	string(guard.NoOdometry): "no plausible wheel odometry is being received",
	string(guard.Silent):     "position fixes have ceased",
	string(guard.Doubt):      "position fixes have jumped, or disagree with the wheels",
	string(guard.Jumped):     "position fixes have jumped or drifted, and may recover within a minute",
	string(guard.Unmoved):    "according to wheels or commands, the robot has driven several metres, but the position fixes do not show any motion",
	string(guard.Edge):       "the robot may be too near to the edge of the field or of a keep-out",

	ugp_explorer_msgs.MissionStatusStatePaused: "the mission is paused",
	ugp_explorer_msgs.MissionStatusStateFault:  "the mission is in the fault state",
	ugp_explorer_msgs.MissionStatusStateDone:   "the mission is over",
}

// why says why commands are not passed on, "" if they are.
func (g *Guard) why() string {
	switch g.verdict.reason {
	case ugp_explorer_msgs.GuardStatusReasonNoOutline:
		return g.outline.problem
	case ugp_explorer_msgs.GuardStatusReasonMission:
		return words[g.orders.state]
	case ugp_explorer_msgs.GuardStatusReasonExplorer:
		return "the explorer has been silent for " + time.Duration(g.node.Now()-g.orders.at).Round(time.Second).String()
	case string(guard.Unmoved):
		if g.report.base.Unheard() {
			return g.report.base.Why()
		}
	}
	return words[g.verdict.reason]
}

// halts reports whether the robot stands in a state of the guard.
func halts(state string) bool { return state == stops || state == holds }

// judge decides how a command to drive at a speed, m/s, is treated.
func (g *Guard) judge(want float64) {
	now := g.node.Now()
	before := g.verdict.state
	v := verdict{state: passes, reason: none, limit: math.Inf(1)}
	if held := g.held(now); now < g.person {
		v.limit = byHand
	} else if held != "" {
		v = verdict{state: holds, reason: held}
	} else if g.fence != nil {
		v = g.bounded(want, now)
	}
	g.verdict = v
	if v.state != before && (halts(v.state) || halts(before)) {
		g.tell(before)
	}
}

// held returns why the robot is not to move at all, as the reason of a GuardStatus, or "".
func (g *Guard) held(now int64) string {
	held := g.orders.hold(now)
	if held == "" && g.fence == nil && g.cfg.File != "" && (g.outline.broken || g.orders.underWay()) {
		held = ugp_explorer_msgs.GuardStatusReasonNoOutline
	}
	return held
}

// bounded decides how a command to drive at a speed, m/s, is treated inside a fence.
func (g *Guard) bounded(want float64, now int64) verdict {
	limit, reason := g.fence.Limit(now, g.asked.Linear.X, g.asked.Linear.Y)
	blind := blinds(string(reason))
	v := verdict{state: passes, reason: none, limit: limit, since: g.verdict.since, blind: blind || reason == guard.Silent}
	switch {
	case blind && g.asked != (geometry_msgs.Twist{}):
		v.state = holds // it turns nowhere, either
	case want > limit && limit < 0.01:
		v.state = stops
	case want > limit:
		v.state = slows
	}
	if v.state != passes {
		v.reason = string(reason)
	}
	// A stop lasts until the robot has driven, whatever commands come in the meantime.
	if v.blind != g.verdict.blind || reason == guard.Jumped {
		v.since = 0 // no person is called while fixes may still return, and after that the explorer may know another way first
	}
	if halts(v.state) {
		v.since = cmp.Or(v.since, now)
	} else if want > 0.05 {
		v.since = 0
	}
	return v
}

// check stops the robot when commands have ceased, or when the speed that was passed on is now too high.
func (g *Guard) check() {
	now := g.node.Now()
	age := time.Duration(now - g.at).Seconds()
	switch {
	case g.moving && age > g.cfg.Timeout && !g.late.Lasts():
		g.moving, g.asked = false, geometry_msgs.Twist{}
		g.zeros = int(math.Ceil(g.cfg.ZeroTime / period.Seconds()))
		g.warn.Warn("the robot is stopped: the velocity commands have ceased", "age_s", age)
	case g.moving && now > g.at: // between two commands
		sent := speed(&g.sent)
		if g.judge(speed(&g.asked)); g.verdict.state == holds && g.sent != (geometry_msgs.Twist{}) || sent > g.verdict.limit {
			g.pass()
		}
	}
	if g.zeros > 0 {
		g.zeros--
		g.send(geometry_msgs.Twist{})
	}
}

// stop tells a robot that moves to stop, as the guard's last message.
func (g *Guard) stop() {
	if g.timer != nil {
		g.timer.Stop()
	}
	if g.moving || g.zeros > 0 {
		g.send(geometry_msgs.Twist{})
	}
}

func (g *Guard) send(t geometry_msgs.Twist) {
	g.sent, g.obedience.told = t, [2]float64{t.Linear.X, t.Angular.Z}
	if g.fence != nil {
		g.fence.Command(g.node.Now(), speed(&t), 0)
	}
	if err := g.twist(t); err != nil {
		g.warn.Error("no velocity command was published", "error", err.Error())
	}
}

// report has the publishers and checks by which the guard reports its state.
type report struct {
	watch       *watch.Watch
	base        *watch.Output // velocities to the robot
	status      *ros.Publisher[ugp_explorer_msgs.GuardStatus, *ugp_explorer_msgs.GuardStatus]
	diagnostics *ros.Publisher[diagnostic_msgs.DiagnosticArray, *diagnostic_msgs.DiagnosticArray]
	told        ros.Throttle
	disobeyed   bool // the last status says that the base disobeys
}

func (g *Guard) startReport(in *ros.Subscription, out watch.Sender) (err error) {
	r := &g.report
	r.told = g.node.NewThrottle(10 * time.Second)
	var errs [3]error
	r.status, errs[0] = ros.Advertise[ugp_explorer_msgs.GuardStatus](g.node, "~/status", ros.Latched())
	r.diagnostics, errs[1] = ros.Advertise[diagnostic_msgs.DiagnosticArray](g.node, "/diagnostics", ros.DefaultQoS())
	r.watch, errs[2] = watch.New(g.node, g.publish)
	if err := errors.Join(errs[:]...); err != nil {
		return err
	}
	r.base = r.watch.Output(watch.Expect{Name: "robot", What: "the velocity", Offers: watch.Nothing}, out)
	r.watch.Input(in, watch.Expect{Name: "velocity", What: "a velocity command", Offers: watch.Nothing, Want: func() watch.Want { return watch.WantMatch }})
	if g.cfg.File != "" || g.fence != nil {
		g.watchInputs()
	} else {
		g.node.Logger().Warn("the robot is not kept inside a field: field.file is empty")
	}
	_, err = g.node.NewTimer(time.Second, g.publish)
	return err
}

// tell logs and publishes that the guard has begun or ended to stop or hold the robot.
func (g *Guard) tell(before string) {
	if v := &g.verdict; halts(v.state) {
		g.report.told.Warn("the guard "+words[v.state], append([]any{"reason", g.why()}, g.known()...)...)
	} else if before == holds {
		g.node.Logger().Info("the guard "+words[v.state], g.known()...)
	}
	g.publish()
}

// past returns a sentence that names who drives past the guard, or "". A sender that takes the same velocities is a second guard.
func (g *Guard) past() string {
	var others, guards []string
	in, _ := g.node.Resolve("cmd_vel_in") // both topics were opened
	topic, _ := g.node.Resolve("cmd_vel")
	inputs := g.node.Endpoints(in)
	for _, e := range g.node.Endpoints(topic) {
		takes := func(o ros.EndpointInfo) bool { return o.Kind == ros.SubscriptionEnd && o.Owner() == e.Owner() }
		switch {
		case e.Kind != ros.PublisherEnd || e.Owner() == g.node.FullName():
		case slices.ContainsFunc(inputs, takes):
			guards = append(guards, e.Owner())
		default:
			others = append(others, e.Owner())
		}
	}
	switch {
	case len(guards) > 0:
		return strings.Join(guards, " and ") + " and " + g.node.FullName() + " both pass velocities from " + in + " on to " + topic + ", and the robot obeys whichever came last: stop one of them"
	case len(others) > 0:
		return strings.Join(others, " and ") + " may bypass the guard: make it publish on cmd_vel_in instead of " + topic
	}
	return ""
}

// known returns the clearance for the log, if it is known.
func (g *Guard) known() []any {
	if c := g.clearance(); !math.IsInf(c, 0) {
		return []any{"clearance_m", c}
	}
	return nil
}

// clearance returns the least distance to the fence in whole centimetres, m.
func (g *Guard) clearance() float64 {
	if g.fence == nil {
		return math.Inf(1)
	}
	return rounded(g.fence.Clearance() + g.fence.Allowance() - g.cfg.Allowance)
}

// publish sends the guard's state and the reason for it.
func (g *Guard) publish() {
	m := g.status()
	err := g.report.status.Publish(m)
	if err == nil && g.report.diagnostics.Matched() > 0 {
		err = g.report.diagnostics.Publish(&diagnostic_msgs.DiagnosticArray{Header: m.Header, Status: append([]diagnostic_msgs.DiagnosticStatus{g.diagnostic(m)}, g.report.watch.Diagnostics()...)})
	}
	if err != nil {
		g.warn.Warn("no diagnostics were published", "error", err.Error())
	}
}

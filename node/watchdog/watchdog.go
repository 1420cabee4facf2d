package watchdog

import (
	"math"
	"time"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/watch"
)

const (
	// period is the time between two checks, and between two zeros.
	period = 50 * time.Millisecond
	// grace is the wall time without a command for which commands count as late where the
	// time comes from /clock. A stop for nothing costs a moment; one that comes late lets
	// the robot drive on.
	grace = 200 * time.Millisecond
)

// Watchdog is the watchdog's node. All its methods run on the goroutine of its executor.
type Watchdog struct {
	node *ros.Node
	cfg  *Config

	twist  func(geometry_msgs.Twist) error // publishes
	timer  *exec.Timer                     // calls check
	at     int64                           // time of the last command, ns
	late   ros.Grace
	moving bool // the last command was not zero
	zeros  int  // still to be published
	warn   ros.Throttle
}

// New starts the watchdog on a node whose parameters are bound to cfg. It returns an
// error for an invalid cfg or when an endpoint cannot be opened.
func New(node *ros.Node, cfg *Config) (*Watchdog, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	w := &Watchdog{node: node, cfg: cfg, late: node.NewGrace(grace), warn: node.NewThrottle(time.Second)}
	in, out, err := w.connect()
	if err != nil {
		return nil, err
	}
	look, err := watch.New(node, nil)
	if err != nil {
		return nil, err
	}
	look.Output(watch.Expect{Name: "robot", What: "the velocity"}, out)
	look.Input(in, watch.Expect{Name: "velocity", What: "a velocity command", Want: func() watch.Want { return watch.WantMatch }})
	w.timer, err = node.NewTimer(period, w.check)
	node.KeepClock(w.passing)
	// When the clock jumps or starts, the last command counts as having come now.
	node.Executor().OnJump(func(j exec.Jump) { w.at = j.To })
	node.OnShutdown(w.stop)
	return w, err
}

// passing says that the clock must not change: the age of a command decides when the robot stops.
func (w *Watchdog) passing() string {
	if w.moving || w.zeros > 0 {
		return "velocity commands move the robot"
	}
	return ""
}

// connect opens both topics with the configured type.
func (w *Watchdog) connect() (in *ros.Subscription, out watch.Sender, err error) {
	if !w.cfg.Stamped {
		pub, err := ros.Advertise[geometry_msgs.Twist](w.node, "cmd_vel", ros.Commands())
		if err != nil {
			return nil, nil, err
		}
		w.twist = func(t geometry_msgs.Twist) error { return pub.Publish(&t) }
		in, err = ros.Subscribe(w.node, "cmd_vel_in", ros.Commands(), func(m *geometry_msgs.Twist, _ ros.MessageInfo) { w.command(*m) })
		return in, pub, err
	}
	pub, err := ros.Advertise[geometry_msgs.TwistStamped](w.node, "cmd_vel", ros.Commands())
	if err != nil {
		return nil, nil, err
	}
	var stamped geometry_msgs.TwistStamped
	stamped.Header.FrameID = "base_link"
	w.twist = func(t geometry_msgs.Twist) error {
		stamped.Header.Stamp, stamped.Twist = ros.TimeMsg(w.node.Now()), t
		return pub.Publish(&stamped)
	}
	in, err = ros.Subscribe(w.node, "cmd_vel_in", ros.Commands(), func(m *geometry_msgs.TwistStamped, _ ros.MessageInfo) {
		stamped.Header.FrameID = m.Header.FrameID
		w.command(m.Twist)
	})
	return in, pub, err
}

// command passes a command on. One with a number that is not finite stops the robot.
func (w *Watchdog) command(t geometry_msgs.Twist) {
	for _, v := range [...]float64{t.Linear.X, t.Linear.Y, t.Linear.Z, t.Angular.X, t.Angular.Y, t.Angular.Z} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			w.warn.Warn("the robot is stopped: a velocity command is not finite", "value", v)
			t = geometry_msgs.Twist{}
			break
		}
	}
	w.at, w.moving, w.zeros = w.node.Now(), t != geometry_msgs.Twist{}, 0
	w.late.Came()
	w.send(t)
}

// check stops the robot when commands have ceased.
func (w *Watchdog) check() {
	age := time.Duration(w.node.Now() - w.at).Seconds()
	if w.moving && age > w.cfg.Timeout && !w.late.Lasts() {
		w.moving = false
		w.zeros = int(math.Ceil(w.cfg.ZeroTime / period.Seconds()))
		w.warn.Warn("the robot is stopped: the velocity commands have ceased", "age_s", math.Round(100*age)/100)
	}
	if w.zeros > 0 {
		w.zeros--
		w.send(geometry_msgs.Twist{})
	}
}

// stop tells a robot that moves to stop, as the watchdog's last message.
func (w *Watchdog) stop() {
	if w.timer != nil {
		w.timer.Stop()
	}
	if w.moving || w.zeros > 0 {
		w.send(geometry_msgs.Twist{})
	}
}

func (w *Watchdog) send(t geometry_msgs.Twist) {
	if err := w.twist(t); err != nil {
		w.warn.Error("no velocity command was published", "error", err.Error())
	}
}

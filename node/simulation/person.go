package simulation

import (
	"time"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/web"
)

const (
	// letGo is the wall time after a person's last wish after which the robot is stopped.
	letGo = 500 * time.Millisecond
	// steerPeriod is the time between two commands to the robot, which stops by itself without them.
	steerPeriod = 50 * time.Millisecond
	// walk and turn are the robot's largest speeds, m/s and rad/s.
	walk, turn = 1, 0.8
	// seenWalk is how fast the robot moves on the page at most, m and rad per second of the wall clock: faster, nobody
	// could drive it where time flies.
	seenWalk, seenTurn = 15, 0.8
)

// person drives the simulated robot by the page while a field is recorded, as a person with a remote control does on
// a robot: by the topic on which the guard takes velocities.
type person struct {
	twist  func(geometry_msgs.Twist) error
	wall   func() time.Time
	free   func() bool // nothing else drives the robot
	warn   ros.Throttle
	factor [2]float64 // of forward, m/s, and left, rad/s

	want   geometry_msgs.Twist
	until  time.Time // when the person has let go
	moving bool      // the robot was not told to stop
}

// newPerson makes a person on a node. Time passes at speed, simulated seconds per second.
func newPerson(node *ros.Node, stamped bool, speed float64, wall func() time.Time, free func() bool) (*person, error) {
	p := &person{wall: wall, free: free, warn: node.NewThrottle(time.Second), factor: [2]float64{min(walk, seenWalk/speed), min(turn, seenTurn/speed)}}
	if stamped {
		pub, err := ros.Advertise[geometry_msgs.TwistStamped](node, "cmd_vel_in", ros.Commands())
		if err != nil {
			return nil, err
		}
		p.twist = func(t geometry_msgs.Twist) error {
			m := geometry_msgs.TwistStamped{Twist: t}
			m.Header.Stamp, m.Header.FrameID = ros.TimeMsg(node.Now()), "base_link"
			return pub.Publish(&m)
		}
	} else {
		pub, err := ros.Advertise[geometry_msgs.Twist](node, "cmd_vel_in", ros.Commands())
		if err != nil {
			return nil, err
		}
		p.twist = func(t geometry_msgs.Twist) error { return pub.Publish(&t) }
	}
	_, err := node.NewTimer(steerPeriod, p.drive)
	return p, err
}

// steer takes a wish, which holds for letGo from when it came.
func (p *person) steer(s web.Steer) {
	p.want, p.until = geometry_msgs.Twist{}, s.At.Add(letGo)
	p.want.Linear.X, p.want.Angular.Z = p.factor[0]*s.Forward, p.factor[1]*s.Left
	p.drive()
}

// drive tells the robot what the person wants, and to stop when the person has let go or something else drives it.
func (p *person) drive() {
	t := p.want
	if !p.free() || !p.wall().Before(p.until) {
		t = geometry_msgs.Twist{}
	}
	if t == (geometry_msgs.Twist{}) && !p.moving {
		return
	}
	p.moving = t != geometry_msgs.Twist{}
	if err := p.twist(t); err != nil {
		p.warn.Error("the robot was not steered", "error", err.Error())
	}
}

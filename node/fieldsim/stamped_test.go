package fieldsim_test

import (
	"testing"
	"time"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/ros"
)

// The robot of the simulation obeys TwistStamped, as robots do since ROS 2 Jazzy.
func TestObeysTwistStamped(t *testing.T) {
	r := newRig(t, func(c *fieldsim.Config) {
		exact(c)
		c.Stamped = true
	})
	pub, err := ros.Advertise[geometry_msgs.TwistStamped](r.test, "cmd_vel", ros.DefaultQoS())
	r.must(err)
	if pub.Matched() != 1 || r.command.Matched() != 0 {
		t.Errorf("TwistStamped has %d matches, Twist %d", pub.Matched(), r.command.Matched())
	}
	m := geometry_msgs.TwistStamped{Twist: geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 1}}}
	for range 30 {
		r.must(pub.Publish(&m))
		r.run(100 * time.Millisecond)
	}
	if v := r.truth[len(r.truth)-1].m.Twist.Twist.Linear.X; v < 0.9 {
		t.Errorf("%g m/s after 3 s at 1 m/s", v)
	}
}

package conformance

import (
	"testing"

	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/sim/rig/must"
	"ugp_explorer/sim/rig/rostest"
)

// Each side of a mismatch can tell the reason and the other endpoint.
func watches(t *testing.T, g *graph) {
	a, b := g.node("a", ros.NodeOptions{}), g.node("b", ros.NodeOptions{})
	wa, err := watch.New(a, nil)
	must.OK(t, err)
	wb, err := watch.New(b, nil)
	must.OK(t, err)
	out := func(topic string, q ros.QoS) *watch.Output {
		return wa.Output(watch.Expect{Name: topic, What: "a word"}, rostest.Publisher[std_msgs.String](g.t, a, topic, q))
	}
	in := func(topic string, q ros.QoS) *watch.Input {
		sub, _ := rostest.Words(g.t, b, topic, q)
		return wb.Input(sub, watch.Expect{Name: topic, What: "a word"})
	}
	number, err := ros.Subscribe(b, "type", ros.DefaultQoS(), func(*std_msgs.Float64, ros.MessageInfo) {})
	must.OK(t, err)
	for _, c := range []struct {
		name string
		why  func() string
		want string
	}{
		{"type, by the publisher", out("type", ros.DefaultQoS()).Why,
			"nobody listens to a word on /type [std_msgs/msg/String]: /b does not fit: type: the publisher has std_msgs/msg/String, the subscription has std_msgs/msg/Float64; /durability, /ns/name and /reliability are subscribed to with that type"},
		{"type, by the subscription", wb.Input(number, watch.Expect{What: "a number"}).Why,
			"waiting for a number on /type [std_msgs/msg/Float64]: /a does not fit: type: the subscription has std_msgs/msg/Float64, the publisher has std_msgs/msg/String"},
		{"reliability, by the publisher", out("reliability", ros.SensorData()).Why,
			"nobody listens to a word on /reliability [std_msgs/msg/String]: /b does not fit: reliability: the publisher offers best effort, the subscription asks for reliable"},
		{"reliability, by the subscription", in("reliability", ros.DefaultQoS()).Why,
			"waiting for a word on /reliability [std_msgs/msg/String]: /a does not fit: reliability: the publisher offers best effort, the subscription asks for reliable"},
		{"durability, by the publisher", out("durability", ros.DefaultQoS()).Why,
			"nobody listens to a word on /durability [std_msgs/msg/String]: /b does not fit: durability: the publisher offers volatile, the subscription asks for transient local"},
		{"durability, by the subscription", in("durability", ros.Latched()).Why,
			"waiting for a word on /durability [std_msgs/msg/String]: /a does not fit: durability: the publisher offers volatile, the subscription asks for transient local"},
		{"name, by the publisher", out("name", ros.DefaultQoS()).Why,
			"nobody listens to a word on /name [std_msgs/msg/String]: no subscription; /ns/name, /durability and /reliability are subscribed to with that type"},
		{"name, by the subscription", in("ns/name", ros.DefaultQoS()).Why,
			"waiting for a word on /ns/name [std_msgs/msg/String]: no publisher; /name, /durability, /reliability and 1 more have that type"},
	} {
		g.wait(c.name+": "+c.want, func() bool { return c.why() == c.want })
	}
}

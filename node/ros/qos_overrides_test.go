package ros_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/internal/rostest"
	"ugp_explorer/node/ros/param"
)

// The form is that of rclcpp (qos_overriding_options.hpp): the full name of the topic after remapping.
const overrides = `
/ns/n:
  ros__parameters:
    qos_overrides:
      /ns/t:
        publisher:
          reliability: best_effort
          durability: transient_local
          history: keep_last
          depth: 7
          deadline: 1500000000
          lifespan: 2000000000
          liveliness: manual_by_topic
          liveliness_lease_duration: 3000000000
        subscription:
          history: keep_all
          deadline: 9223372036854775807
          lifespan_not: 1
      /other:
        publisher: {depth: 3}
`

func withOverrides(t *testing.T, yaml string) *param.Overrides {
	t.Helper()
	var o param.Overrides
	if err := o.AddYAML("robot.yaml", []byte(yaml)); err != nil {
		t.Fatal(err)
	}
	return &o
}

func TestQoSOverrides(t *testing.T) {
	var log bytes.Buffer
	ex, n := rostest.Simulated(t, "n", ros.NodeOptions{
		Namespace: "/ns", Overrides: withOverrides(t, strings.Replace(overrides, "          lifespan_not: 1\n", "", 1)), LogHandler: rostest.LogTo(&log),
	})
	pub, err := ros.Advertise[std_msgs.String](n, "t", ros.DefaultQoS())
	if err != nil {
		t.Fatal(err)
	}
	want := ros.QoS{
		Reliability: ros.BestEffort, Durability: ros.TransientLocal, Depth: 7, Deadline: 1500 * time.Millisecond, Lifespan: 2 * time.Second,
		Liveliness: ros.ManualByTopic, Lease: 3 * time.Second,
	}
	if got := pub.Info().QoS; got != want {
		t.Errorf("the publisher has %v, want %v", got, want)
	}
	sub, _ := rostest.Words(t, n, "t", ros.SensorData())
	if got := sub.Info().QoS; got != (ros.QoS{Reliability: ros.BestEffort, History: ros.KeepAll, Depth: 5}) {
		t.Errorf("the subscription has %v", got)
	}
	if got := rostest.Speaker(t, n, "else", ros.DefaultQoS()); got == nil {
		t.Error("another topic cannot be published")
	}
	// The parameters are there, and for the start only.
	const depth = "qos_overrides./ns/t.publisher.depth"
	if v, _ := n.Parameters().Get(depth); v.Any() != int64(7) {
		t.Errorf("%s is %v", depth, v)
	}
	if err := n.Parameters().Set(param.Assignment{Name: depth, Value: param.NewValue[int64](8)}); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("the depth of an open publisher is set: %v", err)
	}
	if err := ex.RunTo(t.Context(), int64(time.Minute)); err != nil {
		t.Fatal(err)
	}
	for _, says := range []string{
		`msg="the QoS is set by parameters" node=/ns/n topic=/ns/t end=publisher qos="best effort, transient local, keep last 7, lifespan 2s, deadline 1.5s, liveliness manual by topic with a lease of 3s" instead_of="reliable, volatile, keep last 10"`,
		`no such end of the topic; full names after remapping count" node=/ns/n topic=/other end=publisher policies=depth`,
	} {
		if !strings.Contains(log.String(), says) {
			t.Errorf("the log does not say %s:\n%s", says, log.String())
		}
	}
}

func TestBadQoSOverrides(t *testing.T) {
	for _, c := range []struct{ key, value, says string }{
		{"/t.publisher.reliability", "sometimes", `robot.yaml:3: node /n: parameter "qos_overrides./t.publisher.reliability": given "sometimes", allowed is string one of "reliable", "best_effort"`},
		{"/t.publisher.reliability", "true", `given true (bool), a string needs quotes, allowed is string one of "reliable", "best_effort"`},
		{"/t.publisher.depth", "0", "given 0 (integer), allowed is integer 1 or more"},
		{"/t.subscription.deadline", "-1", "allowed is integer 0 or more (ns)"},
		{"/t.subscription.deadline", "0.5", "allowed is integer 0 or more (ns)"},
		{"/t.subscription.lifespan", "1", `a subscription has no policy "lifespan" that can be set; allowed are deadline, depth, durability, history, liveliness, liveliness_lease_duration, reliability`},
		{"/t.publisher.reliabilty", "reliable", `did you mean "reliability"?`},
		{"/t.publisher_extra.depth", "1", `"publisher_extra" is no end of a topic; want qos_overrides./TOPIC.publisher.POLICY or`},
		{"t.publisher.depth", "1", "with the full name of the topic"},
		{"/t.depth", "1", "with the full name of the topic"},
		{"/rosout.publisher.depth", "1", "the QoS of /rosout is fixed"},
	} {
		o := withOverrides(t, "/n:\n  ros__parameters:\n    qos_overrides."+c.key+": "+c.value+"\n")
		n, err := ros.NewNode(inproc.New(), exec.NewSimulated(0), "n", ros.NodeOptions{Overrides: o})
		if err == nil {
			n.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %s: %v, want an error with %q", c.key, c.value, err, c.says)
		}
	}
	// A command that is kept would move a robot later.
	var o param.Overrides
	if err := o.AddAssignment("qos_overrides./t.publisher.durability:=transient_local"); err != nil {
		t.Fatal(err)
	}
	_, n := rostest.Simulated(t, "n", ros.NodeOptions{Overrides: &o})
	if _, err := ros.Advertise[std_msgs.String](n, "t", ros.Commands()); err == nil || !strings.Contains(err.Error(), "must not be kept for later subscriptions") {
		t.Errorf("commands that are kept: %v", err)
	}
}

// Messages that do not come in time are told once, and again after they came.
func TestDeadlines(t *testing.T) {
	var log bytes.Buffer
	ex, n := rostest.Simulated(t, "n", ros.NodeOptions{LogHandler: rostest.LogTo(&log)})
	offered, asked := ros.DefaultQoS(), ros.DefaultQoS()
	offered.Deadline, asked.Deadline = time.Second, 2*time.Second
	offered.Liveliness, offered.Lease = ros.ManualByTopic, 4*time.Second
	say := rostest.Speaker(t, n, "t", offered)
	sub, _ := rostest.Words(t, n, "t", asked)
	to := func(seconds float64) {
		t.Helper()
		if err := ex.RunTo(t.Context(), int64(seconds*1e9)); err != nil {
			t.Fatal(err)
		}
	}
	count := func() (all [4]int) {
		for i, text := range []string{"WARN msg=\"the deadline of the publisher is missed", "WARN msg=\"the deadline of the subscription is missed", "WARN msg=\"the publisher has lost its liveliness", "INFO msg=\"over: the "} {
			all[i] = strings.Count(log.String(), text)
		}
		return all
	}
	for _, c := range []struct {
		at   float64
		say  bool
		want [4]int
	}{
		{10, true, [4]int{}}, // nothing was promised before the first message
		{10.9, true, [4]int{}},
		{12.5, false, [4]int{1, 0, 0, 0}},
		{13.5, false, [4]int{1, 1, 0, 0}},
		{20, true, [4]int{1, 1, 1, 0}},
		{21, false, [4]int{1, 1, 1, 3}},
		{30, false, [4]int{2, 2, 2, 3}},
	} {
		to(c.at)
		if got := count(); got != c.want {
			t.Errorf("at %g s: %v, want %v\n%s", c.at, got, c.want, log.String())
		}
		if c.say {
			say("x")
		}
	}
	if !strings.Contains(log.String(), `level=WARN msg="the deadline of the publisher is missed" node=/n topic=/t allowed_s=1 `) {
		t.Errorf("the log is\n%s", log.String())
	}
	say("again")
	to(30.5)
	if err := sub.Close(); err != nil { // and no word of it any more
		t.Fatal(err)
	}
	before := count()
	to(60)
	if got := count(); got[1] != before[1] {
		t.Errorf("a closed subscription misses its deadline: %v, before %v", got, before)
	}
}

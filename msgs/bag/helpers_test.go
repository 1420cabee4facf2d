package bag

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"ugp_explorer/msgs"
	"ugp_explorer/msgs/cdr"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/tf2_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
)

// sample is a message for a test.
type sample struct {
	topic        string
	log, publish int64
	data         []byte
}

const epoch = int64(1780000000) * 1e9

// sampleTopics are those of samples, one of them without messages, as a bag describes them.
func sampleTopics() []Topic {
	latched, sensor := DefaultQoS(), DefaultQoS()
	latched.Durability, latched.Depth = TransientLocal, 1
	sensor.Reliability, sensor.Depth = BestEffort, 5
	topics := []Topic{
		{Name: "/tf_static", Type: "tf2_msgs/msg/TFMessage", QoS: []QoS{latched}},
		{Name: "/odometry/filtered", Type: "nav_msgs/msg/Odometry", QoS: []QoS{DefaultQoS(), sensor}},
		{Name: "/reading", Type: "std_msgs/msg/Float64", QoS: []QoS{sensor}},
		{Name: "/ugp_explorer/observation", Type: "ugp_explorer/msg/FieldObservation", QoS: []QoS{latched}},
		{Name: "/ugp_explorer/status", Type: "ugp_explorer/msg/MissionStatus", QoS: []QoS{DefaultQoS()}},
	}
	for i := range topics {
		create, _ := msgs.Lookup(topics[i].Type)
		d := create().(cdr.Described)
		topics[i].Encoding, topics[i].Definition, topics[i].Hash = "ros2msg", d.Definition(), d.TypeHash()
	}
	return topics
}

// samples returns messages as a mission has them, n of odometry and what goes with them, 20 ms apart.
func samples(n int) []sample {
	rng := rand.New(rand.NewPCG(1, 2))
	var all []sample
	add := func(topic string, t int64, m cdr.Message) {
		all = append(all, sample{topic, t, t - 1000, m.AppendCDR(nil)})
	}
	add("/tf_static", epoch, &tf2_msgs.TFMessage{Transforms: []geometry_msgs.TransformStamped{{ChildFrameID: "probe"}}})
	for i := range n {
		t := epoch + int64(i)*20e6
		o := nav_msgs.NewOdometry()
		o.Header = std_msgs.Header{FrameID: "odom"}
		o.Pose.Pose.Position.X = rng.NormFloat64()
		add("/odometry/filtered", t, &o)
		if i%3 == 0 {
			add("/reading", t+1e6, &std_msgs.Float64{Data: rng.Float64()})
		}
		if i%10 == 0 {
			f := ugp_explorer_msgs.NewFieldObservation()
			f.Sequence, f.Value = uint32(i/10), rng.Float64()
			add("/ugp_explorer/observation", t+2e6, &f)
		}
	}
	return all
}

// write writes samples into a new bag and returns its folder.
func write(tb testing.TB, maxFileBytes int64, chunk int, all []sample) string {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "bag")
	w := begin(tb, dir, maxFileBytes, chunk)
	for _, s := range all {
		if err := w.Write(s.topic, s.log, s.publish, s.data); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return dir
}

// begin creates a bag with the topics of samples, named and typed only.
func begin(tb testing.TB, dir string, maxFileBytes int64, chunk int) *Writer {
	tb.Helper()
	w, err := create(dir, maxFileBytes, chunk)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { w.Close() })
	for _, t := range sampleTopics() {
		if err := w.AddTopic(Topic{Name: t.Name, Type: t.Type, QoS: t.QoS}); err != nil {
			tb.Fatal(err)
		}
	}
	return w
}

func openBag(tb testing.TB, path string) *Reader {
	tb.Helper()
	r, err := Open(tb.Context(), path)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := r.Close(); err != nil {
			tb.Error(err)
		}
	})
	return r
}

// read returns all messages that are asked for; any error ends the test.
func read(tb testing.TB, r *Reader, q Query) []sample {
	tb.Helper()
	var all []sample
	for m, err := range r.Messages(q) {
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, sample{m.Topic.Name, m.LogTime, m.PublishTime, bytes.Clone(m.Data)})
	}
	return all
}

// kinds are those of the problems.
func kinds(i *Info) []Kind {
	var ks []Kind
	for _, p := range i.Problems {
		ks = append(ks, p.Kind)
	}
	return ks
}

// equal checks got against want, whose publish times an SQLite bag has not kept.
func equal(tb testing.TB, got, want []sample, storage string) {
	tb.Helper()
	if len(got) != len(want) {
		tb.Fatalf("%d messages, want %d", len(got), len(want))
	}
	for i, g := range got {
		w := want[i]
		if storage == SQLite {
			w.publish = w.log
		}
		if g.topic != w.topic || g.log != w.log || g.publish != w.publish || !bytes.Equal(g.data, w.data) {
			tb.Fatalf("message %d is %s at %d/%d with %d bytes, want %s at %d/%d with %d bytes", i, g.topic, g.log, g.publish, len(g.data), w.topic, w.log, w.publish, len(w.data))
		}
	}
}

// byTime sorts as a bag is read.
func byTime(all []sample) []sample {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b sample) int { return int(a.log - b.log) })
	return all
}

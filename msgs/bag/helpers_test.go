// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs"
	"ugp_explorer/msgs/bag/bagwriter"
	"ugp_explorer/msgs/cdr"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/tf2_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
)

// sample is a message for a test.
type sample struct {
	topic string
	log   int64
	data  []byte
}

const epoch = int64(1780000000) * 1e9

// sampleTopics are those of samples, one of them without messages, as a bag describes them.
func sampleTopics() []Topic {
	topics := []Topic{
		{Name: "/tf_static", Type: "tf2_msgs/msg/TFMessage"},
		{Name: "/odometry/filtered", Type: "nav_msgs/msg/Odometry"},
		{Name: "/reading", Type: "std_msgs/msg/Float64"},
		{Name: "/ugp_explorer/observation", Type: "ugp_explorer/msg/FieldObservation"},
		{Name: "/ugp_explorer/status", Type: "ugp_explorer/msg/MissionStatus"},
	}
	for i := range topics {
		topics[i].Format, topics[i].encoding, topics[i].definition, topics[i].hash = "cdr", "ros2msg", msgs.Definition(topics[i].Type), msgs.TypeHash(topics[i].Type)
	}
	return topics
}

// samples returns messages as a mission has them, n of odometry and what goes with them, 20 ms apart.
func samples(n int) []sample {
	rng := rand.New(rand.NewPCG(1, 2))
	var all []sample
	add := func(topic string, t int64, m cdr.Message) {
		all = append(all, sample{topic, t, m.AppendCDR(nil)})
	}
	add("/tf_static", epoch, &tf2_msgs.TFMessage{Transforms: []geometry_msgs.TransformStamped{{ChildFrameID: "probe"}}})
	for i := range n {
		t := epoch + int64(i)*20e6
		var o nav_msgs.Odometry
		o.Header = std_msgs.Header{FrameID: "odom"}
		o.Pose.Pose.Position.X = rng.NormFloat64()
		add("/odometry/filtered", t, &o)
		if i%3 == 0 {
			add("/reading", t+1e6, &std_msgs.Float64{Data: rng.Float64()})
		}
		if i%10 == 0 {
			var f ugp_explorer_msgs.FieldObservation
			f.Sequence, f.Value = uint32(i/10), rng.Float64()
			add("/ugp_explorer/observation", t+2e6, &f)
		}
	}
	return all
}

// chunkBytes is more than a test writes: one chunk.
const chunkBytes = 1 << 30

// ourWriter writes bags with the topics of samples, named and typed only.
type ourWriter struct {
	*bagwriter.Writer
	topics map[string]*bagwriter.Topic
}

func begin(tb testing.TB, dir string, maxFileBytes int64, qos ...bagwriter.QoS) ourWriter {
	tb.Helper()
	w, err := bagwriter.Create(dir, maxFileBytes)
	must.OK(tb, err)
	tb.Cleanup(func() { w.Close() })
	topics := map[string]*bagwriter.Topic{}
	for _, t := range sampleTopics() {
		topics[t.Name] = &bagwriter.Topic{Name: t.Name, Type: t.Type, QoS: qos}
	}
	return ourWriter{w, topics}
}

func (w ourWriter) write(s sample) error { return w.Write(w.topics[s.topic], s.log, s.log, s.data) }

// write writes samples into a new bag by our writer, in chunks of about chunk bytes, and returns its folder.
func write(tb testing.TB, maxFileBytes int64, chunk int, all []sample) string {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "bag")
	w := begin(tb, dir, maxFileBytes, bagwriter.QoS{Depth: 10})
	bytes := 0
	for _, s := range all {
		must.OK(tb, w.write(s))
		if bytes += len(s.data); bytes >= chunk { // a flush ends a chunk
			must.OK(tb, w.Flush())
			bytes = 0
		}
	}
	must.OK(tb, w.Close())
	return dir
}

func openBag(tb testing.TB, path string) *Reader {
	tb.Helper()
	r, err := Open(tb.Context(), path)
	must.OK(tb, err)
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
		must.OK(tb, err)
		all = append(all, sample{m.Topic.Name, m.LogTime, bytes.Clone(m.Data)})
	}
	return all
}

// Words that are in the texts of problems.
const (
	noMetadata = "metadata.yaml is missing"
	otherCount = "and the files contain"
	lost       = "files of the recording are missing: "
	empty      = "the file is empty"
	notABag    = "the file is neither MCAP nor SQLite"
	cutOff     = "cut off"
	damaged    = "damaged"
	noTopic    = "are skipped"
	noType     = "does not contain the type"
	twoTypes   = "messages of the types"
	noClock    = "the clock was not set, or the time was simulated"
)

// checkProblems checks that the bag has as many problems as are wanted, with these words in their texts.
func checkProblems(tb testing.TB, i *Info, want ...string) {
	tb.Helper()
	same := len(i.Problems) == len(want)
	for k := 0; same && k < len(want); k++ {
		same = strings.Contains(i.Problems[k].Text, want[k])
	}
	if !same {
		tb.Errorf("the problems are %+v, want %q", i.Problems, want)
	}
}

// says reports whether one of the problems has a word in its text.
func says(problems []Problem, word string) bool {
	return slices.ContainsFunc(problems, func(p Problem) bool { return strings.Contains(p.Text, word) })
}

// equal checks got against want.
func equal(tb testing.TB, got, want []sample) {
	tb.Helper()
	if len(got) != len(want) {
		tb.Fatalf("%d messages, want %d", len(got), len(want))
	}
	for i, g := range got {
		w := want[i]
		if g.topic != w.topic || g.log != w.log || !bytes.Equal(g.data, w.data) {
			tb.Fatalf("message %d is %s at %d with %d bytes, want %s at %d with %d bytes", i, g.topic, g.log, len(g.data), w.topic, w.log, len(w.data))
		}
	}
}

// byTime sorts as a bag is read.
func byTime(all []sample) []sample {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b sample) int { return int(a.log - b.log) })
	return all
}

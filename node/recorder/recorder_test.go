// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package recorder_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/bag"
	ri "ugp_explorer/msgs/rcl_interfaces"
	"ugp_explorer/msgs/rosgraph_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/recorder"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/param"
)

const start = 100 * int64(time.Second)

// graph is a node that is recorded, and another that it talks to.
type graph struct {
	t           *testing.T
	ex          exec.Executor
	node, other *ros.Node
	gain        float64 // a parameter

	count, map_ *ros.Publisher[std_msgs.Float64, *std_msgs.Float64]
	input       *ros.Publisher[std_msgs.Float64, *std_msgs.Float64]
	command     *ros.Publisher[std_msgs.String, *std_msgs.String]
	heard       int
}

func newGraph(t *testing.T, ex exec.Executor) *graph {
	t.Helper()
	g := &graph{t: t, ex: ex, gain: 0.25}
	tr := inproc.New()
	set := param.NewSet()
	set.Float64(&g.gain, "gain", param.Describe("a number"), param.Range(0, 1), param.Live())
	var err error
	g.node, err = ros.NewNode(tr, ex, "robot", ros.NodeOptions{Namespace: "/field", Parameters: set})
	g.must(err)
	g.other, err = ros.NewNode(tr, ex, "other", ros.NodeOptions{NoRosout: true})
	g.must(err)
	g.count = rostest.Publisher[std_msgs.Float64](g.t, g.node, "~/count", ros.DefaultQoS())
	g.map_ = rostest.Publisher[std_msgs.Float64](g.t, g.node, "~/map", ros.Latched())
	g.input = rostest.Publisher[std_msgs.Float64](g.t, g.other, "/field/input", ros.DefaultQoS().WithDepth(7))
	g.command = rostest.Publisher[std_msgs.String](g.t, g.other, "/field/robot/command", ros.DefaultQoS())
	rostest.Hear(t, g.node, "input", ros.SensorData(), func(*std_msgs.Float64) { g.heard++ })
	rostest.Hear(t, g.node, "~/command", ros.DefaultQoS(), func(*std_msgs.String) { g.heard++ })
	t.Cleanup(func() { g.must(errors.Join(g.node.Close(), g.other.Close(), ex.Close(), tr.Close())) })
	return g
}

func (g *graph) must(err error) {
	g.t.Helper()
	must.OK(g.t, err)
}

// talk has messages sent and taken, a simulated second apart.
func (g *graph) talk(simulated *exec.Simulated, from, n int) {
	g.t.Helper()
	for i := range n {
		g.must(simulated.RunTo(context.Background(), simulated.Now()+int64(time.Second)))
		g.must(g.count.Publish(&std_msgs.Float64{Data: float64(from + i)}))
		g.must(g.input.Publish(&std_msgs.Float64{Data: float64(10 * (from + i))}))
		g.must(g.command.Publish(&std_msgs.String{Data: fmt.Sprint("go ", from+i)}))
	}
	g.must(simulated.RunTo(context.Background(), simulated.Now()+1))
}

func config() recorder.Config {
	c := recorder.DefaultConfig()
	c.Reserve = 0
	return c
}

// record records the node in a folder.
func (g *graph) record(cfg recorder.Config) (f *recorder.Folder, dir string) {
	g.t.Helper()
	dir = g.t.TempDir()
	f, err := recorder.New(g.node, dir, "~/command", cfg)
	g.must(err)
	return f, dir
}

// begin begins the first bag, and returns its folder.
func (g *graph) begin(f *recorder.Folder, dir string) string {
	g.t.Helper()
	f.Begin("bag_1")
	g.must(f.Status().Err)
	return filepath.Join(dir, "bag_1")
}

// end ends the bag.
func (g *graph) end(f *recorder.Folder) {
	g.t.Helper()
	f.End()
	g.must(f.Status().Err)
}

// contents reads a bag: a line for each message.
func contents(t *testing.T, dir string) (lines []string, info *bag.Info) {
	t.Helper()
	r, err := bag.Open(t.Context(), dir)
	must.OK(t, err)
	defer r.Close()
	for m, err := range r.Messages(bag.Query{}) {
		must.OK(t, err)
		text := fmt.Sprintf("%d bytes", len(m.Data))
		switch m.Topic.Type {
		case "std_msgs/msg/Float64":
			var v std_msgs.Float64
			err = v.UnmarshalCDR(m.Data)
			text = fmt.Sprint(v.Data)
		case "std_msgs/msg/String":
			var v std_msgs.String
			err = v.UnmarshalCDR(m.Data)
			text = v.Data
		case "rcl_interfaces/msg/ParameterEvent":
			var v ri.ParameterEvent
			err = v.UnmarshalCDR(m.Data)
			text = fmt.Sprint(v.Node, " ", len(v.NewParameters))
			for _, p := range v.NewParameters {
				if p.Name == "gain" {
					text += fmt.Sprint(" gain ", p.Value.DoubleValue)
				}
			}
		}
		must.OK(t, err)
		lines = append(lines, fmt.Sprintf("%g %s %s", float64(m.LogTime-start)/1e9, m.Topic.Name, text))
	}
	return lines, r.Info()
}

// A bag has the node's parameters, and from its start on its latched messages, its other messages
// and, by choice, those that it receives; in the order and at the times of the node.
func TestRecords(t *testing.T) {
	for topics, want := range map[string][]string{
		"mission": {
			"0 /parameter_events /field/robot 2 gain 0.25", "0 /field/robot/map 2",
			"1 /field/robot/count 5", "1 /field/robot/command go 5", "2.000000001 /field/robot/map 3",
		},
		"all": {
			"0 /parameter_events /field/robot 2 gain 0.25", "0 /field/robot/map 2",
			"1 /field/robot/count 5", "1 /field/input 50", "1 /field/robot/command go 5", "2.000000001 /field/robot/map 3",
		},
	} {
		t.Run(topics, func(t *testing.T) {
			ex := exec.NewSimulated(start)
			g := newGraph(t, ex)
			cfg := config()
			cfg.Topics = topics
			r, root := g.record(cfg)
			g.must(g.map_.Publish(&std_msgs.Float64{Data: 1}))
			g.must(g.count.Publish(&std_msgs.Float64{Data: 4}))
			g.must(g.map_.Publish(&std_msgs.Float64{Data: 2})) // the newest is kept
			dir := g.begin(r, root)
			g.talk(ex, 5, 1)
			g.must(ex.RunTo(context.Background(), start+2e9+1))
			g.must(g.map_.Publish(&std_msgs.Float64{Data: 3}))
			s := r.Status()
			if s.Bag != dir || s.Messages != int64(len(want)) || s.Dropped != 0 || s.Err != nil {
				t.Errorf("status %+v", s)
			}
			g.end(r)
			g.talk(ex, 6, 1) // not recorded
			got, info := contents(t, dir)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			for _, p := range info.Problems {
				if !strings.Contains(p.Text, "1970") { // the time is simulated
					t.Errorf("problem %v", p)
				}
			}
			const forever = 9223372036
			for name, q := range profiles(t, dir) {
				want := profile{History: 1, Depth: q.Depth, Reliability: q.Reliability, Durability: 2, Deadline: seconds{forever}, Liveliness: 1, Lease: seconds{forever}}
				switch name {
				case "/field/robot/map":
					want.Durability = 1
				case "/field/input": // those of its publisher, which is heard
					want.Depth, want.Reliability = 7, 1
				}
				if diff := cmp.Diff(want, q); diff != "" {
					t.Errorf("QoS of %s: %s", name, diff)
				}
			}
		})
	}
}

// profile is a QoS profile as metadata.yaml has it, with rmw's numbers: history 1 keeps the last, reliability 1
// is reliable, durability 1 transient-local and 2 volatile, liveliness 1 automatic.
type profile struct {
	History, Depth, Reliability, Durability int
	Deadline                                seconds
	Liveliness                              int
	Lease                                   seconds `yaml:"liveliness_lease_duration"`
}

type seconds struct{ Sec int64 }

// profiles returns the only profile of each topic of a bag.
func profiles(t *testing.T, dir string) map[string]profile {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "metadata.yaml"))
	must.OK(t, err)
	var m struct {
		Bag struct {
			Topics []struct {
				Topic struct {
					Name string
					QoS  string `yaml:"offered_qos_profiles"`
				} `yaml:"topic_metadata"`
			} `yaml:"topics_with_message_count"`
		} `yaml:"rosbag2_bagfile_information"`
	}
	must.OK(t, yaml.Unmarshal(data, &m))
	all := map[string]profile{}
	for _, topic := range m.Bag.Topics {
		var list []profile
		if err := yaml.Unmarshal([]byte(topic.Topic.QoS), &list); err != nil || len(list) != 1 {
			t.Fatalf("%s: %q, %v", topic.Topic.Name, topic.Topic.QoS, err)
		}
		all[topic.Topic.Name] = list[0]
	}
	return all
}

// Of a folder whose bags are larger than the limit the oldest go, whole, and nothing else: not
// the one that is being written, nor other files.
func TestLimit(t *testing.T) {
	ex := exec.NewSimulated(start)
	g := newGraph(t, ex)
	cfg := config()
	cfg.Limit = 10
	f, dir := g.record(cfg)
	for i, name := range []string{"bag_2", "bag_9", "bag_10", "journal"} {
		g.must(os.MkdirAll(filepath.Join(dir, name), 0o777))
		g.must(os.WriteFile(filepath.Join(dir, name, "data"), make([]byte, 3_000_000+i), 0o666))
	}
	f.Begin(f.Next())
	f.Trim()
	if got := f.Names(); len(got) != 4 {
		t.Errorf("9 MB, and the bags are %v", got)
	}
	if f.Full() {
		t.Error("the bag is full before anything is in it")
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		text := make([]byte, 60_000) // that no compression makes smaller
		for i := range text {
			text[i] = byte(rng.UintN(256))
		}
		g.must(g.command.Publish(&std_msgs.String{Data: string(text)}))
		g.must(ex.RunTo(t.Context(), ex.Now()+int64(time.Second)))
	}
	if !f.Full() {
		t.Error("the bag holds 3 MB and is not full")
	}
	f.Trim()
	if got := fmt.Sprint(f.Names()); got != "[bag_10 bag_11 bag_9]" {
		t.Errorf("12 MB, and the bags are %v", got)
	}
	f.Begin(f.Next())
	f.Trim()
	f.End()
	if got := fmt.Sprint(f.Names()); got != "[bag_10 bag_11 bag_12 bag_9]" {
		t.Errorf("the bags are %v", got)
	}
	lines, _ := contents(t, filepath.Join(dir, "bag_11"))
	if n := strings.Count(strings.Join(lines, "\n"), "/field/robot/command"); n != 50 {
		t.Errorf("%d of 50 commands are in the bag", n)
	}
	if _, err := os.Stat(filepath.Join(dir, "journal", "data")); err != nil {
		t.Error(err)
	}
}

// A message that a bag cannot have is counted and reported, and the others are recorded.
func TestUndecodable(t *testing.T) {
	ex := exec.NewSimulated(start)
	g := newGraph(t, ex)
	f, _ := g.record(config())
	raw, err := ros.AdvertiseRaw(g.other, "/field/input", "std_msgs/msg/Float64", "", ros.DefaultQoS())
	g.must(err)
	f.Begin(f.Next())
	g.talk(ex, 0, 1)
	for _, cdr := range [][]byte{{}, {0, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}} {
		g.must(raw.Publish(cdr, ex.Now()))
		g.must(ex.RunTo(context.Background(), ex.Now()+int64(time.Second)))
	}
	f.Watch()
	g.talk(ex, 1, 1)
	s, d := f.Status(), f.Finding()
	if s.Err != nil || s.Refused != 3 || s.Dropped != 0 {
		t.Errorf("status %+v", s)
	}
	const why = "; 3 messages not recorded, reason of the last: /field/input: the message of 12 bytes does not start with the header of CDR"
	if !d.Wrong() || !strings.HasSuffix(d.Text, why) {
		t.Errorf("diagnostics %+v, want %q", d, why)
	}
	f.End()
	lines, _ := contents(t, s.Bag)
	text := strings.Join(lines, "\n")
	if int64(len(lines)) != s.Messages || strings.Count(text, "/field/input ") != 2 || !strings.Contains(text, "/field/input 10") {
		t.Errorf("the bag has\n%s", text)
	}
}

// No bag is begun if nothing is recorded, nor on a disk that is nearly full.
func TestNoBag(t *testing.T) {
	for topics, want := range map[string]string{recorder.None: "not started", "all": "less than the reserve of 1099511627776 MB"} {
		g := newGraph(t, exec.NewSimulated(start))
		cfg := config()
		cfg.Topics, cfg.Reserve = topics, 1<<40
		r, dir := g.record(cfg)
		r.Begin("bag_1")
		g.must(g.map_.Publish(&std_msgs.Float64{Data: 1}))
		if _, err := os.Stat(filepath.Join(dir, "bag_1")); !errors.Is(err, os.ErrNotExist) || !strings.Contains(r.Status().String(), want) {
			t.Errorf("%s: %v, %v", topics, err, r.Status())
		}
		r.End()
	}
}

// In real time the goroutine that writes gets everything to the disk by itself.
func TestRealTime(t *testing.T) {
	ex := exec.NewRealTime()
	g := newGraph(t, ex)
	r, root := g.record(config())
	dir := g.begin(r, root)
	const sent = 1000
	for i := range sent {
		g.must(g.count.Publish(&std_msgs.Float64{Data: float64(i)}))
	}
	s := r.Status()
	if s.Messages != sent+1 {
		t.Errorf("status %+v", s)
	}
	// Read while it is written, as after a kill.
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	copied := 0
	_, err := g.node.NewTimer(50*time.Millisecond, func() {
		copied++
		now := filepath.Join(t.TempDir(), fmt.Sprint(copied))
		g.must(os.CopyFS(now, os.DirFS(dir)))
		if b, err := bag.Open(t.Context(), now); err == nil {
			if int64(count(b)) == s.Messages {
				ex.Stop(nil)
			}
			b.Close()
		}
	})
	g.must(err)
	if err := ex.Run(ctx, nil); err != nil {
		t.Fatalf("waiting for the messages on the disk: %v", err)
	}
	g.end(r)
	if lines, _ := contents(t, dir); int64(len(lines)) != s.Messages {
		t.Errorf("%d messages in the bag, want %d", len(lines), s.Messages)
	}
}

// count returns how many messages can be read.
func count(b *bag.Reader) (n int) {
	for _, err := range b.Messages(bag.Query{}) {
		if err == nil {
			n++
		}
	}
	return n
}

func TestConfig(t *testing.T) {
	g := newGraph(t, exec.NewSimulated(start))
	for want, change := range map[string]func(*recorder.Config){
		`Topics is "some"`: func(c *recorder.Config) { c.Topics = "some" },
		"(record.limit) is 9 MB: it must be 0, for none, or at least 10 MB": func(c *recorder.Config) { c.Limit = 9 },
		"(record.also)": func(c *recorder.Config) { c.Also = []string{"a//b"} },
	} {
		cfg := config()
		change(&cfg)
		if _, err := recorder.New(g.node, t.TempDir(), "", cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// publisher opens a topic of the other node.
func publisher[M any, PM ros.MessagePtr[M]](g *graph, topic string, q ros.QoS) *ros.Publisher[M, PM] {
	g.t.Helper()
	p := rostest.Publisher[M, PM](g.t, g.other, topic, q)
	return p
}

// perTopic returns the number of messages of each topic in a bag.
func perTopic(t *testing.T, dir string) map[string]int {
	t.Helper()
	lines, _ := contents(t, dir)
	n := map[string]int{}
	for _, line := range lines {
		n[strings.Fields(line)[1]]++
	}
	return n
}

// Of a clock that ticks a thousand times a second twenty messages are recorded, the first
// among them, and one that sets the time back.
func TestClockIsThinned(t *testing.T) {
	ex := exec.NewSimulated(start)
	g := newGraph(t, ex)
	r, root := g.record(config())
	_, err := ros.Subscribe(g.node, "/clock", ros.ClockQoS(), func(*rosgraph_msgs.Clock, ros.MessageInfo) {})
	g.must(err)
	clock := publisher[rosgraph_msgs.Clock](g, "/clock", ros.DefaultQoS())
	dir := g.begin(r, root)
	tick := func(ns int64) {
		g.must(clock.Publish(&rosgraph_msgs.Clock{Clock: ros.TimeMsg(ns)}))
		g.must(ex.RunTo(context.Background(), ex.Now()+int64(time.Millisecond)))
	}
	for i := range 2001 { // 0 to 2 s
		tick(7e9 + int64(i)*1e6)
	}
	for i := range 500 { // the simulation starts again
		tick(int64(i) * 1e6)
	}
	g.end(r)
	if n, want := perTopic(t, dir)["/clock"], 2*20+1+10; n != want {
		t.Errorf("%d messages of 2501 are recorded, want %d", n, want)
	}
}

// Topics that the node does not use are recorded while a bag is written if somebody publishes
// them, each once, by the type that the graph has, latched ones from their last message on.
func TestRecordsOtherTopics(t *testing.T) {
	ex := exec.NewSimulated(start)
	g := newGraph(t, ex)
	cfg := config()
	cfg.Also = []string{"odom", "fix", "nothing", "input", "/static"}
	r, root := g.record(cfg)
	odom := publisher[std_msgs.Float64](g, "/field/odom", ros.DefaultQoS())
	static := publisher[std_msgs.Float64](g, "/static", ros.Latched())
	g.must(static.Publish(&std_msgs.Float64{Data: 3}))
	subscriptions := func() (n int) {
		for _, e := range g.node.Endpoints("") {
			if e.Kind == ros.SubscriptionEnd && e.Node == g.node.FullName() {
				n++
			}
		}
		return n
	}
	before := subscriptions()
	r.Watch()
	if n := subscriptions(); n != before {
		t.Errorf("%d subscriptions without a bag", n-before)
	}
	dir := g.begin(r, root)
	second := func(values ...float64) {
		r.Watch()
		for _, v := range values {
			g.must(odom.Publish(&std_msgs.Float64{Data: v}))
			g.must(g.input.Publish(&std_msgs.Float64{Data: v}))
		}
		g.must(ex.RunTo(context.Background(), ex.Now()+int64(time.Second)))
	}
	second(1, 2)
	fix := publisher[std_msgs.String](g, "/field/fix", ros.SensorData())
	second(3)
	g.must(fix.Publish(&std_msgs.String{Data: "52 N"}))
	second(4)
	g.end(r)
	if n := subscriptions(); n != before {
		t.Errorf("%d subscriptions are left", n-before)
	}
	second(5)
	want := map[string]int{"/field/odom": 4, "/field/input": 4, "/field/fix": 1, "/static": 1, "/parameter_events": 1}
	if diff := cmp.Diff(want, perTopic(t, dir)); diff != "" {
		t.Error(diff)
	}
	lines, info := contents(t, dir)
	if log := strings.Join(lines, "\n"); !strings.Contains(log, "/field/fix 52 N") || !strings.Contains(log, "/static 3") {
		t.Errorf("recorded\n%s", log)
	}
	for _, topic := range info.Topics {
		if topic.Name == "/field/fix" && topic.Type != "std_msgs/msg/String" {
			t.Errorf("/field/fix is recorded as %s", topic.Type)
		}
	}
	cfg.Topics = "mission"
	r, root = g.record(cfg)
	g.begin(r, root)
	second(6)
	if n := subscriptions(); n != before {
		t.Errorf("with topics mission there are %d subscriptions more", n-before)
	}
	g.end(r)
}

// A bag begins with all messages that latched publishers of one topic keep, as those of
// /tf_static, each of which has another frame.
func TestBagBeginsWithAllThatIsLatched(t *testing.T) {
	ex := exec.NewSimulated(start)
	g := newGraph(t, ex)
	r, root := g.record(config())
	_, err := ros.Subscribe(g.node, "/static", ros.Latched().WithDepth(3), func(*std_msgs.Float64, ros.MessageInfo) {})
	g.must(err)
	for v := range 4 {
		p := publisher[std_msgs.Float64](g, "/static", ros.Latched())
		g.must(p.Publish(&std_msgs.Float64{Data: float64(v)}))
		g.must(ex.RunTo(context.Background(), ex.Now()+1))
	}
	dir := g.begin(r, root)
	g.end(r)
	lines, _ := contents(t, dir)
	var got []string
	for _, line := range lines {
		if f := strings.Fields(line); f[1] == "/static" {
			got = append(got, f[2])
		}
	}
	if strings.Join(got, " ") != "1 2 3" {
		t.Errorf("the bag begins with %v, want the newest three of the subscription", got)
	}
}

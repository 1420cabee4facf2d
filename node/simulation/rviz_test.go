// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"os"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/all"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/visualization_msgs"
	"ugp_explorer/node/ros"
)

const rvizFile = launchFolder + "rviz/explore.rviz"

// rvizTypes are the classes of RViz's displays that are used, with the messages
// that they show, as its rviz_default_plugins/plugins_description.xml has them.
var rvizTypes = map[string]string{
	"rviz_default_plugins/Map":                "nav_msgs/msg/OccupancyGrid",
	"rviz_default_plugins/MarkerArray":        "visualization_msgs/msg/MarkerArray",
	"rviz_default_plugins/Odometry":           "nav_msgs/msg/Odometry",
	"rviz_default_plugins/Path":               "nav_msgs/msg/Path",
	"rviz_default_plugins/PointCloud2":        "sensor_msgs/msg/PointCloud2",
	"rviz_default_plugins/PointStamped":       "geometry_msgs/msg/PointStamped",
	"rviz_default_plugins/Pose":               "geometry_msgs/msg/PoseStamped",
	"rviz_default_plugins/PoseWithCovariance": "geometry_msgs/msg/PoseWithCovarianceStamped",
}

// rvizThing is a display, a tool, a panel or a view.
type rvizThing struct {
	Class    string      `yaml:"Class"`
	Name     string      `yaml:"Name"`
	Enabled  bool        `yaml:"Enabled"`
	Value    any         `yaml:"Value"` // of a display, whether it is enabled
	Displays []rvizThing `yaml:"Displays"`
	Channel  string      `yaml:"Channel Name"`
	Topic    struct {
		Value       string `yaml:"Value"`
		Depth       int    `yaml:"Depth"`
		Durability  string `yaml:"Durability Policy"`
		History     string `yaml:"History Policy"`
		Reliability string `yaml:"Reliability Policy"`
	} `yaml:"Topic"`
	Namespaces map[string]bool `yaml:"Namespaces"`
}

// qos reads RViz's words for policies; what it does not know it takes for its
// default without a word.
func (d rvizThing) qos(t *testing.T) ros.QoS {
	t.Helper()
	q := ros.QoS{Depth: d.Topic.Depth}
	var known [2]bool
	q.TransientLocal, known[0] = map[string]bool{"Volatile": false, "Transient Local": true}[d.Topic.Durability]
	q.BestEffort, known[1] = map[string]bool{"Reliable": false, "Best Effort": true}[d.Topic.Reliability]
	if known != [2]bool{true, true} || d.Topic.History != "Keep Last" || q.Validate() != nil {
		t.Errorf("%s: QoS %+v is not RViz's", d.Name, d.Topic)
	}
	return q
}

// rvizConfig has the parts of the file that a test can check.
type rvizConfig struct {
	Manager struct {
		Displays []rvizThing `yaml:"Displays"`
		Global   struct {
			Frame string `yaml:"Fixed Frame"`
		} `yaml:"Global Options"`
	} `yaml:"Visualization Manager"`
}

func readRViz(t *testing.T) (c rvizConfig) {
	t.Helper()
	data, err := os.ReadFile(rvizFile)
	must.OK(t, err)
	must.OK(t, yaml.Unmarshal(data, &c))
	return c
}

// flatten returns the displays of all groups.
func flatten(displays []rvizThing) (all []rvizThing) {
	for _, d := range displays {
		if d.Class == "rviz_common/Group" {
			all = append(all, flatten(d.Displays)...)
		} else {
			all = append(all, d)
		}
	}
	return all
}

// TestRVizFile has every display of RViz listen as RViz would to nodes on a
// mission: each gets messages that it can show.
func TestRVizFile(t *testing.T) {
	c := readRViz(t)
	cfg := DefaultConfig(1)
	cfg.Explorer.Mission.Budget.Samples = 1
	s := begin(t, &cfg, Options{})
	rviz, err := ros.NewNode(s.graph, s.executor, "rviz2", ros.NodeOptions{})
	must.OK(t, err)
	t.Cleanup(func() {
		if err := rviz.Close(); err != nil {
			t.Error(err)
		}
	})
	if c.Manager.Global.Frame != cfg.Explorer.Frame {
		t.Errorf("the fixed frame is %q, want %q", c.Manager.Global.Frame, cfg.Explorer.Frame)
	}

	heard := map[string]*ros.Subscription{}
	displays := flatten(c.Manager.Displays)
	for _, d := range displays {
		if value, ok := d.Value.(bool); ok && value != d.Enabled {
			t.Errorf("%s: Enabled is %v, but Value is %v", d.Name, d.Enabled, d.Value)
		}
		typ := rvizTypes[d.Class]
		if typ == "" {
			continue
		}
		if heard[d.Name] != nil {
			t.Errorf("two displays are called %s", d.Name)
		}
		if heard[d.Name], err = ros.SubscribeRaw(rviz, d.Topic.Value, typ, "", d.qos(t), func(b []byte, _ ros.MessageInfo) { d.shows(t, typ, b) }); err != nil {
			t.Fatalf("%s: %v", d.Name, err)
		}
		checkPublishers(t, s, d)
	}
	must.OK(t, s.Run(t.Context()))
	for name, sub := range heard {
		if sub.Received() == 0 {
			t.Errorf("%s has nothing to show: %s had no message", name, sub.Name())
		}
	}
	for _, topic := range []string{"mean", "stddev", "acquisition", "samples", "field"} {
		if !slices.ContainsFunc(displays, func(d rvizThing) bool { return d.Topic.Value == "ugp_explorer/"+topic }) {
			t.Errorf("no display shows %s", topic)
		}
	}
}

// checkPublishers has a display ask for what was said before it came, where the
// nodes keep that, and for one type.
func checkPublishers(t *testing.T, s *Simulation, d rvizThing) {
	t.Helper()
	if strings.HasPrefix(d.Topic.Value, "/") {
		t.Errorf("%s: the topic %s does not follow a namespace", d.Name, d.Topic.Value)
	}
	q := d.qos(t)
	for _, e := range s.graph.Endpoints("/" + d.Topic.Value) {
		if e.Kind != ros.PublisherEnd {
			continue
		}
		if e.Type != rvizTypes[d.Class] {
			t.Errorf("%s: %s shows no %s", d.Name, d.Class, e.Type)
		}
		if q.TransientLocal != e.QoS.TransientLocal || !q.BestEffort && e.QoS.BestEffort {
			t.Errorf("%s asks for %+v, %s is %+v", d.Name, q, e.Name, e.QoS)
		}
	}
}

// shows fails the test when a display is set to what the message has not.
func (d rvizThing) shows(t *testing.T, typ string, data []byte) {
	t.Helper()
	m := all.New(typ)
	if m == nil {
		t.Fatalf("%s is unknown", typ)
	}
	if err := m.UnmarshalCDR(data); err != nil {
		t.Errorf("%s: %v", d.Name, err)
	}
	switch m := m.(type) {
	case *sensor_msgs.PointCloud2:
		if !slices.ContainsFunc(m.Fields, func(f sensor_msgs.PointField) bool { return f.Name == d.Channel }) {
			t.Errorf("%s: the cloud has no %q", d.Name, d.Channel)
		}
	case *visualization_msgs.MarkerArray:
		for _, marker := range m.Markers {
			if !d.Namespaces[marker.Ns] {
				t.Errorf("%s: namespace %q is not shown", d.Name, marker.Ns)
			}
		}
	}
}

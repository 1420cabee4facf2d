// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/ros"
)

const foxgloveFile = launchFolder + "foxglove/explore.json"

// foxgloveTypes are the messages that the 3D panel shows, of those that the nodes
// send. Odometry it does not.
var foxgloveTypes = []string{
	"geometry_msgs/msg/PoseStamped", "geometry_msgs/msg/PoseWithCovarianceStamped", "nav_msgs/msg/OccupancyGrid", "nav_msgs/msg/Path",
	"sensor_msgs/msg/PointCloud2", "visualization_msgs/msg/MarkerArray",
}

// foxgloveLayout has the parts of the file that a test can check.
type foxgloveLayout struct {
	Panels map[string]foxglovePanel `json:"configById"`
	Layout any                      `json:"layout"`
}

// foxglovePanel is the settings of a panel, whatever it is.
type foxglovePanel struct {
	Topics map[string]struct {
		Field string `json:"colorField"`
	} `json:"topics"`
	Publish struct {
		PoseEstimate string `json:"poseEstimateTopic"`
	} `json:"publish"`
	Paths []struct {
		Value string `json:"value"`
	} `json:"paths"`
	TopicPath     string `json:"topicPath"`
	TopicToRender string `json:"topicToRender"`
	Service       string `json:"serviceName"`
}

// endpoint returns the only end of a kind that a topic or service has.
func endpoint(t *testing.T, s *Simulation, name string, kind ros.EndpointKind) ros.EndpointInfo {
	t.Helper()
	for _, e := range s.graph.Endpoints(name) {
		if e.Kind == kind {
			return e
		}
	}
	t.Errorf("%s has no %v", name, kind)
	return ros.EndpointInfo{}
}

// TestFoxgloveFile has every panel of the layout name what the nodes publish and
// serve, and every panel in its place.
func TestFoxgloveFile(t *testing.T) {
	data, err := os.ReadFile(foxgloveFile)
	must.OK(t, err)
	var layout foxgloveLayout
	must.OK(t, json.Unmarshal(data, &layout))
	cfg := DefaultConfig(1)
	s := begin(t, &cfg, Options{})
	topics := 0
	for id, p := range layout.Panels {
		for topic, settings := range p.Topics {
			topics++
			e := endpoint(t, s, topic, ros.PublisherEnd)
			if !slices.Contains(foxgloveTypes, e.Type) {
				t.Errorf("%s: %s is a %s, which is not shown", id, topic, e.Type)
			}
			if cloud := (&sensor_msgs.PointCloud2{}).TypeName(); (settings.Field != "") != (e.Type == cloud) {
				t.Errorf("%s: %s is a %s, coloured by %q", id, topic, e.Type, settings.Field)
			}
		}
		if p.Publish.PoseEstimate != "" {
			endpoint(t, s, p.Publish.PoseEstimate, ros.SubscriptionEnd)
		}
		for _, topic := range []string{p.TopicPath, p.TopicToRender} {
			if topic != "" {
				endpoint(t, s, topic, ros.PublisherEnd)
			}
		}
		if p.Service != "" && endpoint(t, s, p.Service, ros.ServerEnd).Type != "std_srvs/srv/Trigger" {
			t.Errorf("%s: %s is no std_srvs/srv/Trigger", id, p.Service)
		}
		for _, path := range p.Paths {
			topic, field, _ := strings.Cut(path.Value, ".")
			if typ := endpoint(t, s, topic, ros.PublisherEnd).Type; !hasField(typ, field) {
				t.Errorf("%s: %s has no %q", id, typ, field)
			}
		}
	}
	if topics < 8 {
		t.Errorf("%d topics are shown", topics)
	}
	placed := leaves(layout.Layout)
	slices.Sort(placed)
	var panels []string
	for id := range layout.Panels {
		panels = append(panels, id)
	}
	slices.Sort(panels)
	if !slices.Equal(placed, panels) {
		t.Errorf("the panels %q are placed, want %q", placed, panels)
	}
}

// hasField says whether a message has a field of its own called name.
func hasField(typ, name string) bool {
	definition, _, _ := strings.Cut(msgs.Definition(typ), "\n===")
	return regexp.MustCompile(`(?m)^\S+ +` + regexp.QuoteMeta(name) + `( |$)`).MatchString(definition)
}

// leaves returns the panels in a tree of rows and columns.
func leaves(layout any) []string {
	switch l := layout.(type) {
	case string:
		return []string{l}
	case map[string]any:
		return append(leaves(l["first"]), leaves(l["second"])...)
	}
	return nil
}

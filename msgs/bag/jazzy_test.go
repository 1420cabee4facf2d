// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs"
)

// jazzyTopics is what two recorders of Jazzy's rosbag2, one for each storage, heard of a simulated mission of three samples in a made-up field of 40 × 30 m, and of a
// service with introspection that was called once a second.
var jazzyTopics = map[string]Topic{
	"/odometry/filtered":          {Type: "nav_msgs/msg/Odometry", Count: 797},
	"/reading":                    {Type: "ugp_explorer/msg/FieldReading", Count: 41},
	"/goal_pose":                  {Type: "geometry_msgs/msg/PoseStamped", Count: 99},
	"/ugp_explorer/observation":   {Type: "ugp_explorer/msg/FieldObservation", Count: 3},
	"/ugp_explorer/status":        {Type: "ugp_explorer/msg/MissionStatus", Count: 169},
	"/take_sample/_service_event": {Type: "std_srvs/srv/SetBool_Event", Count: 176},
}

// otherStatus is the problem of these bags: a MissionStatus has more fields by now.
const otherStatus = "the type ugp_explorer/msg/MissionStatus has other fields in the bag than in this program"

// Bags of Jazzy's rosbag2 have version 9 of metadata.yaml, and hold hashes of types and events of services.
func TestRecordedByJazzy(t *testing.T) {
	heard := map[string]map[string][][]byte{}
	for _, name := range []string{"jazzy_mcap", "jazzy_sqlite3"} {
		t.Run(name, func(t *testing.T) {
			dir := recorded(t, name)
			r := openBag(t, dir)
			checkJazzy(t, r.Info())
			checkProblems(t, r.Info(), otherStatus)
			all := read(t, r, Query{})
			heard[name] = map[string][][]byte{}
			for _, s := range all {
				heard[name][s.topic] = append(heard[name][s.topic], s.data)
			}
			must.OK(t, os.Remove(filepath.Join(dir, metadataName)))
			r = openBag(t, dir)
			checkJazzy(t, r.Info())
			checkProblems(t, r.Info(), noMetadata, otherStatus)
			equal(t, read(t, r, Query{}), all)
		})
	}
	for topic, want := range jazzyTopics {
		got := heard["jazzy_mcap"][topic]
		if int64(len(got)) != want.Count || !slices.EqualFunc(got, heard["jazzy_sqlite3"][topic], bytes.Equal) {
			t.Errorf("%s: %d and %d messages, or not the same", topic, len(got), len(heard["jazzy_sqlite3"][topic]))
		}
	}
}

func checkJazzy(t *testing.T, i *Info) {
	t.Helper()
	if i.Count != 1285 || len(i.Topics) != len(jazzyTopics) {
		t.Errorf("%d messages on %d topics", i.Count, len(i.Topics))
	}
	for _, topic := range i.Topics {
		want := jazzyTopics[topic.Name]
		if topic.Type != want.Type || topic.Count != want.Count || topic.Format != "cdr" {
			t.Errorf("%+v, want %+v", topic, want)
		}
		own := msgs.TypeHash(topic.Type)
		if own == "" {
			if topic.Name != "/take_sample/_service_event" || topic.encoding == "ros2msg" {
				t.Errorf("%+v", topic)
			}
			continue
		}
		if topic.hash != own != (topic.Name == "/ugp_explorer/status") || topic.encoding != "ros2msg" || topic.definition == "" {
			t.Errorf("%s: hash %s, own %s, defined in %q", topic.Name, topic.hash, own, topic.encoding)
		}
	}
}

package bag

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ugp_explorer/msgs"
	"ugp_explorer/msgs/cdr"
	"ugp_explorer/msgs/ugp_explorer_msgs"
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

// Bags of Jazzy's rosbag2 have version 9 of metadata.yaml, in which QoS profiles are YAML and name their policies, and hold hashes of types and events of services.
func TestRecordedByJazzy(t *testing.T) {
	heard := map[string]map[string][][]byte{}
	for _, want := range []struct {
		name, storage string
		compression   Compression
	}{{"jazzy_mcap", MCAP, ChunkZstd}, {"jazzy_sqlite3", SQLite, FileZstd}} {
		t.Run(want.name, func(t *testing.T) {
			dir := recorded(t, want.name)
			r := openBag(t, dir)
			checkJazzy(t, r.Info())
			i := r.Info()
			if i.Version != 9 || len(i.Problems) > 0 {
				t.Errorf("version %d, problems %v", i.Version, i.Problems)
			}
			if i.Storage != want.storage || len(i.Files) != 1 || i.Files[0].Compression != want.compression {
				t.Errorf("%s, %+v", i.Storage, i.Files)
			}
			all := read(t, r, Query{})
			heard[want.name] = map[string][][]byte{}
			for _, s := range all {
				heard[want.name][s.topic] = append(heard[want.name][s.topic], s.data)
			}
			if err := os.Remove(filepath.Join(dir, metadataName)); err != nil {
				t.Fatal(err)
			}
			r = openBag(t, dir)
			checkJazzy(t, r.Info())
			if d := cmp.Diff([]Kind{NoMetadata}, kinds(r.Info())); d != "" {
				t.Error(d, r.Info().Problems)
			}
			equal(t, read(t, r, Query{}), all, want.storage)
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
	if i.Distro != "jazzy" || i.Count != 1285 || len(i.Topics) != len(jazzyTopics) {
		t.Errorf("%d messages of %s on %d topics", i.Count, i.Distro, len(i.Topics))
	}
	for _, topic := range i.Topics {
		want := jazzyTopics[topic.Name]
		if topic.Type != want.Type || topic.Count != want.Count || topic.Format != "cdr" {
			t.Errorf("%+v, want %+v", topic, want)
		}
		profile := DefaultQoS()
		profile.Depth = 1
		switch topic.Name {
		case "/reading":
			profile.Reliability = BestEffort
		case "/ugp_explorer/status", "/ugp_explorer/observation":
			profile.Durability = TransientLocal
		}
		profiles := []QoS{profile}
		if topic.Name == "/take_sample/_service_event" { // of the client and of the server
			profiles = append(profiles, profile)
		}
		if d := cmp.Diff(profiles, topic.QoS); d != "" {
			t.Error(topic.Name, d)
		}
		create, ok := msgs.Lookup(topic.Type)
		if !ok {
			if topic.Name != "/take_sample/_service_event" || topic.Hash == "" || topic.Encoding == "ros2msg" {
				t.Errorf("%+v", topic)
			}
			continue
		}
		if own := create().(cdr.Described).TypeHash(); topic.Hash != own || topic.Encoding != "ros2msg" || topic.Definition == "" {
			t.Errorf("%s: hash %s, own %s, defined in %q", topic.Name, topic.Hash, own, topic.Encoding)
		}
	}
}

// Messages of Jazzy's bags are decoded.
func TestDecodeJazzy(t *testing.T) {
	var sum float64
	var m ugp_explorer_msgs.FieldObservation
	for msg, err := range openBag(t, "testdata/jazzy_mcap").Messages(Query{Topics: []string{"/ugp_explorer/observation"}}) {
		if err != nil {
			t.Fatal(err)
		}
		if err := m.UnmarshalCDR(msg.Data); err != nil {
			t.Fatal(err)
		}
		sum += m.Value
	}
	if m.Header.FrameID != "map" || sum < 4 || sum > 5 { // three samples between 1.4 and 1.5
		t.Errorf("frame %q, values of %g in all", m.Header.FrameID, sum)
	}
}

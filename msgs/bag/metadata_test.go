package bag

import (
	"database/sql"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// What each version added, from rosbag2_storage/yaml.hpp.
func metadataText(version int) string {
	qos := "- history: 1\n  depth: 7\n  reliability: 2\n  durability: 1\n  deadline:\n    sec: 2147483647\n    nsec: 4294967295\n  lifespan:\n    sec: 1\n    nsec: 500000000\n" +
		"  liveliness: 3\n  liveliness_lease_duration:\n    sec: 9223372036\n    nsec: 854775807\n  avoid_ros_namespace_conventions: true\n"
	var b strings.Builder
	fmt.Fprintf(&b, `rosbag2_bagfile_information:
  version: %d
  storage_identifier: sqlite3
  duration:
    nanoseconds: 250
  starting_time:
    nanoseconds_since_epoch: 1000
  message_count: 3
  topics_with_message_count:
    - topic_metadata:
        name: /a
        type: std_msgs/msg/String
        serialization_format: cdr
`, version)
	switch {
	case version >= 9:
		names := strings.NewReplacer("history: 1", "history: keep_last", "reliability: 2", "reliability: best_effort", "durability: 1", "durability: transient_local",
			"liveliness: 3", "liveliness: manual_by_topic")
		fmt.Fprintf(&b, "        offered_qos_profiles:\n%s", indent(names.Replace(qos), 10))
	case version >= 4:
		fmt.Fprintf(&b, "        offered_qos_profiles: %q\n", qos)
	}
	if version >= 7 {
		fmt.Fprintf(&b, "        type_description_hash: RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18\n")
	}
	b.WriteString("      message_count: 3\n")
	if version >= 3 {
		b.WriteString("  compression_format: \"\"\n  compression_mode: \"\"\n")
	}
	b.WriteString("  relative_file_paths:\n    - x_0.db3\n")
	if version >= 5 {
		b.WriteString("  files:\n    - path: x_0.db3\n      starting_time:\n        nanoseconds_since_epoch: 1000\n      duration:\n        nanoseconds: 250\n      message_count: 3\n")
	}
	if version >= 6 {
		b.WriteString("  custom_data:\n    key: value\n")
	}
	if version >= 8 {
		b.WriteString("  ros_distro: jazzy\n")
	}
	return b.String()
}

func indent(s string, n int) string {
	pad := strings.Repeat(" ", n)
	return pad + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n"+pad) + "\n"
}

func TestMetadataVersions(t *testing.T) {
	wantQoS := []QoS{{History: KeepLast, Depth: 7, Reliability: BestEffort, Durability: TransientLocal, Deadline: infinite, Lifespan: 1500 * time.Millisecond,
		Liveliness: 3, Lease: infinite, RawNames: true}}
	for version := 1; version <= 9; version++ {
		m, err := parseMetadata([]byte(metadataText(version)))
		if err != nil {
			t.Fatal(version, err)
		}
		if m.Version != version || m.Count != 3 || m.Start.Value != 1000 || m.end() != 1250 || m.Paths[0] != "x_0.db3" || len(m.Topics) != 1 || m.Topics[0].Topic.Name != "/a" {
			t.Errorf("%d: %+v", version, m)
		}
		qos, err := parseQoS(&m.Topics[0].Topic.QoS)
		if err != nil {
			t.Error(version, err)
		}
		if d := cmp.Diff(wantQoS, qos); d != "" && version >= 4 || qos != nil && version < 4 {
			t.Error(version, d)
		}
		if (m.Topics[0].Topic.Hash != nil) != (version >= 7) || (m.Distro != "") != (version >= 8) || (len(m.Files) == 1) != (version >= 5) {
			t.Errorf("%d: %+v", version, m)
		}
	}
	for _, bad := range []string{"", "x: 1", "rosbag2_bagfile_information:\n  version: 10\n", ": :", "rosbag2_bagfile_information: []"} {
		if _, err := parseMetadata([]byte(bad)); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// What is written reads the same, and has each field of its version once.
func TestMetadataWritten(t *testing.T) {
	for _, qos := range [][]QoS{nil, {DefaultQoS(), {History: KeepAll, Reliability: 4, Durability: 3, Liveliness: 5, Deadline: time.Second}}} {
		dir := t.TempDir()
		m := metadata{Version: metadataVersion, Storage: MCAP, Count: 2, Paths: []string{"x_0.mcap"}, Topics: []metadataTopic{topicMetadata(Topic{Name: "/a", Type: "a/msg/A", QoS: qos, Count: 2})}}
		if err := m.write(dir); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(dir, metadataName))
		if err != nil {
			t.Fatal(err)
		}
		got, err := parseMetadata(b)
		if err != nil {
			t.Fatalf("%v in %s", err, b)
		}
		back, err := parseQoS(&got.Topics[0].Topic.QoS)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(qos, back); d != "" {
			t.Error(d)
		}
		var raw map[string]map[string]any
		if err := yaml.Unmarshal(b, &raw); err != nil {
			t.Fatal(err)
		}
		has := raw["rosbag2_bagfile_information"]
		for key, want := range map[string]bool{"compression_format": true, "files": true, "custom_data": false, "ros_distro": false} {
			if _, ok := has[key]; ok != want {
				t.Errorf("it has %s: %v", key, ok)
			}
		}
	}
}

func TestQoSOdd(t *testing.T) {
	for s, want := range map[string]int{"": 0, "[]": 0, "~": 0, "text": 0, "- {history: 99, depth: 1, reliability: what}": 1} {
		q, err := parseQoSText(s)
		if err != nil || len(q) != want {
			t.Errorf("%q: %v, %v", s, q, err)
		}
		if want == 1 && (q[0].History != 3 || q[0].Reliability != 3) {
			t.Errorf("%+v", q)
		}
	}
	for _, bad := range []string{"- {depth: x}", "{", "{a: b}"} {
		if q, err := parseQoSText(bad); err == nil {
			t.Errorf("%q: %v", bad, q)
		}
	}
	if d := (yamlTime{Sec: 1, Nsec: math.MaxUint64}).duration(); d != infinite {
		t.Error(d)
	}
}

// oldSQLite writes a file of schema 1 or 2, as Foxy and Galactic did.
func oldSQLite(t *testing.T, path string, schema int) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	qos, value := "", ""
	if schema == 2 {
		qos, value = ", offered_qos_profiles TEXT NOT NULL", ", '- {history: 1, depth: 3, reliability: 1, durability: 2}'"
	}
	for _, s := range []string{
		"CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, serialization_format TEXT NOT NULL" + qos + ")",
		"CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER NOT NULL, data BLOB NOT NULL)",
		"CREATE INDEX timestamp_idx ON messages (timestamp ASC)",
		"INSERT INTO topics VALUES (5, '/a', 'std_msgs/msg/String', 'cdr'" + value + ")",
		"INSERT INTO messages VALUES (1, 5, 1000, x'00010000aa'), (2, 5, 1250, x'00010000bb'), (3, 5, 1100, x'00010000cc'), (4, 9, 1200, x'00010000dd')",
	} {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestOldSQLite(t *testing.T) {
	for schema, depth := range map[int]int{1: 0, 2: 3} {
		dir := t.TempDir()
		oldSQLite(t, filepath.Join(dir, "x_0.db3"), schema)
		r := openBag(t, dir)
		if d := cmp.Diff([]Kind{NoMetadata, NoType, Epoch}, kinds(r.Info())); d != "" {
			t.Error(d, r.Info().Problems)
		}
		want := []sample{{"/a", 1000, 0, []byte("\x00\x01\x00\x00\xaa")}, {"/a", 1100, 0, []byte("\x00\x01\x00\x00\xcc")}, {"/a", 1250, 0, []byte("\x00\x01\x00\x00\xbb")}}
		equal(t, read(t, r, Query{}), want, SQLite)
		topics := r.Info().Topics
		if len(topics) != 1 || topics[0].Count != 3 || (depth > 0) != (len(topics[0].QoS) == 1) || r.Info().Count != 3 {
			t.Errorf("%+v", r.Info())
		}
	}
}

// A view or a virtual table under a table's name is not asked for anything: it could take for ever.
func TestSQLiteViews(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x_0.db3")
	oldSQLite(t, path, 2)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec("DROP TABLE messages; CREATE VIEW messages AS WITH RECURSIVE r(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM r) SELECT id, 5 AS topic_id, id AS timestamp, x'00' AS data FROM r")
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	r := openBag(t, path)
	if got := read(t, r, Query{}); got != nil || len(r.Info().Problems) != 1 || r.Info().Problems[0].Kind != Damaged {
		t.Error(got, r.Info().Problems)
	}
}

// Counts in metadata.yaml are taken when they agree with the files, and not when they do not.
func TestMetadataDisagrees(t *testing.T) {
	all := samples(50)
	for storage, dir := range map[string]string{MCAP: write(t, 0, chunkBytes, all), SQLite: form{SQLite, Uncompressed, "humble"}.of(t, all)} {
		path := filepath.Join(dir, metadataName)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(b), "message_count: 50", "message_count: 51")), 0o666); err != nil {
			t.Fatal(err)
		}
		for _, topic := range openBag(t, dir).Info().Topics {
			if topic.Name == "/odometry/filtered" && topic.Count != 50 {
				t.Errorf("%s: %d messages of odometry", storage, topic.Count)
			}
		}
		if err := os.WriteFile(path, []byte("version: ["), 0o666); err != nil {
			t.Fatal(err)
		}
		r := openBag(t, dir)
		if d := cmp.Diff([]Kind{BadMetadata}, kinds(r.Info())); d != "" {
			t.Error(d)
		}
		equal(t, read(t, r, Query{}), byTime(all), storage)
	}
}

package bag

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
	for version := 1; version <= 9; version++ {
		m, err := parseMetadata([]byte(metadataText(version)))
		if err != nil {
			t.Fatal(version, err)
		}
		if m.Count != 3 || len(m.Paths) != 1 || m.Paths[0] != "x_0.db3" {
			t.Errorf("%d: %+v", version, m)
		}
	}
	for _, bad := range []string{"", "x: 1", ": :", "rosbag2_bagfile_information: []"} {
		if _, err := parseMetadata([]byte(bad)); err == nil {
			t.Errorf("%q is taken", bad)
		}
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
	for schema := 1; schema <= 2; schema++ {
		dir := t.TempDir()
		oldSQLite(t, filepath.Join(dir, "x_0.db3"), schema)
		r := openBag(t, dir)
		checkProblems(t, r.Info(), noMetadata, noTopic, noClock)
		want := []sample{{"/a", 1000, []byte("\x00\x01\x00\x00\xaa")}, {"/a", 1100, []byte("\x00\x01\x00\x00\xcc")}, {"/a", 1250, []byte("\x00\x01\x00\x00\xbb")}}
		equal(t, read(t, r, Query{}), want)
		topics := r.Info().Topics
		if len(topics) != 1 || topics[0].Count != 3 || r.Info().Count != 3 {
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
	if got := read(t, r, Query{}); got != nil {
		t.Error(got)
	}
	checkProblems(t, r.Info(), "the tables topics and messages are missing")
}

// The files count, whatever metadata.yaml says.
func TestMetadataDisagrees(t *testing.T) {
	all := samples(50)
	for storage, dir := range map[string]string{inMCAP: write(t, 0, chunkBytes, all), inSQLite: form{inSQLite, uncompressed, "humble"}.of(t, all)} {
		path := filepath.Join(dir, metadataName)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		count := fmt.Sprintf("message_count: %d\n", len(all))
		if err := os.WriteFile(path, []byte(strings.Replace(string(b), count, "message_count: 51\n", 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		info := openBag(t, dir).Info()
		checkProblems(t, info, otherCount)
		if info.Count != int64(len(all)) {
			t.Errorf("%s: %d messages, want %d", storage, info.Count, len(all))
		}
		if err := os.WriteFile(path, []byte("version: ["), 0o666); err != nil {
			t.Fatal(err)
		}
		r := openBag(t, dir)
		checkProblems(t, r.Info(), "yaml: ")
		equal(t, read(t, r, Query{}), byTime(all))
	}
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// oldSQLite writes a file of schema 1 or 2, as Foxy and Galactic did.
func oldSQLite(t *testing.T, path string, schema int) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	must.OK(t, err)
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
	must.OK(t, db.Close())
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

// The files count, whatever metadata.yaml says.
func TestMetadataDisagrees(t *testing.T) {
	all := samples(50)
	for storage, dir := range map[string]string{inMCAP: write(t, 0, chunkBytes, all), inSQLite: form{inSQLite, uncompressed, "humble"}.of(t, all)} {
		path := filepath.Join(dir, metadataName)
		b, err := os.ReadFile(path)
		must.OK(t, err)
		count := fmt.Sprintf("message_count: %d\n", len(all))
		must.OK(t, os.WriteFile(path, []byte(strings.Replace(string(b), count, "message_count: 51\n", 1)), 0o666))
		info := openBag(t, dir).Info()
		checkProblems(t, info, otherCount)
		if info.Count != int64(len(all)) {
			t.Errorf("%s: %d messages, want %d", storage, info.Count, len(all))
		}
		must.OK(t, os.WriteFile(path, []byte("version: ["), 0o666))
		r := openBag(t, dir)
		checkProblems(t, r.Info(), "yaml: ")
		equal(t, read(t, r, Query{}), byTime(all))
	}
}

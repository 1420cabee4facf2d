package bag

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// Databases whose topics or definitions have gigabytes are read up to a limit of memory.
func TestManyTopicsSQLite(t *testing.T) {
	const series = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 1700) "
	for name, insert := range map[string]string{
		"topics":      series + "INSERT INTO topics SELECT i, '/t' || i || hex(zeroblob(20000)), 'std_msgs/msg/String', 'cdr', '' FROM n",
		"definitions": series + "INSERT INTO message_definitions SELECT i, 'a/msg/T' || i, 'ros2msg', hex(zeroblob(20000)), '' FROM n",
	} {
		file := filepath.Join(t.TempDir(), "x_0.db3")
		db, err := sql.Open("sqlite", file)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []string{
			"CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL, serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL)",
			"CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER NOT NULL, data BLOB NOT NULL)",
			"CREATE TABLE message_definitions(id INTEGER PRIMARY KEY, topic_type TEXT NOT NULL, encoding TEXT NOT NULL, encoded_message_definition TEXT NOT NULL, type_description_hash TEXT NOT NULL)",
			insert,
		} {
			if _, err := db.Exec(s); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		r, err := Open(t.Context(), file)
		if err == nil {
			_ = r.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "bytes or more; at most 67108864 are read") {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

// Each layer of compression may be a thousand times smaller than what it holds, so there is one.
func TestPackedTwice(t *testing.T) {
	e, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "bomb.db3.zstd")
	if err := os.WriteFile(file, e.EncodeAll(e.EncodeAll(make([]byte, 1<<20), nil), nil), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	if _, err := Open(t.Context(), file); err == nil || !strings.Contains(err.Error(), "nor one of them compressed once with zstd") {
		t.Errorf("the error is %v", err)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("files are left: %v, %v", left, err)
	}
}

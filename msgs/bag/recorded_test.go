// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"ugp_explorer/internal/testkit/must"
)

// recorded returns the folder of a bag that rosbag2 recorded, with plain files as they were: the large ones are kept compressed.
func recorded(tb testing.TB, name string) string {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), name)
	must.OK(tb, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", name))))
	if name != "lawnmower_mcap" && name != "lawnmower_sqlite3" {
		return dir
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.zstd"))
	if err != nil || len(files) != 1 {
		tb.Fatal(files, err)
	}
	packed, err := os.Open(files[0])
	must.OK(tb, err)
	defer packed.Close()
	d, err := zstd.NewReader(packed)
	must.OK(tb, err)
	defer d.Close()
	b, err := io.ReadAll(d)
	must.OK(tb, err)
	must.OK(tb, os.WriteFile(strings.TrimSuffix(files[0], ".zstd"), b, 0o666))
	must.OK(tb, os.Remove(files[0]))
	return dir
}

// What the lawnmower bags hold, from the program that published it: 24 minutes of odometry at 2 Hz and so on.
var lawnmower = map[string]Topic{
	"/odometry/filtered": {Type: "nav_msgs/msg/Odometry", Count: 2880},
	"/ground_truth/odom": {Type: "nav_msgs/msg/Odometry", Count: 2880},
	"/pose":              {Type: "geometry_msgs/msg/PoseWithCovarianceStamped", Count: 1440},
	"/soil/reading":      {Type: "std_msgs/msg/Float64", Count: 960},
	"/tf_static":         {Type: "tf2_msgs/msg/TFMessage", Count: 1},
}

var recordedBags = []struct {
	name, storage string
}{
	{"lawnmower_mcap", inMCAP},
	{"lawnmower_mcap_zstd", inMCAP},
	{"lawnmower_sqlite3", inSQLite},
	{"lawnmower_sqlite3_zstd_file", inSQLite},
	{"lawnmower_sqlite3_zstd_message", inSQLite},
}

func TestRecorded(t *testing.T) {
	var first []sample
	for _, want := range recordedBags {
		t.Run(want.name, func(t *testing.T) {
			dir := recorded(t, want.name)
			for _, metadata := range []bool{true, false} {
				if !metadata {
					must.OK(t, os.Remove(filepath.Join(dir, metadataName)))
				}
				r := openBag(t, dir)
				i := r.Info()
				if metadata {
					checkProblems(t, i)
				} else {
					checkProblems(t, i, noMetadata)
				}
				if i.Count != 8161 || i.Start != epoch || i.End-i.Start != 1439504594607 {
					t.Errorf("%d messages from %d to %d", i.Count, i.Start, i.End)
				}
				got := read(t, r, Query{})
				counts := map[string]int64{}
				for k, s := range got {
					counts[s.topic]++
					if k > 0 && s.log < got[k-1].log {
						t.Fatalf("message %d is at %d, after %d", k, s.log, got[k-1].log)
					}
				}
				for _, topic := range i.Topics {
					if w := lawnmower[topic.Name]; topic.Type != w.Type || topic.Count != w.Count || counts[topic.Name] != w.Count || topic.Format != "cdr" {
						t.Errorf("%+v, %d read: want %+v", topic, counts[topic.Name], w)
					}
					if want.storage == inMCAP && (topic.encoding != "ros2msg" || !strings.Contains(topic.definition, "MSG: ") && topic.Type != "std_msgs/msg/Float64") {
						t.Errorf("%s is defined in %q by %q", topic.Name, topic.encoding, topic.definition)
					}
				}
				if len(i.Topics) != len(lawnmower) {
					t.Errorf("%d topics", len(i.Topics))
				}
				// The five recordings are of the same publishers; messages of one time came in any order.
				slices.SortFunc(got, func(a, b sample) int {
					if a.log != b.log {
						return int(a.log - b.log)
					}
					return strings.Compare(a.topic, b.topic)
				})
				if first == nil {
					first = got
				}
				equal(t, got, first)
			}
		})
	}
}

func TestByTime(t *testing.T) {
	for _, b := range recordedBags {
		t.Run(b.name, func(t *testing.T) {
			r := openBag(t, filepath.Join("testdata", b.name))
			all := read(t, r, Query{})
			start, end := all[1234].log, all[5678].log
			var want []sample
			for _, s := range all {
				if s.log >= start && s.log < end && (s.topic == "/soil/reading" || s.topic == "/pose") {
					want = append(want, s)
				}
			}
			equal(t, read(t, r, Query{Topics: []string{"/pose", "/soil/reading"}, Start: start, End: end}), want)
			if got := read(t, r, Query{Start: r.Info().End + 1}); got != nil {
				t.Errorf("%d messages after the end", len(got))
			}
			if got := read(t, r, Query{Start: r.Info().End}); len(got) == 0 {
				t.Error("no message at the end")
			}
			for _, err := range r.Messages(Query{Topics: []string{"/soil"}}) {
				if err == nil || !strings.Contains(err.Error(), `"/soil"`) || !strings.Contains(err.Error(), "/soil/reading") {
					t.Errorf("an unknown topic: %v", err)
				}
			}
		})
	}
}

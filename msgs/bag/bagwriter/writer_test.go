// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bagwriter

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"ugp_explorer/internal/testkit/must"
)

// begin creates a bag and its topic /reading.
func begin(tb testing.TB) (*Writer, *Topic) {
	tb.Helper()
	w, err := Create(filepath.Join(tb.TempDir(), "bag"), 0)
	must.OK(tb, err)
	tb.Cleanup(func() { w.Close() })
	return w, &Topic{Name: "/reading", Type: "std_msgs/msg/Float64", QoS: []QoS{{Depth: 10}}}
}

func TestRefuses(t *testing.T) {
	dir := t.TempDir()
	must.OK(t, os.WriteFile(filepath.Join(dir, "x"), nil, 0o666))
	if _, err := Create(dir, 0); err == nil || !strings.Contains(err.Error(), "the folder is not empty") {
		t.Error(err)
	}
	if _, err := Create(filepath.Join(dir, "x"), 0); err == nil {
		t.Error("a bag was begun in a file")
	}
	w, readings := begin(t)
	data := make([]byte, 12)
	for _, c := range []struct {
		err  error
		want string
	}{
		{readings.Check([]byte("abcd")), "header of CDR"},
		{w.Write(readings, -1, 1, data), "before 1970"},
		{(&Topic{Name: "x", Type: "a/msg/B"}).Check(data), "starts with a /"},
		{(&Topic{Name: "/x", Type: "Odometry"}).Check(data), "looks like nav_msgs"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v: want %s", c.err, c.want)
		}
	}
	if err := errors.Join(w.Write(readings, 1, 1, data), w.Flush(), w.Close(), w.Close()); err != nil {
		t.Error(err)
	}
	if err := w.Write(readings, 1, 1, data); !errors.Is(err, errClosed) {
		t.Error(err)
	}
	if err := w.Flush(); !errors.Is(err, errClosed) {
		t.Error(err)
	}
}

// metadata.yaml has each field of Humble's version once.
func TestMetadata(t *testing.T) {
	type m = map[string]any
	dir := t.TempDir()
	topics := []*Topic{
		{Name: "/a", Type: "a/msg/A", count: 3},
		{Name: "/b", Type: "b/msg/B", QoS: []QoS{{Depth: 5, Lifespan: 1500e6}, {BestEffort: true, TransientLocal: true}}},
	}
	must.OK(t, writeMetadata(dir, topics, []part{{`x"_0.mcap`, 20, 30, 2}, {`x"_1.mcap`, 10, 15, 1}, {`x"_2.mcap`, 0, 0, 0}}))
	b, err := os.ReadFile(filepath.Join(dir, "metadata.yaml"))
	must.OK(t, err)
	var got map[string]m
	if err := yaml.Unmarshal(b, &got); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
	topic := func(name, typ, qos string, count int) m {
		return m{"message_count": count, "topic_metadata": m{"name": name, "type": typ, "serialization_format": "cdr", "offered_qos_profiles": qos}}
	}
	file := func(path string, start, duration, count int) m {
		return m{"path": path, "starting_time": m{"nanoseconds_since_epoch": start}, "duration": m{"nanoseconds": duration}, "message_count": count}
	}
	d := cmp.Diff(m{
		"version": 5, "storage_identifier": "mcap", "compression_format": "", "compression_mode": "",
		"starting_time": m{"nanoseconds_since_epoch": 10}, "duration": m{"nanoseconds": 20}, "message_count": 3,
		"topics_with_message_count": []any{topic("/a", "a/msg/A", "", 3), topic("/b", "b/msg/B", qosText(topics[1].QoS), 0)},
		"relative_file_paths":       []any{`x"_0.mcap`, `x"_1.mcap`, `x"_2.mcap`},
		"files":                     []any{file(`x"_0.mcap`, 20, 10, 2), file(`x"_1.mcap`, 10, 5, 1), file(`x"_2.mcap`, 0, 0, 0)},
	}, got["rosbag2_bagfile_information"])
	if d != "" {
		t.Error(d)
	}
	profile := func(history, depth, reliability, durability int, lifespan m) m {
		never := m{"sec": 9223372036, "nsec": 854775807}
		if lifespan == nil {
			lifespan = never
		}
		return m{
			"history": history, "depth": depth, "reliability": reliability, "durability": durability, "deadline": never, "lifespan": lifespan,
			"liveliness": 1, "liveliness_lease_duration": never, "avoid_ros_namespace_conventions": false,
		}
	}
	var profiles []m
	must.OK(t, yaml.Unmarshal([]byte(qosText(topics[1].QoS)), &profiles))
	if d := cmp.Diff([]m{profile(1, 5, 1, 2, m{"sec": 1, "nsec": 500000000}), profile(3, 0, 2, 1, nil)}, profiles); d != "" {
		t.Error(d)
	}
}

// A bag begins with each run of a node, and with each part of a limited recording: it takes little
// memory to write one.
func TestMemory(t *testing.T) {
	const size = 2 << 20
	data := make([]byte, 1500)
	rng := rand.New(rand.NewPCG(15, 16))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	w, readings := begin(t)
	for i := range int64(size / len(data)) {
		for k := 8; k < len(data); k += 2 {
			data[k] = byte(rng.Uint32())
		}
		must.OK(t, w.Write(readings, i, i, data))
	}
	must.OK(t, w.Close())
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 12<<20 {
		t.Errorf("%d bytes were allocated to write %d", took, size)
	}
}

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
)

// begin creates a bag with the topic /reading.
func begin(tb testing.TB) *Writer {
	tb.Helper()
	w, err := Create(filepath.Join(tb.TempDir(), "bag"), 0)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { w.Close() })
	if err := w.AddTopic(Topic{Name: "/reading", Type: "std_msgs/msg/Float64", QoS: []QoS{DefaultQoS()}}); err != nil {
		tb.Fatal(err)
	}
	return w
}

func TestRefuses(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(dir, 0); err == nil || !strings.Contains(err.Error(), "the folder is not empty") {
		t.Error(err)
	}
	if _, err := Create(filepath.Join(dir, "x"), 0); err == nil {
		t.Error("a bag was begun in a file")
	}
	w := begin(t)
	data := make([]byte, 12)
	for _, c := range []struct {
		err  error
		want string
	}{
		{w.Write("/nothing", 1, 1, data), "was not added"},
		{w.topics[0].Check([]byte("abcd")), "header of CDR"},
		{w.Write("/reading", -1, 1, data), "before 1970"},
		{(&Topic{Name: "x", Type: "a/msg/B"}).Check(data), "starts with a /"},
		{(&Topic{Name: "/x", Type: "Odometry"}).Check(data), "looks like nav_msgs"},
		{w.AddTopic(Topic{Name: "/reading", Type: "std_msgs/msg/Float32"}), "cannot get the type"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%v: want %s", c.err, c.want)
		}
	}
	if err := errors.Join(w.AddTopic(w.topics[0]), w.Write("/reading", 1, 1, data), w.Flush(), w.Close(), w.Close()); err != nil {
		t.Error(err)
	}
	if err := w.Write("/reading", 1, 1, data); !errors.Is(err, errClosed) {
		t.Error(err)
	}
	if err := w.Flush(); !errors.Is(err, errClosed) {
		t.Error(err)
	}
}

// metadata.yaml reads as it was written, and has each field of Humble's version once.
func TestMetadata(t *testing.T) {
	for _, qos := range [][]QoS{nil, {DefaultQoS(), {History: KeepAll, Reliability: BestEffort, Durability: TransientLocal, Liveliness: ManualByTopic, Deadline: 1e9}}} {
		dir := t.TempDir()
		want := metadata{Version: metadataVersion, Storage: "mcap", Count: 2, Paths: []string{"x_0.mcap"}, Files: []metadataFile{{Path: "x_0.mcap", Count: 2}},
			Topics: []metadataTopic{topicMetadata(Topic{Name: "/a", Type: "a/msg/A", QoS: qos, count: 2})}}
		if err := want.write(dir); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(dir, "metadata.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		var raw map[string]map[string]any
		var got map[string]metadata
		if err := errors.Join(yaml.Unmarshal(b, &raw), yaml.Unmarshal(b, &got)); err != nil {
			t.Fatalf("%v in %s", err, b)
		}
		const bag = "rosbag2_bagfile_information"
		if d := cmp.Diff(want, got[bag]); d != "" {
			t.Error(d)
		}
		for key, want := range map[string]bool{"compression_format": true, "files": true, "custom_data": false, "ros_distro": false} {
			if _, ok := raw[bag][key]; ok != want {
				t.Errorf("it has %s: %v", key, ok)
			}
		}
		if text := got[bag].Topics[0].Topic.QoS; qos != nil && !strings.Contains(text, "deadline:\n    sec: 1\n    nsec: 0\n") ||
			qos != nil && !strings.Contains(text, "deadline:\n    sec: 9223372036\n    nsec: 854775807\n") || (text == "") != (qos == nil) {
			t.Error(text)
		}
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
	w := begin(t)
	for i := range int64(size / len(data)) {
		for k := 8; k < len(data); k += 2 {
			data[k] = byte(rng.Uint32())
		}
		if err := w.Write("/reading", i, i, data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > 12<<20 {
		t.Errorf("%d bytes were allocated to write %d", took, size)
	}
}

// BenchmarkWrite writes messages of 1.5 KB.
func BenchmarkWrite(b *testing.B) {
	w := begin(b)
	data := make([]byte, 1500)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	i := int64(0)
	for b.Loop() {
		if err := w.Write("/reading", i, i, data); err != nil {
			b.Fatal(err)
		}
		i += 1e6
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
}

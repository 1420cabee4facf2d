// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package bag

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/bag/bagwriter"
)

// rosDomain is this package's own, so that nothing else hears what is played.
const rosDomain = "71"

// ros skips the test unless a ROS 2 with rosbag2 has been sourced.
func ros(t *testing.T) {
	t.Helper()
	if os.Getenv("AMENT_PREFIX_PATH") == "" {
		t.Skip("AMENT_PREFIX_PATH is not set: source a ROS 2 with rosbag2 to have bags exchanged with it")
	}
	if out, err := rosCommand(t, "bag", "--help").CombinedOutput(); err != nil {
		t.Skipf("there is no ros2 bag: %v: %s", err, out)
	}
}

func rosCommand(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, "ros2", args...)
	cmd.Env = append(os.Environ(), "ROS_LOCALHOST_ONLY=1", "ROS_DOMAIN_ID="+rosDomain, "ROS_LOG_DIR="+t.TempDir())
	return cmd
}

func rosRun(t *testing.T, args ...string) string {
	t.Helper()
	out, err := rosCommand(t, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("ros2 %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// lockedBuffer is a process's output that is looked at while it runs.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// rosRecord plays a bag while rosbag2 records it, in another process, and ends the recording with the signal. The bag is played again and again until each of its topics
// was subscribed, and once more after that.
func rosRecord(t *testing.T, bag string, topics []string, signal syscall.Signal, args ...string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "recorded")
	rec := rosCommand(t, append(append([]string{"bag", "record", "-o", dir}, args...), topics...)...)
	var out lockedBuffer
	rec.Stdout, rec.Stderr = &out, &out
	must.OK(t, rec.Start())
	ended := make(chan error, 1)
	go func() { ended <- rec.Wait() }()
	subscribed := func() bool {
		return !slices.ContainsFunc(topics, func(topic string) bool { return !strings.Contains(out.String(), "Subscribed to topic '"+topic+"'") })
	}
	for limit := time.Now().Add(90 * time.Second); ; {
		was := subscribed()
		rosRun(t, "bag", "play", "--disable-keyboard-controls", "-d", "1", "--wait-for-all-acked", "20000", bag)
		if was {
			break
		}
		if time.Now().After(limit) {
			t.Errorf("not all topics were subscribed: %s", out.String())
			break
		}
	}
	if err := rec.Process.Signal(signal); err != nil {
		t.Error(err)
	}
	select {
	case <-ended: // of what, is said by what it recorded
	case <-time.After(60 * time.Second):
		t.Errorf("the recorder does not end: %s", out.String())
		rec.Process.Kill()
		<-ended
	}
	return dir
}

// rosSamples are messages on topics that nothing is lost of.
func rosSamples() (all []sample, topics []string) {
	for _, s := range samples(100) {
		if s.topic != "/tf_static" {
			all = append(all, s)
		}
	}
	return all, []string{"/odometry/filtered", "/reading", "/ugp_explorer/observation"}
}

// rosBag writes rosSamples with QoS under which everything arrives, also what was played before the recorder found the player.
func rosBag(t *testing.T, all []sample) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "played")
	w := begin(t, dir, 0, bagwriter.QoS{Depth: 1000, TransientLocal: true})
	for _, s := range all {
		must.OK(t, w.write(s))
	}
	must.OK(t, w.Close())
	return dir
}

// rosbag2 lists what our writer writes, and makes a metadata.yaml for what has none.
func TestROSInfo(t *testing.T) {
	ros(t)
	all := samples(100)
	dir := write(t, 20_000, 5000, all)
	out := rosRun(t, "bag", "info", dir)
	for _, want := range []string{
		fmt.Sprintf("Messages:          %d\n", len(all)), "Storage id:        " + inMCAP, "Duration:          1.981000000s",
		"Topic: /odometry/filtered | Type: nav_msgs/msg/Odometry | Count: 100 | Serialization Format: cdr",
		"Topic: /ugp_explorer/observation | Type: ugp_explorer/msg/FieldObservation | Count: 10 |",
		"Topic: /ugp_explorer/status | Type: ugp_explorer/msg/MissionStatus | Count: 0 |",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	must.OK(t, os.Remove(filepath.Join(dir, metadataName)))
	rosRun(t, "bag", "reindex", "-s", inMCAP, dir)
	if r := openBag(t, dir); r.Info().Count != int64(len(all)) {
		t.Errorf("after a reindex: %d messages, %v", r.Info().Count, r.Info().Problems)
	}
}

// rosbag2 reindexes the bag of a writer that stopped after a Flush.
func TestROSReindexUnclosed(t *testing.T) {
	ros(t)
	all := samples(100)
	dir, copied := filepath.Join(t.TempDir(), "open"), filepath.Join(t.TempDir(), "copy")
	w := begin(t, dir, 20_000)
	for _, s := range all {
		must.OK(t, w.write(s))
	}
	must.OK(t, errors.Join(w.Flush(), os.CopyFS(copied, os.DirFS(dir))))
	rosRun(t, "bag", "reindex", "-s", inMCAP, copied)
	if out := rosRun(t, "bag", "info", copied); !strings.Contains(out, fmt.Sprintf("Messages:          %d\n", len(all))) {
		t.Error(out)
	}
	equal(t, read(t, openBag(t, copied), Query{}), byTime(all))
}

// rosbag2 plays what our writer writes; what a recorder hears of it is what was written, and our reader reads what it records.
func TestROSPlayAndRecord(t *testing.T) {
	ros(t)
	if out, err := rosCommand(t, "interface", "show", "ugp_explorer/msg/FieldObservation").CombinedOutput(); err != nil {
		t.Skipf("no workspace with ugp_explorer is sourced, of whose types messages are played: %s", out)
	}
	all, topics := rosSamples()
	for name, c := range map[string]struct {
		signal syscall.Signal
		record []string
	}{
		"mcap":               {syscall.SIGINT, []string{"-s", "mcap"}},
		"mcap to split":      {syscall.SIGINT, []string{"-s", "mcap", "-d", "1"}},
		"sqlite":             {syscall.SIGINT, []string{"-s", "sqlite3"}},
		"mcap file":          {syscall.SIGINT, []string{"-s", "mcap", "--compression-mode", "file", "--compression-format", "zstd"}},
		"sqlite to messages": {syscall.SIGINT, []string{"-s", "sqlite3", "--compression-mode", "message", "--compression-format", "zstd", "--compression-queue-size", "0"}},
		"sqlite to files":    {syscall.SIGINT, []string{"-s", "sqlite3", "-b", "100000", "--compression-mode", "file", "--compression-format", "zstd"}},
		"mcap killed":        {syscall.SIGKILL, []string{"-s", "mcap", "--storage-preset-profile", "fastwrite", "--max-cache-size", "0"}},
		"sqlite killed":      {syscall.SIGKILL, []string{"-s", "sqlite3", "--storage-preset-profile", "resilient", "--max-cache-size", "0"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := rosRecord(t, rosBag(t, all), topics, c.signal, c.record...)
			r := openBag(t, dir)
			if p := r.Info().Problems; c.signal == syscall.SIGINT && p != nil || c.signal == syscall.SIGKILL && !says(p, noMetadata) {
				t.Error(p)
			}
			if (slices.Contains(c.record, "-b") || slices.Contains(c.record, "-d")) && len(r.files) < 2 {
				t.Errorf("%d files", len(r.files))
			}
			checkHeard(t, r, all, c.signal == syscall.SIGKILL)
		})
	}
}

// checkHeard checks that a playing of the samples was recorded whole, by topic, or, of a recorder that was killed, that everything that it recorded is of them.
func checkHeard(t *testing.T, r *Reader, all []sample, killed bool) {
	t.Helper()
	want, got := map[string][][]byte{}, map[string][][]byte{}
	for _, s := range all {
		want[s.topic] = append(want[s.topic], s.data)
	}
	for m, err := range r.Messages(Query{}) {
		if err != nil {
			var p *Problem
			if killed && errors.As(err, &p) {
				continue
			}
			t.Fatal(err)
		}
		got[m.Topic.Name] = append(got[m.Topic.Name], bytes.Clone(m.Data))
	}
	for topic, w := range want {
		g := got[topic]
		if len(g) < len(w) && !killed || len(g) == 0 {
			t.Errorf("%s: %d of %d messages", topic, len(g), len(w))
			continue
		}
		if killed { // a part of the last playing may not have been written
			for i, data := range g {
				if !slices.ContainsFunc(w, func(d []byte) bool { return bytes.Equal(d, data) }) {
					t.Errorf("%s: message %d was not played", topic, i)
				}
			}
			continue
		}
		whole := false // of the other playings the recorder may have missed the beginning
		for i := 0; i+len(w) <= len(g); i++ {
			whole = whole || slices.EqualFunc(g[i:i+len(w)], w, bytes.Equal)
		}
		if !whole {
			t.Errorf("%s: %d messages, and nowhere the %d that were played", topic, len(g), len(w))
		}
	}
}

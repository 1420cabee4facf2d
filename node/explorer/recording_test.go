// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/bag"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/planner/mission"
)

// recorded returns how many messages of each topic a bag has, and the numbers of
// the observations.
func recorded(t *testing.T, dir string) (counts map[string]int, observations []uint32) {
	t.Helper()
	b, err := bag.Open(t.Context(), dir)
	must.OK(t, err)
	defer b.Close()
	counts = map[string]int{}
	for m, err := range b.Messages(bag.Query{}) {
		must.OK(t, err)
		counts[m.Topic.Name]++
		if m.Topic.Name == "/ugp_explorer/observation" {
			var o ugp_explorer_msgs.FieldObservation
			must.OK(t, o.UnmarshalCDR(m.Data))
			observations = append(observations, o.Sequence)
		}
	}
	return counts, observations
}

// A mission's bag has what the explorer sent and received from the start on; each run
// has a bag of its own, with all observations.
func TestRecording(t *testing.T) {
	w := begun(t)
	w.until("2 samples", func() bool { return len(w.observations) == 2 })
	w.call("pause")
	w.must(w.ex.Close()) // or the bag had no index
	first := filepath.Join(w.cfg.OutputDir, "bag_1")
	counts, observations := recorded(t, first)
	for _, topic := range []string{
		"/goal_pose", "/plan", "/ugp_explorer/mean", "/ugp_explorer/stddev", "/ugp_explorer/acquisition", "/ugp_explorer/cloud",
		"/ugp_explorer/samples", "/ugp_explorer/observation", "/ugp_explorer/status", "/diagnostics", "/parameter_events",
		"/odometry/filtered", "/reading",
	} {
		if counts[topic] == 0 {
			t.Errorf("there is nothing of %s", topic)
		}
	}
	if !slices.Equal(observations, []uint32{0, 1}) || counts["/ugp_explorer/observation"] != len(w.observations) {
		t.Errorf("observations %v", observations)
	}
	// All that came since the start, and nothing from before.
	if n := counts["/odometry/filtered"]; n > len(w.poses) || n < len(w.poses)-10 {
		t.Errorf("%d poses of %d", n, len(w.poses))
	}

	n := w.crashed(time.Second, func(c *settings.Config) { c.Record.Topics = "mission" })
	n.run(time.Second)
	n.call("resume")
	n.finish()
	if d := n.diagnostics.Status[len(n.diagnostics.Status)-1]; d.Name != "ugp_explorer: recording" || d.Level != 0 || !strings.Contains(d.Message, "messages") {
		t.Errorf("diagnostics %+v", d)
	}
	counts, observations = recorded(t, filepath.Join(n.cfg.OutputDir, "bag_2"))
	if !slices.Equal(observations, []uint32{0, 1, 2, 3}) || counts["/odometry/filtered"] > 0 || counts["/reading"] > 0 || counts["/rosout"] == 0 {
		t.Errorf("observations %v, topics %v", observations, counts)
	}
	if _, err := os.Stat(filepath.Join(n.cfg.OutputDir, "bag_2", "metadata.yaml")); err != nil {
		t.Error(err)
	}

	// What replaces the mission removes its bags, and nothing else.
	cfg := small()
	cfg.OutputDir, cfg.Existing = n.cfg.OutputDir, settings.ExistingReplace
	n.must(n.ex.Close())
	n.must(os.Mkdir(filepath.Join(cfg.OutputDir, "bag_7"), 0o777))
	r := newWorld(t, cfg)
	r.start()
	r.state(mission.StateTravelling)
	bags, err := filepath.Glob(filepath.Join(cfg.OutputDir, "bag_*"))
	if want := []string{filepath.Join(cfg.OutputDir, "bag_7"), filepath.Join(cfg.OutputDir, "bag_8")}; err != nil || !slices.Equal(bags, want) {
		t.Errorf("bags %v, want %v", bags, want)
	}
}

// A mission that replaces one whose journal cannot be read, or does not
// exist any more, removes all its bags as it begins: a replay of the folder would
// join the two.
func TestReplaceWithoutAJournal(t *testing.T) {
	for name, lose := range map[string]func(dir string) error{
		"no line can be read": func(dir string) error {
			return os.WriteFile(filepath.Join(dir, journal.FileName), []byte("what was\nonce a journal\n"), 0o666)
		},
		"its beginning is lost": func(dir string) error {
			path := filepath.Join(dir, journal.FileName)
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(path, text[slices.Index(text, '\n')+1:], 0o666)
		},
		"it is gone":      func(dir string) error { return os.Remove(filepath.Join(dir, journal.FileName)) },
		"nothing is lost": func(string) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			w := begun(t)
			w.until("2 samples", func() bool { return len(w.observations) == 2 })
			w.must(w.ex.Close())
			dir := w.cfg.OutputDir
			w.must(os.Mkdir(filepath.Join(dir, "bag_of_tricks"), 0o777))
			w.must(lose(dir))
			bags := func() []string {
				list, err := filepath.Glob(filepath.Join(dir, "bag_*"))
				w.must(err)
				for i := range list {
					list[i] = filepath.Base(list[i])
				}
				return list
			}
			journalText := func() string {
				text, err := os.ReadFile(filepath.Join(dir, journal.FileName))
				return fmt.Sprint(string(text), err)
			}
			before := journalText()
			cfg := small()
			cfg.OutputDir, cfg.Existing = dir, settings.ExistingReplace
			waiting := newWorld(t, cfg) // and is stopped before it begins
			waiting.run(time.Second)
			waiting.must(waiting.ex.Close())
			if after := journalText(); after != before {
				t.Errorf("before the start the journal is\n%s\nand was\n%s", after, before)
			}
			if got, want := bags(), []string{"bag_1", "bag_of_tricks"}; !slices.Equal(got, want) {
				t.Errorf("before the start: bags %v, want %v", got, want)
			}
			n := openWorldAt(t, cfg, false, epoch+int64(time.Hour), 20, 10)
			n.mission()
			n.must(n.ex.Close())
			if got, want := bags(), []string{"bag_1", "bag_of_tricks"}; !slices.Equal(got, want) {
				t.Errorf("bags %v, want %v", got, want)
			}
			if counts, observations := recorded(t, filepath.Join(dir, "bag_1")); !slices.Equal(observations, []uint32{0, 1, 2, 3}) {
				t.Errorf("bag_1 has the observations %v: %v", observations, counts)
			}
		})
	}
}

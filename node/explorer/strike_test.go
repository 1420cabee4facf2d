// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
)

// counted returns how many samples are in the model, once it is that of the samples which count.
func (w *world) counted() int {
	w.t.Helper()
	w.run(time.Second)
	return w.explorer.Model().Len()
}

// struckAs returns the reason of each own sample, in their order.
func struckAs(m *record.Mission) (list []record.Struck) {
	for _, o := range m.Observations {
		list = append(list, o.Struck)
	}
	return list
}

// A person strikes a sample and restores it, while the mission is under way and when it is over: the model, what is published, the
// record and a mission that is resumed have it so. What is refused says why.
func TestStrikeByAPerson(t *testing.T) {
	w := begun(t)
	w.setsOutAfter(2)
	if got := w.counted(); got != 2 {
		t.Fatalf("the model has %d samples", got)
	}
	for _, c := range []struct{ words, want string }{
		{"strike", "needs the number of a sample"}, {"strike x", "needs the number"}, {"strike 1 2", "needs the number"},
		{"strike 0", "there is no sample 0: this robot has those from 1 to 2"}, {"strike 3", "no sample 3"}, {"restore 1", "sample 1 counts already"},
	} {
		if done, text, err := w.explorer.Order(c.words); done || err != nil || !strings.Contains(text, c.want) {
			t.Errorf("%s: %v, %q, %v", c.words, done, text, err)
		}
	}
	before := w.status.BestValue
	w.say("strike 1")
	if got := w.counted(); got != 1 || !math.IsInf(w.observations[len(w.observations)-1].Variance, 1) || w.observations[len(w.observations)-1].Sequence != 0 {
		t.Errorf("the model has %d samples after one was struck, and %+v was published", got, w.observations[len(w.observations)-1])
	}
	if done, text, _ := w.explorer.Order("strike 1"); done || !strings.Contains(text, "struck already") {
		t.Errorf("struck twice: %v, %q", done, text)
	}
	n := w.crashed(time.Second)
	n.run(time.Second)
	if got := struckAs(n.explorer.Record()); !cmp.Equal(got, []record.Struck{record.StruckByPerson, ""}) || n.counted() != 1 || !math.IsInf(n.observations[0].Variance, 1) {
		t.Errorf("resumed, the samples are struck as %v, and the model has %d", got, n.counted())
	}
	w.say("restore 1")
	if got := w.counted(); got != 2 || w.status.BestValue != before {
		t.Errorf("the model has %d samples after it was restored, and expects %g, before %g", got, w.status.BestValue, before)
	}
	m := w.finish()
	if got := struckAs(m); !cmp.Equal(got, make([]record.Struck, 4)) {
		t.Fatalf("struck as %v", got)
	}
	// The mission is over and written.
	w.say("strike 4")
	w.until("the results", w.explorer.Finished)
	w.run(time.Second)
	for _, c := range []struct {
		of   string
		read func() (*record.Mission, error)
	}{
		{"record", func() (*record.Mission, error) {
			return record.ReadMission(filepath.Join(w.cfg.OutputDir, record.MissionFile))
		}},
		{"resumed mission", func() (*record.Mission, error) { return w.crashed(time.Second).explorer.Record(), nil }},
	} {
		m, err := c.read()
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		for range m.Samples {
			count++
		}
		if got := struckAs(m); !cmp.Equal(got, []record.Struck{"", "", "", record.StruckByPerson}) || count != 3 {
			t.Errorf("%s: struck as %v, %d samples count", c.of, got, count)
		}
	}
	if w.counted() != 3 {
		t.Errorf("the model has %d samples", w.counted())
	}
	for _, n := range []string{"1", "2", "3"} {
		w.say("strike " + n)
	}
	if got := w.counted(); got != 0 || w.explorer.Record().Recommendation != nil {
		t.Errorf("all are struck: the model has %d samples, %+v is recommended", got, w.explorer.Record().Recommendation)
	}
}

// A mission that is struck while it decides decides again: the target is that of the samples which count.
func TestStrikeWhileDeciding(t *testing.T) {
	w := begun(t)
	w.setsOutAfter(2)
	w.until("the next sample", func() bool { return len(w.explorer.Record().Observations) == 3 })
	if done, text, err := w.explorer.Order("strike 3"); !done || err != nil {
		t.Fatal(text, err)
	}
	w.state(mission.StateTravelling)
	if got, d := w.explorer.Model().Len(), w.explorer.Record().Decisions; got != 2 || len(d) != 4 { // at once: the next target may be where the robot is
		t.Errorf("the model has %d samples after %d decisions", got, len(d))
	}
}

// What a team mate strikes is struck here, too, and restored with it. One that is struck before it is known is not learnt.
func TestStrikeOfAMate(t *testing.T) {
	w := newWorld(t, withMate())
	m := newMate(w)
	struck := func(o *ugp_explorer_msgs.FieldObservation) { o.Variance = math.Inf(1) }
	m.tells(30, 30, nil)
	m.tells(60, 30, nil)
	m.tells(80, 20, struck)
	again := func(sequence uint32, x, y float64, edit func(*ugp_explorer_msgs.FieldObservation)) {
		told := m.told
		m.told = sequence
		m.tells(x, y, edit)
		m.told = told
	}
	w.start()
	w.setsOutAfter(1)
	if got := w.counted(); got != 3 {
		t.Fatalf("the model has %d samples, want 1 and 2 of the mate", got)
	}
	again(1, 60, 30, struck)
	if got := w.counted(); got != 2 || w.explorer.Record().Team[1].Observation.Struck != record.StruckByRobot {
		t.Errorf("the model has %d samples after the mate struck one: %+v", got, w.explorer.Record().Team)
	}
	again(1, 60, 30, nil)
	again(2, 80, 20, nil)
	if got := w.counted(); got != 4 || w.explorer.Record().Team[1].Observation.Struck != "" {
		t.Errorf("the model has %d samples after the mate restored two: %+v", got, w.explorer.Record().Team)
	}
}

// A passive explorer strikes and restores, too.
func TestStrikePassive(t *testing.T) {
	w := newWanderer(t, nil)
	w.tour()
	if done, text, err := w.explorer.Order("strike 2"); !done || err != nil {
		t.Fatal(done, text, err)
	}
	w.run(time.Second)
	if got := w.explorer.Record().Observations[1].Struck; got != record.StruckByPerson {
		t.Errorf("struck as %q", got)
	}
	if done, text, err := w.explorer.Order("restore 2"); !done || err != nil {
		t.Fatal(done, text, err)
	}
}

// wrongAt has the probe send a wrong value, with a ripple, all the time of the sample with this number, from 1.
func (w *world) wrongAt(number int, value float64, second bool) {
	w.field = func(x, y float64) float64 {
		n := len(w.explorer.Record().Observations)
		if n == number-1 || second && n == number {
			return value
		}
		return 10 + hill(x, y)
	}
}

func twenty(c *settings.Config) { c.Mission.Budget.Samples = 20 }

// An error code of a sensor among 20 samples of a field from 10 to 20 does not move the answer, whichever sample it is. Where there are
// enough others, the robot takes another sample at the place, which counts towards the budget.
func TestErrorCode(t *testing.T) {
	for _, c := range []struct {
		code   float64
		number int
	}{{65535, 12}, {-127, 15}, {0, 20}, {85, 1}, {9e99, 4}} {
		t.Run(fmt.Sprintf("%g as sample %d", c.code, c.number), func(t *testing.T) {
			cfg := small()
			twenty(&cfg)
			w := newWorld(t, cfg)
			w.wrongAt(c.number, c.code, false)
			m := w.mission()
			if len(m.Observations) != 20 {
				t.Fatalf("%d samples: %s", len(m.Observations), m.Outcome)
			}
			for i, o := range m.Observations {
				want := record.Struck("")
				if i == c.number-1 {
					want = record.StruckFarOut
				}
				if o.Struck != want {
					t.Errorf("sample %d, %g, is struck as %q, want %q", i+1, o.Value, o.Struck, want)
				}
			}
			if again := c.number > 8 && c.number < 20; again != (c.number < 20 && m.Observations[c.number].Target == m.Observations[c.number-1].Target) {
				t.Errorf("another sample at the place: %v, want %v", !again, again)
			}
			if at := m.Recommendation; at == nil || math.Hypot(at.Target[0]-70, at.Target[1]-60) > 15 || math.Abs(at.Value-20) > 2 {
				t.Errorf("recommended %+v", at)
			}
			for what, text := range map[string]string{"log": w.log.String(), "status": w.status.Text} {
				if want := fmt.Sprintf("sample %d ", c.number); !strings.Contains(text, want) || !strings.Contains(text, "far outside all others") {
					t.Errorf("the %s does not tell it: %s", what, text)
				}
			}
		})
	}
}

// A value far outside all others counts if the second sample at its place agrees, and its height is not asked about again. A person
// restores one that does not, and it is not struck again.
func TestFarOutConfirmedAndRestored(t *testing.T) {
	cfg := small()
	twenty(&cfg)
	w := newWorld(t, cfg)
	w.wrongAt(12, 300, true)
	m := w.mission()
	if got := m.Struck(); len(got) > 0 || m.Observations[12].Confirms != 12 || m.Observations[12].Target != m.Observations[11].Target {
		t.Errorf("struck %v, the second is %+v", got, m.Observations[12])
	}
	if got := w.counted(); got != 20 {
		t.Errorf("the model has %d samples", got)
	}

	w = newWorld(t, cfg)
	w.wrongAt(12, 300, false)
	w.start()
	w.until("the second sample", func() bool { return len(w.explorer.Record().Observations) >= 13 })
	w.say("restore 12")
	if m = w.finish(); len(m.Struck()) > 0 || w.counted() != 20 {
		t.Errorf("struck %v, the model has %d samples", m.Struck(), w.counted())
	}
}

// A sensor whose unit changes while the mission goes on is named: the second sample at a place confirms the first.
func TestUnitThatChanges(t *testing.T) {
	for _, factor := range []float64{1000, 0.001, 1} {
		cfg := small()
		twenty(&cfg)
		w := newWorld(t, cfg)
		w.read = func(x, y float64, _ int) {
			value := 10 + hill(x, y)
			if len(w.explorer.Record().Observations) >= 10 {
				value *= factor
			}
			w.must(w.reading.Publish(&ugp_explorer_msgs.FieldReading{Header: std_msgs.Header{Stamp: ros.TimeMsg(w.ex.Now())}, Value: value, Variance: 1e-8}))
		}
		w.mission()
		if got := strings.Contains(w.status.Text, "check whether the sensor or its unit has changed"); got != (factor != 1) {
			t.Errorf("factor %g: named is %v: %s\n%s", factor, got, w.status.Text, w.log.String())
		}
	}
}

// A mission that is interrupted after any line of its journal has the samples struck as the lines say, and takes the second sample where
// one was wanted.
func TestStrikeInAnyLine(t *testing.T) {
	w := begun(t, twenty)
	w.read = nil
	w.wrongAt(11, 65535, false)
	w.until("samples", func() bool { return len(w.explorer.Record().Observations) == 14 })
	w.say("strike 2")
	w.say("restore 11")
	w.say("strike 11")
	w.run(time.Second)
	data, err := os.ReadFile(filepath.Join(w.cfg.OutputDir, journal.FileName))
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	asked := false
	for n := range lines {
		if n < len(lines)/2 || len(lines[n]) == 0 {
			continue
		}
		w.must(os.WriteFile(filepath.Join(w.cfg.OutputDir, journal.FileName), bytes.Join(lines[:n+1], nil), 0o666))
		found, err := journal.Read(w.cfg.OutputDir)
		if err != nil {
			t.Fatal(err)
		}
		resumed := w.crashed(time.Second)
		resumed.run(time.Second)
		count := 0
		for i, o := range resumed.explorer.Record().Observations {
			if o.Struck != found.Observations[i].Struck {
				t.Errorf("after line %d sample %d is struck as %q, in the journal %q", n+1, i+1, o.Struck, found.Observations[i].Struck)
			}
			if o.Struck == "" {
				count++
			}
		}
		if got := resumed.counted(); got != count {
			t.Errorf("after line %d the model has %d samples, %d count", n+1, got, count)
		}
		if record.AsksAgain(found.Observations) && !asked {
			asked = true
			target := found.Observations[10].Target
			resumed.do("resume")
			resumed.until("the second sample", func() bool { return len(resumed.explorer.Record().Observations) > 11 })
			if got := resumed.explorer.Record().Observations[11].Target; got != target {
				t.Errorf("the next sample is meant for %v, want %v", got, target)
			}
		}
	}
	if !asked {
		t.Error("no line asked for a second sample")
	}
}

// A sensor that is stuck is named once while the mission goes on, and in its answer.
func TestStuckSensor(t *testing.T) {
	cfg := small()
	cfg.Mission.Budget.Samples = 6
	w := newWorld(t, cfg)
	w.read = func(float64, float64, int) {
		w.must(w.reading.Publish(&ugp_explorer_msgs.FieldReading{Header: std_msgs.Header{Stamp: ros.TimeMsg(w.ex.Now())}, Value: 1.5, Variance: 0.01}))
	}
	m := w.mission()
	const says = "All samples have exactly the same value, 1.5"
	if n := strings.Count(w.log.String(), says); n != 1 || !strings.Contains(m.Answer(nil).Note, says) {
		t.Errorf("said %d times; answer %+v; the log:\n%s", n, m.Answer(nil), w.log.String())
	}
}

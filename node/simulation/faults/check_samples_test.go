// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/paulmach/orb"

	"ugp_explorer/msgs/ugp_explorer_msgs"
)

// samplesView is what the watcher knows about the mission's samples.
type samplesView struct {
	acknowledged map[int]observed // by number, from 1
	readings     []heard          // that have arrived
}

// observed is an observation that the explorer has published.
type observed struct {
	at       orb.Point
	value    float64
	variance float64 // infinite: it was struck whenever it was published
}

// is reports whether both are one observation, struck or not.
func (o observed) is(other observed) bool {
	struck := math.IsInf(o.variance, 1) || math.IsInf(other.variance, 1)
	return o.at == other.at && o.value == other.value && (struck || o.variance == other.variance)
}

// heard is a reading that has arrived at a time, s.
type heard struct{ at, value float64 }

// read takes up a reading that arrives at the explorer.
func (v *watcher) read(value float64) {
	s, now := &v.samples, v.seconds()
	s.readings = append(s.readings, heard{now, value})
	s.readings = prune(s.readings, now, func(h heard) float64 { return h.at })
}

// prune removes what is older than trailTime from a list, once its first is twice as old.
func prune[T any](list []T, now float64, at func(T) float64) []T {
	if at(list[0]) >= now-2*trailTime {
		return list
	}
	return slices.Delete(list, 0, slices.IndexFunc(list, func(v T) bool { return at(v) >= now-trailTime }))
}

// acknowledge takes up an observation that is published, which promises that it is safe.
func (v *watcher) acknowledge(m *ugp_explorer_msgs.FieldObservation) {
	n := int(m.Sequence) + 1
	c := &m.Belief.Covariance
	o := observed{orb.Point{m.Belief.Pose.Position.X, m.Belief.Pose.Position.Y}, m.Value, m.Variance}
	v.finiteAll("observation", []float64{o.at[0], o.at[1], o.value, c[0], c[1], c[7], m.Target.X, m.Target.Y})
	if !(o.variance > 0) || !(c[0] >= 0) || !(c[7] >= 0) || c[0]*c[7]-c[1]*c[1] < -1e-12 {
		v.fail("observation", "observation %d has the variance %g and the covariance %g, %g, %g", n, o.variance, c[0], c[1], c[7])
	}
	if before, ok := v.samples.acknowledged[n]; ok {
		if !before.is(o) {
			v.fail("observation", "observation %d was %v and is published again as %v", n, before, o)
		}
		before.variance = min(before.variance, o.variance)
		v.samples.acknowledged[n] = before
		return
	}
	if n != len(v.samples.acknowledged)+1 {
		v.fail("observation", "observation %d comes after %d others", n, len(v.samples.acknowledged))
	}
	v.samples.acknowledged[n] = o
	v.mission.changed = v.seconds()
	v.checkValue(n, o)
	if !v.ever(harmPose|harmTime) && !v.disturbedBy(harmMotion, 10) {
		v.checkProbe(n, o, float64(m.Header.Stamp.Sec)+float64(m.Header.Stamp.Nanosec)/1e9, spread(c[0], c[1], c[7]))
	}
}

// checkValue checks that the value lies between those of the readings that have come.
func (v *watcher) checkValue(n int, o observed) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, r := range v.samples.readings {
		if !math.IsNaN(r.value) {
			lo, hi = min(lo, r.value), max(hi, r.value)
		}
	}
	if !(o.value >= lo-1e-6 && o.value <= hi+1e-6) {
		v.fail("observation", "observation %d has the value %g, and the readings of the last minute lie between %g and %g", n, o.value, lo, hi)
	}
}

// checkProbe checks the place of an observation against where the probe was at its stamp, s.
func (v *watcher) checkProbe(n int, o observed, stamp, stdDev float64) {
	at := stamp - float64(epoch+v.jumped)/1e9
	for _, s := range v.motion.trail {
		if s.at >= at {
			if d := apart(s.probe, o.at); d > 5*stdDev+0.3 {
				v.fail("observation", "observation %d is said to be %.2f m from where the probe was, with a standard deviation of %.2f m", n, d, stdDev)
			}
			return
		}
	}
}

// entry is what the watcher reads of a line of the journal or of a sample of the record.
type entry struct {
	Sequence int     `json:"sequence"`
	Value    float64 `json:"value"`
	Variance float64 `json:"variance"`
	Belief   struct {
		X float64 `json:"x_m"`
		Y float64 `json:"y_m"`
	} `json:"belief"`
}

// journal returns what the disk has of the journal.
func (v *watcher) journal() []byte {
	if c := v.disk.files[filepath.Join(v.dir, "journal.jsonl")]; c != nil {
		return c.seen
	}
	return nil
}

// over reports whether the journal says that the mission is over and written. A line that was
// not written to its end says nothing.
func (v *watcher) over() bool {
	for line := range bytes.Lines(v.journal()) {
		if bytes.Contains(line, []byte(`"saved":{`)) && bytes.HasSuffix(line, []byte("\n")) {
			return true
		}
	}
	return false
}

// lastWords returns the last status in the journal.
func (v *watcher) lastWords() (state, text string) {
	for line := range bytes.Lines(v.journal()) {
		var l struct {
			Status *struct {
				Mission struct {
					State string `json:"state"`
					Text  string `json:"text"`
				} `json:"mission"`
			} `json:"status"`
		}
		if json.Unmarshal(line, &l) == nil && l.Status != nil {
			state, text = l.Status.Mission.State, l.Status.Mission.Text
		}
	}
	return state, text
}

// checkJournal checks that the journal has each acknowledged observation once, and as it was
// published.
func (v *watcher) checkJournal() {
	var list []entry
	for line := range bytes.Lines(v.journal()) {
		var l struct {
			Observation *entry `json:"observation"`
		}
		if json.Unmarshal(line, &l) == nil && l.Observation != nil {
			list = append(list, *l.Observation)
		}
	}
	v.checkList("the journal", list)
}

// checkRecord checks the same of the record of a mission that is over.
func (v *watcher) checkRecord() {
	if v.violation != nil || len(v.samples.acknowledged) == 0 {
		return
	}
	v.checkJournal()
	data, err := os.ReadFile(filepath.Join(v.dir, "mission.json"))
	if err != nil {
		v.fail("record", "the mission is over, and its record is not there: %v", err)
		return
	}
	var r struct {
		Outcome      string  `json:"outcome"`
		Observations []entry `json:"observations"`
	}
	if err := json.Unmarshal(data, &r); err != nil {
		v.fail("record", "the record cannot be read: %v", err)
		return
	}
	if r.Outcome == "" {
		v.fail("record", "the record does not say how the mission ended")
	}
	v.checkList("the record", r.Observations)
}

func (v *watcher) checkList(where string, list []entry) {
	found := map[int]int{}
	for _, e := range list {
		found[e.Sequence]++
		o, ok := v.samples.acknowledged[e.Sequence]
		if !ok {
			continue // it was not published any more
		}
		if is := (observed{orb.Point{e.Belief.X, e.Belief.Y}, e.Value, e.Variance}); !o.is(is) {
			v.fail("record", "%s has observation %d as %v, and it was published as %v", where, e.Sequence, is, o)
		}
	}
	for n := range len(v.samples.acknowledged) {
		if found[n+1] != 1 {
			v.fail("record", "observation %d was published and is %s in %s", n+1, times(found[n+1]), where)
		}
	}
}

func times(n int) string {
	if n == 0 {
		return "not"
	}
	return fmt.Sprintf("%d times", n)
}

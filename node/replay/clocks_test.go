// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/cdr"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/rosgraph_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ros"
)

// Clocks that differ are found, named, and corrected if that is asked for: the places are right, or there is no map.
func TestClocks(t *testing.T) {
	behind := func(s float64) func(float64) float64 { return func(at float64) float64 { return at - s } }
	const begin = float64(epoch / 1e9)
	for name, c := range map[string]struct {
		pose, reading func(at float64) float64 // stamp by the record time, s; nil: a reading without one
		correct       bool
		known         float64 // pose.delay, s
		clock         bool    // the bag has /clock
		err, note     string
	}{
		"one clock":               {pose: behind(0)},
		"and readings with it":    {pose: behind(0), reading: behind(0)},
		"a delay":                 {pose: behind(0.3)},
		"ahead":                   {pose: behind(-2), err: "those on /odometry/filtered are 2 s ahead of the times of recording; positions would be wrong"},
		"ahead, corrected":        {pose: behind(-2), correct: true, note: "the stamps on /odometry/filtered are shifted by -2 s"},
		"ahead, which is known":   {pose: behind(-2), reading: behind(0), known: 2},
		"late, which is known":    {pose: behind(3), known: -3},
		"half of it is known":     {pose: behind(-2), known: 1, err: "those on /odometry/filtered are 1 s ahead of the times of recording"},
		"a long delay":            {pose: behind(3), reading: behind(3), note: "those on /odometry/filtered are 3 s behind the times of recording, which is treated as a delay"},
		"late, corrected":         {pose: behind(3), correct: true, note: "shifted by +3 s"},
		"the recorder is wrong":   {pose: behind(-18), reading: behind(-18)},
		"the reading is wrong":    {pose: behind(0), reading: behind(-5), err: "those on /reading are 5 s ahead of the times of recording"},
		"the reading, corrected":  {pose: behind(0), reading: behind(-5), correct: true, note: "the stamps on /reading are shifted by -5 s"},
		"an hour":                 {pose: behind(3600), reading: behind(0), err: "those on /odometry/filtered are 3600 s behind the times of recording"},
		"simulation":              {pose: behind(begin - 50), note: "the bag is replayed in the time of these stamps"},
		"all simulated":           {pose: behind(begin - 50), reading: behind(begin - 50)},
		"at a quarter of time":    {pose: func(at float64) float64 { return 50 + (at-begin)/4 }, note: "as in a simulation (19676 days behind them)"},
		"and it begins anew":      {pose: func(at float64) float64 { return 50 + math.Mod(at-begin, 60) }, note: "as in a simulation"},
		"a bit faster":            {pose: func(at float64) float64 { return at + (at-begin)/5 }, clock: true, err: "record it again with ros2 bag record --use-sim-time"},
		"reading not simulated":   {pose: behind(begin - 50), reading: behind(0), err: "those on /odometry/filtered are 19676 days behind the times of recording"},
		"that too, but corrected": {pose: behind(begin - 50), reading: behind(0), correct: true, note: "shifted"},
	} {
		path := filepath.Join(t.TempDir(), "clocks")
		r := makeBag(t, path, epoch)
		stamp := func(of func(float64) float64) std_msgs.Header {
			return std_msgs.Header{FrameID: "map", Stamp: ros.TimeMsg(epoch + int64(math.Round((of(float64(r.at-epoch)/1e9+begin)-begin)*1e9)))}
		}
		for i := range 1200 {
			r.at += int64(100 * time.Millisecond)
			x := 0.1 * float64(i)
			m := nav_msgs.Odometry{Header: stamp(c.pose)}
			m.Pose.Pose.Position.X, m.Pose.Pose.Orientation.W = x, 1
			m.Pose.Covariance[0], m.Pose.Covariance[7], m.Pose.Covariance[35] = 0.01, 0.01, 0.01
			r.write("/odometry/filtered", &m)
			if c.clock {
				r.write("/clock", &rosgraph_msgs.Clock{Clock: m.Header.Stamp})
			}
			if i%10 == 5 {
				var reading cdr.Message = &std_msgs.Float64{Data: x}
				if c.reading != nil {
					reading = &ugp_explorer_msgs.FieldReading{Header: stamp(c.reading), Value: x, Variance: 0.01}
				}
				r.write("/reading", reading)
			}
		}
		r.close()
		cfg := quick()
		cfg.Explorer.Matcher.Probe.X, cfg.Explorer.Reading.Delay, cfg.Explorer.PoseDelay, cfg.CorrectStamps = 0, 0, c.known, c.correct
		p, err := opened(t, path, &cfg, Options{})
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) || !strings.Contains(err.Error(), "--correct-stamps") || !strings.Contains(err.Error(), "-p pose.delay:=SECONDS") {
				t.Errorf("%s: %v, want %s", name, err, c.err)
			}
			continue
		}
		must.OK(t, err)
		must.OK(t, p.Run(t.Context()))
		notes := strings.Join(p.Source().Notes, "\n")
		if !strings.Contains(notes, c.note) || c.note == "" && strings.Contains(notes, "stamps") {
			t.Errorf("%s: notes %s, want %s", name, notes, c.note)
		}
		seen := p.Explorer().Record().Observations
		if len(seen) < 4 {
			t.Errorf("%s: %d observations; %s", name, len(seen), p.Unused())
		}
		for _, o := range seen { // the reading is the place
			if math.Abs(o.Belief.X-o.Value) > 0.5 {
				t.Errorf("%s: %g at %g m", name, o.Value, o.Belief.X)
			}
		}
	}
}

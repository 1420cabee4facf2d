// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localization

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"

	"ugp_explorer/internal/testkit/must"
)

func TestMatcherWaitsForThePose(t *testing.T) {
	m := NewMatcher(MatcherConfig{Probe: Lever{X: 0.5}, MaxGap: time.Second})
	out := m.AddPose(nil, poseAt(100, 1))
	out = m.AddReading(out, Reading{Stamp: 150 * ms, Value: 7, Variance: 0.1}, 160*ms)
	out = m.AddReading(out, Reading{Stamp: 120 * ms, Value: 8}, 170*ms)
	if len(out) != 0 || len(m.waiting) != 2 {
		t.Fatalf("%v matched, %d waiting before the pose", out, len(m.waiting))
	}
	out = m.AddPose(out, poseAt(140, 1.4))
	if len(out) != 1 || out[0].Reading.Value != 8 {
		t.Fatalf("after a pose at 140 ms: %+v", out)
	}
	out = m.AddPose(out, poseAt(200, 2))
	if len(out) != 2 || len(m.waiting) != 0 {
		t.Fatalf("after a pose at 200 ms: %+v", out)
	}
	got := out[1]
	p, err := m.poses.At(150 * ms)
	must.OK(t, err)
	near(t, "the probe's x at 150 ms", got.Belief.X, 1.4+0.6/6+0.5*math.Exp(-p.Cov[2][2]/2), 1e-12)
	if got.Reading != (Reading{Stamp: 150 * ms, Value: 7, Variance: 0.1}) || got.Belief != p.At(Lever{X: 0.5}) {
		t.Errorf("%+v, want the probe's belief", got)
	}
	if out = m.AddReading(out[:0], Reading{Stamp: 130 * ms, Value: 9}, 0); len(out) != 1 {
		t.Errorf("a late reading between poses was not matched at once")
	}
}

func TestMatcherDrops(t *testing.T) {
	m := NewMatcher(DefaultMatcherConfig())
	var out []Observation
	out = m.AddPose(out, poseAt(5000, 1))
	out = m.AddPose(out, poseAt(6000, 2))
	read := func(stampMs, nowMs int64, v float64) {
		out = m.AddReading(out, Reading{Stamp: stampMs * ms, Value: v}, nowMs*ms)
	}
	read(4900, 6000, 1) // too early
	read(4960, 6000, 2) // held
	read(5500, 6000, 3) // gap
	read(5960, 6000, 4) // held
	read(6000, 6000, math.NaN())
	out = m.AddReading(out, Reading{Stamp: 6000 * ms, Variance: -1}, 0)
	out = m.AddReading(out, Reading{Stamp: 6000 * ms, Variance: math.Inf(1)}, 0)
	read(6010, 6000, 5) // waits, is pushed out
	read(6020, 6001, 6) // waits, held at the timeout
	read(6500, 6002, 7) // waits, times out
	for range mostWaiting - 2 {
		read(6030, 6500, 8) // waits
	}
	want := MatchCounts{Matched: 2, TooEarly: 1, Gap: 1, Overflow: 1, Invalid: 3}
	if got := m.Counts(); got != want || len(out) != 2 || len(m.waiting) != mostWaiting {
		t.Fatalf("counts %+v, want %+v; %d matched, %d waiting", got, want, len(out), len(m.waiting))
	}
	if out = m.Expire(out, 8001*ms); len(out) != 2 {
		t.Errorf("expired before the time: %+v", out[2:])
	}
	out = m.Expire(out, 8003*ms)
	want.Matched, want.TimedOut = 3, 1
	if got := m.Counts(); got != want || len(m.waiting) != mostWaiting-2 || out[2].Reading.Value != 6 || out[2].Belief.X != 2 {
		t.Fatalf("counts %+v, want %+v; %d waiting; %+v", got, want, len(m.waiting), out)
	}
	out = m.AddPose(out, poseAt(100, 0)) // time set back
	want.Reset = mostWaiting - 2
	if got := m.Counts(); got != want || len(m.waiting) != 0 || len(out) != 3 {
		t.Fatalf("counts %+v, want %+v", got, want)
	}
}

// Every reading ends exactly once: matched, dropped or still waiting.
func TestMatcherLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		m := NewMatcher(DefaultMatcherConfig())
		var out []Observation
		var given uint64
		now := int64(0)
		burst := 1 + rng.IntN(100)
		for range 200 {
			now += int64(rng.IntN(200)) * ms
			switch rng.IntN(5) {
			case 0, 1:
				out = m.AddPose(out, Pose{Stamp: now - int64(rng.IntN(300))*ms})
			case 2, 3:
				for range burst {
					given++
					out = m.AddReading(out, Reading{Stamp: now + int64(rng.IntN(600)-400)*ms, Value: float64(given)}, now)
				}
			case 4:
				out = m.Expire(out, now)
			}
			if rng.IntN(50) == 0 {
				now -= 10_000 * ms
			}
		}
		c := m.Counts()
		dropped := c.TooEarly + c.Gap + c.TimedOut + c.Overflow + c.Reset + c.Invalid
		if c.Matched != uint64(len(out)) || given != c.Matched+dropped+uint64(len(m.waiting)) {
			t.Fatalf("%d given, %d matched, %d waiting, counts %+v", given, len(out), len(m.waiting), c)
		}
		seen := map[float64]bool{}
		for _, o := range out {
			if seen[o.Reading.Value] {
				t.Fatalf("reading %v came twice", o.Reading.Value)
			}
			seen[o.Reading.Value] = true
		}
	})
}

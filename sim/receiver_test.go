// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/shared"
)

// errs has the errors of a receiver, one each second; NaN: there was no fix.
type errs [][2]float64

// statistics are those by which recordings of receivers are described.
type statistics struct {
	white         float64 // standard deviation of the white part, from second differences, m
	core          float64 // that of the normal distribution with the same median of the radial error, m
	tail          float64 // 99 % quantile over median of the radial error
	change10      float64 // 95 % quantile of the change within 10 s, m
	change60      float64
	jumps         float64 // of more than 1 m within 1 s, 1/h
	excursions    float64 // of more than three medians for at least 2 s, 1/h
	excursionTime float64 // median, s
}

func quantile(v []float64, p float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	v = slices.Clone(v)
	slices.Sort(v)
	return v[int(p*float64(len(v)-1))]
}

func (e errs) statistics() (s statistics) {
	var radial, second []float64
	for i, v := range e {
		radial = append(radial, math.Hypot(v[0], v[1]))
		if i > 1 {
			for k := range v {
				second = append(second, math.Abs(e[i][k]-2*e[i-1][k]+e[i-2][k]))
			}
		}
	}
	change := func(lag int) (d []float64) {
		for i := lag; i < len(e); i++ {
			d = append(d, math.Hypot(e[i][0]-e[i-lag][0], e[i][1]-e[i-lag][1]))
		}
		return d
	}
	hours := float64(len(e)) / 3600
	median := quantile(radial, 0.5)
	s.white = quantile(second, 0.5) / 0.6745 / math.Sqrt(6)
	s.core, s.tail = median/1.1774, quantile(radial, 0.99)/median
	s.change10, s.change60 = quantile(change(10), 0.95), quantile(change(60), 0.95)
	for _, d := range change(1) {
		if d > 1 {
			s.jumps += 1 / hours
		}
	}
	var lengths []float64
	for i := 0; i < len(radial); {
		n := 0
		for i+n < len(radial) && radial[i+n] > 3*median {
			n++
		}
		if n >= 2 {
			lengths = append(lengths, float64(n))
		}
		i += max(n, 1)
	}
	s.excursions, s.excursionTime = float64(len(lengths))/hours, quantile(lengths, 0.5)
	return s
}

func modelled(t *testing.T, name string, seconds int) (e errs, all []fixError) {
	t.Helper()
	r, err := ReceiverOf(name)
	must.OK(t, err)
	m := newModelErrors(r, Stream(1, "fix"))
	for range seconds {
		f, _ := m.step(1, 1)
		e, all = append(e, [2]float64{f.x, f.y}), append(all, f)
	}
	return e, all
}

func within(t *testing.T, what string, got, low, high float64) {
	t.Helper()
	if !(got >= low && got <= high) {
		t.Errorf("%s is %.3g, and %g to %g in recordings", what, got, low, high)
	}
}

// Each kind errs as recordings of such receivers do: its statistics lie between those of the best and of the worst
// recording, and mostly near the median. The recordings have coordinates of 2 cm or more where their
// white part is 0.
func TestReceivers(t *testing.T) {
	type limits [2]float64
	for name, want := range map[string]struct{ white, core, tail, change10, change60, jumps, excursions, excursionTime limits }{
		"rtk":            {limits{0, 0.005}, limits{0.005, 0.016}, limits{2.99, 14.8}, limits{0.019, 0.036}, limits{0.021, 0.081}, limits{0, 0}, limits{3.02, 30.7}, limits{3, 19.8}},
		"rtk_float":      {limits{0.001, 0.011}, limits{0.11, 1.67}, limits{1.76, 6.55}, limits{0.13, 2.94}, limits{0.61, 6.5}, limits{0, 6.29}, limits{0, 29.3}, limits{12, 54}},
		"dgps":           {limits{0.01, 0.012}, limits{0.22, 4.87}, limits{1.52, 3.54}, limits{0.2, 1.24}, limits{0.65, 4.17}, limits{0, 0.1}, limits{0, 5.71}, limits{8, 26}},
		"consumer":       {limits{0, 0.054}, limits{0.21, 1.76}, limits{2.46, 3.73}, limits{0.23, 1.51}, limits{0.57, 5.98}, limits{0, 1.44}, limits{0, 9.89}, limits{7, 44}},
		"consumer_trees": {limits{0, 0.24}, limits{0.3, 8.36}, limits{2.55, 7.19}, limits{0.49, 16.3}, limits{1.01, 29.9}, limits{0, 513.8}, limits{0, 15.3}, limits{11, 57}},
		"phone":          {limits{0.1, 0.26}, limits{0.68, 3.05}, limits{2.11, 3.51}, limits{1.18, 1.8}, limits{1.86, 3.74}, limits{24.8, 302.1}, limits{0, 9.98}, limits{3, 11.5}},
	} {
		t.Run(name, func(t *testing.T) {
			e, _ := modelled(t, name, 100*3600)
			s := e.statistics()
			within(t, "the white part", s.white, want.white[0], want.white[1])
			within(t, "the deviation of the core", s.core, want.core[0], want.core[1])
			within(t, "the tail", s.tail, want.tail[0], want.tail[1])
			within(t, "the change in 10 s", s.change10, want.change10[0], want.change10[1])
			within(t, "the change in 60 s", s.change60, want.change60[0], want.change60[1])
			within(t, "the number of jumps per hour", s.jumps, want.jumps[0], want.jumps[1])
			within(t, "the number of excursions per hour", s.excursions, want.excursions[0], want.excursions[1])
			within(t, "the median duration of excursions", s.excursionTime, want.excursionTime[0], want.excursionTime[1])
		})
	}
}

// A receiver whose status changes has shares and errors of each status as recordings, no jump when it loses
// its fix, and one when it finds it again.
func TestReceiverModes(t *testing.T) {
	e, all := modelled(t, "rtk_mixed", 400*3600)
	radial := map[FixStatus][]float64{}
	var lost, found []float64
	for i, f := range all {
		radial[f.status] = append(radial[f.status], math.Hypot(f.x, f.y))
		if i == 0 || all[i-1].status == f.status {
			continue
		}
		change := math.Hypot(e[i][0]-e[i-1][0], e[i][1]-e[i-1][1])
		if all[i-1].status == FixRTK {
			lost = append(lost, change)
		} else if f.status == FixRTK {
			found = append(found, change)
		}
	}
	share := func(s FixStatus) float64 { return float64(len(radial[s])) / float64(len(all)) }
	within(t, "the share of fixed", share(FixRTK), 0.30, 0.53)
	within(t, "the share of float", share(FixFloat), 0.26, 0.52)
	within(t, "the share of single", share(FixSingle), 0.06, 0.20)
	within(t, "the median error when fixed", quantile(radial[FixRTK], 0.5), 0.009, 0.019)
	within(t, "the median error when float", quantile(radial[FixFloat], 0.5), 0.08, 1.94)
	within(t, "the median error when single", quantile(radial[FixSingle], 0.5), 0.48, 0.97)
	within(t, "the change when the fix is lost", quantile(lost, 0.95), 0, 0.06)
	within(t, "the change when it is found again", quantile(found, 0.5), 0.12, 0.73)
}

// The statistics of this test are those by which the recordings are described.
func TestStatisticsOfRecordings(t *testing.T) {
	dir := shared.File(t, "receivers")
	for name, want := range map[string]statistics{
		"lea6_static_20130214_024312_ublox1": {core: 1.76, change60: 3.8, excursions: 1.5},
		"gstar_static_west":                  {core: 0.436, change60: 1.4, excursions: 2.9},
		"f9p_static_north_fixed_3h":          {core: 0.0161, change60: 0.026, excursions: 4.9},
	} {
		trace, err := ReadTrace(filepath.Join(dir, name+".csv"), 1)
		must.OK(t, err)
		var e errs
		for p := (&player{Trace: trace, length: math.Inf(1)}); p.at <= trace.rows[len(trace.rows)-1].at-trace.rows[0].at-1; {
			if f, ok := p.step(1, 1); ok {
				e = append(e, [2]float64{f.x, f.y})
			}
		}
		s := e.statistics()
		near(t, name+": core", s.core, want.core, 0.05*want.core)
		near(t, name+": change in 60 s", s.change60, want.change60, 0.1*want.change60)
		near(t, name+": excursions", s.excursions, want.excursions, 0.2*want.excursions)
	}
}

// Between two fixes a receiver that holds its position sees the robot drive: a robot that stands at each fix, and drives between them, gets
// fixes of where it stands.
func TestReceiverHoldsNoEarlierPlace(t *testing.T) {
	r, err := ReceiverOf("consumer")
	must.OK(t, err)
	f := NewFixSensor(FixConfig{Period: 10, Receiver: r}, Stream(1, "fix"))
	var truth PlantState
	for now := int64(0); now < 100e9; now += tick {
		if truth.Forward = 0; now%10e9 > 4e9 {
			truth.Forward = 2
		}
		truth.X += truth.Forward * tick * 1e-9
		f.Tick(now, truth)
		if fix, ok := f.Next(now); ok && math.Abs(fix.X-truth.X) > 8 {
			t.Errorf("after %d s the fix is at x = %.1f m, and the robot stands at %.1f m", now/1e9, fix.X, truth.X)
		}
	}
}

// A receiver that holds its position repeats it while the robot stands, and only then.
func TestReceiverHold(t *testing.T) {
	r, err := ReceiverOf("consumer")
	must.OK(t, err)
	f := NewFixSensor(FixConfig{Period: 1, Receiver: r}, Stream(1, "fix"))
	var fixes []Fix
	for s := range int64(30) {
		state := PlantState{}
		if s >= 10 && s < 20 {
			state.Forward = 1
		}
		f.Tick(s*1e9, state)
		fix, ok := f.Next(s * 1e9)
		if !ok {
			t.Fatalf("no fix at %d s", s)
		}
		fixes = append(fixes, fix)
	}
	for i := 1; i < len(fixes); i++ {
		same := fixes[i].X == fixes[i-1].X && fixes[i].Y == fixes[i-1].Y
		if standing := i < 10 || i > 20; same != standing {
			t.Errorf("at %d s the position is repeated: %t", i, same)
		}
	}
}

// A receiver that had no fix while the robot drove away does not repeat the one from before.
func TestReceiverHoldEndsInAnOutage(t *testing.T) {
	r, err := ReceiverOf("consumer")
	must.OK(t, err)
	square := orb.Polygon{{{5, -5}, {15, -5}, {15, 5}, {5, 5}, {5, -5}}}
	f := NewFixSensor(FixConfig{Period: 1, Receiver: r, Shadows: []Shadow{{Area: square, Factor: 1, Missing: true}}}, Stream(1, "fix"))
	var last Fix
	for s, state := range []PlantState{{}, {}, {Pose: Pose{X: 10}, Forward: 1}, {Pose: Pose{X: 100}}} {
		f.Tick(int64(s)*1e9, state)
		if fix, ok := f.Next(int64(s) * 1e9); ok {
			last = fix
		}
	}
	if last.Stamp != 3e9 || math.Abs(last.X-100) > 20 {
		t.Errorf("the last fix is %+v, want one near (100, 0) m at 3 s", last)
	}
}

// A receiver that holds its position while the robot stands sees when people carry the robot elsewhere.
func TestReceiverHoldEndsWhenCarried(t *testing.T) {
	r, err := ReceiverOf("consumer")
	must.OK(t, err)
	f := NewFixSensor(FixConfig{Period: 1, Receiver: r}, Stream(1, "fix"))
	for s := range int64(30) {
		state := PlantState{}
		if s >= 10 {
			state.X = 50
		}
		f.Tick(s*1e9, state)
		if fix, ok := f.Next(s * 1e9); !ok || math.Abs(fix.X-state.X) > 8 {
			t.Errorf("after %d s the fix is at x = %.1f m, and the robot stands at %g m", s, fix.X, state.X)
		}
	}
}

func TestReceiverOf(t *testing.T) {
	_, err := ReceiverOf("f9p")
	wantError(t, err, `no receiver "f9p": want one of consumer, consumer_trees, dgps, exact, phone, rtk, rtk_float, rtk_mixed`)
}

// What a table of missions says of a receiver is by how much it errs, and not what it states.
func TestErrorOfFixes(t *testing.T) {
	trees, err := ReceiverOf("consumer_trees")
	must.OK(t, err)
	trace, err := ReadTrace(written(t, "t_s,east_err_m,north_err_m\n0,3,5\n1,-5,-3\n2,3,-5\n"), 1)
	must.OK(t, err)
	for name, c := range map[string]struct {
		cfg  FixConfig
		want float64 // m
	}{
		"white":     {FixConfig{StdDev: 0.5}, 0.5},
		"wanders":   {FixConfig{StdDev: 3, CorrelatedStdDev: 4}, 5},
		"kind":      {FixConfig{StdDev: 1, Receiver: trees}, trees.StdDev()},
		"recording": {FixConfig{StdDev: 1, Trace: trace}, math.Sqrt(17)},
	} {
		if got := NewFixSensor(c.cfg, Stream(1, "fix")).StdDev(); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %g m, want %g m", name, got, c.want)
		}
	}
}

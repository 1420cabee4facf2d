// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard_test

import (
	"flag"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/sim"
)

var (
	promises   = flag.Int("promises", 0, "missions of a kind for the table of both promises; 0: no table")
	kindsFlag  = flag.String("kinds", "", "only the kinds whose names match this expression")
	wheelsFlag = flag.Bool("wheels", false, "robots for the table have no gyroscope")
	recordings = flag.String("recordings", "", "folder with recorded errors of receivers, one CSV file each, which become kinds")
)

// kind is a way in which receivers, wheels, clocks and bases err.
type kind struct {
	name   string
	honest bool          // what is stated is true
	stated float64       // m
	claims bool          // a real receiver states that, too, and not its own standard deviation
	fix    sim.FixConfig // with the errors; the zero value: white ones of 2 cm
	lever  float64       // m forward, of the antenna; the guard does not know it
	event  event         // nil: none
	gap    [2]float64    // s between the beginnings of two events
	change func(m *trip)
	spin   func(m *trip, rate float64) float64 // what the gyroscope makes of a yaw rate, rad/s, from the event on
	wheels bool                                // the robot has no gyroscope
}

func kinds(t *testing.T) []kind {
	white := func(sd float64) sim.FixConfig { return sim.FixConfig{StdDev: sd} }
	slow := func(sd, tau float64) sim.FixConfig {
		return sim.FixConfig{StdDev: 0.005, CorrelatedStdDev: sd, CorrelationTime: tau}
	}
	outage := func(m *trip, since float64) (float64, float64, bool) {
		gap := 10 + 50*m.size
		sin, cos := math.Sincos(m.direction)
		size := 1.5 + 8.5*math.Mod(7*m.size, 1)
		return size * cos, size * sin, since > gap
	}
	half := func(m *trip) float64 { return 0.9 - 0.2*m.share() }
	list := []kind{
		{name: "white 2 cm", honest: true, stated: 0.02},
		{name: "white 30 cm", honest: true, stated: 0.3, fix: white(0.3)},
		{name: "white 1 m", honest: true, stated: 1, fix: white(1)},
		{name: "Gauss-Markov 2 m, 60 s", honest: true, stated: 2, fix: slow(2, 60)},
		{name: "stuck, with 2 cm of white noise", stated: 0.02, event: stuck(0)},
		{name: "stuck, with 2 cm of noise over 5 s", stated: 0.02, event: stuck(5)},
		{name: "stuck, with 2 cm of noise over 20 s", stated: 0.02, event: stuck(20)},
		{name: "displaced after an outage", stated: 0.02, event: outage},
		{name: "outages of 10 to 60 s", honest: true, stated: 0.02, event: func(m *trip, since float64) (float64, float64, bool) {
			if since > 10+50*m.size {
				return 0, 0, true
			}
			return 1e-9, 0, false
		}, gap: [2]float64{60, 120}},
		{name: "displaced by 0.5 m for 5 s", stated: 0.02, event: displaced(0.5, 5), gap: [2]float64{40, 120}},
		{name: "displaced by 2 m for 10 s", stated: 0.02, event: displaced(2, 10), gap: [2]float64{60, 180}},
		{name: "displaced by 10 m for 60 s", stated: 0.02, event: displaced(10, 60), gap: once},
		{name: "drifts by 0.2 m/s for 60 s", stated: 0.02, event: drifts(0.2), gap: once},
		{name: "drifts by 0.2 m/s on the first metres", stated: 0.02, event: drifts(0.2), gap: once, change: func(m *trip) { m.next = 6 + 9*m.rng.Float64() }},
		{name: "drifts by 0.1 m/s for 60 s", stated: 0.02, event: drifts(0.1), gap: once},
		{name: "drifts by 0.05 m/s for 60 s", stated: 0.02, event: drifts(0.05), gap: once},
		{name: "both sides slip by 10 to 30 %", stated: 0.02, event: slips(half, half, 4, 20), gap: [2]float64{60, 120}},
		{name: "sides slip differently by 5 to 15 %", stated: 0.02, event: slips(func(m *trip) float64 { return 0.95 - 0.1*m.share() }, func(*trip) float64 { return 1 }, 4, 20), gap: [2]float64{60, 120}},
		{name: "one side slips by 10 % for good", stated: 0.02, event: slips(func(*trip) float64 { return 0.9 }, func(*trip) float64 { return 1 }, 1e6, 1e6)},
		{name: "2 cm stated, 5 cm true", stated: 0.02, fix: white(0.05)},
		{name: "2 cm stated, 20 cm true", stated: 0.02, fix: white(0.2)},
		{name: "10 cm stated, 1 m true", stated: 0.1, fix: white(1)},
		{name: "step of 0.2 m", stated: 0.02, event: displaced(0.2, 1e9)},
		{name: "step of 0.5 m", stated: 0.02, event: displaced(0.5, 1e9)},
		{name: "step of 1.5 m", stated: 0.02, event: displaced(1.5, 1e9)},
		{name: "mast sways by 5 cm", stated: 0.02, fix: sim.FixConfig{StdDev: 0.02, CorrelatedStdDev: 0.05, CorrelationTime: 1}},
		{name: "mast sways by 15 cm", stated: 0.02, fix: sim.FixConfig{StdDev: 0.02, CorrelatedStdDev: 0.15, CorrelationTime: 1}},
		{name: "wheels 1.3 times as large as configured", stated: 0.02, change: func(m *trip) { m.scale = 1 / 1.3 }},
		{name: "odometry reports 1.3 times the distance", stated: 0.02, change: func(m *trip) { m.scale = 1.3 }},
		{name: "antenna 0.5 m forward, not configured", stated: 0.02, lever: 0.5},
		{name: "antenna 1 m forward, not configured", stated: 0.02, lever: 1},
		{name: "stamped on arrival, 1 s late", stated: 0.02, change: func(m *trip) { m.delay = 1 }},
		{name: "stamped on arrival, 3 s late", stated: 0.02, change: func(m *trip) { m.delay = 3 }},
		{name: "measured each second, published more often", stated: 0.02, event: measuredEach(1), change: atOnce},
		{name: "measured each 2 s, published more often", stated: 0.02, event: measuredEach(2), change: atOnce},
		{name: "drives at 1.3 times the command", stated: 0.02, change: func(m *trip) { m.gain = 1.3 }},
		{name: "drives at twice the command", stated: 0.02, change: func(m *trip) { m.gain = 2 }},
		{name: "brakes with 0.3 m/s²", stated: 0.02, change: func(m *trip) { m.brake = 0.3 }},
		{name: "gyroscope stuck at 0", stated: 0.02, spin: func(*trip, float64) float64 { return 0 }},
		{name: "gyroscope fails", stated: 0.02, spin: func(*trip, float64) float64 { return math.NaN() }},
		{name: "gyroscope stuck at 0.3 rad/s", stated: 0.02, spin: func(*trip, float64) float64 { return 0.3 }},
		{name: "single rates of the gyroscope are wrong", stated: 0.02, change: atOnce, spin: func(m *trip, rate float64) float64 {
			if m.rng.Float64() < 0.005 {
				return 10 * m.rng.NormFloat64()
			}
			return rate
		}},
		{name: "bias of the gyroscope jumps by 0.02 rad/s", stated: 0.02, spin: func(_ *trip, rate float64) float64 { return rate + 0.02 }},
		{name: "bias of the gyroscope jumps by 0.01 rad/s", stated: 0.02, spin: func(_ *trip, rate float64) float64 { return rate + 0.01 }},
		{name: "gyroscope upside down", stated: 0.02, spin: func(_ *trip, rate float64) float64 { return -rate }, change: atOnce},
		{name: "gyroscope in degrees per second", stated: 0.02, spin: func(_ *trip, rate float64) float64 { return 180 / math.Pi * rate }, change: atOnce},
		{name: "fixes with y mirrored", stated: 0.02, event: func(m *trip, _ float64) (float64, float64, bool) { return 0, -2 * m.state.Y, true }, change: atOnce},
	}
	mixed, err := sim.ReceiverOf("rtk_mixed")
	must.OK(t, err)
	list = append(list, kind{name: "RTK fixed, float and single, all state 2 cm", stated: 0.02, claims: true, fix: sim.FixConfig{Receiver: mixed}})
	for _, name := range sim.Receivers() {
		r, err := sim.ReceiverOf(name)
		must.OK(t, err)
		stated := map[string]float64{"rtk": 0.011, "rtk_float": 0.064, "rtk_mixed": 0.064, "dgps": 0.87, "consumer": 2, "consumer_trees": 3, "phone": 1.5}[name]
		list = append(list, kind{name: name, honest: stated > 0.1 || name == "rtk", stated: stated, fix: sim.FixConfig{Receiver: r}})
	}
	if *recordings == "" {
		return list
	}
	files, err := filepath.Glob(filepath.Join(*recordings, "*.csv"))
	must.OK(t, err)
	for _, file := range files {
		trace, err := sim.ReadTrace(file, 2)
		must.OK(t, err)
		list = append(list, kind{name: strings.TrimSuffix(filepath.Base(file), ".csv"), stated: 1, fix: sim.FixConfig{Trace: trace}})
	}
	return list
}

// once is the gap after an event that does not come again: missions are over by then.
var once = [2]float64{1000, 1001}

// share is a number from 0 to 1 that stays the same during an event.
func (m *trip) share() float64 { return math.Mod(13*m.size, 1) }

// atOnce lets the event begin with the mission.
func atOnce(m *trip) { m.next = 0 }

// missions runs missions of a kind on a small field, with a gyroscope unless wheels is true, and hands each of them to check.
func missions(t *testing.T, name string, wheels bool, n uint64, check func(t *testing.T, m *trip)) {
	t.Helper()
	k := kindOf(t, name)
	k.wheels = wheels
	for seed := range n {
		t.Run(fmt.Sprint(name, " ", seed), func(t *testing.T) {
			m := newTrip(&k, seed, true, 30)
			m.run(30)
			check(t, m)
		})
	}
}

func kindOf(t *testing.T, name string) kind {
	t.Helper()
	all := kinds(t)
	i := slices.IndexFunc(all, func(k kind) bool { return k.name == name })
	if i < 0 {
		t.Fatalf("there is no kind %q", name)
	}
	return all[i]
}

func staysInside(t *testing.T, m *trip) {
	if m.out > 0.5 {
		t.Errorf("%.2f m outside", m.out)
	}
}

func completes(t *testing.T, m *trip) {
	staysInside(t, m)
	if m.unfinished != "" {
		t.Error(m.unfinished)
	}
}

// finish runs missions of a kind with a gyroscope: all must stay inside, and some may not finish.
func finish(t *testing.T, name string, n uint64, least int) {
	t.Helper()
	finished := 0
	missions(t, name, false, n, func(t *testing.T, m *trip) {
		staysInside(t, m)
		if m.unfinished == "" {
			finished++
		}
	})
	if finished < least {
		t.Errorf("%d of %d missions finish, want %d", finished, n, least)
	}
}

// A robot whose receiver drifts for a minute, so that its filter leads it elsewhere, stays inside: its wheels and its stops tell, and a
// gyroscope if there is one.
func TestDriftIsNoSlip(t *testing.T) {
	missions(t, "drifts by 0.2 m/s for 60 s", true, 12, staysInside)
	missions(t, "drifts by 0.2 m/s for 60 s", false, 24, staysInside)
	missions(t, "drifts by 0.2 m/s on the first metres", true, 24, staysInside)
}

// A drift as slow as 0.05 m/s, which on the way looks like slip, shows while the robot stands at the fence.
func TestSlowDrift(t *testing.T) {
	k := kindOf(t, "drifts by 0.05 m/s for 60 s")
	for seed := range uint64(24) {
		m := newTrip(&k, seed, true, 30)
		m.push(300)
		staysInside(t, m)
	}
}

// The fixes of these robots jump right after a turn. That counts as a jump, although a wrong direction would explain it on the path to the second
// fix.
func TestJumpAfterTurn(t *testing.T) {
	k := kindOf(t, "step of 1.5 m")
	k.wheels = true
	for _, seed := range []uint64{10055, 10091, 10166, 10262} {
		m := newTrip(&k, seed, true, 30)
		m.push(300)
		staysInside(t, m)
	}
}

// A receiver that is metres off for good after an outage hinders a robot in the direction of that error, and in no other.
func TestDisplacedForGood(t *testing.T) { finish(t, "displaced after an outage", 40, 36) }

// A gyroscope is believed while one side slips all the time, which turns the wheels' frame of a robot that drives straight on.
func TestOneSideSlips(t *testing.T) { finish(t, "one side slips by 10 % for good", 20, 18) }

// Turns show an antenna that is elsewhere than configured: the robot is not stopped because its fixes move to and fro whenever it turns.
func TestAntennaElsewhere(t *testing.T) { finish(t, "antenna 1 m forward, not configured", 60, 60) }

// A receiver that errs ten times as much as it states, from one fix to the next, is known as such: the robot is not stopped because its fixes
// jump all the time.
func TestNoisierThanStated(t *testing.T) { finish(t, "2 cm stated, 20 cm true", 20, 17) }

// With a gyroscope a robot that drives on without fixes knows where it is when they come back. Without one 1 of 10 needs a person.
func TestGyroscopeBridgesOutages(t *testing.T) {
	missions(t, "outages of 10 to 60 s", false, 40, completes)
}

// A receiver that publishes each measurement several times keeps no robot from its way.
func TestRepeatedFixes(t *testing.T) {
	missions(t, "measured each second, published more often", false, 30, completes)
	missions(t, "measured each 2 s, published more often", true, 30, completes)
}

// A gyroscope that is wrong or dies moves no robot outside, and keeps none from its way.
func TestGyroscopeThatIsWrong(t *testing.T) {
	for _, name := range []string{"gyroscope stuck at 0", "gyroscope stuck at 0.3 rad/s", "gyroscope fails", "single rates of the gyroscope are wrong", "bias of the gyroscope jumps by 0.01 rad/s", "gyroscope upside down", "gyroscope in degrees per second"} {
		missions(t, name, false, 8, completes)
	}
}

// TestPromises prints, for each kind, how far outside fence and allowance a robot comes at worst, whether a mission leads it or
// it is driven straight at the fence, and how many missions end with their samples at home, with the guard and without. It judges
// nothing: the tests above do.
func TestPromises(t *testing.T) {
	if *promises == 0 {
		t.Skip("-promises says how many missions of each kind are for the table")
	}
	chosen, err := regexp.Compile(*kindsFlag)
	must.OK(t, err)
	const side = 30.0
	fmt.Printf("%-42s %22s %22s %16s   %s\n", "kind", "mission: worst, >0.5 m", "to the fence", "finished", "needs")
	for _, k := range kinds(t) {
		if !chosen.MatchString(k.name) {
			continue
		}
		k.wheels = *wheelsFlag
		n := *promises
		var worst, pushed, needs float64
		over, pushedOver, with, without := 0, 0, 0, 0
		why := map[string]int{}
		for seed := range uint64(n) {
			big := side
			if k.stated > 0.4 || k.fix.Trace != nil {
				big = 100
			}
			m := newTrip(&k, seed, true, big)
			m.run(big)
			worst = max(worst, m.out)
			if m.out > 0.5 {
				over++
				why[fmt.Sprintf("seed %d out", seed)]++
			}
			if m.unfinished == "" {
				with++
			} else {
				_, reason := m.g.Limit(m.now, 1, 0)
				why[m.unfinished+": "+string(reason)]++
			}
			now, _ := m.g.Needs()
			needs = max(needs, now)
			m = newTrip(&k, seed, false, big)
			if m.run(big); m.unfinished == "" {
				without++
			}
			m = newTrip(&k, seed, true, side)
			m.push(300)
			pushed = max(pushed, m.out)
			if m.out > 0.5 {
				pushedOver++
			}
		}
		fmt.Printf("%-42s %8.2f m %6.1f %% %10.2f m %6.1f %% %6d of %3d   %.1f %v\n", k.name, worst, 100*float64(over)/float64(n), pushed, 100*float64(pushedOver)/float64(n), with, without, needs, why)
	}
}

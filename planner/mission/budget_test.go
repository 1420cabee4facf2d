// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/num"
	"ugp_explorer/internal/testkit/must"
)

func testBudget() BudgetConfig {
	return BudgetConfig{
		Budget:          Budget{Samples: 10, Distance: 100, Duration: 1000},
		ReserveFactor:   1.5,
		ReserveDistance: 4,
		ReserveTime:     20,
		Speed:           0.5,
		SampleTime:      10,
	}
}

// The expected answers are computed by hand from the inequalities in the documentation of Affordable and mustReturn.
func TestLedger(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name         string
		change       func(*Ledger)
		path, home   float64
		affordable   bool
		mustReturnAt string // at home metres from home
	}{
		{"fresh, metres just enough", nil, 40, 24, true, ""},                                                                 // 1.5·64 + 4 = 100
		{"fresh, metres not enough", nil, 40, 24.01, false, ""},                                                              // 100.015
		{"driven", func(l *Ledger) { l.Distance = 60 }, 8, 16, true, ""},                                                     // 1.5·24 + 4 = 40
		{"driven, at the limit", func(l *Ledger) { l.Distance = 60 }, 0, 24, true, ""},                                       // 40
		{"driven, beyond the limit", func(l *Ledger) { l.Distance = 60 }, 0, 24.1, false, "metres"},                          // 40.15 > 40
		{"overdrawn", func(l *Ledger) { l.Distance = 101.5 }, 0, 0, false, "overdrawn"},                                      // 100 - 101.5 = -1.5
		{"time just enough", func(l *Ledger) { l.Duration = 880 }, 10, 20, true, ""},                                         // 1.5·30/0.5 + 10 + 20 = 120
		{"time not enough for the sample", func(l *Ledger) { l.Duration = 881 }, 10, 20, false, ""},                          // 120 > 119
		{"time not enough", func(l *Ledger) { l.Duration = 921 }, 0, 20, false, "seconds"},                                   // 60 + 20 = 80 > 79
		{"samples taken", func(l *Ledger) { l.Samples = 10 }, 0, 0, false, "samples"},                                        //
		{"no limits", func(l *Ledger) { l.Config.Budget = Budget{}; l.Distance, l.Duration = 1e9, 1e9 }, 1e9, 1e9, true, ""}, //
		{"negative length", nil, -1, 0, false, ""},
		{"length that is not a number", nil, math.NaN(), 1, false, ""},
		{"no path home", func(l *Ledger) { l.Config.Budget = Budget{} }, 1, inf, false, ""},
	} {
		l := Ledger{Config: testBudget()}
		if c.change != nil {
			c.change(&l)
		}
		if got := l.Affordable(c.path, c.home); got != c.affordable {
			t.Errorf("%s: affordable %v, want %v", c.name, got, c.affordable)
		}
		if num.Finite(c.home) && c.home >= 0 {
			got := l.mustReturn(c.home)
			word := map[string]string{"metres": " m of the budget of 100 m", "seconds": " s of the budget of 1000 s", "samples": "budget of 10 samples", "overdrawn": "the budget of 100 m is exceeded by 1.5 m"}[c.mustReturnAt]
			if (got == "") != (c.mustReturnAt == "") || !strings.Contains(got, word) {
				t.Errorf("%s: must return %q, want one for %q", c.name, got, c.mustReturnAt)
			}
		}
	}
}

func TestBudgetCheck(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*BudgetConfig)
		home   float64
		want   string // the error, "" for none
	}{
		{"enough", nil, 64, ""},
		{"too few metres", nil, 65, "budget of 100 m is too small to return home: 101.5 m needed"},
		{"too few seconds", func(c *BudgetConfig) { c.Budget.Duration = 49 }, 10, "budget of 49 s is too small to return home: 50 s needed"},
		{"no time for a sample", func(c *BudgetConfig) { c.Budget.Duration, c.SampleTime = 649, 600 }, 10, "budget of 649 s is too small for a sample: 650 s needed"},
		{"time for one sample", func(c *BudgetConfig) { c.Budget.Duration, c.SampleTime = 650, 600 }, 10, ""},
		{"no limits", func(c *BudgetConfig) { c.Budget = Budget{} }, 1e6, ""},
		{"no path home", nil, math.Inf(1), "the path home from the start is +Inf m: must be finite and not negative"},
		{"negative samples", func(c *BudgetConfig) { c.Budget.Samples = -1 }, 0, "budget of -1 samples: must be at least 1, or 0 for no limit"},
	} {
		cfg := testBudget()
		if c.change != nil {
			c.change(&cfg)
		}
		err := cfg.Check(c.home)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), "planner: "+c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// A target that was affordable is reached without being called back, by a robot that drives up to r times the path there, from
// anywhere to anywhere in a plane without obstacles.
func TestAffordableTargetsAreReached(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	tried := 0
	for range 2000 {
		l := Ledger{Config: testBudget(), Distance: 90 * rng.Float64(), Duration: 500 * rng.Float64()}
		here := orb.Point{20 * rng.NormFloat64(), 20 * rng.NormFloat64()}
		there := orb.Point{20 * rng.NormFloat64(), 20 * rng.NormFloat64()}
		home := func(p orb.Point) float64 { return math.Hypot(p[0], p[1]) }
		length := math.Hypot(there[0]-here[0], there[1]-here[1])
		if !l.Affordable(length, home(there)) {
			continue
		}
		tried++
		detour := 1 + (l.Config.ReserveFactor-1)*rng.Float64()
		for i := range 100 {
			u := float64(i) / 100
			p := orb.Point{here[0] + u*(there[0]-here[0]), here[1] + u*(there[1]-here[1])}
			now := l
			now.Distance += u * length * detour
			now.Duration += u * length * detour / l.Config.Speed
			if why := now.mustReturn(home(p)); why != "" {
				t.Fatalf("called back after %.0f %% of an affordable path of %.1f m driven %.2f times: %s", 100*u, length, detour, why)
			}
		}
	}
	if tried < 200 {
		t.Errorf("only %d affordable targets tried", tried)
	}
}

// A robot that is slower than expected is reckoned with its own speed, one that is faster with
// the expected one.
func TestSlowRobotReturnsEarlier(t *testing.T) {
	for _, c := range []struct {
		name              string
		distance, driving float64
		want              float64 // m/s
	}{
		{"nothing driven", 0, 0, 0.5},
		{"as expected", 60, 120, 0.5},
		{"a third of it", 40, 240, (40 + 0.5*60) / 300},
		{"faster", 200, 100, 0.5},
		{"a distance from an earlier release", 50, 0, 0.5},
		{"stands for an hour", 0, 3600, 0.5 * 60 / 3660},
	} {
		l := Ledger{Config: testBudget(), Distance: c.distance, Driving: c.driving}
		l.Config.Budget.Distance = 0
		if got := l.speed(); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %g m/s, want %g", c.name, got, c.want)
		}
		// 30 m from home, 1.5·30 m at that speed and 20 s are kept.
		need := 1.5*30/c.want + 20
		if l.Duration = 1000 - need + 0.1; l.mustReturn(30) == "" {
			t.Errorf("%s: the robot need not return %.1f s before the end, and needs %.1f s", c.name, 1000-l.Duration, need)
		}
		if l.Duration = 1000 - need - 0.1; l.mustReturn(30) != "" {
			t.Errorf("%s: %s", c.name, l.mustReturn(30))
		}
	}
}

// The time on the way counts the waits at an edge, and nothing else: neither samples nor a pause.
func TestTimeOnTheWay(t *testing.T) {
	m, err := New(testMission())
	must.OK(t, err)
	at := func(s int64) int64 { return s * sec }
	pose := func(s int64, target float64) Event {
		return EventPose{Stamp: at(s), TargetDistance: target, HomeDistance: 1, Speed: 0}
	}
	for _, e := range []Event{
		EventStart{at(0), 1}, EventPlanned{at(2), 1, orb.Point{3, 4}, 5, 5}, // 2 s of planning
		pose(3, 4), EventUncertain{at(4), "near an edge"}, pose(6, 4), EventCertain{at(7)}, pose(8, 4), // 6 s
		EventPause{at(9)}, pose(10, 4), EventResume{at(11)}, // 1 s
	} {
		m.Handle(e)
	}
	if got := m.Ledger().Driving; got != 7 {
		t.Errorf("%g s on the way, want 7 s: %+v", got, m.Status())
	}
}

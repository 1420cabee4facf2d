package faults

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/node/record/journal"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/planner/field"
)

// A rule that two faults break together is shrunk to these two. A third that breaks another
// rule does not mislead.
func TestShrink(t *testing.T) {
	run := func(only []int) (Result, error) {
		r := Result{Seed: 7, Faults: 5, Only: only}
		switch {
		case slices.Contains(only, 2) && slices.Contains(only, 5):
			r.Violation = &Violation{Rule: "outside"}
		case slices.Contains(only, 3):
			r.Violation = &Violation{Rule: "stands"}
		}
		return r, nil
	}
	whole, _ := run([]int{1, 2, 3, 4, 5})
	whole.Only = nil
	r, err := shrink(whole, run)
	if err != nil || !slices.Equal(r.Only, []int{2, 5}) || r.Violation.Rule != "outside" {
		t.Errorf("%+v, %v", r, err)
	}
	if got, want := command(r), "go test ./node/simulation/faults -run TestSeeds -v -seeds 7 -only 2,5"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	kept := Result{Seed: 8}
	if r, err := shrink(kept, run); err != nil || r.Violation != nil {
		t.Errorf("%+v, %v", r, err)
	}
}

// The places of the checks are those of the planner's geometry, which they share no code
// with.
func TestGround(t *testing.T) {
	rng := stream(1, "test")
	for range 40 {
		f := drawField(rng)
		region, err := field.NewRegion(f, 0.01)
		if err != nil {
			continue
		}
		g := ground{f.Boundary, f.KeepOuts}
		b := f.Boundary.Bound()
		for range 50 {
			p := orb.Point{between(rng, b.Min[0]-2, b.Max[0]+2), between(rng, b.Min[1]-2, b.Max[1]+2)}
			if got, want := g.depth(p) > 0, region.SignedDistance(p) > 0; got != want {
				t.Fatalf("%v: inside is %v, want %v", p, got, want)
			}
		}
	}
}

// A frozen process runs what was due when it is thawed, a tick of a timer once; a killed one
// runs nothing any more, and another is not disturbed.
func TestProcess(t *testing.T) {
	ex := exec.NewSimulated(epoch)
	a, b := &process{Simulated: ex, clock: &clock{}}, &process{Simulated: ex, clock: &clock{offset: 5}}
	ticks, words := map[*process]int{}, 0
	for _, p := range []*process{a, b} {
		p.Every(time.Second, func() { ticks[p]++ })
	}
	run := func(s int64) {
		t.Helper()
		if err := ex.RunTo(t.Context(), ex.Now()+s*1e9); err != nil {
			t.Fatal(err)
		}
	}
	a.freeze()
	a.Deliver(func() { words++ })
	run(3)
	if ticks[a] != 0 || words != 0 || ticks[b] != 3 {
		t.Fatalf("%d ticks and %d words of a frozen process, %d ticks of another", ticks[a], words, ticks[b])
	}
	a.thaw()
	run(0)
	if ticks[a] != 1 || words != 1 {
		t.Fatalf("%d ticks and %d words after the freeze, want 1 and 1", ticks[a], words)
	}
	a.OnShutdown(func() { words++ })
	a.kill()
	a.Deliver(func() { words++ })
	run(3)
	if err := ex.Close(); err != nil || ticks[a] != 1 || words != 1 || ticks[b] != 6 {
		t.Errorf("%d ticks and %d words of a killed process, %d ticks of another; %v", ticks[a], words, ticks[b], err)
	}
	if now := b.Now() - ex.Now(); now != 5 {
		t.Errorf("its clock is %d ns ahead, want 5", now)
	}
}

// What was synced survives a power failure, and a process that is killed at a write leaves
// half of it.
func TestDisk(t *testing.T) {
	d := newDisk()
	p := &process{clock: &clock{}}
	open := func() journal.File {
		t.Helper()
		f, err := view{d, p}.OpenFile("a")
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	f := open()
	if _, err := (view{d, &process{}}).OpenFile("a"); !errors.Is(err, journal.ErrInUse) {
		t.Errorf("a second process opens the file: %v", err)
	}
	f.WriteAt([]byte("safe "), 0)
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
	f.WriteAt([]byte("lost"), 5)
	d.powerFails(0.5)
	if got := string(d.files["a"].seen); got != "safe lo" {
		t.Errorf("%q is left", got)
	}
	d.left, d.when, d.crash = 1, within, func() { p.dead = true }
	if _, err := f.WriteAt([]byte("half"), 7); !errors.Is(err, errKilled) {
		t.Errorf("the write of a killed process: %v", err)
	}
	if got := string(d.files["a"].seen); got != "safe loha" {
		t.Errorf("%q is left", got)
	}
	p = &process{clock: &clock{}}
	f = open()
	d.full = true
	if n, err := f.WriteAt([]byte("four"), 9); n != 2 || !errors.Is(err, errFull) {
		t.Errorf("a full disk wrote %d bytes: %v", n, err)
	}
	d.full, d.sick = false, true
	if err := f.Sync(); !errors.Is(err, errDevice) {
		t.Errorf("a sick disk syncs: %v", err)
	}
}

// How far the robot may leave the field, without a guard and with one, counts from where it was put
// until it is inside.
func TestLeftTheField(t *testing.T) {
	for _, c := range []struct {
		guard  bool
		put    float64
		out    []float64 // one after the other, m
		broken bool
	}{
		{false, 0, []float64{0, 4.9}, false},
		{false, 0, []float64{0, 5.1}, true},
		{false, 7, []float64{7, 11.9}, false},
		{false, 7, []float64{7, 12.1}, true},
		{false, 7, []float64{7, 0, 5.1}, true},
		{true, 0, []float64{0, 0.4}, false},
		{true, 0, []float64{0, 0.6}, true},
		{true, 7, []float64{7, 7.4}, false},
		{true, 7, []float64{7, 7.6}, true},
		{true, 7, []float64{7, 0, 0.6}, true},
	} {
		w := staged(t, 1)
		w.trial.guard, w.watcher.motion.put = c.guard, c.put
		for _, out := range c.out {
			w.watcher.checkField(orb.Point{}, out)
		}
		if v := w.watcher.violation; (v != nil) != c.broken || v != nil && v.Rule != "left the field" {
			t.Errorf("guard %v, put %g m outside, then at %v m: %v", c.guard, c.put, c.out, v)
		}
		w.close()
	}
}

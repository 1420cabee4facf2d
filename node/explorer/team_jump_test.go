package explorer_test

import (
	"math"
	"testing"
	"time"

	"ugp_explorer/node/record"
)

// A team mate counts as gone half a minute after it was last heard, also when the
// clock jumps meanwhile, in either direction.
func TestTeamMateAfterAJump(t *testing.T) {
	first := func(prepare func(*world, *mate)) record.Decision {
		w := newWorld(t, withMate())
		prepare(w, newMate(w))
		w.start()
		w.until("a decision", func() bool { return len(w.explorer.Record().Decisions) > 0 })
		return w.explorer.Record().Decisions[0]
	}
	alone := first(func(*world, *mate) {}).Target
	heard := func(w *world, m *mate) {
		w.run(5 * time.Second)
		m.drives(alone[0], alone[1])
		w.run(time.Second)
	}
	for _, c := range []struct {
		name         string
		jump, silent time.Duration
		away         bool
	}{
		{"just heard, the clock jumps back", -50 * time.Second, 0, true},
		{"gone, the clock clockChanged back", -50 * time.Second, 40 * time.Second, false},
		{"just heard, the clock jumps on", time.Hour, 0, true},
		{"gone, the clock clockChanged on", time.Hour, 40 * time.Second, false},
		{"just heard at what is now the zero of the clock", -time.Duration(epoch) - 5*time.Second, 10 * time.Second, true},
	} {
		got := first(func(w *world, m *mate) {
			heard(w, m)
			w.ex.Jump(w.ex.Now() + int64(c.jump))
			w.run(c.silent)
		}).Target
		if d := math.Hypot(got[0]-alone[0], got[1]-alone[1]); d > 10 != c.away || !c.away && d > 1e-9 {
			t.Errorf("%s: target %v, %g m from the one without a mate", c.name, got, d)
		}
	}
}

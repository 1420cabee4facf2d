package watch

import (
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
)

// wallTicks calls a function once a period of the wall clock. Timers of a node that
// follows /clock stop when the clock does.
type wallTicks struct {
	n     uint64 // ticks so far
	stop  chan struct{}
	ended bool
	done  sync.WaitGroup
}

// start calls tick as a callback of ex until Close.
func (t *wallTicks) start(ex exec.Executor, tick func()) {
	t.stop = make(chan struct{})
	callback := func() {
		if !t.ended {
			t.n++
			tick()
		}
	}
	t.done.Go(func() {
		ticker := time.NewTicker(period)
		defer ticker.Stop()
		for {
			select {
			case <-t.stop:
				return
			case <-ticker.C:
				ex.Post(callback)
			}
		}
	})
}

// Close ends the ticks, also those that are due already. Closing again does nothing.
func (t *wallTicks) Close() error {
	if t.ended {
		return nil
	}
	t.ended = true
	close(t.stop)
	t.done.Wait()
	return nil
}

// followClock watches /clock if the node has use_sim_time, which may change while it runs.
func (w *Watch) followClock() {
	clock := w.node.Clock()
	if clock == w.clock {
		return
	}
	if w.clock = clock; w.wall != nil {
		_ = w.wall.Close() // never fails
		w.items = slices.DeleteFunc(w.items, func(it *watched) bool { return it.wall })
		w.wall = nil
	}
	if clock == nil {
		return
	}
	it := w.watchClock(clock)
	w.items = slices.Insert(w.items, 0, it)
	w.wall = &wallTicks{n: patience} // what was wrong before stays so
	w.node.OnClose(w.wall)
	w.wall.start(w.node.Executor(), func() {
		if changed := w.look(it); changed || it.sentence != "" {
			w.said()
		}
	})
}

// watchClock returns the check of /clock.
func (w *Watch) watchClock(clock *ros.Subscription) *watched {
	n := w.node
	in := &Input{node: n, sub: clock, Expect: Expect{What: "the time"}}
	var now int64
	var ticks uint64 // messages on /clock when the time last moved
	return &watched{
		name: "clock", level: slog.LevelWarn, values: in.values, wall: true,
		check: func() int {
			if t := n.Now(); t != now && n.FollowsClock() {
				now, ticks = t, clock.Received()
				return 0
			}
			return patience
		},
		why: func() string {
			kept := n.ClockKept()
			switch {
			case !n.FollowsClock() && clock.Received() > 0 && kept != "":
				return "use_sim_time is true and /clock ticks, but this node keeps the wall clock for now: " + kept
			case !n.FollowsClock():
				return in.Why() + " (use_sim_time is true; until then the wall clock counts)"
			case clock.Received() > ticks && clock.Matched() > 0:
				return fmt.Sprintf("%s: %s ticks, and says %.3f s all the while: is the simulation paused? (use_sim_time is true)",
					in.waiting(), in.peers(), time.Duration(now).Seconds())
			}
			return in.Why() + " (use_sim_time is true)"
		},
	}
}

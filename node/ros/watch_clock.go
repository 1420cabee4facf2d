package ros

import (
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// wallTicks calls back by the wall clock, once a period: timers of a node that
// follows /clock stand still with it.
type wallTicks struct {
	n    uint64 // ticks so far
	stop chan struct{}
	done sync.WaitGroup
}

func (t *wallTicks) running() bool { return t.stop != nil }

// start has tick called as a callback of ex until Close.
func (t *wallTicks) start(ex Executor, tick func()) {
	t.stop = make(chan struct{})
	t.done.Go(func() {
		ticker := time.NewTicker(watchPeriod)
		defer ticker.Stop()
		for {
			select {
			case <-t.stop:
				return
			case <-ticker.C:
				ex.Post(tick)
			}
		}
	})
}

// Close ends the ticks.
func (t *wallTicks) Close() error {
	close(t.stop)
	t.done.Wait()
	return nil
}

// followClock looks after the time that the node has from /clock.
func (w *Watch) followClock() {
	n := w.node
	in := &Input{node: n, sub: n.clock, Expect: Expect{What: "the time"}}
	var now int64
	var ticks uint64 // on /clock when the time last moved
	it := &watched{
		name: "clock", level: slog.LevelWarn, values: in.values, wall: true,
		check: func() int {
			if t := n.Now(); t != now {
				now, ticks = t, n.clock.Received()
				return 0
			}
			return watchPatience
		},
		why: func() string {
			text := in.Why()
			if n.clock.Received() > ticks && n.clock.Matched() > 0 {
				text = fmt.Sprintf("%s: %s ticks, and says %.3f s all the while: is the simulation paused?", in.waiting(), in.peers(), time.Duration(now).Seconds())
			}
			return text + " (use_sim_time is true)"
		},
	}
	w.add(it)
	n.endpoints = append(n.endpoints, &w.wall)
	w.wall.start(n.ex, func() {
		if n.closed {
			return
		}
		w.wall.n++
		if changed := w.look(it); changed || it.sentence != "" {
			w.said()
		}
	})
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package watch

import (
	"fmt"
	"log/slog"
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

// ClockCheck is the name of the check of /clock.
const ClockCheck = "clock"

// watchClock adds the check of /clock.
func (w *Watch) watchClock(clock *ros.Subscription) {
	n := w.node
	in := &Input{node: n, sub: clock, Expect: Expect{Name: ClockCheck, What: "the time"}}
	var now int64
	var ticks uint64 // messages on /clock when the time last moved
	it := &watched{
		name: ClockCheck, input: in, level: slog.LevelWarn, values: in.values, wall: true,
		check: func() int {
			if t := n.Now(); t != now {
				now, ticks = t, clock.Received()
				return 0
			}
			return patience
		},
		why: func() string {
			if clock.Received() > ticks && clock.Matched() > 0 {
				return fmt.Sprintf("%s: %s publishes, but the time stays at %.3f s: is the simulation paused? (use_sim_time is true)",
					in.waiting(), in.peers(), time.Duration(now).Seconds())
			}
			return in.Why() + " (use_sim_time is true)"
		},
	}
	in.told = it
	w.add(it)
	w.wall = &wallTicks{}
	n.OnClose(w.wall)
	w.wall.start(n.Executor(), func() {
		if changed := w.look(it); changed || it.sentence != "" {
			w.said()
		}
	})
}

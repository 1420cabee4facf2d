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

// coarsest is the largest step of a time on /clock that nodes can work with, ns: half of what may pass without a command or
// a pose while a robot drives.
const coarsest = int64(250 * time.Millisecond)

// ClockCheck is the name of the check of /clock.
const ClockCheck = "clock"

// watchClock adds the check of /clock.
func (w *Watch) watchClock(clock *ros.Subscription) {
	n := w.node
	in := &Input{node: n, sub: clock, Expect: Expect{Name: ClockCheck, What: "the time"}}
	var now, step int64 // step: between the messages before that time, ns
	var ticks uint64    // messages on /clock when the time last moved
	still := 0          // checks since then
	it := &watched{
		name: ClockCheck, input: in, level: slog.LevelWarn, values: in.values, wall: true,
		check: func() int {
			t, received := n.Now(), clock.Received()
			if still++; t == now {
				return patience
			}
			if step = 0; now != 0 {
				step = (t - now) / int64(max(1, received-ticks))
			}
			if now, ticks, still = t, received, 0; step > coarsest {
				return patience
			}
			return 0
		},
		why: func() string {
			if step > coarsest && still < patience {
				return fmt.Sprintf("the time that %s publishes on /clock advances in steps of %.2g s, so that commands and poses seem too old: let it publish /clock more often, "+
					"or let time pass more slowly, for steps of at most %g s (use_sim_time is true)", in.peers(), time.Duration(step).Seconds(), time.Duration(coarsest).Seconds())
			}
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

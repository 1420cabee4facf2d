// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package exec

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// tempo lets simulated time pass no faster than the wall clock times a factor.
type tempo struct {
	speed  float64     // simulated seconds per second
	wall   time.Time   // at which simulated time was start
	start  int64       // ns
	inbox  chan func() // from other goroutines
	ended  chan func() // of the work of Async, one for each
	works  int         // of Async that have not ended, for the executor's goroutine
	under  sync.WaitGroup
	closed atomic.Bool
}

const (
	// inboxSize is how many callbacks of other goroutines may wait.
	inboxSize = 1024
	// mostLag is how far a simulation may be behind and still catch up. One that was busy for
	// longer continues from there, so that nobody who watches sees a robot race.
	mostLag = 200 * time.Millisecond
)

// Pace makes time pass for people who watch: at most speed simulated seconds per second from
// now on. From then on Post may be called from any goroutine, and Run serves those callbacks
// while it waits for time to pass. The work of Async runs on a goroutine of its own then; time
// stands still until it has ended, so the mission is the same, but who watches is served.
// speed must be positive.
func (s *Simulated) Pace(speed float64) {
	mustBePositive(time.Duration(speed * float64(time.Second)))
	s.pace = &tempo{speed: speed, wall: time.Now(), start: s.now, inbox: make(chan func(), inboxSize), ended: make(chan func())}
}

// Paced reports whether Pace was called.
func (s *Simulated) Paced() bool { return s.pace != nil }

// working reports whether work of Async is under way beside the callbacks.
func (s *Simulated) working() bool { return s.pace != nil && s.pace.works > 0 }

func (p *tempo) post(fn func()) bool {
	if p.closed.Load() {
		return false
	}
	select {
	case p.inbox <- fn:
		return true
	default:
		return false
	}
}

// run runs the work of Async.
func (p *tempo) run(work, done func()) {
	p.works++
	p.under.Go(func() {
		err := Safely(work)
		p.ended <- func() {
			if err != nil {
				panic(err)
			}
			if done != nil {
				done()
			}
		}
	})
}

// close refuses callbacks from now on, and waits for the work of Async.
func (p *tempo) close() {
	p.closed.Store(true)
	for ; p.works > 0; p.works-- {
		<-p.ended
	}
	p.under.Wait()
}

// reached waits until simulated time at may come, and returns true. It returns false at once
// when there was something to do, which is due now, or when ctx has ended.
func (p *tempo) reached(ctx context.Context, s *Simulated, at int64) bool {
	select {
	case fn := <-p.inbox:
		s.Deliver(fn)
		return false
	default:
	}
	if at <= s.now {
		return true
	}
	if at-p.start < 0 { // the clock was set back
		p.wall, p.start = time.Now(), s.now
	}
	var passed <-chan time.Time // never, while work is under way
	if p.works == 0 {
		wait := time.Until(p.wall.Add(time.Duration(float64(at-p.start) / p.speed)))
		if wait <= 0 {
			if wait < -mostLag {
				p.wall = p.wall.Add(-wait)
			}
			return true
		}
		timer := time.NewTimer(wait)
		defer timer.Stop()
		passed = timer.C
	}
	select {
	case <-passed:
		return true
	case fn := <-p.inbox:
		s.Deliver(fn)
	case fn := <-p.ended:
		p.works--
		s.Deliver(fn)
	case <-ctx.Done():
	}
	return false
}

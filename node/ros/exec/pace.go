package exec

import (
	"context"
	"sync/atomic"
	"time"
)

// tempo lets simulated time pass no faster than the wall clock times a factor.
type tempo struct {
	speed  float64     // simulated seconds per second
	wall   time.Time   // at which simulated time was start
	start  int64       // ns
	inbox  chan func() // from other goroutines
	closed atomic.Bool
}

const (
	// inboxSize is how many callbacks of other goroutines may wait.
	inboxSize = 1024
	// mostLag is how far a simulation may be behind and still catch up. One that was busy for
	// longer goes on from there, so that nobody who watches sees a robot race.
	mostLag = 200 * time.Millisecond
)

// Pace makes time pass for people who watch: at most speed simulated seconds per second from
// now on. From then on Post may be called from any goroutine, and Run serves those callbacks
// while it waits for time to pass. speed must be positive.
func (s *Simulated) Pace(speed float64) {
	mustBePositive(time.Duration(speed * float64(time.Second)))
	s.pace = &tempo{speed: speed, wall: time.Now(), start: s.now, inbox: make(chan func(), inboxSize)}
}

// Paced reports whether Pace was called.
func (s *Simulated) Paced() bool { return s.pace != nil }

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

func (p *tempo) close() { p.closed.Store(true) }

// reached waits until simulated time at may come, and returns true. It returns false at once
// when there was something in the inbox, which is due now, or when ctx has ended.
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
	wait := time.Until(p.wall.Add(time.Duration(float64(at-p.start) / p.speed)))
	if wait <= 0 {
		if wait < -mostLag {
			p.wall = p.wall.Add(-wait)
		}
		return true
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case fn := <-p.inbox:
		s.Deliver(fn)
	case <-ctx.Done():
	}
	return false
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"time"

	"ugp_explorer/node/ros/exec"
)

// clock is that of a computer. It may be wrong.
type clock struct {
	offset  int64 // ns
	stopped int64 // what it shows while it stands, ns; 0: it runs
}

// read returns what the clock shows at a time, ns.
func (c *clock) read(now int64) int64 {
	if c.stopped != 0 {
		return c.stopped
	}
	return now + c.offset
}

// process is the executor of a node as if it had a process of its own. It can be
// killed and stopped for a while, and its computer's clock can be wrong.
type process struct {
	*exec.Simulated // of all processes

	dead   bool
	timers []*exec.Timer // periodic ones

	frozen bool
	due    []func() // callbacks that wait for the end of the freeze

	clock *clock
	world bool // it simulates the robot, whose time passes evenly
}

var _ exec.Executor = (*process)(nil)

// alive wraps a callback: it does not run in a dead process, and later in a frozen one.
func (p *process) alive(fn func()) func() {
	return func() {
		switch {
		case p.dead:
		case p.frozen:
			p.due = append(p.due, fn)
		default:
			fn()
		}
	}
}

// Now implements Executor.
func (p *process) Now() int64 { return p.clock.read(p.Simulated.Now()) }

// Steady implements Executor. The world goes on while the time of all others jumps.
func (p *process) Steady() int64 {
	if p.world {
		return p.Now()
	}
	return p.Simulated.Steady()
}

// Post implements Executor.
func (p *process) Post(fn func()) bool { return !p.dead && p.Simulated.Post(p.alive(fn)) }

// Deliver implements Executor.
func (p *process) Deliver(fn func()) { p.Simulated.Deliver(p.alive(fn)) }

// After implements Executor.
func (p *process) After(d time.Duration, fn func()) *exec.Timer {
	return p.Simulated.After(d, p.alive(fn))
}

// Every implements Executor. Of the ticks during a freeze one runs after it.
func (p *process) Every(period time.Duration, fn func()) *exec.Timer {
	waits := false
	t := p.Simulated.Every(period, func() {
		switch {
		case p.dead:
		case !p.frozen:
			fn()
		case !waits:
			waits = true
			p.due = append(p.due, func() {
				waits = false
				fn()
			})
		}
	})
	p.timers = append(p.timers, t)
	return t
}

// Async implements Executor.
func (p *process) Async(work, done func()) {
	if p.dead {
		return
	}
	if done != nil {
		done = p.alive(done)
	}
	p.Simulated.Async(work, done)
}

// OnShutdown implements Executor.
func (p *process) OnShutdown(fn func()) (cancel func()) {
	return p.Simulated.OnShutdown(func() {
		if !p.dead {
			fn()
		}
	})
}

// OnJump implements Executor.
func (p *process) OnJump(fn func(exec.Jump)) (cancel func()) {
	return p.Simulated.OnJump(func(j exec.Jump) {
		j.From, j.To = p.clock.read(j.From), p.clock.read(j.To)
		p.alive(func() { fn(j) })()
	})
}

// kill ends the process: nothing of it runs any more, not even what it does at its end.
func (p *process) kill() {
	p.dead, p.due = true, nil
	for _, t := range p.timers {
		t.Stop()
	}
}

// freeze stops the process until thaw, as a busy computer or a pause does.
func (p *process) freeze() { p.frozen = true }

func (p *process) thaw() {
	p.frozen = false
	for _, fn := range p.due {
		p.Deliver(fn)
	}
	p.due = nil
}

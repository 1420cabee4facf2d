// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import "fmt"

// lateRun is a run of odometry messages of which none was newer than the filter. Late messages come among newer ones; a long run without
// newer ones shows that time was set back.
type lateRun struct {
	first odometry // with the oldest stamp
	last  int64    // stamp
	n     int      // messages, each newer than the one before; others are copies or out of order
}

// add adds a message, and reports whether the run has lasted for resetTime by its stamps, with enough messages in order to make delays an
// unlikely cause.
func (r *lateRun) add(o *odometry) bool {
	switch {
	case r.n == 0 || o.stamp < r.first.stamp:
		*r = lateRun{first: *o, last: o.stamp, n: 1}
	case o.stamp > r.last:
		r.last = o.stamp
		r.n++
	}
	return r.n >= 10 && r.last-r.first.stamp >= int64(resetTime)
}

// setBack starts over with odometry o after time was set back.
func (f *EKF) setBack(o *odometry) error {
	last := f.hist.newest().stamp
	f.counts.Resets++
	if f.continueAt(o) {
		return fmt.Errorf("%w from %d to %d ns; the pose is kept, since the odometry continues from its last pose", ErrTimeReset, last, o.stamp)
	}
	if f.Counts().Initialised > 0 && !f.cfg.HeadingAgain {
		f.cfg.HeadingGiven = false // the given heading was that at the start
	}
	f.idle.counts, f.idle.antenna = f.Counts().FixCounts, f.Antenna()
	f.idle.start(&f.cfg, 0)
	f.hist.clear()
	f.twist = Twist{}
	f.forget()
	return fmt.Errorf("%w from %d to %d ns; the filter starts over", ErrTimeReset, last, o.stamp)
}

// continueAt keeps the pose after time was set back, if the odometry's pose shows that only the clock has changed: its step at that moment
// is then that of a robot that continues to drive. Otherwise, as after a restart of a simulation, it returns false and changes nothing.
func (f *EKF) continueAt(o *odometry) bool {
	const longest = 0.2 // s, for which that step may have lasted
	if f.Mode() != Running || f.wheels.len() == 0 {
		return false
	}
	last, first := f.wheels.newest(), &f.late.first
	if !last.isPose || !first.isPose || !o.isPose {
		return false
	}
	step := last.motionTo(first)
	step.dt = longest
	m := last.motionTo(o)
	m.dt = longest + float64(o.stamp-first.stamp)*1e-9
	if f.cfg.plausible(step.twist()) != nil || f.cfg.plausible(m.twist()) != nil {
		return false
	}
	// That step may have been a jump.
	m.spreadPos, m.spreadYaw = step.dx*step.dx+step.dy*step.dy, step.turn*step.turn
	e := *f.now()
	f.forget()
	e.stamp, e.fixes.known, e.doubt.since, e.stray.since = o.stamp, false, o.stamp, o.stamp
	e.jump = jump{since: o.stamp}
	e.way.follow(&m, &e.x, f.cfg.Motion.Turn)
	e.predict(&m, &f.cfg.Motion, &f.cfg.Gyro)
	f.hist.reset(o.stamp).after = e
	f.wheels.push(o)
	return true
}

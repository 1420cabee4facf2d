// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package pursuit

import (
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/num"
)

// look finds the robot's position on its path and the arc to the lookahead point.
func (f *Follower) look(p Pose) Status {
	here := orb.Point{p.X, p.Y}
	var st Status
	st.LookaheadDistance = min(max(lookaheadTime*f.cmd.Linear, f.cfg.LookaheadMin), f.cfg.LookaheadMax)
	f.t.advance(here, st.LookaheadDistance)
	st.Remaining = f.t.arc[f.t.legs[f.t.leg]] - f.t.s
	st.GoalDistance = dist(here, f.t.pts[len(f.t.pts)-1])
	st.Lookahead = f.t.lookahead(here, st.LookaheadDistance)
	d := dist(here, st.Lookahead)
	if d > 0 {
		st.HeadingError = wrap(math.Atan2(st.Lookahead[1]-p.Y, st.Lookahead[0]-p.X) - p.Yaw)
		st.Curvature = 2 * math.Sin(st.HeadingError) / max(d, f.cfg.LookaheadMin)
	}
	return st
}

// decide changes the phase. It returns true when the next leg begins and *st is therefore out of date.
func (f *Follower) decide(p Pose, st *Status) bool {
	end := dist(orb.Point{p.X, p.Y}, f.t.end())
	aside := math.Abs(st.HeadingError)
	near := st.Remaining <= f.cfg.LookaheadMin
	turnEnter := f.turnEnter()
	switch f.phase {
	case PhaseTracking:
		switch {
		case near && (end <= f.cfg.GoalTolerance/2 || end <= f.cfg.GoalTolerance && aside > turnEnter):
			return f.reach()
		case aside > turnEnter:
			if f.driven && near {
				f.miss()
			}
			f.phase, f.turn, f.back, f.went, f.before, f.unturned = PhaseTurning, 0, false, false, p.YawStdDev, 0
		default:
			f.driven = true
			f.shunted, f.ahead = 0, false // not above: another path may come during a turn, which then goes on
		}
	case PhaseTurning:
		switch {
		case near && end <= f.cfg.GoalTolerance:
			return f.reach()
		case aside < turnExit || aside < turnEnter && f.unturned > unturnedTime:
			f.phase, f.driven = PhaseTracking, false
		}
	case phaseStopping:
		switch {
		case f.cmd != Command{} || math.Abs(p.V) > standSpeed:
		case end > f.cfg.GoalTolerance: // rolled on
			f.miss()
			f.phase = PhaseTracking
		default:
			f.phase = PhaseArrived
		}
	}
	return false
}

// reach ends the leg: at the end of the path the robot stops, at a cusp the next leg begins. It returns true for a next leg.
func (f *Follower) reach() bool {
	f.shunted, f.ahead = 0, false
	if f.t.leg == len(f.t.legs)-1 {
		f.phase = phaseStopping
		return false
	}
	f.t.seg = f.t.legs[f.t.leg]
	f.t.s = f.t.arc[f.t.seg]
	f.t.leg++
	f.phase, f.driven, f.slowly = PhaseTracking, false, false
	return true
}

func (f *Follower) miss() {
	f.slowly, f.driven = true, false
}

// turnEnter returns the bearing to the lookahead point beyond which the robot turns before it drives on, rad.
func (f *Follower) turnEnter() float64 {
	r := f.cfg.TurnRadius
	if r <= shuntDeviation {
		return turnEnter
	}
	return min(turnEnter, math.Acos(1-shuntDeviation/r))
}

// feel adds dt seconds to the time for which the robot has not turned during a turn on the spot.
func (f *Follower) feel(p Pose, dt float64) {
	if f.unturned += dt; f.cmd.Angular == 0 || math.Abs(wrap(p.Yaw-f.felt)) > turned {
		f.unturned, f.felt = 0, p.Yaw
	}
}

// shunt adds the distance of dt seconds to the present arc of a turn of a robot that steers, and ends the arc at its length.
func (f *Follower) shunt(dt float64) {
	if f.phase != PhaseTurning {
		return
	}
	if f.shunted += math.Abs(f.cmd.Linear) * dt; f.shunted >= shuntLength {
		f.shunted, f.ahead = 0, !f.ahead
	}
}

// speed returns the desired speed, m/s, before the acceleration limits.
func (f *Follower) speed(p Pose, st *Status) float64 {
	if f.phase == PhaseTurning && f.cfg.TurnRadius > 0 {
		v := min(shuntSpeed, f.cfg.MaxSpeed)
		if !f.ahead {
			v = -v
		}
		return v
	}
	if f.phase != PhaseTracking {
		return 0
	}
	c := &f.cfg
	v := c.MaxSpeed
	k := math.Abs(st.Curvature)
	if k*c.CurveRadius > 1 { // the curvature heuristic of Macenski et al.
		v = max(c.CurveSpeed, v/(k*c.CurveRadius))
	}
	// The approach heuristic of Macenski et al., and braking at half of Deceleration; the other half allows for delays.
	left := max(st.Remaining, dist(orb.Point{p.X, p.Y}, f.t.end()))
	v = min(v, max(c.ApproachSpeed, min(c.MaxSpeed*left/c.ApproachDistance, math.Sqrt(c.Deceleration*left))))
	if k*v > c.MaxTurnRate {
		v = c.MaxTurnRate / k
	}
	if f.slowly {
		v = min(v, c.ApproachSpeed)
	}
	return v
}

// turnRate returns the desired turn rate, rad/s, at the commanded speed, before the limit on its change.
func (f *Follower) turnRate(p Pose, st *Status) float64 {
	c, most := &f.cfg, f.cfg.MaxTurnRate
	if c.TurnRadius > 0 {
		most = min(most, math.Abs(f.cmd.Linear)/c.TurnRadius)
	}
	switch f.phase {
	case PhaseTracking:
		return min(max(st.Curvature*f.cmd.Linear, -most), most)
	case PhaseTurning:
		if f.cmd.Linear > 0 && c.TurnRadius == 0 {
			return 0
		}
		shorter, e := math.Copysign(1, st.HeadingError), math.Abs(st.HeadingError)
		// Near half a turn, noise would change the shorter direction at every step, and the robot would never begin to turn.
		clearly := e < math.Pi-halfTurnMargin
		f.back = f.back && !(clearly && f.turn == shorter)
		if f.turn == 0 || clearly && !f.back {
			f.turn = shorter
		}
		if !f.went && e > turnEnter && p.YawStdDev > max(turnDoubt, turnGrown*f.before) {
			f.back, f.went, f.turn = true, true, -f.turn
		}
		return f.turn * min(most, turnGain*e, math.Sqrt(turnRateChange*e))
	}
	return 0
}

// halfTurnMargin is the distance from half a turn, rad, within which the direction of a turn is kept. It exceeds the noise
// of any usable heading.
const halfTurnMargin = 0.5

// A turn on the spot goes back, and round the other way, when it is not almost done and has made the standard deviation of the
// heading larger than turnDoubt, rad, and than turnGrown times that before the turn.
//
// Where the scale of a turn is not known, as of wheels that have hardly turned before, each turn makes the heading uncertain in
// proportion. Half a turn does no harm. But a correction of the position moves the bearing, and a robot that follows it further
// round loses its heading: this package's filter does at 1 rad. The way back takes the uncertainty back, too.
const turnDoubt, turnGrown = 0.75, 1.5

// extrapolate moves the pose forward by age seconds along the arc of its measured speed and turn rate. Both are clamped to
// the robot's limits, since odometry may jump when it starts.
func (f *Follower) extrapolate(p Pose, age float64) Pose {
	v := min(max(p.V, -f.cfg.MaxSpeed), f.cfg.MaxSpeed)
	w := min(max(p.W, -f.cfg.MaxTurnRate), f.cfg.MaxTurnRate)
	mid := p.Yaw + w*age/2
	p.X += v * age * math.Cos(mid)
	p.Y += v * age * math.Sin(mid)
	p.Yaw += w * age
	return p
}

// slowDown changes the command towards zero within the acceleration limits.
func (f *Follower) slowDown(dt float64) {
	f.cmd.Linear = toward(f.cmd.Linear, 0, 0, f.cfg.Deceleration*dt)
	f.cmd.Angular = toward(f.cmd.Angular, 0, turnRateChange*dt, turnRateChange*dt)
}

// interval returns the seconds from the previous step to now, and stores now as the latest step.
func (f *Follower) interval(now int64) float64 {
	before, stepped := f.now, f.stepped
	f.now, f.stepped = now, true
	if !stepped {
		return 0
	}
	return min(max(secondsBetween(before, now), 0), MaxStepInterval)
}

// secondsBetween returns the time from a to b in seconds, without overflow.
func secondsBetween(a, b int64) float64 {
	if d := b - a; (d < 0) == (b < a) {
		return float64(d) / 1e9
	}
	return (float64(b) - float64(a)) / 1e9
}

// usable reports whether all numbers of the pose are finite and its position is within maxCoordinate.
func (p *Pose) usable() bool {
	return num.Finite(p.Yaw) && num.Finite(p.V) && num.Finite(p.W) && math.Abs(p.X) <= maxCoordinate && math.Abs(p.Y) <= maxCoordinate
}

// toward returns x moved towards want, by at most up when its magnitude grows and by at most down when it shrinks. A change of
// sign stops at zero first.
func toward(x, want, up, down float64) float64 {
	if x < 0 {
		return -toward(-x, -want, up, down)
	}
	if want >= x {
		return min(want, x+up)
	}
	if x > 0 {
		return max(want, x-down, 0)
	}
	return -toward(0, -want, up, down)
}

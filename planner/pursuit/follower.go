// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package pursuit

import (
	"math"

	"github.com/paulmach/orb"
)

// Pose is the robot's pose at Stamp, int64 ns, in the frame of the path: m and rad, x forward, counter-clockwise positive.
// V and W are its forward speed and turn rate, m/s and rad/s, zero when they are not measured.
type Pose struct {
	Stamp     int64
	X, Y, Yaw float64
	V, W      float64
	YawStdDev float64 // rad, of the heading; 0 when it is not known
	Late      bool    // a pose that is too old is late rather than missing, as on a clock that is faster than the wall clock
}

// Command is a velocity for the robot: forward speed, m/s, negative only where a robot that steers turns, and turn rate, rad/s.
type Command struct{ Linear, Angular float64 }

// Phase is the state of the follower.
type Phase uint8

// The phases.
const (
	phaseIdle     Phase = iota // no path: slowing down to zero
	PhaseTracking              // driving along the path
	PhaseTurning               // stopping for a turn on the spot, or turning
	phaseStopping              // stopping at the end
	PhaseArrived               // standing at the end, until the next path
	phaseLate                  // the pose is too old, and late: slowing down to zero
	PhaseStale                 // the pose is too old, or from the future: zero command at once
	PhaseBadPose               // a number of the pose is not finite or too large: zero command at once
)

// String returns the phase as a word for status messages.
func (p Phase) String() string {
	return [...]string{
		phaseIdle: "idle", PhaseTracking: "tracking", PhaseTurning: "turning", phaseStopping: "stopping", PhaseArrived: "arrived",
		phaseLate: "late pose", PhaseStale: "stale pose", PhaseBadPose: "bad pose",
	}[p]
}

// Status describes the result of a step. In phaseIdle, phaseLate, PhaseStale and PhaseBadPose all fields except Phase are zero.
type Status struct {
	Phase             Phase
	Lookahead         orb.Point // the lookahead point, m in the frame of the path
	LookaheadDistance float64   // m, desired; closer to the end the lookahead point is the end itself
	HeadingError      float64   // rad, from the robot's heading to the lookahead point
	Curvature         float64   // 1/m, of the arc to the lookahead point, positive to the left
	Remaining         float64   // m, length of path to the next cusp or the end
	GoalDistance      float64   // m, straight distance to the end of the path
}

// Follower computes the commands along a path. It keeps the path, the position reached on it and the latest command. It is not
// safe for concurrent use.
//
// Each step finds the lookahead point, which is the first point of the path ahead at the lookahead distance L, and the arc to
// it, of curvature κ = 2·sin α / L for a bearing α to the point (Coulter). The arc's radius, the turn rate and the distance
// left limit the speed (the curvature and approach heuristics of Macenski et al. and of their Nav2 plugin; there is no
// costmap here). Near an end, α is the bearing to the end, and κ uses at least LookaheadMin as L, so that a small offset does
// not turn the robot sharply.
//
// The robot cannot circle a goal. While tracking, |α| ≤ turnEnter < π/2, so the distance d to the goal shrinks by at least
// v·cos turnEnter per second. For a goal beside the robot, inside its turning circle or behind it, |α| > turnEnter, so the
// robot stops and turns on the spot until |α| < turnExit. If it then drives straight on, d·sin α is constant, so before the
// next turn d shrinks to d·sin turnExit / sin turnEnter even if the robot does not turn at all. After a miss the robot returns
// at ApproachSpeed. A robot that steers turns in arcs that move it by up to 2 m, with the same end.
type Follower struct {
	cfg Config
	t   track

	phase  Phase
	driven bool    // whether the robot has driven along this leg since its beginning or the latest turn
	slowly bool    // whether the end of this leg was missed
	turn   float64 // sign of the turn on the spot, kept while about half a turn is left; 0: not chosen yet
	back   bool    // the turn on the spot goes the longer way round, back first
	went   bool    // it has done so once
	before float64 // standard deviation of the heading before that turn, rad

	felt     float64 // heading at which the robot turned last during a turn on the spot, rad
	unturned float64 // for how long it has not turned since, s

	shunted float64 // length of the present arc of a turn of a robot that steers, m
	ahead   bool    // that arc goes forwards

	cmd     Command // the latest
	stepped bool    // whether now is the time of a step
	now     int64
}

// New returns a follower without a path, or an error that names the first invalid field of cfg.
func New(cfg Config) (*Follower, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	return &Follower{cfg: cfg}, nil
}

// SetPath replaces the path, a polyline in the frame of the poses, m, that is driven forwards from its first point. A single
// point is a goal: the path is then the straight line from the next usable pose. The points are copied. Speed and turn rate
// carry over. On an error the follower keeps the old path.
func (f *Follower) SetPath(points []orb.Point) error {
	if err := f.t.set(points); err != nil {
		return err
	}
	f.phase, f.driven, f.slowly = PhaseTracking, false, false
	return nil
}

// SetConfig replaces the configuration while the robot drives: path, speed and turn rate carry over. On an
// error the follower keeps the old configuration.
func (f *Follower) SetConfig(cfg Config) error {
	if err := cfg.validate(); err != nil {
		return err
	}
	f.cfg = cfg
	return nil
}

// Clear drops the path: the following steps slow down to zero within the acceleration limits.
func (f *Follower) Clear() {
	f.t.legs = f.t.legs[:0]
	f.phase = phaseIdle
}

// Step returns the command for the time now, int64 ns, on the clock that stamps the poses. It allocates nothing.
//
// Between two steps the command changes by no more than the acceleration limits allow in the time between them; at most
// MaxStepInterval of it counts. A step at the same time as the previous one leaves the command unchanged. So does a step at an
// earlier time, from which time then continues. The command of the very first step is zero. A pose older than MaxPoseAge or
// further in the future, or with a number that is not finite, gives a zero command at once, regardless of the limits; the
// next good pose starts from zero. With a pose that is too old and Late, the robot slows down within the limits, so it drives
// on for no more than its stopping distance. Without a path the pose is ignored.
//
// The pose is extrapolated from its stamp to now at its measured V and W, clamped to the limits.
func (f *Follower) Step(now int64, p Pose) (Command, Status) {
	dt := f.interval(now)
	if len(f.t.legs) == 0 {
		f.slowDown(dt)
		return f.cmd, Status{Phase: phaseIdle}
	}
	if !p.usable() {
		f.cmd = Command{}
		return f.cmd, Status{Phase: PhaseBadPose}
	}
	age := secondsBetween(p.Stamp, now)
	if p.Late && age > f.cfg.MaxPoseAge {
		f.slowDown(dt)
		return f.cmd, Status{Phase: phaseLate}
	}
	if math.Abs(age) > f.cfg.MaxPoseAge {
		f.cmd = Command{}
		return f.cmd, Status{Phase: PhaseStale}
	}
	p = f.extrapolate(p, age)
	f.t.start(orb.Point{p.X, p.Y})
	st := f.look(p)
	if f.decide(p, &st) {
		st = f.look(p)
		f.decide(p, &st)
	}
	f.shunt(dt)
	f.feel(p, dt)
	f.cmd.Linear = toward(f.cmd.Linear, f.speed(p, &st), f.cfg.Acceleration*dt, f.cfg.Deceleration*dt)
	f.cmd.Angular = toward(f.cmd.Angular, f.turnRate(p, &st), turnRateChange*dt, turnRateChange*dt)
	st.Phase = f.phase
	return f.cmd, st
}

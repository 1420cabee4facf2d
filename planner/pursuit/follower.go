// Package pursuit follows a path, or drives to a goal, with a robot that drives forwards and turns, on the spot too:
// regulated pure pursuit after
//
//	R. C. Coulter: Implementation of the Pure Pursuit Path Tracking Algorithm. CMU-RI-TR-92-01, 1992;
//	S. Macenski, S. Singh, F. Martín, J. Ginés: Regulated pure pursuit for robot path tracking. Autonomous Robots 47, 2023.
//
// It knows no clock and no messages: a pose in, a velocity out.
package pursuit

import (
	"fmt"
	"math"
)

// Pose is where the robot was at Stamp, int64 ns: m and rad in the frame of the path, x forward, counter-clockwise positive;
// V and W its forward speed and turn rate, m/s and rad/s, zero when they are not measured.
type Pose struct {
	Stamp     int64
	X, Y, Yaw float64
	V, W      float64
}

// Command is what the robot is to do: forward speed, m/s, never negative, and turn rate, rad/s.
type Command struct{ Linear, Angular float64 }

// Phase is what the follower is doing.
type Phase uint8

// The phases.
const (
	PhaseIdle     Phase = iota // no path: slowing down to zero
	PhaseTracking              // driving along the path
	PhaseTurning               // stopping to turn on the spot, or turning
	PhaseStopping              // stopping at the end
	PhaseArrived               // at the end; stays so until the next path
	PhaseStale                 // the pose is too old, or from the future: zero command at once
	PhaseBadPose               // a number of the pose is not finite, or beyond any field: zero command at once
)

// String returns the phase as a word for status messages.
func (p Phase) String() string {
	switch p {
	case PhaseIdle:
		return "idle"
	case PhaseTracking:
		return "tracking"
	case PhaseTurning:
		return "turning"
	case PhaseStopping:
		return "stopping"
	case PhaseArrived:
		return "arrived"
	case PhaseStale:
		return "stale pose"
	case PhaseBadPose:
		return "bad pose"
	}
	return "unknown"
}

// Status says what a step found. The fields below Phase are zero in PhaseIdle, PhaseStale and PhaseBadPose.
type Status struct {
	Phase             Phase
	Lookahead         [2]float64 // the point driven at, m in the frame of the path
	LookaheadDistance float64    // m, as wanted; nearer to the end the point is the end itself
	HeadingError      float64    // rad, from the robot's heading to the point, or to the final heading
	Curvature         float64    // 1/m, of the arc to the point, positive to the left
	CrossTrack        float64    // m, from the path, positive to the left
	Remaining         float64    // m of path ahead, to the next cusp or the end
	GoalDistance      float64    // m to the end of the path
	Missed            int        // how often an end of a leg was missed and come back to, on this path
}

// Follower drives along a path. It remembers the path, how far it has come and its latest command. It is for one goroutine.
//
// Each step the lookahead point is found, the first point of the path ahead at the lookahead distance L, and the arc to it,
// of curvature κ = 2·sin α / L for a bearing α to the point (Coulter). Speed is bounded by the arc's radius, by the turn
// rate and by the way left (the curvature and approach heuristics of Macenski et al. and of their Nav2 plugin; there is no
// costmap here). Near an end α is the bearing to the end, and κ keeps L ≥ LookaheadMin for its denominator, so that a small
// offset does not swing the robot round.
//
// A goal cannot be circled. While tracking, |α| ≤ TurnEnter < π/2, and so the distance d to the goal shrinks by at least
// v·cos TurnEnter; a goal beside the robot, inside its turning circle or passed, has |α| > TurnEnter, and the robot stops
// and turns on the spot until |α| < TurnExit. Driving straight on from there, d·sin α is constant, so that before the next
// turn d shrinks to d·sin TurnExit / sin TurnEnter even if the robot did not turn at all. After a miss it comes back at
// ApproachSpeed.
type Follower struct {
	cfg    Config
	t      track
	yaw    float64
	hasYaw bool

	phase    Phase
	driven   bool    // along this leg, since its beginning or the latest turn
	slowly   bool    // the end of this leg was missed
	aligning bool    // at the end, turning to the final heading
	turn     float64 // the sign of the turn on the spot, kept while about half a turn is left; 0: still to be chosen
	missed   int

	cmd     Command // the latest
	stepped bool    // now is the time of a step
	now     int64
}

// New returns a follower without a path, or an error that names what is wrong with the configuration.
func New(cfg Config) (*Follower, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Follower{cfg: cfg}, nil
}

// Config returns the parameters.
func (f *Follower) Config() Config { return f.cfg }

// SetPath replaces the path; the points are copied. On an error the follower keeps what it had. Speed and turn rate carry over.
func (f *Follower) SetPath(p Path) error {
	if p.HasYaw && (math.IsNaN(p.FinalYaw) || math.IsInf(p.FinalYaw, 0)) {
		return fmt.Errorf("pursuit: final heading is %g: must be finite", p.FinalYaw)
	}
	if err := f.t.set(p.Points, f.cfg.CuspAngle); err != nil {
		return err
	}
	f.yaw, f.hasYaw = p.FinalYaw, p.HasYaw
	f.phase, f.driven, f.slowly, f.aligning, f.missed = PhaseTracking, false, false, false, 0
	return nil
}

// Clear drops the path: the following steps slow down to zero, within the limits.
func (f *Follower) Clear() {
	f.t.clear()
	f.phase = PhaseIdle
}

// Step returns the command for the time now, int64 ns, of the clock that stamps the poses. It allocates nothing.
//
// Between two steps the command changes by no more than the acceleration limits allow in the time between them, of which at
// most MaxStepInterval counts. No time passes, and so the command stays, at a step at the same time as the one before, at a
// step at an earlier time, from which time then goes on, and at the very first step, whose command is zero. A pose older
// than MaxPoseAge or further in the future, or with a number that is not finite, gives a zero command at once, past the
// limits, and the next good one starts from zero. Without a path the pose is not looked at.
//
// The pose is extrapolated from its stamp to now at its measured V and W, as far as those are within the limits.
func (f *Follower) Step(now int64, p Pose) (Command, Status) {
	dt := f.interval(now)
	if f.t.empty() {
		f.cmd.Linear = toward(f.cmd.Linear, 0, 0, f.cfg.Deceleration*dt)
		f.cmd.Angular = toward(f.cmd.Angular, 0, f.cfg.TurnRateChange*dt, f.cfg.TurnRateChange*dt)
		return f.cmd, Status{Phase: PhaseIdle}
	}
	if !p.usable() {
		f.cmd = Command{}
		return f.cmd, Status{Phase: PhaseBadPose}
	}
	age := secondsBetween(p.Stamp, now)
	if math.Abs(age) > f.cfg.MaxPoseAge {
		f.cmd = Command{}
		return f.cmd, Status{Phase: PhaseStale}
	}
	p = f.extrapolate(p, age)
	f.t.start([2]float64{p.X, p.Y})
	st := f.look(p)
	if f.decide(p, &st) {
		st = f.look(p)
		f.decide(p, &st)
	}
	f.cmd.Linear = toward(f.cmd.Linear, f.speed(p, &st), f.cfg.Acceleration*dt, f.cfg.Deceleration*dt)
	f.cmd.Angular = toward(f.cmd.Angular, f.turnRate(&st), f.cfg.TurnRateChange*dt, f.cfg.TurnRateChange*dt)
	st.Phase, st.Missed = f.phase, f.missed
	return f.cmd, st
}

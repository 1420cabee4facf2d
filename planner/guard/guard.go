package guard

import (
	"fmt"
	"math"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/internal/valid"
)

const (
	// reaction is the longest time from a command until the base obeys, s: the period of the
	// commands, and the base's lag.
	reaction = 0.3
	// maxSpeed and maxTurn bound what odometry may say, m/s and rad/s: more than any robot on a field does. One
	// absurd message would be a path that no fix makes up for.
	maxSpeed, maxTurn = 20.0, 100.0
	// silence is the time without odometry after which the robot must stand, s.
	silence = 1.0
	// leap is the longest time between two calls. The base has stopped by itself by then.
	leap = 5 * time.Second
	// founders is the number of fixes in a row that do not fit those before, after which one that fits
	// those before must also be nearer to them.
	founders = 2
	// creep is the speed with which a robot moves in its reserve, m/s, and turning is what it
	// needs of it to turn round beside what the fixes need to show motion, m.
	creep, turning = 0.1, 0.2
	// swing is how far beyond the fence that reserve may reach, m. A robot that has used it up, and
	// has stood for penance, s, gets second more, once until it has come in.
	swing, second, penance = 0.25, 0.15, 10
	// unmoved is the path without a fix that shows it, beside what noise explains, which is told, m.
	unmoved = 2.0
	// recovery is how fast the allowed speed rises again, m/s². Between two fixes the clearance
	// shrinks, and without this the robot would jerk with each fix.
	recovery = 0.5
)

// Config describes the robot and what its owner allows.
type Config struct {
	// Allowance is how far outside the outline, and inside a keep-out, the robot may get, m ≥ 0.
	Allowance float64
	// Lever is the distance of the receiver's antenna from the robot's base, m ≥ 0.
	Lever float64
}

// Guard bounds where a robot can be. Times are of one clock, ns. It is not safe for concurrent use.
// It allocates nothing once it is made, apart from errors.
type Guard struct {
	cfg      Config
	distance func(orb.Point) float64

	path    path
	heard   int64 // time of the last odometry, 0: none has come, or the last was refused
	own     track
	rivals  rivals
	last    fix     // as it came
	still   fix     // the first from which those since differ by no more than noise
	period  float64 // s between two fixes, smoothed
	stamp   int64   // of the last fix
	open    float64 // m beyond the fence that the robot may use: swing, or more if it began near it or outside
	far     bool    // the robot could not come back from its target
	limit   float64 // allowed speed, m/s
	limited int64   // when it was computed
	freed   int64   // when the robot could drive last, or fixes were in doubt
}

// New returns a guard that has no fix yet. distance is the signed distance to the outline and
// the keep-outs, m, positive where the robot may be; it must change by at most 1 per metre.
func New(distance func(orb.Point) float64, cfg Config) *Guard {
	return &Guard{cfg: cfg, distance: distance, open: swing}
}

// Reset forgets all fixes: a person vouches for where the robot is. The next fix is believed.
func (g *Guard) Reset() { g.own, g.rivals, g.last, g.open = track{}, rivals{}, fix{}, swing }

// advance adds what the robot can have driven until now. A clock that goes back, or that leaps, was
// set.
func (g *Guard) advance(now int64) {
	if since := now - g.path.now; g.path.now != 0 && (since < 0 || since > int64(leap)) {
		g.Jump(now)
	}
	g.path.advance(now)
}

// Jump says that the clock was set to now. The robot did not move by it.
func (g *Guard) Jump(now int64) {
	if g.heard != 0 {
		g.heard += now - g.path.now
	}
	g.limited += now - g.path.now
	g.freed += now - g.path.now
	g.path.jump(now)
}

// Odometry takes the speeds forward and to the left that the wheels tell, m/s, and the yaw rate, rad/s. The
// error is a [*RefusedError] if no robot moves like that: then the robot must stand until odometry comes
// that is believed.
func (g *Guard) Odometry(now int64, forward, left, rate float64) error {
	g.advance(now)
	if !(math.Hypot(forward, left) <= maxSpeed && math.Abs(rate) <= maxTurn) {
		g.heard = 0
		return &RefusedError{fmt.Sprintf("its speeds are %g and %g m/s, and its yaw rate is %g rad/s, want at most %g m/s and %g rad/s", forward, left, rate, maxSpeed, maxTurn)}
	}
	g.path.measure(forward, left, rate)
	g.heard = now
	return nil
}

// Command takes the speed with which the robot is told to drive, m/s.
func (g *Guard) Command(now int64, speed float64) {
	g.advance(now)
	g.path.tell(speed)
}

// RefusedError says why a fix or odometry is not believed.
type RefusedError struct{ reason string }

func (e *RefusedError) Error() string { return e.reason }

// Fix takes a position fix of the antenna in the frame of the fence, with the standard deviation
// along its worst direction, m. The error is a [*RefusedError] if the fix is not believed. One that
// contradicts others still counts against the robot.
func (g *Guard) Fix(now, stamp int64, at orb.Point, stdDev float64) error {
	g.advance(now)
	length, wheels, known := g.path.at(stamp)
	switch {
	case !valid.Finite(at[0]) || !valid.Finite(at[1]) || !valid.Finite(stdDev) || stdDev < 0:
		return &RefusedError{fmt.Sprintf("it is at (%g, %g) with a standard deviation of %g m", at[0], at[1], stdDev)}
	case !known:
		return &RefusedError{fmt.Sprintf("its stamp is %v old, want at most %g s: are the clocks synchronised?", time.Duration(now-stamp).Round(time.Millisecond), maxAge)}
	case at == g.last.at && g.own.kept > 0:
		return &RefusedError{"it equals the one before to the last bit"}
	}
	early, _, _ := g.path.at(stamp - int64(lag*1e9)) // 0 where that is not known
	f := fix{at: at, stdDev: max(stdDev, minStdDev), path: length, early: early, wheels: wheels}
	if g.last.stdDev > 0 {
		g.period += (min(5, max(0, float64(stamp-g.stamp)/1e9)) - g.period) / 4
	}
	g.last, g.stamp = f, stamp
	distance := g.distance(at) + g.cfg.Allowance
	nearer := apart(at, g.own.newest().at) < apart(at, g.rivals.newest.at)
	// Wheels that turn while the fixes stand tell nothing: the robot pushes against an obstacle, or the
	// receiver repeats itself.
	if least := noise(f.stdDev, g.still.stdDev); apart(at, g.still.at) > least || g.own.kept == 0 {
		g.still = f
	} else if length-g.still.path > pushing+2*least {
		if g.own.begin = length; !g.rivals.far {
			g.rivals = rivals{}
		}
	}
	level, elsewhere := g.own.contradicts(&f, g.cfg.Lever)
	fits := g.own.fits(&f, g.cfg.Lever)
	if !elsewhere && fits && (g.rivals.count < founders || nearer) {
		first := g.own.kept == 0
		g.own.take(&f, distance, g.cfg.Lever)
		g.rivals = rivals{}
		// The fence closes behind a robot that comes in.
		short := max(swing, min(g.reserve(), swing+second)-g.Clearance())
		if g.open = min(g.open, short); first {
			g.open = short
		}
		return nil
	}
	g.rivals.take(&f, distance, g.cfg.Lever)
	g.rivals.far = g.rivals.far || !fits
	if elsewhere {
		g.rivals.level = min(g.rivals.level, level)
		return &RefusedError{"it and those before went elsewhere than the wheels say"}
	}
	before := g.own.newest()
	return &RefusedError{fmt.Sprintf("it is %.3g m from an earlier one, and the robot can have driven %.3g m since", apart(at, before.at), g.path.length-before.alive)}
}

// shows returns the path after which the fixes of a robot that creeps show that it moves, though
// their noise may hide a part of that, m.
func (g *Guard) shows() float64 {
	r := reference{fix: g.last, n: 1}
	if step := creep * g.period; step > 0 {
		r.n = min(mostAveraged, max(1, r.stdDev/2/step))
	}
	return 1.4*noise(r.mean(), r.mean()) + g.last.stdDev/2
}

// reserve is the clearance that a robot keeps in order to turn round, m.
func (g *Guard) reserve() float64 { return g.shows() + turning }

// Needs returns how far inside the fence a place must be for the robot to reach it and come back, m.
// It is known with the first fixes.
func (g *Guard) Needs() float64 {
	return deviations*g.last.stdDev + g.cfg.Lever + g.shows() + g.reserve()
}

// Target says where the robot is sent, and whether it has to come back from there; nil: nobody knows.
// For a target that it could not reach, or from which it could not come back, the robot does not use
// its reserve.
func (g *Guard) Target(at *orb.Point, back bool) {
	need := g.Needs() - turning/2
	if !back {
		need -= g.reserve()
	}
	g.far = at != nil && g.distance(*at)+g.Allowance() < need
}

// Clearance returns a distance to the fence, m, that the robot keeps at least; if it is negative,
// the robot may be outside by as much. It is -Inf before the first fix. What [Guard.Allowance] adds
// to the owner's allowance is not in it.
func (g *Guard) Clearance() float64 {
	if g.own.kept == 0 {
		return math.Inf(-1)
	}
	level := g.own.level
	if g.rivals.count > 0 {
		level = min(level, g.rivals.level)
	}
	return level - g.path.length
}

// Allowance returns how far outside the outline the robot may get, m: what the owner allows and
// up to 0.4 m, or for a robot that began near the edge or outside what it needs to come in.
func (g *Guard) Allowance() float64 { return g.cfg.Allowance + g.open }

// braking returns the largest speed from which the robot stops within a distance, m/s.
func braking(distance float64) float64 {
	if distance <= 0 {
		return 0
	}
	// The path until it stands: excess·(v·reaction + v²/2a) = distance.
	const at = deceleration * reaction
	return math.Sqrt(at*at+2*deceleration*distance/excess) - at
}

// Reason says why the robot may not drive as it wants.
type Reason string

const (
	NoFix      Reason = "no position fix has come that can be believed"
	NoOdometry Reason = "no wheel odometry comes that can be believed"
	Doubt      Reason = "position fixes lie farther from each other than the robot can have driven, or elsewhere than the wheels say"
	Unmoved    Reason = "the wheels have turned for metres, and the position fixes have not shown that the robot moves"
	Edge       Reason = "the robot may be too near to the edge of the field or of a keep-out"
)

// Limit returns the largest speed with which the robot may drive now, m/s, and the reason if there
// is one for driving no faster.
func (g *Guard) Limit(now int64) (speed float64, reason Reason) {
	g.advance(now)
	clear := g.Clearance() + g.open
	switch {
	case g.own.kept == 0:
		reason = NoFix
	case g.heard == 0 || float64(now-g.heard)/1e9 > silence:
		reason = NoOdometry
	default:
		speed = braking(clear - g.reserve())
		if !g.far {
			speed = max(speed, min(creep, braking(clear)))
		}
		speed = min(speed, max(creep, g.limit+recovery*float64(now-g.limited)/1e9))
		if reason = Edge; g.path.length-g.own.alive > 3*g.shows()+unmoved {
			reason = Unmoved
		}
		if g.rivals.count > 0 {
			reason = Doubt
		} else if speed == 0 && !g.far && g.open <= swing && float64(now-g.freed)/1e9 > penance {
			g.open = swing + second
		}
	}
	if speed > 0 || g.freed == 0 || g.rivals.count > 0 {
		g.freed = now
	}
	g.limit, g.limited = speed, now
	return speed, reason
}

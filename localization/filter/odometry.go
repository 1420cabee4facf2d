// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"fmt"
	"math"

	"ugp_explorer/internal/num"
	"ugp_explorer/localization"
)

// odometry is a message of the wheels: a pose in their own frame (m, m, rad), or the mean twist since the
// message before.
type odometry struct {
	stamp     int64
	isPose    bool
	x, y, yaw float64
	twist     Twist
}

// motionTo returns the constant twist that leads from one odometry pose to another: the inverse of advance without slip.
func (o *odometry) motionTo(p *odometry) motion {
	turn := wrapAngle(p.yaw - o.yaw)
	s, _ := sinc(turn / 2)
	sin, cos := math.Sincos(o.yaw + turn/2)
	ex, ey := (p.x-o.x)/s, (p.y-o.y)/s
	return motion{dx: cos*ex + sin*ey, dy: -sin*ex + cos*ey, turn: turn, dt: float64(p.stamp-o.stamp) * 1e-9}
}

func (o *odometry) when() int64 { return o.stamp }

// PredictTwist advances the filter by a twist from wheel odometry, as the mean over the interval from the previous odometry to stamp (ns).
// Over an interval of more than maxOdometryGap the motion is unknown. The errors are errStale for odometry that is not newer than the
// newest, since the later one tells what it would, errImplausible, and ErrTimeReset; on an error the twist is not used.
func (f *EKF) PredictTwist(stamp int64, t Twist) error {
	if err := f.cfg.plausible(t); err != nil {
		f.counts.OdometryImplausible++
		f.fast.outrun(&f.cfg, stamp, t, &f.now().x)
		return err
	}
	return f.takeOdometry(&odometry{stamp: stamp, twist: t})
}

// PredictPose advances the filter by a pose from wheel odometry, in the odometry's own frame (m, m, rad). It uses the motion since the
// previous pose, so a lost message loses no motion. The errors are those of PredictTwist. An impossible motion, as when a driver restarts
// at zero, is errImplausible: the motion is then unknown, and the next motion is measured from this pose.
func (f *EKF) PredictPose(stamp int64, x, y, yaw float64) error {
	if !num.Finite(x) || !num.Finite(y) || !num.Finite(yaw) {
		f.counts.OdometryImplausible++
		return fmt.Errorf("%w: odometry pose (%v, %v, %v) is not finite", errImplausible, x, y, yaw)
	}
	return f.takeOdometry(&odometry{stamp: stamp, isPose: true, x: x, y: y, yaw: yaw})
}

func (f *EKF) takeOdometry(o *odometry) error {
	now, ok := f.Stamp()
	switch {
	case !ok:
		f.begin(o.stamp)
		f.wheels.push(o)
		f.twist = o.twist
		f.takePending()
		return nil
	case o.stamp <= now && f.late.add(o):
		return f.setBack(o)
	case o.stamp <= now:
		f.counts.OdometryStale++
		return errStale
	}
	f.late = lateRun{}
	f.wheels.push(o)
	m, err := f.motion(now, o.stamp)
	f.twist = o.twist
	if o.isPose {
		f.twist = m.twist()
	}
	if m.spreadPos > 0 { // the motion is unknown
		f.counts.OdometryGaps++
	}
	if err != nil {
		f.counts.OdometryImplausible++
		moved := f.wheels.at(f.wheels.len() - 2).motionTo(o)
		f.fast.outrun(&f.cfg, o.stamp, moved.twist(), &f.now().x)
	} else {
		f.fast = 0
	}
	f.counts.Odometry++
	f.hist.push(&event{kind: motionEvent, stamp: o.stamp, motion: m})
	f.apply(f.hist.len() - 1)
	for f.hist.len() > 1 && f.hist.at(1).stamp <= o.stamp-int64(MaxDelay) { // not needed any more
		f.hist.lo++
	}
	f.takePending()
	return err
}

// split divides the motion that spans a stamp; the caller has reserved the room. It returns the index of the first changed event and that
// of the first event after the stamp.
func (f *EKF) split(stamp int64) (first, after int) {
	i := f.hist.after(stamp)
	if i == 0 || i == f.hist.len() || f.hist.at(i).kind != motionEvent || f.hist.at(i-1).stamp == stamp {
		return i, i
	}
	f.hist.insert(i, &event{kind: motionEvent, stamp: stamp})
	return f.measure(stamp-1, stamp+1), i + 1
}

// measure recomputes the motions that lie at least partly between two stamps, and returns the index of the first one.
func (f *EKF) measure(from, to int64) (first int) {
	first = f.hist.len()
	for i := first - 1; i > 0 && f.hist.at(i).stamp > from; i-- {
		if begin, ev := f.hist.at(i-1).stamp, f.hist.at(i); ev.kind == motionEvent && begin < to {
			ev.motion, _ = f.motion(begin, ev.stamp) // an impossible motion becomes unknown
			first = i
		}
	}
	return first
}

// motion returns the motion from one stamp to a later one, between which there is no odometry, by wheels and gyroscope. An error means that
// the wheels' motion is impossible; the motion is then unknown.
func (f *EKF) motion(from, to int64) (motion, error) {
	i := f.wheels.after(to - 1)
	var before *odometry
	if i > 0 {
		before = f.wheels.at(i - 1)
	}
	m, err := f.cfg.odometryStep(f.hist.origin, before, f.wheels.at(i))
	whole := m.dt
	m = m.share(float64(to-from) * 1e-9 / whole)
	m.dt = float64(to-from) * 1e-9
	m.spin, m.spinVar, m.heard = f.gyro.integral(from, to)
	m.gyro = m.heard && !f.rivals.wrong
	m.spinVar += f.cfg.Gyro.Density * f.cfg.Gyro.Density * m.dt
	return m, err
}

// odometryStep returns the motion from one odometry to the next, or from origin, the moment when the filter got its pose, if that is later.
// For the first odometry, before is nil; if that is a pose, it gives no motion: the robot is assumed to have stood, unless the interval is
// long.
func (c *Config) odometryStep(origin int64, before, o *odometry) (m motion, err error) {
	begin := origin
	if before != nil {
		begin = max(begin, before.stamp)
	}
	dt := float64(o.stamp-begin) * 1e-9
	switch {
	case o.isPose && before != nil && before.isPose:
		m = before.motionTo(o)
		if err = c.plausible(m.twist()); err == nil {
			m = m.share(dt / m.dt)
		} else {
			m = c.unknownMotion(dt)
		}
	case o.stamp-begin > maxOdometryGap:
		m = c.unknownMotion(dt)
	case !o.isPose:
		m = motion{dx: o.twist.X * dt, dy: o.twist.Y * dt, turn: o.twist.Yaw * dt}
	}
	m.dt = dt
	return m, err
}

const (
	// mostTurn (rad/s) is the largest turn rate of a robot on a field, whatever is configured: see [localization.MostSpeed].
	mostTurn = 20
	// outrunTime (ns) is the time for which odometry exceeds a limit until the limit is wrong. It is less than that after which a follower stops the
	// robot because its pose is stale.
	outrunTime = int64(3e8)
)

// pace is a run of odometry that exceeds a limit: the stamp of the first, ns; 0: the newest odometry does not.
type pace int64

// outrun takes odometry that exceeds a limit of cfg. A spike is not the robot's motion, but several in a row are, and then the limit is
// wrong: without odometry the robot would be lost. By the slip that fixes have shown, the robot must exceed the limit, too: wheels of twice
// the configured radius, or that spin, report more than it drives.
func (p *pace) outrun(cfg *Config, stamp int64, t Twist, slip *stateVector) {
	speed, rate := math.Hypot(t.X, t.Y), math.Abs(t.Yaw)
	switch {
	case !(speed < localization.MostSpeed && rate < mostTurn):
		*p = 0
	case *p == 0 || stamp < int64(*p):
		*p = pace(stamp)
	case stamp-int64(*p) >= outrunTime && (slip[stateSpeed]*speed > cfg.MaxSpeed || slip[stateTurn]*rate > cfg.MaxTurnRate):
		cfg.MaxSpeed, cfg.MaxTurnRate = max(cfg.MaxSpeed, speed), max(cfg.MaxTurnRate, rate)
	}
}

// plausible returns why a twist is not plausible, nil if it is.
func (c *Config) plausible(t Twist) error {
	speed := math.Hypot(t.X, t.Y)
	switch {
	case !num.Finite(speed) || !num.Finite(t.Yaw):
		return fmt.Errorf("%w: twist %v is not finite", errImplausible, t)
	case speed > overshoot*c.MaxSpeed:
		return fmt.Errorf("%w: it moves at %.3g m/s, and max_speed is %.3g m/s", errImplausible, speed, c.MaxSpeed)
	case math.Abs(t.Yaw) <= overshoot*c.MaxTurnRate:
		return nil
	}
	return fmt.Errorf("%w: it turns at %.3g rad/s, and max_turn_rate is %.3g rad/s", errImplausible, math.Abs(t.Yaw), c.MaxTurnRate)
}

// overshoot is the ratio of an impossible speed or turn rate to the largest of the robot: wheels that follow a command slip, their
// controllers overshoot it, and their encoders are noisy. The follower has parameters of the same names, and commands these values.
const overshoot = 1.1

// unknownMotion returns a motion that spreads the pose as far as the robot may have
// moved in dt (s).
func (c *Config) unknownMotion(dt float64) motion {
	move, turn := c.MaxSpeed*dt, c.MaxTurnRate*dt
	return motion{spreadPos: move * move, spreadYaw: math.Min(turn*turn, unknownYaw)}
}

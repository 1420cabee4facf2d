package localization

import (
	"fmt"
	"math"
)

// PredictTwist advances the filter by a twist from wheel odometry, taken as the mean
// over the interval from the odometry before it to stamp (ns). After an interval of
// more than MaxOdometryGap the motion counts as unknown. The errors are ErrStale,
// ErrImplausible and ErrTimeReset; on an error the twist is not used.
func (f *EKF) PredictTwist(stamp int64, t Twist) error {
	if !f.plausible(t) {
		f.counts.OdometryImplausible++
		return f.implausible(t)
	}
	last, err := f.begin(stamp)
	if err != nil {
		return err
	}
	f.twist = t
	if last == stamp {
		f.takePending()
		return nil
	}
	dt := float64(stamp-last) * 1e-9
	m := motion{dx: t.X * dt, dy: t.Y * dt, turn: t.Yaw * dt}
	if stamp-last > int64(f.cfg.MaxOdometryGap) {
		m = f.unknownMotion(dt)
	}
	f.step(stamp, m)
	return nil
}

// PredictPose advances the filter by a pose from wheel odometry, in the odometry's
// own frame (m, m, rad). It uses the motion since the last pose, so a lost message
// loses no motion. The errors are those of PredictTwist. A motion that the robot
// cannot have made, as when a driver restarts at zero, is ErrImplausible: it counts
// as unknown motion, and the next motion is measured from this pose.
func (f *EKF) PredictPose(stamp int64, x, y, yaw float64) error {
	if !finite(x) || !finite(y) || !finite(yaw) {
		f.counts.OdometryImplausible++
		return fmt.Errorf("%w: odometry pose (%v, %v, %v) is not finite", ErrImplausible, x, y, yaw)
	}
	last, err := f.begin(stamp)
	if err != nil {
		if !f.started { // time was set back: measure the motion from here
			f.odom, f.hasOdom = Pose{Stamp: stamp, X: x, Y: y, Yaw: yaw}, true
		}
		return err
	}
	from, had := f.odom, f.hasOdom
	f.odom, f.hasOdom = Pose{Stamp: stamp, X: x, Y: y, Yaw: yaw}, true
	if last == stamp {
		f.takePending()
		return nil
	}
	dt := float64(stamp-last) * 1e-9
	if !had || from.Stamp >= stamp {
		// The filter was given its pose before any odometry: the robot is taken to
		// have stood still since then, unless the interval is long.
		f.twist = Twist{}
		var m motion
		if stamp-last > int64(f.cfg.MaxOdometryGap) {
			m = f.unknownMotion(dt)
		}
		f.step(stamp, m)
		return nil
	}
	m := motionBetween(from.X, from.Y, from.Yaw, x, y, yaw)
	whole := float64(stamp-from.Stamp) * 1e-9
	t := Twist{m.dx / whole, m.dy / whole, m.turn / whole}
	if !f.plausible(t) {
		f.twist = Twist{}
		f.counts.OdometryImplausible++
		f.step(stamp, f.unknownMotion(dt))
		return f.implausible(t)
	}
	f.twist = t
	// The filter may have been set to a pose since; only the rest of the motion counts.
	f.step(stamp, m.share(math.Min(dt/whole, 1)))
	return nil
}

// LimitError is the error of odometry that exceeds a limit of EKFConfig. It wraps ErrImplausible.
type LimitError struct {
	Limit        string  // name of the field, MaxSpeed or MaxTurnRate
	Value, Allow float64 // m/s or rad/s
	Unit         string
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%v: it is %.3g %s, and %s is %.3g %s", ErrImplausible, e.Value, e.Unit, e.Limit, e.Allow, e.Unit)
}

func (e *LimitError) Unwrap() error { return ErrImplausible }

// implausible returns why a twist is not plausible.
func (f *EKF) implausible(t Twist) error {
	speed := math.Hypot(t.X, t.Y)
	switch {
	case !finite(speed) || !finite(t.Yaw):
		return fmt.Errorf("%w: twist %v is not finite", ErrImplausible, t)
	case speed > f.cfg.MaxSpeed:
		return &LimitError{Limit: "MaxSpeed", Value: speed, Allow: f.cfg.MaxSpeed, Unit: "m/s"}
	}
	return &LimitError{Limit: "MaxTurnRate", Value: math.Abs(t.Yaw), Allow: f.cfg.MaxTurnRate, Unit: "rad/s"}
}

func (f *EKF) plausible(t Twist) bool {
	return math.Hypot(t.X, t.Y) <= f.cfg.MaxSpeed && math.Abs(t.Yaw) <= f.cfg.MaxTurnRate
}

// unknownMotion returns a motion that spreads the pose as far as the robot may have
// moved in dt (s).
func (f *EKF) unknownMotion(dt float64) motion {
	f.counts.OdometryGaps++
	move, turn := f.cfg.MaxSpeed*dt, f.cfg.MaxTurnRate*dt
	return motion{spreadPos: move * move, spreadYaw: math.Min(turn*turn, unknownYaw)}
}

// begin returns the stamp at which the motion that ends at stamp begins. For the
// very first odometry that is stamp itself.
func (f *EKF) begin(stamp int64) (last int64, err error) {
	if !f.started {
		e := f.hist.reset(stamp)
		e.after.counts = f.fixes
		e.after.start(&f.cfg, stamp)
		f.started = true
		return stamp, nil
	}
	last = f.hist.newest().stamp
	switch {
	case stamp > last:
		return last, nil
	case last-stamp > int64(f.cfg.ResetJump):
		f.counts.Resets++
		f.Reset()
		return 0, fmt.Errorf("%w: from %d to %d ns; the filter starts over", ErrTimeReset, last, stamp)
	}
	f.counts.OdometryStale++
	return 0, ErrStale
}

// step advances the filter by a motion that ends at stamp.
func (f *EKF) step(stamp int64, m motion) {
	f.counts.Odometry++
	last := f.hist.newest().stamp
	m.dt = float64(stamp-last) * 1e-9
	f.measureTurn(&m, last, stamp)
	f.hist.reserve(1)
	f.hist.insert(f.hist.len(), &event{kind: motionEvent, stamp: stamp, motion: m})
	f.apply(f.hist.len() - 1)
	f.hist.forget(stamp - int64(f.cfg.MaxDelay))
	f.takePending()
}

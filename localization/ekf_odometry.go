package localization

import (
	"fmt"
	"math"
)

// PredictTwist takes wheel odometry as a twist that has held since the
// odometry before it (ns): wheel odometry is the mean over the interval that
// ends with its stamp. After more than MaxOdometryGap the motion since then is
// unknown instead. Errors are ErrStale, ErrImplausible and ErrTimeReset; the
// twist is then not used.
func (f *EKF) PredictTwist(stamp int64, t Twist) error {
	if !f.plausible(t) {
		f.counts.OdometryImplausible++
		return fmt.Errorf("%w: twist %v, limits %v m/s and %v rad/s", ErrImplausible, t, f.cfg.MaxSpeed, f.cfg.MaxTurnRate)
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

// PredictPose takes wheel odometry as a pose in the odometry's own frame (m,
// m, rad); what counts is the motion since the last one, so nothing is lost
// with a message. Errors are those of PredictTwist. A motion that the robot
// cannot have made (a driver that started again at zero) is ErrImplausible: it
// counts as unknown motion, and later ones count from this pose.
func (f *EKF) PredictPose(stamp int64, x, y, yaw float64) error {
	if !finite(x) || !finite(y) || !finite(yaw) {
		f.counts.OdometryImplausible++
		return fmt.Errorf("%w: odometry pose (%v, %v, %v) not finite", ErrImplausible, x, y, yaw)
	}
	last, err := f.begin(stamp)
	if err != nil {
		if !f.started { // time was set back: count from here
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
		// A filter that was given its pose: the robot is taken to have stood
		// until its odometry began, unless that was long.
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
		return fmt.Errorf("%w: odometry pose moved at %v, limits %v m/s and %v rad/s", ErrImplausible, t, f.cfg.MaxSpeed, f.cfg.MaxTurnRate)
	}
	f.twist = t
	// The filter may have been set to a pose since: the rest counts.
	f.step(stamp, m.share(math.Min(dt/whole, 1)))
	return nil
}

func (f *EKF) plausible(t Twist) bool {
	return math.Hypot(t.X, t.Y) <= f.cfg.MaxSpeed && math.Abs(t.Yaw) <= f.cfg.MaxTurnRate
}

// unknownMotion spreads the pose by what the robot may have done in dt (s).
func (f *EKF) unknownMotion(dt float64) motion {
	f.counts.OdometryGaps++
	move, turn := f.cfg.MaxSpeed*dt, f.cfg.MaxTurnRate*dt
	return motion{spreadPos: move * move, spreadYaw: math.Min(turn*turn, unknownYaw)}
}

// begin returns the stamp from which the motion up to stamp counts; at the
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

// step adds a motion that ends at stamp.
func (f *EKF) step(stamp int64, m motion) {
	f.counts.Odometry++
	f.hist.reserve(1)
	f.hist.insert(f.hist.len(), &event{kind: motionEvent, stamp: stamp, motion: m})
	f.apply(f.hist.len() - 1)
	f.hist.forget(stamp - int64(f.cfg.MaxDelay))
	f.takePending()
}

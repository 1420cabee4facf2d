// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"ugp_explorer/internal/num"
	"ugp_explorer/localization"
)

var (
	// ErrNotInitialised is returned while the filter has no pose.
	ErrNotInitialised = errors.New("localization: no pose yet")
	// errStale is returned for odometry that is not newer than the newest, and for a yaw rate that came too late or twice.
	errStale = errors.New("localization: odometry came too late, or twice")
	// ErrTimeReset is returned when time was set back; the filter has started over, or kept its pose.
	ErrTimeReset = errors.New("localization: time was set back")
	// errImplausible is returned for odometry that is not finite or that exceeds
	// MaxSpeed or MaxTurnRate.
	errImplausible = errors.New("localization: odometry not plausible")
	// errInvalid is returned for a fix that is not finite, and for a pose that is too old or has no heading.
	errInvalid = errors.New("localization: invalid")
)

// Twist is a velocity in base: m/s along x and y, rad/s counter-clockwise.
type Twist struct{ X, Y, Yaw float64 }

// Fix is a measured position of the antenna in map at one moment (ns, m, m²).
type Fix struct {
	Stamp int64
	X, Y  float64
	Cov   [2][2]float64
}

// Counts counts the uses of the filter's input.
type Counts struct {
	FixCounts
	Odometry            uint64 // steps taken
	OdometryStale       uint64 // not newer than the newest: dropped
	OdometryImplausible uint64 // dropped
	OdometryGaps        uint64 // steps of unknown motion
	Gyro                uint64 // yaw rates used
	Slips               uint64 // number of times the fixes stood still while the wheels drove
	GyroWrong           uint64 // number of times the fixes moved as the wheels turned, and not as the gyroscope did, which is not used then
	GyroRight           uint64 // number of times they moved as it did again
	GyroRefused         uint64 // too late, not plausible, or with a known stamp
	Resets              uint64 // time set back
	FixesDelayed        uint64 // inserted at their stamp; the later steps were repeated
	FixesTooOld         uint64 // dropped
	FixesOverflow       uint64 // dropped while waiting for odometry
	FixesInvalid        uint64 // not finite: dropped
}

// EKF is an extended Kalman filter over the pose of a planar robot (map from base), the slip of its wheels, the bias and the scale of its
// gyroscope, the slow error of its fixes, and the delay of their stamps.
// Inputs are wheel odometry and, if available, yaw rates; measurements are position and yaw fixes. The filter's time is the stamp of the
// newest odometry. A newer fix waits until odometry reaches its stamp. Fixes and yaw rates that are up to MaxDelay older are inserted at
// their stamp and all later steps are repeated, so the result is the same as if each had come in order.
//
// Fixes must have passed a Checker. After New, only errors and the rare events of kind changeEvent allocate.
type EKF struct {
	cfg     Config
	hist    history
	idle    estimate      // with which the filter begins, while there is no history
	pending series[event] // newer than the odometry
	gyro    gyroRates
	windows windows
	turns   localization.Turns
	compass compass
	rivals  rivals
	counts  Counts

	wheels series[odometry]
	twist  Twist // of the newest odometry, not corrected for slip
	late   lateRun
	fast   pace
}

// New returns a filter without a pose.
func New(cfg Config) *EKF {
	f := &EKF{
		cfg: cfg, hist: history{series: newSeries(historyLength, (*event).when)}, pending: newSeries(2*maxPending, (*event).when),
		gyro: gyroRates{newSeries(measuredLength, (*gyroRate).when)}, wheels: newSeries(measuredLength, (*odometry).when),
		windows: windows{newGrip(false), newGrip(true)}, compass: newCompass(),
	}
	for i := range f.cfg.gate {
		f.cfg.gate[i] = math.Inf(1)
		if cfg.GateProbability < 1 {
			f.cfg.gate[i] = distuv.ChiSquared{K: float64(i + 1)}.Quantile(cfg.GateProbability)
		}
	}
	f.idle.antenna = cfg.Antenna
	f.idle.start(&f.cfg, 0)
	return f
}

// now returns the newest estimate.
func (f *EKF) now() *estimate {
	if f.hist.len() == 0 {
		return &f.idle
	}
	return &f.hist.newest().after
}

// begin starts over at a stamp; only the counts stay.
func (f *EKF) begin(stamp int64) *estimate {
	counts, antenna := f.Counts().FixCounts, f.now().antenna
	e := &f.hist.reset(stamp).after
	e.counts, e.antenna = counts, antenna
	e.start(&f.cfg, stamp)
	return e
}

// Mode returns whether the filter has a pose and, if not, what it is waiting for.
func (f *EKF) Mode() Mode { return f.now().mode }

// Pose returns the pose at the stamp of the newest odometry, or ErrNotInitialised. While fixes are refused, its covariance includes the
// difference from them (see estimate.pose), and until turns have shown the antenna's place, what is not known about it.
func (f *EKF) Pose() (localization.Pose, error) {
	if f.Mode() != Running {
		return localization.Pose{}, ErrNotInitialised
	}
	e := f.now()
	p, v := e.pose(), centreStdDev*centreStdDev
	if e.antenna == f.cfg.Antenna {
		v = f.turns.Variance(f.cfg.AntennaStdDev)
	}
	p.Cov[0][0] += v
	p.Cov[1][1] += v
	return p, nil
}

// Position returns the same as Pose or, in PositionKnown with a fix at most 5 s old, the position without a heading: yaw 0 with the
// variance π², for which Pose.HeadingKnown is false.
func (f *EKF) Position() (localization.Pose, error) {
	switch f.Mode() {
	case Running:
		return f.Pose()
	case PositionKnown:
		e := f.now()
		if e.stamp-e.fixes.last.Stamp <= freshFix {
			return e.position(), nil
		}
	}
	return localization.Pose{}, ErrNotInitialised
}

// Stamp returns the filter's time (ns): the stamp of the newest odometry, or of the initial pose
// when that is newer. ok is false while there is neither.
func (f *EKF) Stamp() (ns int64, ok bool) {
	if f.hist.len() == 0 {
		return 0, false
	}
	return f.hist.newest().stamp, true
}

// Velocity returns the twist of the newest odometry, corrected for the estimated slip. With a gyroscope, Yaw is its mean rate since the
// previous odometry, corrected for the estimated bias and scale.
func (f *EKF) Velocity() Twist {
	if f.hist.len() == 0 {
		return Twist{}
	}
	k, _ := f.Slip()
	t := f.twist
	v := Twist{X: k.Speed * t.X, Y: k.Speed * (t.Y + k.Crab*t.X), Yaw: k.Turn*t.Yaw + k.Drift*t.X}
	if m := f.hist.newestMotion(); m.gyro {
		v.Yaw = f.now().x.spun(m) / m.dt
	}
	return v
}

// Wheels returns the uncorrected twist of the newest odometry.
func (f *EKF) Wheels() Twist { return f.twist }

// Slip returns the estimated slip and the standard deviation of each part.
func (f *EKF) Slip() (mean, stdDev Slip) { return f.now().slip() }

// Counts returns the uses of the input so far.
func (f *EKF) Counts() Counts {
	c := f.counts
	c.FixCounts = f.now().counts
	return c
}

// Repair describes the newest repairs, see Counts for their number, and the limits that hold now.
func (f *EKF) Repair() Repairs {
	r := f.now().repair
	r.MaxSpeed, r.MaxTurnRate = f.cfg.MaxSpeed, f.cfg.MaxTurnRate
	return r
}

// forget drops all stored messages.
func (f *EKF) forget() {
	f.pending.clear()
	f.wheels.clear()
	f.gyro.clear()
	f.turns = localization.Turns{}
	f.compass = newCompass()
	f.rivals = rivals{}
	f.windows.clear()
	f.late, f.fast = lateRun{}, 0
}

// Initialise replaces the filter's pose by p, which a localization.Checker has passed, at p's stamp. A
// stamp within the history is inserted there, and the later steps are repeated.
func (f *EKF) Initialise(p localization.Pose) error {
	if s := math.Sqrt(p.Cov[2][2]); s > MaxYawStdDev {
		return fmt.Errorf("%w: pose yaw standard deviation %v rad is above %v", errInvalid, s, MaxYawStdDev)
	}
	f.windows.clear()
	if now, ok := f.Stamp(); !ok || p.Stamp > now {
		f.begin(p.Stamp).setPose(&p)
		f.takePending()
		return nil
	}
	if f.change(p.Stamp, func(e *estimate) { e.setPose(&p) }) < 0 {
		return fmt.Errorf("%w: pose stamp %d is older than the history, which begins at %d", errInvalid, p.Stamp, f.hist.at(0).stamp)
	}
	return nil
}

// FusePosition fuses a position fix whose covariance a localization.Checker has passed. The status of the
// innovation says how the fix was used; the error is errInvalid for a position that is not finite.
func (f *EKF) FusePosition(fix Fix) (Innovation, error) {
	if !num.Finite(fix.X) || !num.Finite(fix.Y) {
		f.counts.FixesInvalid++
		return Innovation{}, fmt.Errorf("%w: position fix (%v, %v)", errInvalid, fix.X, fix.Y)
	}
	fix.Cov = rounder(fix.Cov)
	return f.fuse(&event{kind: positionEvent, stamp: fix.Stamp, fix: fix}), nil
}

// FuseYaw fuses a measured heading of the robot in map (rad, rad², finite) at a stamp (ns). The result is that of FusePosition. While there
// is no pose, the heading becomes the first heading. An error that lasts is added, of the size that driving shows; if it is large, measured
// headings are not used.
func (f *EKF) FuseYaw(stamp int64, yaw, variance float64) Innovation {
	f.compass.take(stamp, yaw, &f.now().way)
	if f.compass.wrong {
		return Innovation{Stamp: stamp, Status: FixContrary, DoF: 1, Residual: [2]float64{-f.compass.off}}
	}
	e := event{kind: yawEvent, stamp: stamp, fix: Fix{Stamp: stamp, X: yaw}}
	e.fix.Cov[0][0], e.fix.Cov[1][1] = variance, f.compass.variance
	return f.fuse(&e)
}

// fuse fuses a fix, or keeps it until odometry reaches its stamp.
func (f *EKF) fuse(e *event) Innovation {
	if now, ok := f.Stamp(); ok && e.stamp <= now {
		return f.fuseNow(e)
	}
	f.pending.reserve(1)
	f.pending.insert(f.pending.after(e.stamp), e)
	if f.pending.len() > maxPending {
		f.pending.lo++
		f.counts.FixesOverflow++
	}
	return Innovation{Stamp: e.stamp, Status: fixPending}
}

// fuseNow fuses a fix whose stamp odometry has reached.
func (f *EKF) fuseNow(e *event) Innovation {
	newest := f.hist.newest().stamp
	i := -1
	if newest-e.stamp <= int64(MaxDelay) {
		i = f.insert(e)
	}
	if i < 0 {
		f.counts.FixesTooOld++
		return Innovation{Stamp: e.stamp, Status: FixTooOld}
	}
	if e.stamp < newest {
		f.counts.FixesDelayed++
	}
	innovation := f.hist.at(i).after.source(e.kind).innovation
	if e.kind == positionEvent && innovation.Status != fixRepeated && !f.cfg.ignoreWays && !f.learnAntenna(i) {
		f.checkGrip(i)
	}
	return innovation
}

// takePending fuses the waiting fixes whose stamps odometry has reached.
func (f *EKF) takePending() {
	for ; f.pending.len() > 0 && f.pending.at(0).stamp <= f.hist.newest().stamp; f.pending.lo++ {
		f.fuseNow(f.pending.at(0))
	}
}

// insert puts e at its stamp, divides the motion that spans it, and repeats the later events. It returns the index of e, or −1 if e is
// older than the history.
func (f *EKF) insert(e *event) int {
	f.hist.reserve(2)
	first, index := f.split(e.stamp)
	if index == 0 {
		return -1
	}
	f.hist.insert(index, e)
	f.repeat(first)
	return index
}

// change inserts another change of the estimate.
func (f *EKF) change(stamp int64, change func(e *estimate)) int {
	return f.insert(&event{kind: changeEvent, stamp: stamp, change: change})
}

// repeat recomputes the estimates from event first on, after a change there.
func (f *EKF) repeat(first int) {
	for i := first; i < f.hist.len(); i++ {
		f.apply(i)
	}
}

// apply computes the estimate after event i from the estimate after event i−1.
func (f *EKF) apply(i int) {
	ev := f.hist.at(i)
	e := &ev.after
	*e = f.hist.at(i - 1).after
	e.stamp = ev.stamp
	switch ev.kind {
	case motionEvent:
		m := &ev.motion
		e.way.follow(m, &e.x, f.cfg.Motion.Turn)
		if e.doubt.on {
			doubtful := m.doubt(float64(ev.stamp-e.fixes.innovation.Stamp) * 1e-9)
			if e.p[stateYaw][stateYaw] > MaxYawStdDev*MaxYawStdDev/2 {
				doubtful.spreadYaw = 0 // a robot that is held hardly turns, and would lose its heading
			}
			m = &doubtful
		}
		e.predict(m, &f.cfg.Motion, &f.cfg.Gyro)
		if e.mode != Aligning && e.p[stateYaw][stateYaw] > MaxYawStdDev*MaxYawStdDev {
			if e.mode != PositionKnown { // a gap, over which the way of the wheels is not known
				e.counts.HeadingLost++
			}
			e.zeroPose()
			e.trust()
			e.mode, e.fixes.known, e.yaws.known = Aligning, false, false
		}
	case positionEvent, yawEvent:
		if ev.kind == positionEvent {
			e.delayed = f.hist.delayed(i)
		}
		e.take(ev.kind, &ev.fix, &f.cfg)
	case changeEvent:
		ev.change(e)
	}
}

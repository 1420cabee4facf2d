// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf

import (
	"fmt"
	"math"
	"math/cmplx"
	"sort"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/localization/filter"
	"ugp_explorer/msgs/builtin_interfaces"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
)

const (
	// lagStep is the step between the lags with which the stamps of fixes are compared with the wheels, and lags their
	// number: from -mostLag, if a receiver stamps messages when it sends them, to +mostLag, if its clock is behind.
	lagStep, mostLag = 250 * time.Millisecond, 4 * time.Second
	lags             = 2*int(mostLag/lagStep) + 1
	// lagPath is the distance over which a lag is learnt, m.
	lagPath = 20.0
	// kept is the number of places by the wheels, trackStep apart: enough for both lags, the motion from fix to fix, and the wait for the next fix.
	kept, trackStep, trackGap = 640, 25 * time.Millisecond, 500 * time.Millisecond
	// trackSpeed is faster than any robot on a field, m/s: odometry that moves so far has jumped, as ticks do that wrap.
	trackSpeed = 20.0
)

// source is a topic with position fixes.
type source struct {
	watch.Fixes
	lag lag
}

// lag measures the difference between the stamps of a topic's fixes and those of the odometry: the lag at which the motions of both,
// from second to second, agree best. The filter learns a small lag itself. With a larger one, of two steps or more, it would be wrong by the
// distance driven in that time, so the stamps of fixes are corrected.
type lag struct {
	from, to sighted          // the last two fixes that were at least a second apart
	path     float64          // m
	wrong    [lags]float64    // see [localization.Lags]
	gains    [lags][2]float64 // see [localization.Gains]
	steps    int              // by which stamps are corrected
}

// sighted is a fix.
type sighted struct {
	stamp int64 // ns; 0: none
	place complex128
	came  int64 // the newest stamp of the wheels when it came, ns
}

// track is the path of the robot according to the wheels, in a separate frame.
type track struct {
	stamps [kept]int64
	places [kept]complex128
	n      int // of all that were added

	here complex128 // m, by speeds
	yaw  float64    // rad
	last int64      // stamp of these, ns
}

// drive adds speeds, m/s and rad/s.
func (t *track) drive(stamp int64, v filter.Twist) {
	if dt := time.Duration(stamp - t.last).Seconds(); t.last != 0 && dt > 0 && dt < 1 {
		t.here += complex(v.X, v.Y) * cmplx.Rect(dt, t.yaw+v.Yaw*dt/2)
		t.yaw += v.Yaw * dt
	}
	t.last = stamp
	t.add(stamp, t.here)
}

func (t *track) add(stamp int64, place complex128) {
	if t.n > 0 {
		switch since := time.Duration(stamp - t.stamps[(t.n-1)%kept]); {
		case since < 0, since > trackGap, cmplx.Abs(place-t.places[(t.n-1)%kept]) > trackSpeed*max(since, trackStep).Seconds():
			t.n = 0 // time was set back, the robot drove unseen, or the odometry began anew
		case since < trackStep:
			return
		}
	}
	t.stamps[t.n%kept], t.places[t.n%kept] = stamp, place
	t.n++
}

// newest returns the newest stamp, ns; 0: there is none.
func (t *track) newest() int64 {
	if t.n == 0 {
		return 0
	}
	return t.stamps[(t.n-1)%kept]
}

// at returns the place at a stamp; ok is false for stamps that the track does not reach.
func (t *track) at(stamp int64) (place complex128, ok bool) {
	first, last := max(0, t.n-kept), t.n-1
	if last < 1 || stamp < t.stamps[first%kept] || stamp > t.stamps[last%kept] {
		return 0, false
	}
	later := func(i int) bool { return t.stamps[(first+1+i)%kept] > stamp }
	i := min(first+1+sort.Search(last-first, later), last)
	before, after := (i-1)%kept, i%kept
	part := float64(stamp-t.stamps[before]) / float64(max(1, t.stamps[after]-t.stamps[before]))
	return t.places[before] + complex(part, 0)*(t.places[after]-t.places[before]), true
}

// hear adds a fix, and reports whether the lag has changed. It compares the motion between the two fixes before it: odometry that is slow or
// late has reached their stamps by now.
func (l *lag) hear(t *track, stamp int64, place complex128) (changed bool) {
	if since := time.Duration(stamp - l.to.stamp); l.to.stamp != 0 && since > 0 && since < time.Second {
		return false
	}
	from, to := l.from, l.to
	l.from, l.to = l.to, sighted{stamp, place, t.newest()}
	since := time.Duration(to.stamp - from.stamp)
	_, known := t.at(from.stamp - int64(mostLag))
	if _, reached := t.at(to.stamp); !known || !reached || from.stamp == 0 || since <= 0 || since > 3*time.Second {
		return false // or the wheels are silent
	}
	var driven [lags]float64
	way := 0.0
	for i := range driven {
		by := int64(i)*int64(lagStep) - int64(mostLag)
		a, known := t.at(from.stamp + by)
		b, reached := t.at(to.stamp + by)
		measured := by <= 0 || to.stamp+by <= to.came // no fix is measured after it has come
		if driven[i] = math.NaN(); known && reached && measured {
			driven[i] = cmplx.Abs(b - a)
			way = max(way, driven[i])
		}
	}
	l.path += way
	const none = int(mostLag / lagStep)
	wrong, gains := localization.Lags(l.wrong[:]), localization.Gains(l.gains[:])
	told, present := cmplx.Abs(to.place-from.place), none+l.steps
	wrong.Take(told, driven[:], way)
	gains.Take(told, driven[:], way, present)
	best, _ := wrong.Best(present)
	clear := gains.Clear(best, wrong)
	if best -= none; best > -2 && best < 2 {
		best = 0
	}
	if l.path < lagPath || !clear || max(best-l.steps, l.steps-best) < 2 {
		return false
	}
	l.steps, l.gains = best, [lags][2]float64{}
	return true
}

// by returns the lag, ns; 0: the stamps are right, or it is not known.
func (l *lag) by() time.Duration { return time.Duration(l.steps) * lagStep }

// wrongStamps says what is wrong with the stamps of fixes, "" if nothing is, as far as is known.
func (e *EKF) wrongStamps(from *source) string {
	by := from.lag.by()
	if by == 0 {
		return ""
	}
	when, why, mend := "after", "its clock is behind that of the odometry", "set its clock"
	if by < 0 {
		when, why, mend = "before", "its clock is ahead of that of the odometry, or it stamps fixes when it sends them", "let its driver stamp fixes with the time of the measurement"
	}
	return fmt.Sprintf("the fixes of %s match the wheels %s %s their stamps: %s, which the filter learnt on the first metres and now corrects: %s, or set fix.delay "+
		"of filter and guard to %.3g", from.Senders(), ros.Seconds(by.Abs()), when, why, mend, e.cfg.FixDelay-by.Seconds())
}

// hearLag adds a fix that was used, with its stamp as it came. When the stamps prove wrong, or right again, it logs this and the filter learns
// what is left of their delay anew.
func (e *EKF) hearLag(from *source, stamp int64, place complex128) {
	if !from.lag.hear(&e.track, stamp, place) {
		return
	}
	e.filter.ForgetDelay()
	if from.lag.by() == 0 {
		e.node.Logger().Info("the stamps of fixes agree with the wheels again")
	} else {
		e.node.Logger().Warn(e.wrongStamps(from))
	}
}

// taken returns the time at which a fix was measured, ns. When the clock of its sender proves wrong, or right again, what was learnt about its
// stamps is forgotten.
func (e *EKF) taken(from *source, stamp builtin_interfaces.Time) (int64, error) {
	was := from.Stamps.Off()
	taken, err := from.Stamps.Take(stamp)
	if (from.Stamps.Off() - was).Abs() > lagStep {
		from.lag = lag{}
		e.filter.ForgetDelay()
	}
	from.Stamped(taken)
	return taken, err
}

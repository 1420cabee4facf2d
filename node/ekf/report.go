// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf

import (
	"context"
	"fmt"
	"log/slog"
	"math"

	"ugp_explorer/localization"
	"ugp_explorer/localization/filter"
	"ugp_explorer/msgs/std_msgs"
)

// told is the part of the filter's state that has been logged.
type told struct {
	counts filter.Counts
	mode   filter.Mode
	any    bool // whether the mode has been logged
	doubts bool
	since  int64 // of the doubt that has been logged, ns

	antenna localization.Lever
	speed   float64 // the filter's limits, m/s and rad/s
	turn    float64
}

// advice says what the filter waits for, and what a person can do. It is empty while there is a pose.
func (e *EKF) advice() string {
	switch e.filter.Mode() {
	case filter.PositionKnown:
		distance := ""
		if at, err := e.filter.Position(); err == nil {
			major, _, _ := at.PositionCovariance().Axes()
			distance = fmt.Sprintf("%g m ", localization.HeadingDistance(major, localization.HandSpeed))
		}
		return "there is no pose because the heading is unknown: drive the robot " + distance + "straight ahead, or set heading to given and initial_yaw, or send /initialpose"
	case filter.HeadingKnown:
		return "the heading is known, but not the position: wait for a position fix, or send /initialpose"
	case filter.Aligning:
		return "neither position nor heading is known: wait for a position fix, then drive straight ahead; or send /initialpose"
	}
	return ""
}

// contradiction names the possible causes of a doubt. A gyroscope that turns otherwise than the wheels bends the path that is compared.
func (e *EKF) contradiction() string {
	if e.inertial.mounting.wrongTurns != "" {
		return "the gyroscope, the odometry or the receiver is wrong"
	}
	return "the wheels slip, or the receiver or the heading is wrong"
}

// tell logs what has happened to the filter since the last call. Such events are rare, so they are
// not throttled together with other messages.
func (e *EKF) tell() {
	log, was, counts := e.node.Logger(), &e.said, e.filter.Counts()
	repair := e.filter.Repair()
	if counts.Turned > was.counts.Turned {
		log.Warn("the heading was wrong and has been corrected: the fixes moved in a different direction",
			"old_heading_deg", degrees(repair.OldYaw), "new_heading_deg", degrees(repair.NewYaw))
		e.report(e.corrected.Publish(&std_msgs.Empty{}))
	}
	if counts.Forced > was.counts.Forced {
		log.Warn("fixes disagreed with the filter too often in a row: the pose now follows them",
			"refused_fixes", filter.MaxRejections, "difference_m", repair.Distance)
	}
	if counts.HeadingLost > was.counts.HeadingLost {
		log.Warn("the heading has become too uncertain: no pose is published until a new heading is found; drive some metres straight ahead",
			"max_stddev_deg", degrees(filter.MaxYawStdDev))
	}
	if counts.Coarser > was.counts.Coarser {
		log.Warn("fixes contradict the heading again: they err more than was assumed, and the pose is uncertain until driving shows the heading anew")
		e.report(e.corrected.Publish(&std_msgs.Empty{}))
	}
	left := e.leftOut()
	was.counts = counts
	switch now := e.leftOut(); {
	case now && !left:
		log.Warn(e.wrongTurns() + "; the heading is uncertain until driving shows it")
		e.report(e.corrected.Publish(&std_msgs.Empty{}))
	case left && !now:
		log.Info("the gyroscope is used again: the fixes move as it turns")
	}
	if a := e.filter.Antenna(); a != was.antenna {
		was.antenna = a
		log.Warn(e.wrongAntenna())
	}
	if speed, turn := repair.MaxSpeed, repair.MaxTurnRate; speed != was.speed || turn != was.turn {
		log.Warn("the odometry exceeds max_speed or max_turn_rate of this node not only in single messages, so these larger limits hold now: set them",
			"max_speed", speed, "max_turn_rate", turn)
		was.speed, was.turn = speed, turn
	}

	d, doubts := e.filter.Doubt()
	switch {
	case doubts && (!was.doubts || d.Since != was.since):
		log.Warn(e.contradiction()+": fixes and wheels contradict each other, and the position is uncertain until they agree",
			"wheels_m", d.Wheels, "fixes_m", d.Fixes, "lasts_s", lasted(d.Since, e.node.Now()))
	case !doubts && was.doubts:
		log.Info("fixes and wheels agree again", "lasted_s", lasted(was.since, e.node.Now()))
	}
	was.doubts, was.since = doubts, d.Since

	if mode := e.filter.Mode(); !was.any || mode != was.mode {
		level := slog.LevelInfo
		if !was.any && mode != filter.PositionKnown {
			level = slog.LevelDebug // the watch warns if the first fix does not come
		}
		was.any, was.mode = true, mode
		if advice := e.advice(); advice != "" {
			log.Log(context.Background(), level, advice)
		} else {
			log.Info("the filter publishes a pose")
		}
	}
}

// wrongAntenna says where the antenna is, "" if it is where the parameters say, as far as is known.
func (e *EKF) wrongAntenna() string {
	a, set := e.filter.Antenna(), e.cfg.Filter.Antenna
	if a == set {
		return ""
	}
	return fmt.Sprintf("turns show the antenna at about x = %g m, y = %g m of %s, which the filter now uses, and not at %g and %g: measure its place, and set antenna.x and antenna.y "+
		"of filter and guard", math.Round(10*a.X)/10+0, math.Round(10*a.Y)/10+0, e.cfg.BaseFrame, set.X, set.Y)
}

func degrees(rad float64) float64 { return math.Round(10*rad*180/math.Pi) / 10 }

// lasted returns the time between two times, ns, in tenths of a second, s.
func lasted(since, now int64) float64 { return math.Round(float64(now-since)/1e8) / 10 }

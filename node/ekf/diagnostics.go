// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ekf

import (
	"cmp"
	"fmt"
	"strconv"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/node/convert"
)

// Wrong says what the filter has learnt to be wrong with its inputs, "" if nothing is.
func (e *EKF) Wrong() string {
	return cmp.Or(e.places.Stamps.Wrong(), e.satellites.Stamps.Wrong(), e.wrongStamps(&e.places), e.wrongStamps(&e.satellites), e.wrongTwist(),
		e.wrongWheels(), e.wrongTurns(), e.wrongAntenna(), e.wrongHeading)
}

// diagnose publishes the state of each source, and the counts of used and refused inputs.
func (e *EKF) diagnose() {
	if e.diagnostics.Matched() == 0 {
		return
	}
	counts, covariances := e.filter.Counts(), e.fixes.Counts()
	status := diagnostic_msgs.DiagnosticStatus{Level: diagnostic_msgs.DiagnosticStatusWarn, Name: e.node.Name() + convert.LocalisationStatus, HardwareID: "none"}
	if d, doubts := e.filter.Doubt(); e.advice() != "" {
		status.Message = cmp.Or(e.wheels.Told(), e.places.Told(), e.satellites.Told(), e.wrongTwist(), e.wrongTurns(), e.advice())
	} else if wrong := e.Wrong(); wrong != "" {
		status.Message = wrong // which also causes a doubt
	} else if doubts {
		status.Message = fmt.Sprintf("%s: the wheels drove %.1f m, but the fixes moved by %.1f m, so the position is uncertain until both agree; drive some metres by hand, or send /initialpose", e.contradiction(), d.Wheels, d.Fixes)
	} else if e.filter.Refusing() {
		status.Message = "fixes are refused: position and heading are doubtful; drive some metres by hand, or send /initialpose"
	} else {
		status.Message, status.Level = e.filter.Mode().String(), diagnostic_msgs.DiagnosticStatusOK
	}
	for _, s := range e.filter.Sources() {
		status.Values = append(status.Values, diagnostic_msgs.KeyValue{Key: s.Name, Value: s.Status})
	}
	for _, v := range []struct {
		key   string
		value uint64
	}{
		{"odometry used", counts.Odometry},
		{"odometry stale", counts.OdometryStale},
		{"odometry implausible", counts.OdometryImplausible},
		{"odometry gaps", counts.OdometryGaps},
		{"times that time was set back", counts.Resets},
		{"fixes accepted", counts.Accepted},
		{"fixes rejected by the gate", counts.Rejected},
		{"fixes forced after rejections", counts.Forced},
		{"fixes too old", counts.FixesTooOld},
		{"fixes that odometry never reached", counts.FixesOverflow},
		{"fixes not finite", counts.FixesInvalid},
		{"fixes with a singular innovation", counts.Singular},
		{"fixes with refused covariance", covariances.Refused},
		{"messages of a receiver without a fix", e.noFix},
		{"yaw rates used", counts.Gyro},
		{"yaw rates refused", counts.GyroRefused},
		{"times the heading was lost", counts.HeadingLost},
		{"times the heading was corrected", counts.Turned},
		{"times fixes were found to err more than was believed", counts.Coarser},
		{"times that fixes and wheels moved by different distances", counts.Slips},
	} {
		status.Values = append(status.Values, diagnostic_msgs.KeyValue{Key: v.key, Value: strconv.FormatUint(v.value, 10)})
	}
	var m diagnostic_msgs.DiagnosticArray
	m.Header.Stamp = e.node.Stamp()
	m.Status = append(append(m.Status, status), e.watch.Diagnostics()...)
	e.report(e.diagnostics.Publish(&m))
}

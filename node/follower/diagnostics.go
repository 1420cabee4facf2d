// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package follower

import (
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/planner/pursuit"
)

// watchMotion compares a command with how the position moves, while the robot drives.
func (f *Follower) watchMotion(c pursuit.Command, phase pursuit.Phase) {
	if phase != pursuit.PhaseTracking && phase != pursuit.PhaseTurning {
		f.response.holding = holding{}
		return
	}
	moving := f.cfg.Pursuit.LookaheadMin
	before := f.response.text(moving)
	if f.response.step(c, &f.pose, f.cfg.Rate, moving) {
		f.node.Logger().Error(f.response.disobeys())
	}
	if text := f.response.text(moving); before == "" && text != "" {
		f.node.Logger().Warn(text)
	}
}

// diagnose publishes the follower's phase and the inputs that it waits for.
func (f *Follower) diagnose() {
	if f.diagnostics.Matched() == 0 {
		return
	}
	d := diagnostic_msgs.DiagnosticStatus{Name: f.node.Name() + ": path", HardwareID: "none", Message: f.phase.String()}
	if text := f.response.text(f.cfg.Pursuit.LookaheadMin); text != "" {
		d.Message += "; " + text
		d.Level = diagnostic_msgs.DiagnosticStatusWarn
	}
	if f.tooRare() {
		d.Message += "; " + tooRare
	}
	if text := f.response.disobeys(); text != "" {
		d.Message, d.Level = text, diagnostic_msgs.DiagnosticStatusError
	}
	if f.blind.speed > 0 {
		d.Message = "driving straight ahead without a pose, to find the heading"
	}
	if f.phase == pursuit.PhaseStale || f.phase == pursuit.PhaseBadPose {
		d.Level = diagnostic_msgs.DiagnosticStatusWarn
	}
	var m diagnostic_msgs.DiagnosticArray
	m.Header.Stamp = f.node.Stamp()
	m.Status = append(append(m.Status, d), f.watch.Diagnostics()...)
	if err := f.diagnostics.Publish(&m); err != nil {
		f.warn.Warn("no diagnostics were published", "error", err.Error())
	}
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package follower

import (
	"github.com/paulmach/orb"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/planner/pursuit"
)

// watchMotion compares a command with how the position moves, while the robot drives.
func (f *Follower) watchMotion(c pursuit.Command, phase pursuit.Phase) {
	if phase != pursuit.PhaseTracking && phase != pursuit.PhaseTurning {
		f.holding = holding{}
		return
	}
	f.again()
	if !f.reversed() {
		f.drives.step(c.Linear, f.pose.V, 1/f.cfg.Rate)
		f.turns.step(c.Angular, f.pose.W, 1/f.cfg.Rate)
		if f.reversed() {
			f.node.Logger().Error(f.disobeys())
		}
	}
	before := f.holding.text(f.cfg.Pursuit.LookaheadMin)
	f.holding.step(c.Linear, 1/f.cfg.Rate, orb.Point{f.pose.X, f.pose.Y}, f.cfg.Pursuit.LookaheadMin)
	if text := f.holding.text(f.cfg.Pursuit.LookaheadMin); before == "" && text != "" {
		f.node.Logger().Warn(text)
	}
}

// diagnose publishes the follower's phase and the inputs that it waits for.
func (f *Follower) diagnose() {
	if f.diagnostics.Matched() == 0 {
		return
	}
	d := diagnostic_msgs.DiagnosticStatus{Name: f.node.Name() + ": path", HardwareID: "none", Message: f.phase.String()}
	if text := f.holding.text(f.cfg.Pursuit.LookaheadMin); text != "" {
		d.Message += "; " + text
		d.Level = diagnostic_msgs.DiagnosticStatusWarn
	}
	if f.tooRare() {
		d.Message += "; " + tooRare
	}
	if text := f.disobeys(); text != "" {
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

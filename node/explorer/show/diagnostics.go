// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package show

import (
	"strconv"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/planner/mission"
)

// LastRound is the key of the time that the last round of learning and deciding took, among the
// values of the mission on /diagnostics.
const LastRound = "last round of learning and deciding, s"

// Diagnosed reports whether anybody subscribes to diagnostics. A bag may record them without a subscription.
func (v *Show) Diagnosed() bool { return v.out.diagnostics.Matched() > 0 }

// Diagnostics publishes what is wrong, and counts, of a close-up.
func (v *Show) Diagnostics(s *Snapshot) {
	d := diagnostic_msgs.DiagnosticStatus{
		Level: diagnostic_msgs.DiagnosticStatusOK, Name: v.node.Name() + ": mission",
		HardwareID: "none", Message: s.Text,
	}
	switch s.Mission.State {
	case mission.StateFault:
		d.Level = diagnostic_msgs.DiagnosticStatusError
	case mission.StatePaused:
		d.Level = diagnostic_msgs.DiagnosticStatusWarn
	case mission.StateTravelling, mission.StateReturning:
		if s.Mission.Waiting != "" {
			d.Level = diagnostic_msgs.DiagnosticStatusWarn
		}
	}
	for _, c := range s.Close.Counts {
		d.Values = append(d.Values, diagnostic_msgs.KeyValue{Key: c.Name, Value: strconv.FormatInt(c.N, 10)})
	}
	number := func(key string, v float64) {
		d.Values = append(d.Values, diagnostic_msgs.KeyValue{Key: key, Value: strconv.FormatFloat(v, 'f', 3, 64)})
	}
	number(LastRound, s.Close.Took.Seconds())
	if rest := s.Rest; rest != nil {
		number("remaining path, including the path home, m", rest.Distance)
		number("remaining time, including the drive home, s", rest.Duration)
		number("completed share of the mission", rest.Done)
	}
	m := diagnostic_msgs.DiagnosticArray{Header: v.header(), Status: []diagnostic_msgs.DiagnosticStatus{d}}
	for _, f := range s.Close.Checked {
		m.Status = append(m.Status, f.Diagnostic(v.node))
	}
	v.warn.Unsent(v.out.diagnostics.Publish(&m))
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard

import (
	"cmp"
	"fmt"
	"math"

	"ugp_explorer/internal/num"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ros/watch"
)

// cramped is the share of the distance that fixes need to show a heading with which a robot may still start. Of simulated robots with
// receivers that state 3 to 16 m, 2 of 70 with more of it were stopped before their heading was known, and 51 of 74 with less.
const cramped = 0.77

// vouch says how a person takes the responsibility for the robot. One message counts for the time letGo alone.
const vouch = "publish true on guard/override 5 times a second until it drives by itself"

// cornered returns what a person should do before a mission if the robot stands so close to the edge that it may be stopped before fixes
// have shown where it heads, and "" if there is room.
func (g *Guard) cornered() (level uint8, text string) {
	if g.fence == nil || g.orders.state != ugp_explorer_msgs.MissionStatusStateIdle {
		return 0, ""
	}
	may, needs, lacks, settled := g.fence.Showing()
	if may >= needs {
		return 0, ""
	}
	level = ugp_explorer_msgs.GuardStatusLevelWarn
	if may < cramped*needs {
		level = ugp_explorer_msgs.GuardStatusLevelError
	}
	about, wait := "about", ""
	if !settled {
		about, wait = "up to", "wait for more fixes, "
	}
	return level, fmt.Sprintf("fixes have not yet shown the robot's heading; this close to the edge, it may drive only %.0f m, but such fixes need %s %.0f m: "+
		"%sdrive it that far straight ahead by hand, start farther inside, use a better receiver, raise allowance to %.0f m, or, if it may drive, %s",
		math.Floor(may), about, math.Ceil(needs), wait, math.Ceil(g.cfg.Allowance+lacks), vouch)
}

// status returns the guard's state and the reason for it, with what a person should know or do.
func (g *Guard) status() *ugp_explorer_msgs.GuardStatus {
	v, unknown := &g.verdict, math.NaN()
	m := &ugp_explorer_msgs.GuardStatus{
		State: v.state, Reason: v.reason, FenceReason: none, Text: words[v.state], Level: ugp_explorer_msgs.GuardStatusLevelOK,
		Clearance: unknown, SpeedLimit: unknown, TargetInset: unknown, TargetInsetAlways: unknown, FixStddev: unknown, Allowance: unknown, Deceleration: unknown, SpeedGain: unknown, FixDelay: unknown,
	}
	m.Header.Stamp = g.node.Stamp()
	if why := g.why(); why != "" {
		m.Text += ": " + why
	}
	if g.fence != nil {
		g.describe(m)
	}
	g.explain(m)
	g.warnings(m)
	return m
}

// add adds a text with its level to a status, unless it is empty.
func add(m *ugp_explorer_msgs.GuardStatus, level uint8, text string) {
	if text != "" {
		m.Level = max(m.Level, level)
		m.Text += "; " + text
	}
}

// blinds reports whether a reason is that too few fixes or too little odometry came to judge at all.
func blinds(reason string) bool {
	return reason == ugp_explorer_msgs.GuardStatusReasonNoFix || reason == ugp_explorer_msgs.GuardStatusReasonNoOdometry
}

// explain adds to a status why the robot does not drive, and whether a person is needed.
func (g *Guard) explain(m *ugp_explorer_msgs.GuardStatus) {
	v := &g.verdict
	blind := blinds(m.FenceReason)
	if v.state == passes && blind && g.node.Now() >= g.person {
		m.Text = "lets no robot drive yet: " + words[m.FenceReason]
	}
	if v.blind || blind { // which messages are missing, or why they are refused
		for _, in := range []*watch.Input{g.in.wheels, g.in.places.Input, g.in.satellites.Input} {
			add(m, m.Level, in.Told())
		}
	}
	if v.state == stops {
		m.Level = ugp_explorer_msgs.GuardStatusLevelWarn
		if num.Finite(m.Clearance) {
			add(m, m.Level, fmt.Sprintf("%.2f m to the fence are certain", m.Clearance))
			if m.TargetInset > 1 {
				add(m, m.Level, fmt.Sprintf("with such fixes, the robot can reach and leave only places at least %.1f m inside it (see allowance)", m.TargetInset))
			}
		}
	}
	if m.FenceReason != none && v.reason != m.FenceReason && halts(v.state) {
		add(m, m.Level, "in addition, "+words[m.FenceReason])
	}
	limit := patience
	if v.blind {
		limit = longPatience
	}
	if v.since > 0 && halts(v.state) && g.node.Now()-v.since > int64(limit) {
		add(m, ugp_explorer_msgs.GuardStatusLevelError, "check the robot; if it may drive, drive it by hand, or "+vouch)
	}
}

// warnings adds to a status what is wrong, or soon will be, whatever the robot does.
func (g *Guard) warnings(m *ugp_explorer_msgs.GuardStatus) {
	const warn = ugp_explorer_msgs.GuardStatusLevelWarn
	if g.verdict.reason == ugp_explorer_msgs.GuardStatusReasonNoOutline { // its text says why
		m.Level = max(m.Level, warn)
	} else {
		add(m, warn, g.outline.problem)
	}
	level, text := g.cornered()
	add(m, level, text)
	add(m, warn, g.disobeys())
	if g.in.crowd != nil {
		add(m, warn, g.in.crowd())
	}
	if past := g.past(); past != "" {
		add(m, warn, past)
		g.report.told.Warn(past)
	}
}

// rounded returns a number in whole hundredths.
func rounded(x float64) float64 { return math.Round(100*x)/100 + 0 } // not -0

// describe puts the fence's knowledge about the robot into a status, in hundredths.
func (g *Guard) describe(m *ugp_explorer_msgs.GuardStatus) {
	f := g.fence
	m.FenceReason = cmp.Or(string(f.Stops(g.node.Now())), none)
	usually, always := f.Needs()
	m.TargetInset, m.TargetInsetAlways = rounded(usually), rounded(always)
	m.FixStddev, m.SpeedLimit, m.Allowance = rounded(f.StdDev()), rounded(g.verdict.limit), rounded(g.cfg.Allowance)
	if m.Clearance = g.clearance(); math.IsInf(m.Clearance, 0) {
		m.Clearance = math.NaN()
	}
	brakes, gain, late := f.Base()
	m.Deceleration, m.SpeedGain, m.FixDelay = rounded(brakes), rounded(gain), rounded(late)
}

// diagnostic returns a status as /diagnostics has it.
func (g *Guard) diagnostic(m *ugp_explorer_msgs.GuardStatus) diagnostic_msgs.DiagnosticStatus {
	d := diagnostic_msgs.DiagnosticStatus{Level: m.Level, Name: g.node.Name() + ": commands", HardwareID: "none", Message: m.Text}
	for _, v := range []struct {
		key   string
		value float64
	}{
		{"guaranteed distance from the fence, m", m.Clearance},
		{"speed that is allowed, m/s", m.SpeedLimit},
		{"smallest distance of a target from the outline, m", m.TargetInset},
		{"smallest distance of a target from the outline while errors of fixes are far larger than usual, m", m.TargetInsetAlways},
		{"largest stated standard deviation of fixes in the last minute, m", m.FixStddev},
		{"allowance, m", m.Allowance},
		{"measured deceleration of the base, m/s²", m.Deceleration},
		{"ratio of the base's speed to the commanded speed", m.SpeedGain},
		{"delay of the stamps of fixes, s", m.FixDelay},
	} {
		if num.Finite(v.value) { // otherwise it is not known
			d.Values = append(d.Values, diagnostic_msgs.KeyValue{Key: v.key, Value: fmt.Sprintf("%.2f", v.value)})
		}
	}
	if g.fence != nil {
		turns := "the wheels"
		if g.fence.Gyroscopic() {
			turns = "the gyroscope"
		}
		d.Values = append(d.Values, diagnostic_msgs.KeyValue{Key: "source of turn rates", Value: turns})
	}
	return d
}

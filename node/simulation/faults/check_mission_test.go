// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/follower"
)

// missionView is what the explorer says about its mission.
type missionView struct {
	state, text string
	since       float64 // since when it is in that state, s
	stdDev      float64 // of the pose then, m
	changed     float64 // when it last did something: a new state, a sample, a plan or a metre, s
	metre       float64 // the distance at which it last had driven one, m
	samples     int
	distance    float64 // m, as it says
	elapsed     float64 // s, as it says
	waited      float64 // s of them in which the robot stood in the fault state, or on its way home, too uncertain of its place
	heard       bool

	begun      bool
	beganAt    float64   // s
	beganDrive float64   // what the robot had driven by then, m
	beganFrom  orb.Point // its true place then
	// beganStdDev is the standard deviation of its first pose, which a home that is not
	// configured has too, m.
	beganStdDev float64

	waits  bool      // it was begun before a restart, and nobody has said that it may continue
	short  int       // statuses in a row by which the robot should return
	target orb.Point // newest, m
	kills  int       // of the explorer

	poseAt     float64 // when a pose last arrived at the explorer, s
	dead       bool
	deadSince  float64
	aliveSince float64
}

// home returns where the robot has to return to, as well as the watcher knows.
func (v *watcher) home() (orb.Point, bool) {
	if h := v.trial.home; len(h) == 2 {
		return orb.Point{h[0], h[1]}, true
	}
	return v.mission.beganFrom, v.mission.begun
}

// homeShort returns how far from home a robot may stay, m, that Nav2 drives, since it does not go where the margin is not kept,
// or whose guard does not let it go there.
func (v *watcher) homeShort(home orb.Point) float64 {
	depth, short := v.ground.depth(home), 0.0
	if v.trial.nav2 {
		short = max(0, v.explorerConfig.Field.Margin-depth) + 0.3
	}
	if lacks := roomy + roomySigmas*v.mission.beganStdDev - depth; v.trial.guard && lacks > 0 {
		short = max(short, lacks+0.3)
	}
	return short
}

// told takes up a status.
func (v *watcher) told(s *ugp_explorer_msgs.MissionStatus) {
	m, now := &v.mission, v.seconds()
	another := s.State == "travelling" && s.HasTarget && (orb.Point{s.Target.X, s.Target.Y}) != m.target
	if s.State != m.state || int(s.SamplesTaken) != m.samples || another || strings.HasPrefix(s.Text, "waiting") && s.Text != m.text {
		m.changed = now
	}
	if math.Abs(s.Distance-m.metre) >= 1 {
		m.changed, m.metre = now, s.Distance
	}
	if s.State != m.state {
		m.state, m.since, m.stdDev = s.State, now, v.motion.stdDev
		t := &v.world.truth.pose
		v.note("STATE %s, the robot is at (%.2f, %.2f), said to be at (%.2f, %.2f) ± %.2f m", s.Text, t.X, t.Y, v.motion.estimate[0], v.motion.estimate[1], v.motion.stdDev)
	}
	if s.State == "returning" && strings.HasPrefix(s.Text, "waiting") || s.State == "fault" {
		m.waited += s.ElapsedTime - m.elapsed
	}
	m.text, m.samples, m.distance, m.elapsed, m.heard = s.Text, int(s.SamplesTaken), s.Distance, s.ElapsedTime, true
	if !m.begun && s.State != "idle" && !strings.HasPrefix(s.Text, "fault while idle") {
		m.begun, m.beganAt, m.beganDrive = true, now, v.world.truth.driven
		v.minder.tries = 0 // what he said to start it
		m.beganFrom = orb.Point{v.world.truth.pose.X, v.world.truth.pose.Y}
	}
	v.finiteAll("status", []float64{s.BestPlace.X, s.BestPlace.Y, s.Target.X, s.Target.Y, s.Distance, s.ElapsedTime, s.SignalVariance, s.NoiseVariance, s.Mean})
	v.finiteAll("status", s.LengthScales)
	budget := v.config.Explorer.Mission.Budget
	if m.waits && (s.State == "planning" || s.State == "travelling" || s.State == "sampling" || s.State == "returning") {
		v.fail("restart", "the mission goes on after a restart, and nobody has said so: %s", s.Text)
	}
	if b := budget.Samples; m.samples > b {
		v.fail("budget", "%d samples are taken, and the budget is %d", m.samples, b)
	}
	if math.IsNaN(s.RemainingDistance) || s.RemainingDistance < 0 || math.IsNaN(s.RemainingTime) || s.RemainingTime < 0 {
		v.fail("budget", "%g m and %g s are left", s.RemainingDistance, s.RemainingTime)
	}
	v.checkReach(s.State)
	v.checkTarget(s)
	v.checkReason()
	v.happens(s.State)
}

// checkTarget checks that the budget suffices for a new target, at least for the straight ways
// there and from there home.
func (v *watcher) checkTarget(s *ugp_explorer_msgs.MissionStatus) {
	m, b := &v.mission, v.config.Explorer.Mission.Budget
	target := orb.Point{s.Target.X, s.Target.Y}
	if s.State != "travelling" || !s.HasTarget || target == m.target {
		return
	}
	m.target = target
	home, ok := v.home()
	if !ok || b.Distance == 0 || v.trial.home == nil && v.ever(harmPose) || v.disturbedBy(harmTime|harmExplorer|harmPose, 10) {
		return
	}
	arm := math.Hypot(v.config.Fieldsim.Probe.Forward, v.config.Fieldsim.Probe.Left)
	way := apart(v.motion.estimate, target) + apart(target, home) - v.homeShort(home) - 2*arm - 1 - 4*m.beganStdDev
	if s.Distance+way > b.Distance+0.5 {
		v.fail("budget", "after %.1f of %.1f m the robot is sent to a target, and there and home it is at least %.1f m", s.Distance, b.Distance, way)
	}
}

// happens calls what waits for a state.
func (v *watcher) happens(state string) {
	if fn := v.waiting[state]; fn != nil {
		delete(v.waiting, state)
		fn()
	}
}

// checkReach checks that a robot that does not return home has enough of the budget left for
// the straight way there, as far as the mission knows.
func (v *watcher) checkReach(state string) {
	m, b := &v.mission, v.config.Explorer.Mission.Budget
	home, ok := v.home()
	switch state {
	case "planning", "travelling", "sampling":
	default:
		m.short = 0
		return
	}
	if !ok || !v.motion.known || v.trial.home == nil && v.ever(harmPose) {
		return // home is where the robot was said to be
	}
	way := max(0, apart(home, v.motion.estimate)-v.homeShort(home)-1-4*v.mission.beganStdDev)
	switch {
	case b.Distance > 0 && m.distance+way > b.Distance+0.5, b.Duration > 0 && m.elapsed+way/v.config.Follower.Pursuit.MaxSpeed > b.Duration+1:
		if m.short++; m.short > 3 && !v.disturbedBy(harmTime|harmExplorer|harmPose, 5) {
			v.fail("budget", "after %.1f of %.1f m and %.1f of %.1f s the mission is %s, and home is %.1f m away", m.distance, b.Distance, m.elapsed, b.Duration, state, way)
		}
	default:
		m.short = 0
	}
}

// checkReason checks that a mission that does not continue says why.
func (v *watcher) checkReason() {
	m := &v.mission
	reason := m.text
	if _, after, ok := strings.Cut(m.text, ": "); ok {
		reason = after
	}
	switch m.state {
	case "done", "fault":
		if strings.TrimSpace(reason) == "" || !strings.Contains(m.text, ": ") {
			v.fail("reason", "the mission is %s and does not say why: %q", m.state, m.text)
		}
	case "paused", "idle":
		if strings.TrimSpace(m.text) == "" {
			v.fail("reason", "the mission is %s and says nothing", m.state)
		}
	case "planning", "travelling", "sampling", "returning":
	default:
		v.fail("reason", "the mission is in an unknown state, %q", m.state)
	}
}

// checkStale checks that the explorer notices when poses cease.
func (v *watcher) checkStale() {
	m, now := &v.mission, v.seconds()
	const notice = 2.5 // s, for the tick, and for the status that says so
	limit := v.trial.config.Explorer.Mission.PoseTimeout + notice
	p := v.processes[explorer.DefaultName]
	switch m.state {
	case "travelling", "sampling", "returning":
	default:
		return
	}
	if m.dead || p.frozen || now-m.aliveSince < limit || now-m.poseAt < limit || now-m.since < limit || v.disturbedBy(harmTime|harmExplorer, limit) {
		return
	}
	v.fail("stale pose", "no pose has come for %.1f s, and the mission is still %s", now-m.poseAt, m.state)
}

// quiet reports whether nothing has disturbed how the robot drives, so that the mission must
// have come to its own end.
func (v *watcher) quiet() bool {
	return !v.ever(harmPose | harmCommand | harmPlan | harmTime | harmMotion | harmPerson | harmExplorer | harmDriver)
}

// A home has room, so that a mission must get home, if it is so far inside, m, and in standard deviations of the position at
// the start: what a guard needs at most in order to be sure of a robot there.
const roomy, roomySigmas = 1.0, 8.0

// checkEnd checks a mission that is over.
func (v *watcher) checkEnd() {
	m := &v.mission
	if v.violation != nil || !m.begun {
		return
	}
	at := orb.Point{v.world.truth.pose.X, v.world.truth.pose.Y}
	byStop := strings.Contains(m.text, "stop was requested")
	refused := strings.Contains(m.text, "too small to return home") || strings.Contains(m.text, "too small for a sample")
	driven := v.world.truth.driven - m.beganDrive
	home, _ := v.home()
	if !byStop && !refused && !v.ever(harmPose|harmTime) {
		limit := v.explorerConfig.Mission.HomeTolerance + 4*(max(m.stdDev, v.motion.stdDev)+m.beganStdDev) + 0.5
		limit += v.homeShort(home)
		if d := apart(at, home); d > limit {
			v.fail("home", "the mission is over (%s), and the robot is %.2f m from home, more than %.2f m", m.text, d, limit)
		}
	}
	if n := len(v.samples.acknowledged); m.samples < n || m.samples > n+m.kills {
		v.fail("budget", "the mission counts %d samples, and %d were published", m.samples, n)
	}
	if v.minder.stops > 0 && !v.ever(harmPose|harmTime|harmPerson) && v.ground.depth(home) > roomy+roomySigmas*m.beganStdDev {
		v.fail("goes", "nothing has lied, there is room, and the mission had to be stopped: %s", m.text)
	}
	if !v.quiet() {
		return
	}
	if took := m.since - m.beganAt; !refused && math.Abs(m.elapsed-took) > 5 {
		v.fail("budget", "the mission says that it took %.1f s, and it took %.1f s", m.elapsed, took)
	}
	b := v.config.Explorer.Mission.Budget
	if v.minder.stops > 0 && !v.trial.narrow() {
		v.fail("ends", "nothing has disturbed the drive, and the mission had to be stopped: %s", m.text)
	}
	if b.Distance > 0 && !refused && driven > 1.1*b.Distance+1+v.homeShort(home) { // it turns round before a home that its guard does not let it to
		v.fail("budget", "the robot has driven %.1f m, and the budget is %.1f m", driven, b.Distance)
	}
	if b.Duration > 0 && !refused && m.elapsed-m.waited > b.Duration+1 {
		v.fail("budget", "the mission took %.1f s, %.1f s of them waiting, and the budget is %.1f s", m.elapsed, m.waited, b.Duration)
	}
	wanders := 0.0 // the way of poses without speeds, as of a receiver whose fixes wander
	if v.config.Explorer.PoseSource == "pose" {
		wanders = 2 * v.trial.stated()
	}
	if off := math.Abs(m.distance - driven); !refused && off > 0.25*driven+3+wanders {
		v.fail("budget", "the mission says that %.1f m were driven, and it were %.1f m", m.distance, driven)
	}
}

// minder is the person who looks after the mission.
type minder struct {
	said  float64 // when he last said something, s
	tries int     // since the mission last did something
	calm  float64 // since when nothing is wrong, s; 0: something is
	stops int
	asked bool // stop was said because time was up
}

const (
	// mindPeriod is the time between two commands of the minder, s.
	mindPeriod = 8.0
	// longest is the time in which a mission must be over when nothing is wrong any more, s.
	longest = 1500.0
	// idleLimit is the time in which an active mission must do something, s.
	idleLimit = 400.0
)

// answer vouches for the robot.
func (w *world) answer() {
	v := w.watcher
	v.note("ANSWERS for the robot")
	_ = w.override.Publish(&std_msgs.Bool{Data: true})
	v.motion.byHand = w.seconds() + 0.5 // as long as the guard takes one message for a hand
}

// mind starts the mission, lets it continue after a pause or a fault when all is well again, and
// sends it home and stops it if that does not help. It tells the pose of a robot that says that it
// has no heading, knows its place too badly, or leaves the field, and answers for one that the guard stops.
func (w *world) mind() {
	v := w.watcher
	m, d, now := &v.mission, &v.minder, w.seconds()
	if w.active > 0 || m.dead || w.processes[follower.DefaultName].dead {
		d.calm = 0
	} else if d.calm == 0 {
		d.calm = now
	}
	if now-d.said < mindPeriod || !m.heard {
		return
	}
	say := func(word string) {
		v.note("SAYS %s", word)
		d.said = now
		w.say(word)
	}
	quietly := d.calm > 0 && now-d.calm > mindPeriod
	switch {
	case m.state == "idle" && (!w.config.Explorer.AutoStart || now > 20):
		if d.tries++; d.tries > 20 && quietly {
			d.stops++
			say("stop")
		} else {
			if strings.Contains(m.text, "or, if it may drive, publish true on guard/override") {
				w.answer()
			}
			say("start")
		}
	case m.state == "done" || !quietly:
		d.tries = 0
	case m.state == "paused" || m.state == "fault":
		if slices.ContainsFunc([]string{"no heading yet", "the heading is lost", "drive the robot some metres by hand", "the robot is leaving the field"},
			func(said string) bool { return strings.Contains(m.text, said) }) {
			v.note("TELLS the pose")
			w.tellPose()
		}
		// He looks at the robot: one that has come out he would drive by hand.
		inside := v.out(orb.Point{w.truth.pose.X, w.truth.pose.Y}) <= v.out(orb.Point{w.trial.start.X, w.trial.start.Y})
		if strings.Contains(m.text, "the guard stops the robot") && inside {
			w.answer()
		}
		d.tries++
		look := inside || !strings.Contains(m.text, "resume the mission if it may drive on nevertheless")
		switch {
		case d.tries <= 6 && look:
			say("resume")
		case d.tries <= 10 && look:
			say("home")
		case d.tries <= 10:
			d.said = now
		default:
			d.stops++
			say("stop")
			if d.tries > 14 {
				v.fail("ends", "stop is not obeyed: the mission is %s: %s", m.state, m.text)
			}
		}
	case now-d.calm > longest || now-m.changed > idleLimit:
		if d.asked {
			v.fail("ends", "stop is not obeyed: the mission is %s: %s", m.state, m.text)
		}
		if now-m.changed > idleLimit {
			v.fail("ends", "the mission has done nothing for %.0f s: %s: %s", now-m.changed, m.state, m.text)
		}
		d.asked = true
		d.stops++
		say("stop")
	}
}

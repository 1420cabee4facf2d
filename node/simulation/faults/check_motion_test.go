// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"math"
	"slices"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/num"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/follower"
	"ugp_explorer/sim"
)

// motionView is what the watcher knows about where the robot is, is said to be and is sent.
type motionView struct {
	commanded float64 // forward speed that has arrived at the robot, m/s

	estimate   orb.Point // as it arrived at explorer and follower
	stdDev     float64   // as it said
	heardAt    float64   // s
	known      bool
	leastOut   float64 // least distance outside since the estimate left the field, m; 0: it is inside
	hasBeenIn  bool    // the robot was inside since the trial began
	put        float64 // how far outside it was put where it has not been inside since, m
	byHand     float64 // until when a person answers for it, s
	farthest   float64 // how far outside it was at most, m
	standSince float64 // since when the robot must stand, s; -1: it need not
	why        string
	trail      []step // true places of the probe
}

// step is where the probe was at a time, s.
type step struct {
	at    float64
	probe orb.Point
}

// trailTime is the time for which true places are kept, s.
const trailTime = 60

const (
	// stray is how far the robot may be outside beside its stated uncertainty, m: what the
	// follower swings out, beyond the margin.
	stray = 0.3
	// deviations is the number of standard deviations that count as its stated uncertainty.
	deviations = 3
	// leave is how far outside the robot may come without a guard, m, farther than it was put, and
	// leaveGuarded how far outside its fence with one.
	leave, leaveGuarded = 5.0, 0.5
	// farther is how much farther out a robot may drive before it turns back, m, and
	// fartherLost the same for one that may not know its heading, because it was carried or
	// misled: it finds it by driving.
	farther, fartherLost = 1.0, 6.0
	// fartherGuarded is how much farther out a guard lets a robot drive that begins outside: a metre of its way tells where it is
	// heading, with a tenth for the wheels and twice what it may swing.
	fartherGuarded = 1.4
	// standTime is the time within which the robot has to stand, s, and brakeTime what it
	// takes to slow down from its largest speed at the follower's deceleration.
	standTime, brakeTime = 2.0, 2.0
	// standSpeed is the speed below which it stands, m/s.
	standSpeed = 0.06
)

// moved takes up where the robot is.
func (v *watcher) moved(m *nav_msgs.Odometry) {
	p, q := m.Pose.Pose.Position, m.Pose.Pose.Orientation
	at := sim.Pose{X: p.X, Y: p.Y, Yaw: heading(q.Z, q.W)}
	t := &v.world.truth
	t.driven += math.Abs(m.Twist.Twist.Linear.X) / v.config.Fieldsim.Rate // not what it slides in turns
	t.pose, t.speed, t.known = at, math.Hypot(m.Twist.Twist.Linear.X, m.Twist.Twist.Linear.Y), true
	k := &v.motion
	k.trail = prune(append(k.trail, step{v.seconds(), v.probe()}), v.seconds(), func(s step) float64 { return s.at })
	v.checkPlace()
	v.checkStand()
	v.checkStale()
}

// located takes up where the robot is said to be.
func (v *watcher) located(m *nav_msgs.Odometry) {
	p, c := m.Pose.Pose.Position, &m.Pose.Covariance
	at := orb.Point{p.X, p.Y}
	for _, x := range []float64{p.X, p.Y, c[0], c[1], c[7]} {
		if !num.Finite(x) {
			return
		}
	}
	k := &v.motion
	jumps := k.known && apart(at, k.estimate) > 1
	k.estimate, k.stdDev, k.heardAt = at, spread(c[0], c[1], c[7]), v.seconds()
	if !k.known {
		k.known, v.mission.beganStdDev = true, k.stdDev
	}
	out, more := -v.ground.depth(at), farther
	if v.ever(harmPose) {
		more = fartherLost
	}
	switch {
	case !(out > deviations*k.stdDev+stray) || out <= v.homeOut()+deviations*k.stdDev+farther: // or a covariance that is none
		k.leastOut = 0
	case v.trial.home == nil && v.ever(harmPose) && v.mission.state == "returning": // to where it was said to be
		k.leastOut = 0
	case k.leastOut == 0 || jumps || out < k.leastOut || v.disturbedBy(harmCommand|harmPose|harmTime, 5):
		k.leastOut = out // where it was driven meanwhile does not count against it
	case out > k.leastOut+more && k.commanded > standSpeed:
		v.fail("commanded outside", "the robot is said to be at (%.2f, %.2f) ± %.2f m, %.2f m outside, %.2f m farther than before, and is told to drive %.2f m/s",
			at[0], at[1], k.stdDev, out, out-k.leastOut, k.commanded)
	}
}

// homeOut returns how far home is outside, m; 0: it is inside.
func (v *watcher) homeOut() float64 {
	home, ok := v.home()
	if !ok {
		return math.Inf(1)
	}
	return max(0, -v.ground.depth(home))
}

// checkPlace checks that the robot is in the field, as well as it can know.
func (v *watcher) checkPlace() {
	k, t := &v.motion, &v.world.truth
	at := orb.Point{t.pose.X, t.pose.Y}
	out := v.out(at)
	v.checkField(at, out)
	if out == 0 {
		k.hasBeenIn = true
	}
	limit := deviations*k.stdDev + stray
	if home := v.homeOut(); home > 0 { // it is where the robot was said to be when the mission began
		limit += home + deviations*v.mission.beganStdDev
	}
	if !k.hasBeenIn || !k.known || out <= limit || v.ever(harmPose|harmTime|harmCommand) {
		return
	}
	v.fail("outside", "the robot is at (%.2f, %.2f), %.2f m outside the field or in a keep-out; its pose has a standard deviation of %.2f m, so %.2f m are allowed",
		at[0], at[1], out, k.stdDev, limit)
}

// checkField checks that the robot does not leave the field, whoever lies to it. How far outside it
// was put, a person let it get who answered for it, or its home is, does not count.
func (v *watcher) checkField(at orb.Point, out float64) {
	k := &v.motion
	if out == 0 {
		k.put = 0
	} else if v.world.seconds() <= k.byHand {
		k.put = max(k.put, out)
	}
	k.farthest = max(k.farthest, out)
	limit := k.put + leave
	if v.trial.guard {
		limit = v.trial.fence() + leaveGuarded
		if slices.ContainsFunc(v.trial.Faults, func(f Fault) bool { return f.Kind == "turned" }) { // only the next fix shows where it heads
			limit += v.config.Follower.Pursuit.MaxSpeed * v.config.Fieldsim.Fix.Period
		}
		if k.put > 0 { // the guard needs as much to learn where it is heading
			limit = max(limit, k.put+fartherGuarded)
		}
	}
	if v.mission.begun {
		limit = max(limit, v.homeOut()+leaveGuarded)
	}
	if out > limit {
		v.fail("left the field", "the robot is at (%.2f, %.2f), %.2f m outside the field or in a keep-out, and %.2f m are allowed", at[0], at[1], out, limit)
	}
}

// out returns how far a place is outside the field or in a keep-out, m; 0: it is not.
func (v *watcher) out(at orb.Point) float64 { return max(0, -v.ground.depth(at)) }

// planned checks that a path stays in the field, apart from the way in of a robot that is
// outside, and the way out to a home that is.
func (v *watcher) planned(topic string, m *nav_msgs.Path) {
	var path []orb.Point
	for i := range m.Poses {
		v.finite(topic, m.Poses[i].Pose)
		p := m.Poses[i].Pose.Position
		path = append(path, orb.Point{p.X, p.Y})
	}
	if len(path) < 2 || v.violation != nil {
		return
	}
	const pace, slack = 0.1, 0.02 // m
	var out []float64             // distance outside of places along the path
	for i := 1; i < len(path); i++ {
		a, b := path[i-1], path[i]
		n := 1 + int(apart(a, b)/pace)
		for j := range n {
			s := float64(j) / float64(n)
			out = append(out, -v.ground.depth(orb.Point{a[0] + s*(b[0]-a[0]), a[1] + s*(b[1]-a[1])}))
		}
	}
	end := path[len(path)-1]
	out = append(out, -v.ground.depth(end))
	from, to := 0, len(out)
	for from < to && out[from] > slack {
		from++
	}
	if home, ok := v.home(); ok && (apart(home, end) < 0.5+5*v.mission.beganStdDev || v.trial.home == nil && v.ever(harmPose)) {
		for to > from && out[to-1] > slack {
			to--
		}
	}
	for i := from; i < to; i++ {
		if out[i] > slack {
			v.fail("path outside", "a path of %d places leads %.2f m out of the field or into a keep-out, %.1f m after it was inside; it ends at (%.2f, %.2f)",
				len(path), out[i], pace*float64(i-from), end[0], end[1])
			return
		}
	}
	if way := pace * float64(from); from > 0 && way > 1.5*max(out[0], 0)+1 && way > 1.5*out[0]+v.homeOut()+1 {
		v.fail("path outside", "a path leads %.1f m through places outside, though the field is only %.2f m from its start", way, out[0])
	}
}

// checkStand checks that the robot stands when it must.
func (v *watcher) checkStand() {
	k, now := &v.motion, v.seconds()
	why, grace := v.mustStand()
	if why == "" {
		k.standSince, k.why = -1, ""
		return
	}
	if k.why != why {
		k.standSince, k.why = now, why
	}
	if k.standSince < 0 || now-k.standSince <= grace || v.world.truth.speed < standSpeed {
		return
	}
	v.fail("stands", "the robot drives %.2f m/s %.1f s after it had to stand: %s", v.world.truth.speed, now-k.standSince, why)
}

// mustStand says why the robot must stand, "" if it need not, and how long it may take, s.
func (v *watcher) mustStand() (why string, grace float64) {
	k, m, now := &v.motion, &v.mission, v.seconds()
	if v.disturbedBy(harmCommand|harmPlan, standTime+brakeTime) {
		return "", 0
	}
	timeout := v.config.Follower.GoalTimeout
	alive := v.processes[follower.DefaultName]
	switch {
	case alive.dead || alive.frozen:
		return "its follower is gone", standTime
	case k.known && now-k.heardAt > v.followerPatience():
		return "its pose is stale", standTime
	case v.trial.nav2 && (v.processes[nav2Name].dead || v.processes[nav2Name].frozen):
		return "Nav2 is gone", timeout + standTime + brakeTime
	case m.dead && !v.trial.nav2:
		return "its explorer is gone", timeout + standTime + brakeTime
	case m.dead || v.trial.nav2 && v.disturbedBy(harmDriver|harmMotion, 15):
		return "", 0 // Nav2 continues with its goal, or has not heard of the stop
	case m.state == "paused" || m.state == "fault" || m.state == "done" || m.state == "idle":
		return "the mission is " + m.state, standTime + brakeTime
	}
	return "", 0
}

// followerPatience returns the age of a pose with which the follower stops, s.
func (v *watcher) followerPatience() float64 { return v.config.Follower.Pursuit.MaxPoseAge }

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package heading finds the heading of a robot whose localisation knows only the position, by a short drive straight ahead, or tells a
// person how to do so.
package heading

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/explorer/drive"
	"ugp_explorer/node/explorer/ground"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/sense"
	"ugp_explorer/planner/mission"
)

const (
	// headingPeriod is the time between two speeds on heading_drive, on which the follower
	// stops when none comes for half a second.
	headingPeriod = 100 * time.Millisecond
	// headingStops is the number of speeds of 0 by which a drive is ended.
	headingStops = 10
)

// Finder finds the heading. Use it only from its node's executor.
type Finder struct {
	node    *ros.Node
	cfg     *settings.Config
	sense   *sense.Sense
	ground  *ground.Ground
	guard   *drive.Guard
	mission Mission
	warn    ros.Throttle

	speed  *ros.Publisher[std_msgs.Float64, *std_msgs.Float64]
	poses  *ros.Subscription     // nil while there are poses with a heading, so that bags do not hold them twice
	at     localization.Pose     // the newest position without a heading
	came   int64                 // when it came, ns; 0: never
	said   bool                  // the log says that there is no heading
	drive  *mission.HeadingDrive // nil: none under way
	timer  *exec.Timer
	stops  int        // speeds of 0 still to be sent
	found  func()     // called when the heading is known
	held   string     // why the guard stopped the robot during the drive, or ""
	lost   *orb.Point // where a drive ended because positions had ceased to change, and begins again when they do, m; nil: none waits
	failed bool       // the mission is in the fault state because of such a drive
}

// Mission has a finder's questions and reports to the mission.
type Mission struct {
	GoesOn  func() bool         // reports whether the mission continues by itself when there are poses
	Starts  func() bool         // reports whether it starts by itself with the first pose
	Changed func()              // is called when a drive begins or ends
	Failed  func(reason string) // is called when a drive has not found the heading
}

// New returns a finder that listens for positions.
func New(node *ros.Node, cfg *settings.Config, s *sense.Sense, g *ground.Ground, guard *drive.Guard, m Mission) (*Finder, error) {
	speed, err := ros.Advertise[std_msgs.Float64](node, "heading_drive", ros.Commands())
	h := &Finder{node: node, cfg: cfg, sense: s, ground: g, guard: guard, mission: m, warn: node.NewThrottle(time.Second), speed: speed}
	return h, cmp.Or(err, h.listen())
}

func (h *Finder) listen() (err error) {
	h.poses, err = h.sense.Positions(h.onPosition)
	return err
}

// Drive describes the drive under way, or is "".
func (h *Finder) Drive() string {
	if h.drive == nil {
		return ""
	}
	return h.drive.String()
}

// Failed reports whether the last drive ended without a heading.
func (h *Finder) Failed() bool { return h.failed }

// ClockChanged is called after the clock was shifted by a number of ns.
func (h *Finder) ClockChanged(by int64) {
	h.End()
	if h.came != 0 {
		h.came += by
	}
}

// Watch listens for positions again when poses have ceased: the localisation may have lost
// the heading.
func (h *Finder) Watch() {
	if h.poses != nil || time.Duration(h.node.Now()-h.sense.Pose().Stamp) <= ros.Duration(h.cfg.Mission.PoseTimeout) {
		return
	}
	if err := h.listen(); err != nil {
		h.warn.Warn("the explorer cannot subscribe to positions without a heading", "error", err.Error())
	}
}

// onPosition handles a position without a heading.
func (h *Finder) onPosition(pose localization.Pose) {
	h.at, h.came = pose, h.node.Now()
	if h.lost != nil && *h.lost == (orb.Point{pose.X, pose.Y}) { // the filter repeats it
		return
	}
	h.lost = nil
	begins := h.mayDrive() && (h.mission.Starts() || h.mission.GoesOn())
	if h.said || !h.Lacks() || begins && (h.speed.Matched() == 0 || !h.node.Settled()) {
		return
	}
	h.said = true
	if !begins {
		h.node.Logger().Warn(h.Advice())
	} else if ok, text := h.Find(nil); !ok { // the pose that it finds starts the mission
		h.node.Logger().Warn(text)
	}
}

// mayDrive reports whether drives for the heading are allowed.
func (h *Finder) mayDrive() bool {
	return h.cfg.Interface != settings.GoalAction && h.cfg.HeadingDrive > 0
}

// Lacks reports whether the position of the robot is known now, and its heading is not.
func (h *Finder) Lacks() bool {
	age := ros.Duration(h.cfg.Mission.PoseTimeout)
	fresh := h.came != 0 && time.Duration(h.node.Now()-h.came) <= age
	return fresh && (!h.sense.HasPose() || time.Duration(h.at.Stamp-h.sense.Pose().Stamp) > age)
}

// Advice says what to do about an unknown heading.
func (h *Finder) Advice() string {
	if h.mission.GoesOn() {
		return "the heading is lost: " + h.byHand(", or send /initialpose")
	}
	switch {
	case h.cfg.Interface == settings.GoalAction:
		return "no heading yet, and Nav2 cannot drive without it: " + h.byHand(" or give initial_yaw")
	case h.cfg.HeadingDrive == 0:
		return "no heading yet: " + h.byHand(", give initial_yaw, or set heading_drive.distance")
	}
	if _, err := h.begin(); err != nil {
		return h.noDrive(err)
	}
	return fmt.Sprintf("no heading yet: %s drives it up to %g m straight ahead",
		h.byHand(", give initial_yaw, or start the mission, which"), h.cfg.HeadingDrive)
}

// noDrive says why no drive can find the heading, and what to do.
func (h *Finder) noDrive(why error) string {
	return "no heading yet, and no drive can find it: " + why.Error() + "; " + h.byHand(" or give initial_yaw")
}

// byHand says what a person can do, and that the robot takes over then, if it does.
func (h *Finder) byHand(otherwise string) string {
	at, _ := h.position()
	then := ""
	if h.mission.GoesOn() {
		then = " (the mission then continues by itself; if it must not, pause it before you drive)"
	}
	return fmt.Sprintf("drive the robot %g m by hand%s", localization.HeadingDistance(at.StdDev, localization.HandSpeed), then) + otherwise
}

// headingSpeed is the speed of the drive that finds the heading, m/s: a walk, at which a person can
// stop the robot.
const headingSpeed = 0.3

// position returns the newest position, and its distance from the nearest edge.
func (h *Finder) position() (p mission.Position, room float64) {
	at := orb.Point{h.at.X, h.at.Y}
	major, _, _ := h.at.PositionCovariance().Axes()
	return mission.Position{At: at, StdDev: major}, h.ground.Region().SignedDistance(at)
}

// begin returns a drive from the newest position, or why there can be none.
func (h *Finder) begin() (*mission.HeadingDrive, error) {
	if why := h.guard.Helpless(); why != "" {
		return nil, errors.New(why)
	}
	at, room := h.position()
	return mission.BeginHeadingDrive(mission.HeadingDriveConfig{
		Distance: h.cfg.HeadingDrive, Speed: headingSpeed, Margin: h.ground.Region().Margin(), FixTimeout: h.cfg.Mission.PoseTimeout,
	}, h.node.Now(), at, room)
}

// Find begins a drive, after which found is called. If the robot must not drive, it returns false and the reason.
func (h *Finder) Find(found func()) (ok bool, text string) {
	switch {
	case h.drive != nil:
		return true, h.drive.String()
	case !h.mayDrive():
		return false, h.Advice()
	case h.speed.Matched() == 0:
		return false, "no heading yet, and nothing subscribes to " + h.speed.Info().Name + ": start this package's follower, or " + h.byHand(" or give initial_yaw")
	}
	drive, err := h.begin()
	if err != nil {
		return false, h.noDrive(err)
	}
	h.drive, h.found, h.failed, h.held, h.stops = drive, found, false, "", 1 // a speed of 0 begins a new drive
	if h.timer == nil {
		if h.timer, err = h.node.NewTimer(headingPeriod, h.step); err != nil {
			return false, err.Error()
		}
	}
	h.mission.Changed()
	h.node.Logger().Info("the robot drives straight ahead to find its heading",
		"distance_m", h.cfg.HeadingDrive, "speed_m_s", headingSpeed)
	return true, drive.String()
}

// step sends the speed for the present time, and watches the drive.
func (h *Finder) step() {
	switch {
	case h.stops > 0:
		h.stops--
		h.send(0)
	case h.drive == nil:
		h.timer.Stop()
		h.timer = nil
	default:
		at, room := h.position()
		speed, err := h.drive.Step(h.node.Now(), at, room)
		if err != nil {
			h.ended(err)
			return
		}
		if speed > 0 { // a robot that may stand is not stopped
			h.held = cmp.Or(h.guard.Stops(), h.held)
		}
		h.send(speed)
	}
}

// ended ends a drive that has not found the heading. One that began by itself, and whose positions ceased, begins again when they come again.
func (h *Finder) ended(why error) {
	byItself, held := h.found == nil, h.held
	h.End()
	if byItself && errors.Is(why, mission.ErrNoPositions) {
		h.said, h.lost = false, &orb.Point{h.at.X, h.at.Y}
		h.node.Logger().Warn("the drive for the heading has ended, and begins again when positions come: " + why.Error())
		return
	}
	h.failed = true
	reason := "the heading was not found: " + why.Error()
	if held != "" {
		reason += "; " + held
	}
	h.mission.Failed(reason)
}

// Known ends the drive when there is a pose.
func (h *Finder) Known() {
	h.said = false
	if h.poses != nil {
		if err := h.poses.Close(); err != nil {
			h.warn.Warn("a subscription was not closed", "error", err.Error())
		}
		h.poses = nil
	}
	if h.drive == nil {
		return
	}
	found := h.found
	h.node.Logger().Info("the heading is known", "yaw_rad", h.sense.Pose().Yaw, "drive", h.drive.String())
	h.End()
	if found != nil {
		found()
	}
}

// End ends the drive, if there is one.
func (h *Finder) End() {
	if h.drive == nil {
		return
	}
	h.drive, h.found, h.stops = nil, nil, headingStops
	h.send(0)
	h.mission.Changed()
}

func (h *Finder) send(speed float64) {
	h.warn.Unsent(h.speed.Publish(&std_msgs.Float64{Data: speed}))
}

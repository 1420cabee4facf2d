package explorer

import (
	"fmt"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/planner/mission"
)

const (
	// headingPeriod is the time between two speeds on heading_drive, on which the follower
	// stops when none comes for half a second.
	headingPeriod = 100 * time.Millisecond
	// headingStops is the number of speeds of 0 by which a drive is ended.
	headingStops = 10
)

// stateHeading is the state that others see while a drive finds the heading. The mission's is another:
// it has not begun, or waits for poses.
const stateHeading mission.State = "heading"

// heading finds the heading of a robot whose localisation knows the position only, by a
// short drive straight ahead.
type heading struct {
	speed  *ros.Publisher[std_msgs.Float64, *std_msgs.Float64]
	poses  *ros.Subscription     // nil while there are poses with a heading, so that bags do not hold them twice
	at     localization.Pose     // the newest position without a heading
	came   int64                 // when it came, ns; 0: never
	said   bool                  // the log says that there is no heading
	drive  *mission.HeadingDrive // nil: none under way
	timer  *exec.Timer
	stops  int    // speeds of 0 still to be sent
	found  func() // called when the heading is known
	failed bool   // the mission is in the fault state because of such a drive
}

func (a *active) listenForPositions() (err error) {
	h := &a.heading
	h.poses, err = a.sense.Positions(a.onPosition)
	return err
}

// watchHeading listens for positions again when poses have ceased: the localisation may have lost
// the heading.
func (a *active) watchHeading() {
	h := &a.heading
	if h.poses != nil || time.Duration(a.now()-a.sense.Pose().Stamp) <= ros.Duration(a.cfg.Mission.PoseTimeout) {
		return
	}
	if err := a.listenForPositions(); err != nil {
		a.warn.Warn("positions without a heading are not heard", "error", err.Error())
	}
}

// onPosition takes up a position without a heading.
func (a *active) onPosition(pose localization.Pose) {
	h := &a.heading
	h.at, h.came = pose, a.now()
	begins := a.mayFindHeading() && (a.awaited == theStart || a.endsByItself())
	if h.said || !a.lacksHeading() || begins && h.speed.Matched() == 0 {
		return
	}
	h.said = true
	if !begins {
		a.node.Logger().Warn(a.headingAdvice())
	} else if ok, text := a.findHeading(nil); !ok { // the pose that it finds starts the mission
		a.node.Logger().Warn(text)
	}
}

// mayFindHeading reports whether drives for the heading are allowed.
func (a *active) mayFindHeading() bool {
	return a.cfg.Interface != settings.GoalAction && a.cfg.HeadingDrive > 0
}

// lacksHeading reports whether the position of the robot is known now, and its heading is not.
func (a *active) lacksHeading() bool {
	h := &a.heading
	age := ros.Duration(a.cfg.Mission.PoseTimeout)
	fresh := h.came != 0 && time.Duration(a.now()-h.came) <= age
	return fresh && (!a.sense.HasPose() || time.Duration(h.at.Stamp-a.sense.Pose().Stamp) > age)
}

// headingAdvice says what to do about a heading that is not known.
func (a *active) headingAdvice() string {
	if a.endsByItself() {
		return "the heading is lost: " + a.headingByHand(", or send /initialpose")
	}
	switch {
	case a.cfg.Interface == settings.GoalAction:
		return "no heading yet, and Nav2 cannot drive without it: " + a.headingByHand(" or give initial_yaw")
	case a.cfg.HeadingDrive == 0:
		return "no heading yet: " + a.headingByHand(", give initial_yaw, or set heading_drive.distance")
	}
	return fmt.Sprintf("no heading yet: %s drives it up to %g m straight ahead",
		a.headingByHand(", give initial_yaw, or call ~/start, which"), a.cfg.HeadingDrive)
}

// headingByHand says what a person can do, and that the robot takes over then, if it does.
func (a *active) headingByHand(otherwise string) string {
	at, _ := a.positionWithoutHeading()
	then := ""
	if a.endsByItself() {
		then = " (the mission then goes on by itself: call ~/pause before, and ~/resume after it)"
	}
	return fmt.Sprintf("drive the robot %g m by hand%s", localization.HeadingDistance(at.StdDev), then) + otherwise
}

// headingSpeed is the speed of the drive that finds the heading, m/s: a walk, at which a person can
// stop the robot.
const headingSpeed = 0.3

// positionWithoutHeading returns the newest position, and its distance from the nearest edge.
func (a *active) positionWithoutHeading() (p mission.Position, room float64) {
	h := &a.heading
	at := orb.Point{h.at.X, h.at.Y}
	major, _, _ := h.at.PositionCovariance().Axes()
	return mission.Position{At: at, StdDev: major}, a.ground.Region().SignedDistance(at)
}

// findHeading begins a drive, after which found is called. It returns false, and why, when the
// robot must not drive.
func (a *active) findHeading(found func()) (ok bool, text string) {
	h := &a.heading
	switch {
	case h.drive != nil:
		return true, h.drive.String()
	case !a.mayFindHeading():
		return false, a.headingAdvice()
	case h.speed.Matched() == 0:
		return false, "no heading yet, and nobody listens on " + h.speed.Info().Name + ": start this package's follower, or " + a.headingByHand(" or give initial_yaw")
	}
	at, room := a.positionWithoutHeading()
	drive, err := mission.BeginHeadingDrive(mission.HeadingDriveConfig{
		Distance: a.cfg.HeadingDrive, Speed: headingSpeed, Margin: a.ground.Region().Margin(), FixTimeout: a.cfg.Mission.PoseTimeout,
	}, a.now(), at, room)
	if err != nil {
		return false, "no heading yet, and no room to find it: " + err.Error() + "; " + a.headingByHand(" or give initial_yaw")
	}
	h.drive, h.found, h.failed, h.stops = drive, found, false, 1 // a speed of 0 begins a new drive
	if h.timer == nil {
		if h.timer, err = a.node.NewTimer(headingPeriod, a.stepHeading); err != nil {
			return false, err.Error()
		}
	}
	a.publishStatus()
	a.node.Logger().Info("the robot drives straight ahead to find its heading",
		"distance_m", a.cfg.HeadingDrive, "speed_m_s", headingSpeed, "room_m", room)
	return true, drive.String()
}

// stepHeading sends the speed for the present time, and watches the drive.
func (a *active) stepHeading() {
	h := &a.heading
	switch {
	case h.stops > 0:
		h.stops--
		a.sendHeadingSpeed(0)
	case h.drive == nil:
		h.timer.Stop()
		h.timer = nil
	default:
		at, room := a.positionWithoutHeading()
		speed, err := h.drive.Step(a.now(), at, room)
		if err != nil {
			a.endHeadingDrive()
			h.failed = true
			a.tell(mission.EventFault{Stamp: a.now(), Reason: "the heading was not found: " + err.Error()})
			return
		}
		a.sendHeadingSpeed(speed)
	}
}

// headingKnown ends the drive when there is a pose.
func (a *active) headingKnown() {
	h := &a.heading
	h.said = false
	if h.poses != nil {
		if err := h.poses.Close(); err != nil {
			a.warn.Warn("a subscription was not closed", "error", err.Error())
		}
		h.poses = nil
	}
	if h.drive == nil {
		return
	}
	found := h.found
	a.node.Logger().Info("the heading is known", "yaw_rad", a.sense.Pose().Yaw, "drive", h.drive.String())
	a.endHeadingDrive()
	if found != nil {
		found()
	}
}

// endHeadingDrive ends the drive, if there is one.
func (a *active) endHeadingDrive() {
	h := &a.heading
	if h.drive == nil {
		return
	}
	h.drive, h.found, h.stops = nil, nil, headingStops
	a.sendHeadingSpeed(0)
	a.publishStatus()
}

func (a *active) sendHeadingSpeed(speed float64) {
	a.warn.Unsent(a.heading.speed.Publish(&std_msgs.Float64{Data: speed}))
}

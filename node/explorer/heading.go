package explorer

import (
	"fmt"
	"math"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/sense"
	"ugp_explorer/planner/field"
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
	node   *ros.Node
	cfg    *Config
	region *field.Region
	sense  *sense.Sense
	warn   ros.Throttle

	speed *ros.Publisher[std_msgs.Float64, *std_msgs.Float64]
	poses *ros.Subscription // nil while there are poses with a heading, so that bags do not hold them twice
	at    localization.Pose // the newest position without a heading
	came  int64             // when it came, ns; 0: never
	said  bool              // the log says that there is no heading

	drive *mission.HeadingDrive // nil: none under way
	timer *exec.Timer
	stops int                 // speeds of 0 still to be sent
	found func()              // called when the heading is known
	fail  func(reason string) // called when a drive has not found it
	// mayBegin reports whether a drive may begin that nobody has asked for.
	mayBegin func() bool
	// changed is called when a drive begins or ends.
	changed func()
	// goesOn reports whether the mission goes on by itself when the heading is known.
	goesOn func() bool
	// failed says that the mission is in the fault state because of such a drive.
	failed bool
}

func (h *heading) open() (err error) {
	if h.speed, err = ros.Advertise[std_msgs.Float64](h.node, "heading_drive", ros.Commands()); err != nil {
		return err
	}
	return h.listen()
}

func (h *heading) listen() (err error) {
	h.poses, err = h.sense.Positions(h.onPosition)
	return err
}

// watch listens for positions again when poses have ceased: the localisation may have lost
// the heading.
func (h *heading) watch() {
	if h.poses != nil || time.Duration(h.node.Now()-h.sense.Pose().Stamp) <= seconds(h.cfg.Mission.PoseTimeout) {
		return
	}
	if err := h.listen(); err != nil {
		h.warn.Warn("positions without a heading are not heard", "error", err.Error())
	}
}

// onPosition takes up a position without a heading.
func (h *heading) onPosition(pose localization.Pose) {
	h.at, h.came = pose, h.node.Now()
	begins := h.mayDrive() && h.mayBegin()
	if h.said || !h.lacks() || begins && h.speed.Matched() == 0 {
		return
	}
	h.said = true
	if !begins {
		h.node.Logger().Warn(h.advice())
	} else if ok, text := h.begin(nil); !ok { // the pose that it finds starts the mission
		h.node.Logger().Warn(text)
	}
}

// mayDrive reports whether drives for the heading are allowed.
func (h *heading) mayDrive() bool {
	return h.cfg.Interface != goalAction && h.cfg.HeadingDrive > 0
}

// lacks reports whether the position of the robot is known now, and its heading is not.
func (h *heading) lacks() bool {
	age := seconds(h.cfg.Mission.PoseTimeout)
	fresh := h.came != 0 && time.Duration(h.node.Now()-h.came) <= age
	return fresh && (!h.sense.HasPose() || time.Duration(h.at.Stamp-h.sense.Pose().Stamp) > age)
}

// advice says what to do about a heading that is not known.
func (h *heading) advice() string {
	switch {
	case h.cfg.Interface == goalAction:
		return "no heading yet, and Nav2 cannot drive without it: " + h.byHand(" or give initial_yaw")
	case h.cfg.HeadingDrive == 0:
		return "no heading yet: " + h.byHand(", give initial_yaw, or set heading_drive.distance")
	}
	return fmt.Sprintf("no heading yet: %s drives it up to %g m straight ahead",
		h.byHand(", give initial_yaw, or call ~/start, which"), h.cfg.HeadingDrive)
}

// byHand says what a person can do, and that the robot takes over then, if it does.
func (h *heading) byHand(otherwise string) string {
	at, _ := h.position()
	then := ""
	if h.goesOn() {
		then = " (the mission then goes on by itself: call ~/pause before, and ~/resume after it)"
	}
	return fmt.Sprintf("drive the robot %g m by hand%s", mission.HeadingDistance(at.StdDev), then) + otherwise
}

// remark returns what the status says about the heading, "" for nothing.
func (h *heading) remark() string {
	if h.drive == nil && h.lacks() {
		return "; " + h.advice()
	}
	return ""
}

// headingSpeed is the speed of the drive that finds the heading, m/s: a walk, at which a person can
// stop the robot.
const headingSpeed = 0.3

// position returns the newest position, and its distance from the nearest edge.
func (h *heading) position() (p mission.Position, room float64) {
	at := orb.Point{h.at.X, h.at.Y}
	return mission.Position{At: at, StdDev: sense.LargestStdDev(&h.at)}, h.region.SignedDistance(at)
}

// begin begins a drive, after which found is called. It returns false, and why, when the
// robot must not drive.
func (h *heading) begin(found func()) (ok bool, text string) {
	switch {
	case h.drive != nil:
		return true, h.drive.String()
	case !h.mayDrive():
		return false, h.advice()
	case h.speed.Matched() == 0:
		return false, "no heading yet, and nobody listens on " + h.speed.Info().Name + ": start this package's follower, or " + h.byHand(" or give initial_yaw")
	}
	at, room := h.position()
	drive, err := mission.BeginHeadingDrive(mission.HeadingDriveConfig{
		Distance: h.cfg.HeadingDrive, Speed: headingSpeed, Margin: h.region.Margin(), FixTimeout: h.cfg.Mission.PoseTimeout,
	}, h.node.Now(), at, room)
	if err != nil {
		return false, "no heading yet, and no room to find it: " + err.Error() + "; " + h.byHand(" or give initial_yaw")
	}
	h.drive, h.found, h.failed, h.stops = drive, found, false, 1 // a speed of 0 begins a new drive
	if h.timer == nil {
		if h.timer, err = h.node.NewTimer(headingPeriod, h.step); err != nil {
			return false, err.Error()
		}
	}
	h.changed()
	h.node.Logger().Info("the robot drives straight ahead to find its heading",
		"distance_m", h.cfg.HeadingDrive, "speed_m_s", headingSpeed, "room_m", math.Round(10*room)/10)
	return true, drive.String()
}

// step sends the speed for the present time, and watches the drive.
func (h *heading) step() {
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
			h.end()
			h.failed = true
			h.fail("the heading was not found: " + err.Error())
			return
		}
		h.send(speed)
	}
}

// poseCame ends the drive when there is a pose.
func (h *heading) poseCame() {
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
	h.node.Logger().Info("the heading is known", "yaw_rad", math.Round(100*h.sense.Pose().Yaw)/100, "drive", h.drive.String())
	h.end()
	if found != nil {
		found()
	}
}

// clockChanged ends the drive after the clock was set by so many ns.
func (h *heading) clockChanged(by int64) {
	h.end()
	if h.came != 0 {
		h.came += by
	}
}

// end ends the drive, if there is one.
func (h *heading) end() {
	if h.drive == nil {
		return
	}
	h.drive, h.found, h.stops = nil, nil, headingStops
	h.send(0)
	h.changed()
}

func (h *heading) send(speed float64) { sent(h.warn, h.speed.Publish(&std_msgs.Float64{Data: speed})) }

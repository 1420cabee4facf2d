package ekf

import (
	"math"
	"time"

	"ugp_explorer/localization/filter"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
)

// begin makes the filter, which has no pose yet. In a simulation the given heading holds again
// when time begins anew.
func (e *EKF) begin() {
	rules := e.cfg.filter()
	rules.HeadingAgain = e.node.FollowsClock()
	e.filter, e.simulated = filter.New(rules), rules.HeadingAgain
}

// jumped lets the filter start over if use_sim_time has changed: what it knows is of another clock,
// and of another robot.
func (e *EKF) jumped(exec.Jump) {
	if e.node.FollowsClock() == e.simulated {
		return
	}
	e.begin()
	e.standing, e.odometryStamps, e.fixStamps = standing{}, ros.Stamps{}, ros.Stamps{}
	e.receiver.stamps, e.inertial, e.said = ros.Stamps{}, inertial{}, told{}
	if len(e.cfg.Datum) == 0 { // a simulation may be at another place of the earth
		e.receiver.datum = nil
	}
	e.node.Logger().Warn("the filter starts over, as use_sim_time has changed", "use_sim_time", e.simulated)
}

// still is the speed, m/s or rad/s, below which a robot stands for the clock.
const still = 0.02

// moving says that the clock must not change: without a pose the robot would be lost on its way.
// Odometry that has not come for five seconds says nothing about motion.
func (e *EKF) moving() string {
	at, ok := e.filter.Stamp()
	v := e.filter.Velocity()
	if ok && e.node.Now()-at < int64(5*time.Second) && math.Hypot(v.X, v.Y)+math.Abs(v.Yaw) > still {
		return "the robot moves"
	}
	return ""
}

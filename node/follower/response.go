// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package follower

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/pursuit"
)

// holding compares the commanded distance with the motion of the robot's position.
type holding struct {
	from  orb.Point // where the position was
	told  float64   // m, commanded since then
	known bool
}

// heldAfter is the commanded distance after which a robot whose position stays is said to be
// held, in multiples of the distance that counts as moving.
const heldAfter = 5

// step adds the command for dt seconds and the position. moving is the distance that
// counts as moving, m.
func (h *holding) step(speed, dt float64, at orb.Point, moving float64) {
	if !h.known || math.Hypot(at[0]-h.from[0], at[1]-h.from[1]) > moving {
		*h = holding{from: at, known: true}
		return
	}
	h.told += speed * dt
}

// obedience compares commanded speeds with those of the pose, forward or about the vertical axis. Older ones fade.
type obedience struct{ product, square, way float64 }

const (
	// obeyLeast is the commanded distance, m or rad, after which a robot counts as moving the other way if its motion is at most opposite times
	// the command. obeyFades is the distance over which older commands fade: a robot that obeys late moves the other way only for a moment.
	obeyLeast, obeyFades = 3.0, 6.0
	opposite             = -0.5
	// againAfter is the time after which it tries again, s: less than the explorer waits for a robot that does not move.
	againAfter = 7.0
)

// step adds the command and the measured speed for dt seconds, m/s or rad/s.
func (o *obedience) step(told, moves, dt float64) {
	way := math.Abs(told) * dt
	fade := 1 + way/obeyFades
	o.product, o.square, o.way = (o.product+told*moves*dt)/fade, (o.square+told*told*dt)/fade, (o.way+way)/fade
}

// reversed reports whether the robot moves the other way.
func (o *obedience) reversed() bool { return o.way > obeyLeast && o.product < opposite*o.square }

// response compares commands with the robot's motion. The zero value is that of a robot without a path.
type response struct {
	holding
	drives, turns obedience // forward, and about the vertical axis
	against       int       // commands since the robot turned against them on this path, see again
}

// begin begins a new path.
func (r *response) begin() { r.drives, r.turns, r.against = obedience{}, obedience{}, 0 }

// step adds a command and the present pose, and reports whether they show that the robot moves against its commands, if that was not
// known before. rate is that of the commands, Hz, and moving the distance that counts as moving, m.
func (r *response) step(c pursuit.Command, at *pursuit.Pose, rate, moving float64) (news bool) {
	r.again(rate)
	if !r.reversed() {
		r.drives.step(c.Linear, at.V, 1/rate)
		r.turns.step(c.Angular, at.W, 1/rate)
		news = r.reversed()
	}
	r.holding.step(c.Linear, 1/rate, orb.Point{at.X, at.Y}, moving)
	return news
}

// reversed reports whether the robot moves against its commands.
func (r *response) reversed() bool { return r.turns.reversed() || r.drives.reversed() }

// again lets a robot that turned against its commands try once more on the same path, since the pose may have turned by a gyroscope that the
// filter has meanwhile found to be wrong.
func (r *response) again(rate float64) {
	if r.turns.reversed() || r.against > 0 {
		r.against++
	}
	if r.against == int(againAfter*rate) {
		r.turns = obedience{}
	}
}

// disobeys says that the robot moves against its commands, "" if it does not, as far as is known.
func (r *response) disobeys() string {
	what, where := "", ""
	switch {
	case r.turns.reversed():
		what, where = "turns against its commands", "angular.z, which is counter-clockwise"
	case r.drives.reversed():
		what, where = "drives backwards when it is told to drive forwards", "linear.x, which is forward"
	default:
		return ""
	}
	return fmt.Sprintf("the robot %s, so it is stopped until another path comes: check the sign of %s, in the driver of the base, in its odometry and in the gyroscope", what, where)
}

// text says that the robot does not move as commanded; "" if it does.
func (h *holding) text(moving float64) string {
	if h.told <= heldAfter*moving {
		return ""
	}
	return fmt.Sprintf("the robot does not move: velocity commands amount to %.1f m, but its position has moved by less than %.2g m; check the base, its emergency stop, and whether the guard holds the robot", h.told, moving)
}

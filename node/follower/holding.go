// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package follower

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"
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

// text says that the robot does not move as commanded; "" if it does.
func (h *holding) text(moving float64) string {
	if h.told <= heldAfter*moving {
		return ""
	}
	return fmt.Sprintf("the robot does not move: velocity commands amount to %.1f m, but its position has moved by less than %.2g m; check the base and its emergency stop", h.told, moving)
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard_test

import (
	"math"
	"math/rand/v2"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/guard"
)

// receiver is a receiver that may stick.
type receiver struct {
	period  int64
	stdDev  float64
	delay   int64
	arrival bool    // stamps are of the arrival
	forward float64 // m, of the antenna
	stuck   bool
	noisy   bool                                   // while it is stuck
	place   orb.Point                              // where it stuck
	told    orb.Point                              // what it said last before
	change  func(w *world, at orb.Point) orb.Point // of what it says; nil: none
	waiting []message
}

// error returns a place with a normal error, cut at three standard deviations.
func (r *receiver) error(rng *rand.Rand, at orb.Point) orb.Point {
	for {
		if x, y := rng.NormFloat64(), rng.NormFloat64(); math.Hypot(x, y) < 3 {
			return orb.Point{at[0] + x*r.stdDev, at[1] + y*r.stdDev}
		}
	}
}

// world is a robot that drives as it likes behind a guard, and a receiver.
type world struct {
	rng         *rand.Rand
	g           *guard.Guard
	now         int64
	at          orb.Point
	yaw         float64
	speed, told float64
	factor      float64 // true speed by that of the wheels
	turns       float64 // true yaw rate by that of the wheels
	centre      float64 // m forward of the base, about which it turns
	bend        float64 // rad/m, that it turns without the wheels' saying so
	silent      bool    // no odometry comes
	heard       float64 // yaw up to the last odometry
	receiver    receiver
}

func newWorld(rng *rand.Rand, g *guard.Guard, r receiver) *world {
	w := &world{rng: rng, g: g, now: second, receiver: r, factor: 1, turns: 1}
	w.yaw = 2 * math.Pi * rng.Float64()
	w.heard = w.yaw
	return w
}

// step lets the world go on by a tick; the guard hears what it would hear.
func (w *world) step() {
	w.now += tick
	dt := float64(tick) / 1e9
	turned := math.Remainder(w.yaw-w.heard, 2*math.Pi)
	w.yaw += w.bend * w.speed * dt
	w.heard = w.yaw
	w.speed += max(-0.9*dt, min(w.told-w.speed, 0.9*dt))
	w.at[0] += w.factor * w.speed * math.Cos(w.yaw) * dt
	w.at[1] += w.factor * w.speed * math.Sin(w.yaw) * dt
	w.at[0] += w.centre * turned * math.Sin(w.yaw)
	w.at[1] -= w.centre * turned * math.Cos(w.yaw)
	if !w.silent {
		_ = w.g.Odometry(w.now, w.speed, 0, turned/dt/w.turns)
	}
	r := &w.receiver
	if w.now%r.period == 0 {
		m := message{stamp: w.now, at: r.error(w.rng, orb.Point{w.at[0] + r.forward*math.Cos(w.yaw), w.at[1] + r.forward*math.Sin(w.yaw)})}
		if !r.stuck {
			r.place, r.told = w.at, m.at
		} else if m.at = r.told; r.noisy {
			m.at = r.error(w.rng, r.place)
		}
		if r.change != nil {
			m.at = r.change(w, m.at)
		}
		r.waiting = append(r.waiting, m)
	}
	for len(r.waiting) > 0 && w.now-r.waiting[0].stamp >= r.delay {
		stamp := r.waiting[0].stamp
		if r.arrival {
			stamp = w.now
		}
		_ = w.g.Fix(w.now, stamp, r.waiting[0].at, r.stdDev)
		r.waiting = r.waiting[1:]
	}
}

// drive asks for a speed for a tick, and gets what the guard allows.
func (w *world) drive(want float64) {
	limit, _ := w.g.Limit(w.now, 1, 0)
	w.told = min(want, limit)
	w.g.Command(w.now, w.told, 0)
	w.step()
}

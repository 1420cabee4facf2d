// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard

import (
	"fmt"
	"math"

	"ugp_explorer/localization"
)

const (
	// delays is the number of delays, step apart, s, for which commands and wheels are compared, once a second.
	delays, step, perSecond = 13, 0.25, 4
	// late is the delay in steps from which a base obeys late. One that accelerates at 0.3 m/s² seems to be late by half of it.
	late = 6
	// moves is the least motion by the wheels in a second that is compared, m or rad: a robot that is stuck shows no delay. turnWeight is the
	// path, m, on which older motions fade as much as on a turn of 1 rad.
	moves, turnWeight = 0.1, 2.5
	// leastWay is the path that is compared before a base is said to obey late, m.
	leastWay = 10.0
	// stopsIn is the longest time in which a base stops, s. After that, noise of encoders does not add up to a motion of creeps, m or rad, and
	// a gyroscope's bias in the odometry stays below drifts, m/s or rad/s.
	stopsIn, creeps, drifts = 3.0, 0.5, 0.03
)

// obedience compares the commands that are passed on with the motion by wheel odometry, forward and about the vertical axis.
type obedience struct {
	at   int64      // when odometry came last, ns; 0: none has come
	told [2]float64 // the last command, m/s and rad/s

	began  int64                          // when this step began, ns
	wanted [delays + perSecond][2]float64 // motion that was commanded in the last steps, m and rad, the newest first
	rolled [perSecond][2]float64          // that by the wheels
	steps  int                            // number of steps until now
	way    float64                        // that was compared, m
	delay  [delays + 1]float64            // see [localization.Lags]; the last is that of a base that is not commanded to move

	stood float64    // for how long a mission has commanded the base to stand, s
	crept [2]float64 // how far it has moved since it should stand, m and rad
}

// hear adds the velocities of the wheels, m/s and rad/s, since the last message. driven says that a mission drives the robot: otherwise a person
// may drive it, past the guard.
func (o *obedience) hear(now int64, forward, rate float64, driven bool) {
	dt := float64(now-o.at) * 1e-9
	if o.at == 0 || dt < 0 || dt > 1 {
		*o = obedience{told: o.told, at: now, began: now, way: o.way, delay: o.delay}
		return
	}
	o.at = now
	stands := driven && o.told == [2]float64{}
	if o.told != [2]float64{} {
		o.stood, o.crept = 0, [2]float64{}
	} else if stands {
		o.stood += dt
	}
	for i, v := range [2]float64{forward, rate} {
		o.wanted[0][i] += o.told[i] * dt
		o.rolled[0][i] += v * dt
		if stands && o.stood > stopsIn {
			o.crept[i] += v * dt
		}
	}
	if float64(now-o.began)*1e-9 < step {
		return
	}
	o.began = now
	if o.steps++; o.steps%perSecond == 0 && o.steps >= len(o.wanted) {
		o.compare()
	}
	copy(o.wanted[1:], o.wanted[:])
	copy(o.rolled[1:], o.rolled[:])
	o.wanted[0], o.rolled[0] = [2]float64{}, [2]float64{}
}

// compare compares the motion of the last second with the commands of a second, for each delay.
func (o *obedience) compare() {
	for i, weight := range [2]float64{1, turnWeight} {
		moved := 0.0
		for _, r := range o.rolled {
			moved += r[i]
		}
		if math.Abs(moved) < moves {
			continue
		}
		var wanted [delays + 1]float64
		for k := range delays {
			for _, w := range o.wanted[k : k+perSecond] {
				wanted[k] += w[i]
			}
		}
		localization.Lags(o.delay[:]).Take(moved, wanted[:], weight*math.Abs(moved))
		o.way += weight * math.Abs(moved)
	}
}

// text says how the base disobeys, and what to do; "" if it obeys, as far as is known.
func (o *obedience) text() string {
	for i, motion := range [...]string{"drives at %.2f m/s", "turns at %.2f rad/s"} {
		if way := math.Abs(o.crept[i]); way > max(creeps, drifts*(o.stood-stopsIn)) {
			return "the base is commanded to stand, but its odometry says that it " + fmt.Sprintf(motion, way/(o.stood-stopsIn)) +
				": let its driver stop the motors at a command of 0, adjust their zero, or correct the odometry"
		}
	}
	lags := localization.Lags(o.delay[:])
	best, clear := lags.Best(0)
	if _, commanded := lags.Best(delays); o.way > leastWay && best >= late && clear && commanded {
		return fmt.Sprintf("the base follows velocity commands %.2g s late according to its odometry, so it cannot be steered: "+
			"look for a slow network, a queue of commands or smoothing between guard and motors, or odometry that comes late", float64(best)*step)
	}
	return ""
}

// disobeys returns how the base disobeys a mission, "" if it obeys, and logs it when that begins.
func (g *Guard) disobeys() (text string) {
	if g.orders.underWay() {
		text = g.obedience.text()
	}
	if text != "" && !g.report.disobeyed {
		g.node.Logger().Warn(text)
	}
	g.report.disobeyed = text != ""
	return text
}

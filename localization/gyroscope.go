// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localization

import (
	"math"
	"math/cmplx"
)

// Axis says which rate of a gyroscope is the yaw rate: that about x, y or z, possibly with the opposite sign, possibly in degrees per second.
// The zero Axis is the right one: z, counter-clockwise, rad/s.
type Axis uint8

const (
	down    Axis = 1 << iota // the axis points down
	degrees                  // the rates are in degrees per second
	another                  // x; twice as much: y
	axes    = 3 * another
	None    = axes // no axis: the gyroscope shows no turn
)

// Index returns the index of the rate: 0 for x, 1 for y, 2 for z.
func (a Axis) Index() int { return (int(a/another) + 2) % 3 }

// Down reports whether the axis points down.
func (a Axis) Down() bool { return a&down != 0 }

// Degrees reports whether the rates are in degrees per second.
func (a Axis) Degrees() bool { return a&degrees != 0 }

// Witness is the evidence for an axis.
type Witness uint8

const (
	Gravity Witness = iota + 1 // that the accelerometer of the same IMU measures
	Wheels                     // their turns on the spot
	Courses                    // directions in which position fixes move
	Rest                       // the rate while the wheels stand, of an axis that may also be broken
	Haste                      // a rate that no robot reaches, as for Rest
	Freeze                     // rates that stay the same while the wheels turn otherwise, see Frozen
	Death                      // the same of the yaw rate alone
)

const (
	// gravityTime is the time over which accelerations are averaged, s, and gravityLeast the least time after which their mean counts.
	gravityTime, gravityLeast = 2.0, 3.0
	// leastGravity and mostGravity bound what counts as gravity, m/s²: some drivers subtract it.
	leastGravity, mostGravity = 8.0, 12.0
	// restTime is the time over which the rates of a robot that stands are averaged, s.
	restTime = 5.0
	// MostBias is the largest rate that counts as a bias, rad/s: without calibration it may be 20 °/s. Nobody turns a robot faster than
	// that, and by more than mostTurn, rad, by hand.
	MostBias, mostTurn = 0.35, 4.0
	// MostRate is the largest rate, rad/s, by which a robot turns faster than its wheels say: a turn in a second. A robot that is hit does not
	// go on so by mostTurn.
	MostRate = 6.0
	// rateGap is the longest time between two rates, s.
	rateGap = 0.5
	// pivot is the largest radius on which a robot turns on the spot, m. There no encoder that fails, and no wheel that slips, gives the
	// turn another sign; on an arc they may.
	pivot = 0.2
	// pivotStep is the turn that is compared at once, rad, and pivotLeast the least sum of turns that is evidence.
	pivotStep, pivotLeast = 0.3, 1.0
	// courseStep is the least way on which a course is measured, m, courseDeviations the same in standard deviations of a fix,
	// courseTurn the least change of course that is compared, rad, and courseLeast the least sum of changes that is evidence.
	courseStep, courseDeviations, courseTurn, courseLeast = 5.0, 10.0, 0.4, 4.0
	// turnFades is the turn on which older ones fade, rad.
	turnFades = 8.0
	// The distance between two fixes is between these parts of the way of the wheels: otherwise the robot turned much, or the fixes jumped.
	leastStraight, mostStraight = 0.6, 1.3
	// roundingLasts is the number of rates in a row that a rounding error of the yaw rate counts as, since it lasts as long as the robot turns
	// alike.
	roundingLasts = 4
	// blockTime is the time over which turns of gyroscope and wheels are compared, s, and blockLeast the least turn of the wheels, rad.
	blockTime, blockLeast = 1.5, 0.06
	// woundLeast is the turn of the wheels from which a gyroscope may contradict them, rad.
	woundLeast = 4.0
)

// Gyroscope finds out which axis of a gyroscope measures the yaw rate: it compares the rates with gravity, with the turns of the wheels, and
// with changes in the direction of motion (course) of the fixes. Rates are in the frame in which the yaw rate should be z. The zero value is
// ready to use, and nothing allocates.
type Gyroscope struct {
	stamp int64      // of the last rates, ns
	up    [3]float64 // mean acceleration, m/s²
	since float64    // for how long, s
	rest  [3]float64 // mean rates while the robot stands

	stood, swung float64 // for how long the robot stands now, s, and how far z has turned meanwhile, rad
	restless     bool    // it turned too far
	raced        float64 // by how much z turns too fast now, rad
	hasty        bool    // it turned so by too much
	calm         float64 // how far the wheels have turned since z was too fast last, where rates in degrees would be, rad

	frozen Frozen
	dead   Frozen  // the same of the yaw rate alone
	step   float64 // the least difference of two yaw rates in a row, rad/s; 0: there was none

	wheeled float64           // turn on the spot that is not compared yet, by the wheels, rad
	spun    [3]float64        // the same by the gyroscope, in its unit
	pivots  [None + 1]float64 // by axis, see Lags
	pivoted float64           // turn that was compared, rad; old turns fade

	yaw          [axes / 2]float64    // heading by each axis and unit, rad
	way, before  [axes / 2]complex128 // since the last fix that was compared, and from the one before it to that, m
	length       float64              // of the way by the wheels, m
	placed       bool                 // there was a fix
	place, moved complex128           // the last, and how far it was from the one before; 0: not known
	courses      [None + 1]float64    // by axis, see Lags
	turned       float64              // as pivoted

	lasts   float64    // of the present block, s
	block   [3]float64 // turn in it about each axis, in the unit of the gyroscope
	rolled  float64    // turn in it by the wheels, rad
	product [3]float64 // sum of those turns times that of the wheels, old ones fading
	square  float64    // sum of the square of that of the wheels
	wound   float64    // how far the wheels turned the robot meanwhile, rad; old turns fade

	contrary bool    // see Contradicts
	agreed   float64 // how far the wheels have turned the robot since gyroscope and wheels last differed too much, rad
}

// Rates adds the rates, rad/s, and accelerations, m/s² (zero: none), of an IMU at a stamp, ns, with the newest speeds of the wheel odometry,
// m/s and rad/s.
func (g *Gyroscope) Rates(stamp int64, rate, acceleration [3]float64, forward, left, turn float64) {
	dt := float64(stamp-g.stamp) * 1e-9
	if dt <= 0 && dt >= -rateGap {
		return // out of order
	}
	g.stamp = stamp
	if dt > rateGap || dt < 0 {
		g.wheeled, g.spun, g.placed, g.moved = 0, [3]float64{}, false, 0
		return
	}
	if step := math.Abs(rate[2] - g.dead.rates[2]); g.since > 0 && step > 0 && (g.step == 0 || step < g.step) {
		g.step = step
	}
	g.since += dt
	g.frozen.Take(rate, g.rest[2], turn, dt)
	g.dead.Take([3]float64{2: rate[2]}, g.rest[2], turn, dt)
	speed := math.Hypot(forward, left)
	stands := speed < 1e-3 && math.Abs(turn) < 1e-3
	g.stand(stands, rate[2], dt)
	g.race(rate[2], turn, dt)
	for i := range rate {
		g.up[i] += dt / min(g.since, gravityTime) * (acceleration[i] - g.up[i])
		if stands && math.Abs(rate[i]) < MostBias {
			g.rest[i] += dt / restTime * (rate[i] - g.rest[i])
		}
		rate[i] -= g.rest[i]
	}
	g.compare(rate, turn, dt)
	if !(speed < pivot*math.Abs(turn)) {
		g.wheeled, g.spun = 0, [3]float64{}
	} else {
		g.wheeled += turn * dt
		for i, r := range rate {
			g.spun[i] += r * dt
		}
		if math.Abs(g.wheeled) >= pivotStep {
			g.pivot()
		}
	}
	if stands {
		return
	}
	g.length += speed * dt
	for k := range g.yaw {
		g.yaw[k] += Axis(2*k).of(&rate) * dt
		g.way[k] += complex(forward, left) * cmplx.Rect(dt, g.yaw[k])
	}
}

// of returns the rate or angle about an axis, in radians.
func (a Axis) of(rates *[3]float64) float64 {
	r := rates[a.Index()]
	if a.Degrees() {
		r *= math.Pi / 180
	}
	if a.Down() {
		return -r
	}
	return r
}

// pivot compares a turn on the spot.
func (g *Gyroscope) pivot() {
	var angles [None + 1]float64
	for a := range axes {
		angles[a] = a.of(&g.spun)
	}
	Lags(g.pivots[:]).Take(g.wheeled, angles[:], math.Abs(g.wheeled)*lagFades/turnFades)
	g.pivoted = fading(g.pivoted, math.Abs(g.wheeled))
	g.wheeled, g.spun = 0, [3]float64{}
}

// fading adds a turn to older ones.
func fading(turned, turn float64) float64 { return (turned + turn) / (1 + turn/turnFades) }

// stand takes a yaw rate of a robot that stands or not.
func (g *Gyroscope) stand(stands bool, rate, dt float64) {
	if !stands {
		g.stood, g.swung = 0, 0
		return
	}
	g.stood += dt
	g.swung += rate * dt
	switch fast := math.Abs(g.swung) > MostBias*g.stood; {
	case fast && math.Abs(g.swung) > mostTurn:
		g.restless = true
	case !fast && g.stood > restTime:
		g.restless = false
	}
}

// race takes a yaw rate and that of the wheels.
func (g *Gyroscope) race(rate, turn, dt float64) {
	excess := math.Abs(rate) - math.Abs(turn)
	if !(excess > MostRate) {
		g.raced = 0
		if math.Abs(turn)*180/math.Pi > 2*MostRate {
			g.calm += math.Abs(turn) * dt
		}
		g.hasty = g.hasty && g.calm < turnFades
		return
	}
	g.calm = 0
	if !(rate*g.raced > 0) { // a single rate may be a fault of the bus
		g.raced = math.Copysign(1e-9, rate)
		return
	}
	g.raced += math.Copysign(excess, rate) * dt
	g.hasty = g.hasty || math.Abs(g.raced) > mostTurn
}

// compare adds rates to the ratio of the turns of gyroscope and wheels. It compares blocks of time, because the turn that wheels measure on a
// straight path is noise.
func (g *Gyroscope) compare(rate [3]float64, turn, dt float64) {
	for i, r := range rate {
		g.block[i] += r * dt
	}
	g.rolled += turn * dt
	if g.lasts += dt; g.lasts < blockTime {
		return
	}
	if rolled := math.Abs(g.rolled); rolled > blockLeast {
		fade := 1 + rolled/turnFades
		for i, turned := range g.block {
			g.product[i] = (g.product[i] + turned*g.rolled) / fade
		}
		g.square = (g.square + rolled*rolled) / fade
		g.wound = fading(g.wound, rolled)
		g.agreed += rolled
		if ratio := g.Ratio(0); g.wound > woundLeast && !(ratio > LeastTurn && ratio < MostTurn) {
			g.contrary, g.agreed = true, 0
		} else if g.agreed > turnFades {
			g.contrary = false
		}
	}
	g.block, g.rolled, g.lasts = [3]float64{}, 0, 0
}

// Fix adds a position, m, with its standard deviation, m.
func (g *Gyroscope) Fix(place complex128, stdDev float64) {
	if g.placed && g.length < max(courseStep, courseDeviations*stdDev) {
		return
	}
	moved := place - g.place
	if part := cmplx.Abs(moved) / g.length; !g.placed || !(part > leastStraight && part < mostStraight) {
		moved = 0
	}
	if moved != 0 && g.moved != 0 {
		if turn := cmplx.Phase(moved / g.moved); math.Abs(turn) > courseTurn {
			var turns [None + 1]float64
			for a := range axes {
				by := cmplx.Phase(g.way[a/2] * cmplx.Conj(g.before[a/2]))
				if a.Down() {
					by = -by
				}
				turns[a] = turn + math.Remainder(by-turn, 2*math.Pi)
			}
			Lags(g.courses[:]).Take(turn, turns[:], math.Abs(turn)*lagFades/turnFades)
			g.turned = fading(g.turned, math.Abs(turn))
		}
	}
	g.place, g.placed, g.moved = place, true, moved
	g.before, g.way, g.length = g.way, [axes / 2]complex128{}, 0
}

// Axis returns the axis of the yaw rate, and the evidence if that is not the zero Axis. Frozen rates show no turn, so they have no axis. Of
// the other evidence, courses of fixes count most, then the wheels, then gravity, since some drivers negate accelerations. A yaw rate that
// alone stays the same is dead only if none of these shows another axis: the z rate of an IMU on its side may be exactly 0.
func (g *Gyroscope) Axis() (axis Axis, by Witness) {
	if g.frozen.Is() {
		return None, Freeze
	}
	courses, wheels := Lags(g.courses[:]), Lags(g.pivots[:])
	if a, clear := courses.axis(); clear && g.turned > courseLeast {
		return a, Courses
	}
	if a, clear := wheels.axis(); clear && g.pivoted > pivotLeast && !courses.clearly(0, int(a)) {
		return a, Wheels
	}
	if (g.restless || g.hasty) && !courses.clearly(0, int(degrees)) && !wheels.clearly(0, int(degrees)) {
		if g.restless {
			return degrees, Rest
		}
		return degrees, Haste
	}
	if a := g.upwards(); a != 0 && !courses.clearly(0, int(a)) && !wheels.clearly(0, int(a)) {
		return a, Gravity
	}
	if g.dead.differs > deadTime {
		return None, Death
	}
	return 0, 0
}

// Repeats reports whether the newest yaw rate is that of the message before, to the last bit, although the wheels turn otherwise. Then it is no
// measurement of now: a driver repeats the last one, or says 0, where it has none.
func (g *Gyroscope) Repeats() bool { return g.dead.differs > 0 }

// Rounding returns the variance of a white error with the effect of the rounding errors of the yaw rate, rad²/s².
func (g *Gyroscope) Rounding() float64 { return g.step * g.step / 12 * roundingLasts }

// axis returns the axis that agrees best, and whether it is clearly better than z as it should be, and than none.
func (l Lags) axis() (a Axis, clear bool) {
	best, clear := l.Best(0)
	return Axis(best), clear && l.clearly(best, int(None))
}

// upwards returns the axis along which gravity is, 0 if that is not known.
func (g *Gyroscope) upwards() (axis Axis) {
	size := math.Hypot(math.Hypot(g.up[0], g.up[1]), g.up[2])
	if g.since < gravityLeast || !(size > leastGravity && size < mostGravity) {
		return 0
	}
	for a := range axes {
		if a.of(&g.up) > axis.of(&g.up) {
			axis = a
		}
	}
	return axis
}

// Ratio returns the rate about an axis divided by the yaw rate of the wheels, in the unit of the gyroscope; 0 if it is not known.
func (g *Gyroscope) Ratio(a Axis) float64 {
	if g.square == 0 {
		return 0
	}
	return g.product[a.Index()] / g.square
}

// Contradicts reports whether the Ratio of the yaw rate is outside the range that drag and slip can explain: the gyroscope or the wheels are
// wrong, or the robot is stuck. It ends after both have agreed over 8 rad of turns, because the ratio of a gyroscope on a moving part passes
// through right values.
func (g *Gyroscope) Contradicts() bool { return g.contrary }

// Frozen detects rates of a gyroscope that stay the same to the last bit while the yaw rate of the wheels changes: a bus has locked up, or a
// driver repeats an old message. The zero value is ready to use.
type Frozen struct {
	rates   [3]float64 // the last, rad/s
	wheels  float64    // yaw rate of the wheels when these rates came first, rad/s
	differs float64    // for how long the wheels have turned otherwise since, s
}

const (
	// frozenTime is the time after which a rate has frozen, s. The yaw rate of the wheels is another if it has changed by more than otherwise,
	// rad/s, or is farther than that from rates that LeastTurn to MostTurn times that of the wheels are.
	frozenTime, otherwise = 0.5, 0.1
	// deadTime is frozenTime for a yaw rate while the other two change: in a turn, one in coarse steps may stay the same for a while.
	deadTime = 2.0
	// LeastTurn and MostTurn bound the ratio of a robot's true turn to the turn of its wheels: four wheels drag.
	LeastTurn, MostTurn = 0.4, 1.55
)

// Take adds rates of a gyroscope that have lasted for dt, s, with the bias of the last of them, which is the yaw rate, and the yaw rate of the
// wheels, all in rad/s.
func (f *Frozen) Take(rates [3]float64, bias, wheels, dt float64) {
	if rates != f.rates {
		*f = Frozen{rates: rates, wheels: wheels}
		return
	}
	rate, a, b := rates[2]-bias, LeastTurn*wheels, MostTurn*wheels
	if math.Abs(wheels-f.wheels) > otherwise || rate < min(a, b)-otherwise || rate > max(a, b)+otherwise {
		f.differs += dt
	}
}

// Is reports whether the rates are frozen.
func (f *Frozen) Is() bool { return f.differs > frozenTime }

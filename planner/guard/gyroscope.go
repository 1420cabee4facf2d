// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard

import (
	"math"

	"ugp_explorer/localization"
)

const (
	// seen is the uncertainty of turns with a gyroscope, as a share of that with wheels.
	seen = 0.02
	// gyroGap is how long the last rate of a gyroscope is used, s.
	gyroGap = 0.2
	// restTime is the time over which the rate of a standing robot is averaged, s, and restLeast the shortest such time. A rate above
	// turnedByHand, rad/s, means that somebody turns the robot; if it lasts longer than restLeast, the bias has changed.
	restTime, restLeast, turnedByHand = 5.0, 2.0, 0.05
	// likeWheels is the turn of the wheels over which a gyroscope must have agreed with them, rad; older turns fade over the same angle.
	likeWheels = 1.0
	// blockTime is the time over which turns are compared, s, and blockLeast the least turn of the wheels beyond their bend in it that shows
	// anything, rad: wheels report noise and slip, too.
	blockTime, blockLeast = 1.0, 0.06
)

// gyroscope measures turns better than wheels. It is used once the robot has stood, which shows its bias, while it agrees with the wheels.
type gyroscope struct {
	rate, bias    float64    // rad/s; the bias is the mean rate of a robot that stands
	past          [2]float64 // the last two measured rates, rad/s
	heard         int64      // when the rate came, ns
	frozen        localization.Frozen
	rested, swung float64  // for how long it stood, up to restTime, and for how long it has turned while the wheels stand, s
	before, drove float64  // the bias when it stood last, and for how long it has driven since, s
	likeness      likeness // to the wheels
	turned        float64  // by the wheels beyond their bend, up to likeWheels, rad
}

// likeness is the regression of the turns of the gyroscope on the turns and the path of the wheels: sums of products of these over blocks, old
// turns fading. If one side slips all the time, or its wheels are larger, the wheels turn a robot that drives straight on: their bend, which
// goes with the path.
type likeness struct {
	gyro, wheels, path, lasts                                float64 // of the present block, rad, m and s
	gyroWheels, gyroPath, wheelsWheels, wheelsPath, pathPath float64
}

// bend returns the turn of the wheels on each metre of a robot that drives straight on, rad/m; it is negative to the right.
func (l *likeness) bend() float64 { return l.wheelsPath / max(1e-9, l.pathPath) }

// add takes rates and a speed over a time dt. It returns by how much the wheels have turned beyond their bend, if that shows anything.
func (l *likeness) add(gyro, wheels, speed, dt float64) (turn float64) {
	l.gyro, l.wheels, l.path, l.lasts = l.gyro+gyro*dt, l.wheels+wheels*dt, l.path+speed*dt, l.lasts+dt
	if l.lasts < blockTime {
		return 0
	}
	if turn = math.Abs(l.wheels - l.path*l.bend()); turn > blockLeast {
		fades := 1 / (1 + turn/likeWheels)
		l.gyroWheels = fades * (l.gyroWheels + l.gyro*l.wheels)
		l.gyroPath = fades * (l.gyroPath + l.gyro*l.path)
		l.wheelsWheels = fades * (l.wheelsWheels + l.wheels*l.wheels)
		l.wheelsPath = fades * (l.wheelsPath + l.wheels*l.path)
		l.pathPath = fades * (l.pathPath + l.path*l.path)
	} else {
		turn = 0
	}
	l.gyro, l.wheels, l.path, l.lasts = 0, 0, 0, 0
	return turn
}

// ratio returns the turn of the gyroscope by that of the wheels beyond their bend.
func (l *likeness) ratio() float64 {
	bend := l.bend()
	return (l.gyroWheels - bend*l.gyroPath) / (l.wheelsWheels - bend*l.wheelsPath)
}

// measure takes a measured rate, rad/s. The median of three is used, since a single wrong rate would turn the robot for ever.
func (y *gyroscope) measure(now int64, rate float64) {
	least, most := min(y.past[0], y.past[1]), max(y.past[0], y.past[1])
	y.rate, y.heard = max(least, min(most, rate)), now
	y.past = [2]float64{y.past[1], rate}
}

// turn takes the wheels' speed, negative backwards, and yaw rate over a time dt, in m/s, rad/s and s. It returns the yaw rate of the gyroscope,
// rad/s, and whether to use it, and the additional turn that the robot may have made because the bias was wrong before, rad.
func (y *gyroscope) turn(now int64, dt, speed, wheels float64) (rate, otherwise float64, believed bool) {
	y.frozen.Take([3]float64{2: y.rate}, y.bias, wheels, dt)
	if float64(now-y.heard)/1e9 > gyroGap || y.frozen.Is() {
		y.turned = 0
		return 0, 0, false
	}
	rate = y.rate - y.bias
	if speed == 0 && math.Abs(wheels) < still {
		if y.swung += dt; y.rested < restLeast || math.Abs(rate) < turnedByHand {
			y.swung = 0
			y.rested = min(restTime, y.rested+dt)
			y.bias += rate * min(1, dt/y.rested)
		} else if y.swung > restLeast {
			y.rested = 0
		}
	} else {
		if y.bias != y.before {
			otherwise, y.before, y.drove = math.Abs(y.bias-y.before)*y.drove, y.bias, 0
		}
		y.drove += dt
		y.turned = min(likeWheels, y.turned+y.likeness.add(rate, wheels, speed, dt))
	}
	ratio := y.likeness.ratio()
	if ratio < 0 { // it is upside down
		rate = -rate
	}
	return rate, otherwise, y.rested >= restLeast && y.turned >= likeWheels && math.Abs(ratio) > localization.LeastTurn && math.Abs(ratio) < localization.MostTurn
}

package guard

import (
	"math"

	"github.com/paulmach/orb"
)

const (
	// slip is how much more or less the wheels may slip on one stretch than on another, as a part of it.
	slip = 0.09
	// skid is the part of a turned angle that is not known: four wheels turn a robot by dragging.
	skid = 0.3
	// bend is how much wheels that differ a little turn a robot that drives straight on, rad/m.
	bend = 0.02
	// slide is how far a robot that turns moves beside, since it turns about a place that is not known, m/rad.
	slide = 0.15
	// lag is how well the times of wheels and fixes agree, s.
	lag = 0.2
	// witnesses is the number of places before, and of places behind, by which a fix must contradict the
	// wheels. One may be an outlier.
	witnesses = 2
	// longer is how many times as long as the stretch before a stretch may be.
	longer = 3
	// pushing is the path, beside what noise explains, after which fixes that stand mean a robot that
	// pushes against an obstacle, m.
	pushing = 0.3
)

// reckoning is where the wheels say that the robot is, in a frame of their own: dead reckoning.
type reckoning struct {
	at     orb.Point // m
	yaw    float64   // rad
	speed  float64   // m/s
	rolled float64   // m
}

// roll adds a motion of the wheels, of speeds forward and to the left, m/s, and a yaw rate, rad/s.
func (r *reckoning) roll(forward, left, rate, dt float64) {
	sin, cos := math.Sincos(r.yaw + rate*dt/2)
	r.at[0] += (forward*cos - left*sin) * dt
	r.at[1] += (forward*sin + left*cos) * dt
	r.yaw += rate * dt
	r.speed = math.Hypot(forward, left)
	r.rolled += r.speed * dt
}

// between returns the reckoning a part of the way to another.
func (r *reckoning) between(o *reckoning, part float64) reckoning {
	m := *r
	m.at[0] += part * (o.at[0] - r.at[0])
	m.at[1] += part * (o.at[1] - r.at[1])
	m.yaw += part * (o.yaw - r.yaw)
	m.rolled += part * (o.rolled - r.rolled)
	return m
}

// stretch is the way from one fix to another.
type stretch struct {
	fixes, wheels complex128 // as both tell it, m; they differ by a rotation, a scale and errors
	long          float64    // square of its length by the wheels, m²
	err           float64    // square of the errors, m²
	lever         float64    // by which the antenna moves beside the base while the robot turns, m
}

func sq(x float64) float64 { return x * x }

func abs2(c complex128) float64 { return real(c)*real(c) + imag(c)*imag(c) }

// along returns the stretch from a to b, within which the yaw changed by as much as turned, rad.
func along(a, b *fix, turned, lever float64) stretch {
	s := stretch{
		fixes:  complex(b.at[0]-a.at[0], b.at[1]-a.at[1]),
		wheels: complex(b.wheels.at[0]-a.wheels.at[0], b.wheels.at[1]-a.wheels.at[1]),
	}
	s.long = abs2(s.wheels)
	path := b.wheels.rolled - a.wheels.rolled
	s.err = sq(pairDeviations)*(a.stdDev*a.stdDev+b.stdDev*b.stdDev) + sq(lag*max(a.wheels.speed, b.wheels.speed)) +
		sq(slide*turned) + sq(path)*(sq(slip)+sq(skid*turned)+sq(bend*path/2))
	s.lever = lever * min(2, turned)
	return s
}

// contradicts reports whether the fixes up to f went elsewhere than the wheels. From a to b they tell
// rotation and scale between both, and where f must be then. The level is that before the first such b.
// It takes an outlier for one: two a and two b have to contradict f.
func (t *track) contradicts(f *fix, lever float64) (level float64, yes bool) {
	level = math.Inf(1)
	var heard [references]bool
	before, behind := 0, 0
	left, right := f.wheels.yaw, f.wheels.yaw
	for i := t.kept - 1; i > 0 && t.refs[i].path >= t.begin; i-- {
		b := &t.refs[i]
		left, right = max(left, b.wheels.yaw), min(right, b.wheels.yaw)
		last := along(&b.fix, f, left-right, lever)
		against := false
		most, least := b.wheels.yaw, b.wheels.yaw
		for j := i - 1; j >= 0 && t.refs[j].path >= t.begin; j-- {
			a := &t.refs[j]
			most, least = max(most, a.wheels.yaw), min(least, a.wheels.yaw)
			first := along(&a.fix, &b.fix, most-least, lever)
			if first.long < 9*first.err || last.long > sq(longer)*first.long { // it tells too little
				continue
			}
			times := math.Sqrt(last.long / first.long)
			// The error of b is in both.
			bound := last.lever + times*first.lever +
				math.Sqrt(last.err+times*(times*first.err+2*sq(pairDeviations*b.stdDev)))
			if off := last.fixes - first.fixes/first.wheels*last.wheels; abs2(off) <= sq(bound) {
				continue
			}
			if against = true; !heard[j] {
				heard[j] = true
				before++
			}
		}
		if against {
			behind++
			level = min(level, b.level)
		}
	}
	return level, before >= witnesses && behind >= witnesses
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard_test

import (
	"math"
	"math/rand/v2"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/field"
	"ugp_explorer/planner/guard"
	"ugp_explorer/sim"
)

// event is what happens to fixes: an error, m, and whether they come, by the time since it began, s.
type event func(m *trip, since float64) (dx, dy float64, ok bool)

// message is a fix on its way to the guard.
type message struct {
	stamp  int64
	at     orb.Point
	stdDev float64
}

const (
	tick   = int64(50e6) // ns between two steps of the world
	second = int64(1e9)
)

// square is the signed distance to a square of side 2r about the origin.
func square(r float64) func(orb.Point) float64 {
	f := field.Field{Boundary: orb.Polygon{{{-r, -r}, {r, -r}, {r, r}, {-r, r}}}}
	d, err := field.SignedDistance(f)
	if err != nil {
		panic(err)
	}
	return d
}

// trip is a mission without ROS: a robot that follows a filter of fixes to places in the field and home, or one that is driven
// straight at the fence.
type trip struct {
	*kind
	rng      *rand.Rand
	g        *guard.Guard // nil: none
	distance func(orb.Point) float64
	now      int64
	plant    *sim.Plant
	odometer *sim.Odometer
	gyro     *sim.Gyro
	receiver *sim.FixSensor
	state    sim.PlantState

	began, next float64    // of the event, s
	frozen      *orb.Point // where it is stuck
	until       float64    // s, when it measures again
	measured    orb.Point  // the newest fix
	direction   float64    // of the event, rad
	size        float64    // of the event
	told        [2]float64 // speed and yaw rate
	late        []message  // fixes on their way
	delay       float64    // s, of fixes with stamps of arrival
	gain        float64    // of the base
	brake       float64    // m/s²
	speed       float64    // that the base makes of its commands, m/s
	slip        [2]float64 // part of what the left and right wheels roll that moves the robot
	scale       float64    // of what the wheels tell
	wander      [2]float64 // error of a stuck receiver that lasts, m

	offset     orb.Point // smoothed error of the fixes
	heard      float64   // s, when a fix came last
	out        float64   // m beyond fence and allowance
	stood      float64   // s for which the guard has stopped it
	unfinished string
	says       float64 // m, that the next fix states
	waits      bool    // the guard stops it, and that may end by itself
}

const allowed = 10 // stated standard deviations, of receivers of more than 2 cm

func newTrip(k *kind, seed uint64, guarded bool, side float64) *trip {
	rng := rand.New(rand.NewPCG(seed, 31))
	m := &trip{kind: k, rng: rng, distance: square(side), now: second, gain: 1, brake: 1, slip: [2]float64{1, 1}, scale: 1}
	m.says = k.stated
	allowance := 0.0
	if k.stated > 0.02 {
		allowance = allowed * k.stated
	}
	if guarded {
		m.g = guard.New(m.distance, guard.Config{Allowance: allowance})
	}
	d := m.distance
	m.distance = func(p orb.Point) float64 { return d(p) + allowance }
	cfg := sim.DefaultPlantConfig()
	start := sim.Pose{X: (2*rng.Float64() - 1) * (side - 3), Y: (2*rng.Float64() - 1) * (side - 3), Yaw: 2 * math.Pi * rng.Float64()}
	m.plant = sim.NewPlant(cfg, start, rng)
	m.odometer = sim.NewOdometer(sim.DefaultOdometerConfig(), rng)
	m.gyro = sim.NewGyro(sim.DefaultGyroConfig(), rand.New(rand.NewPCG(seed, 32)))
	fix := k.fix
	if fix.StdDev == 0 && fix.Receiver == nil && fix.Trace == nil {
		fix.StdDev = 0.02
	}
	if fix.Period == 0 {
		fix.Period = []float64{0.1, 0.2, 1}[seed%3]
	}
	fix.CorrelationTime = max(fix.CorrelationTime, 60)
	m.receiver = sim.NewFixSensor(fix, rng)
	m.state = m.plant.State()
	m.next = 20 + 30*rng.Float64()
	if k.change != nil {
		k.change(m)
	}
	return m
}

func (m *trip) seconds() float64 { return float64(m.now) / 1e9 }

// step lets the world go on by a tick.
func (m *trip) step() {
	m.now += tick
	dt := float64(tick) / 1e9
	want := m.gain * m.told[0]
	m.speed = max(want, m.speed-m.brake*dt)
	_ = m.plant.Command(m.speed, m.told[1])
	before := m.state
	m.state = m.plant.Step(dt)
	if m.slip != [2]float64{1, 1} { // what the wheels roll moves the body less
		forward, turn := (m.slip[0]+m.slip[1])/2, (m.slip[1]-m.slip[0])*m.state.Forward/sim.Track*dt
		at := m.state.Pose
		at.X = before.X + forward*(at.X-before.X)
		at.Y = before.Y + forward*(at.Y-before.Y)
		at.Yaw += turn
		m.plant.Carry(at)
		m.state.Pose = m.plant.State().Pose
	}
	turning := m.state
	turning.YawRate = math.Remainder(m.state.Yaw-before.Yaw, 2*math.Pi) / dt
	if r, ok := m.gyro.Tick(m.now, turning); ok && m.g != nil && !m.wheels {
		if m.spin != nil && m.seconds() >= m.next {
			r.Rate = m.spin(m, r.Rate)
		}
		_ = m.g.Gyroscope(m.now, r.Rate)
	}
	if o, ok := m.odometer.Tick(m.now, m.state); ok && m.g != nil {
		_ = m.g.Odometry(m.now, m.scale*o.Forward, 0, o.YawRate)
	}
	seen := m.state
	antenna := m.state.Point(m.lever, 0)
	seen.X, seen.Y = antenna[0], antenna[1]
	m.receiver.Tick(m.now, seen)
	for {
		f, ok := m.receiver.Next(m.now)
		if !ok {
			break
		}
		m.hear(f)
	}
	for len(m.late) > 0 && m.seconds()-float64(m.late[0].stamp)/1e9 >= m.delay {
		f := m.late[0]
		m.late = m.late[1:]
		stamp := f.stamp
		if m.delay > 0 {
			stamp = m.now
		}
		if m.g != nil {
			_ = m.g.Fix(m.now, stamp, f.at, f.stdDev)
		}
	}
	if m.seconds() > 10 {
		m.out = max(m.out, -m.distance(orb.Point{m.state.X, m.state.Y}))
	}
}

// hear passes a fix on with the event's error.
func (m *trip) hear(f sim.Fix) {
	at, ok := orb.Point{f.X, f.Y}, true
	if m.event != nil && m.seconds() >= m.next {
		if m.began == 0 {
			m.began, m.direction, m.size = m.seconds(), 2*math.Pi*m.rng.Float64(), m.rng.Float64()
		}
		var dx, dy float64
		dx, dy, ok = m.event(m, m.seconds()-m.began)
		if dx == 0 && dy == 0 && ok && m.gap[0] > 0 && m.frozen == nil {
			m.began, m.next = 0, m.seconds()+m.gap[0]+(m.gap[1]-m.gap[0])*m.rng.Float64()
		}
		at = orb.Point{at[0] + dx, at[1] + dy}
		if m.frozen != nil {
			at = orb.Point{m.frozen[0] + m.wander[0], m.frozen[1] + m.wander[1]}
		}
	}
	if !ok {
		return
	}
	if at != m.measured { // the filter does not count a repeated fix
		m.measured = at
		error := orb.Point{at[0] - m.state.X, at[1] - m.state.Y}
		for i := range error {
			m.offset[i] += (error[i] - m.offset[i]) / 3
		}
	}
	m.heard = m.seconds()
	if m.fix.Real() && !m.claims {
		m.says = math.Sqrt(f.Cov[0][0])
		if f.Status == sim.FixFloat { // as the guard's node does
			m.says = max(m.says, guard.FloatStdDev)
		}
	}
	m.late = append(m.late, message{f.Stamp, at, m.says})
}

// command asks for a motion and gets what the guard allows of it.
func (m *trip) command(speed, rate float64) (passed float64) {
	passed, m.waits = speed, m.seconds()-m.heard > 3 // an outage ends by itself
	if m.g != nil {
		limit, reason := m.g.Limit(m.now, speed, 0)
		m.waits = m.waits || reason == guard.Jumped
		if math.Abs(speed) > limit {
			passed = math.Copysign(limit, speed)
			rate *= limit / math.Abs(speed)
		}
		m.g.Command(m.now, passed, 0)
	}
	m.told = [2]float64{passed, rate}
	if speed != 0 && math.Abs(passed) < 0.01 {
		if !m.waits {
			m.stood += float64(tick) / 1e9
		}
	} else if math.Abs(passed) > 0.05 {
		m.stood = 0
	}
	m.step()
	return passed
}

// steer drives towards a place by what it believes, and reports whether it is there.
func (m *trip) steer(to orb.Point) bool {
	at := orb.Point{m.state.X + m.offset[0], m.state.Y + m.offset[1]}
	dx, dy := to[0]-at[0], to[1]-at[1]
	far := math.Hypot(dx, dy)
	off := math.Remainder(math.Atan2(dy, dx)-m.state.Yaw, 2*math.Pi)
	rate, speed := max(-0.8, min(0.8, 1.5*off)), min(0.8, max(0.15, far/2))
	if math.Abs(off) > 0.5 {
		speed = 0
	}
	m.command(speed, rate)
	return far < 0.5
}

// run drives a mission of eight places, and home.
func (m *trip) run(side float64) {
	for range 5 * 20 { // it stands, and hears its receiver
		m.command(0, 0)
	}
	home := orb.Point{m.state.X, m.state.Y}
	failures, calls := 0, 0
	for taken := 0; taken <= 8; {
		target := home
		inset := 1.0
		if m.g != nil {
			needs, _ := m.g.Needs()
			inset = max(inset, needs)
		}
		if taken < 8 {
			if inset > side {
				inset = 1
			}
			for i := range target {
				target[i] = (2*m.rng.Float64() - 1) * (side - inset)
			}
		}
		limit := m.seconds() + 30 + 3*math.Hypot(target[0]-m.state.X, target[1]-m.state.Y)/0.8
		if taken == 8 {
			limit += 60
		}
		skipped, stood := false, m.stood
		for !m.steer(target) {
			if m.waits && m.told[0] == 0 {
				limit += float64(tick) / 1e9
			}
			if m.stood > stood+5 && taken < 8 || m.seconds() > limit {
				skipped = true
				break
			}
			if m.stood > 15 {
				break
			}
		}
		switch {
		case m.stood > 15:
			m.unfinished = "it stands"
			return
		case skipped && taken == 8:
			m.unfinished = "not home"
			return
		case skipped:
			if calls++; calls > 6 {
				m.unfinished = "skips"
				return
			}
			if failures++; failures >= 3 {
				m.unfinished = "too many failures"
				return
			}
		default:
			taken, failures = taken+1, 0
			for range 3 * 20 {
				m.command(0, 0)
			}
		}
	}
}

// push drives straight for the fence from a drive in the middle.
func (m *trip) push(seconds float64) {
	for range 100 {
		m.command(0, 0)
	}
	for m.seconds() < m.next { // until something happens, inside
		m.steer(orb.Point{6 * math.Cos(m.seconds()/9), 6 * math.Sin(m.seconds()/9)})
	}
	for end := m.seconds() + seconds; m.seconds() < end && m.out < 50; {
		m.command(1.2, 0)
	}
}

func displaced(size, lasts float64) event {
	return func(m *trip, since float64) (float64, float64, bool) {
		if since > lasts {
			return 0, 0, true
		}
		sin, cos := math.Sincos(m.direction)
		return size * cos, size * sin, true
	}
}

func stuck(tau float64) event {
	return func(m *trip, since float64) (float64, float64, bool) {
		if m.frozen == nil {
			m.frozen = &orb.Point{m.state.X, m.state.Y}
		}
		a := 0.0
		if tau > 0 {
			a = math.Exp(-m.receiverPeriod() / tau)
		}
		for i := range m.wander {
			m.wander[i] = a*m.wander[i] + 0.02*math.Sqrt(1-a*a)*m.rng.NormFloat64()
		}
		return 0, 0, true
	}
}

func (m *trip) receiverPeriod() float64 {
	if m.fix.Period > 0 {
		return m.fix.Period
	}
	return 0.2
}

// drifts is a receiver that drifts for a minute with a speed, m/s, and then is right again.
func drifts(speed float64) event {
	return func(m *trip, since float64) (float64, float64, bool) {
		if since > 60 {
			return 0, 0, true
		}
		sin, cos := math.Sincos(m.direction)
		return speed * since * cos, speed*since*sin + 1e-9, true
	}
}

func slips(left, right func(m *trip) float64, least, most float64) event {
	return func(m *trip, since float64) (float64, float64, bool) {
		if since > least+(most-least)*m.size {
			m.slip = [2]float64{1, 1}
			return 0, 0, true
		}
		m.slip = [2]float64{left(m), right(m)}
		return 1e-9, 0, true
	}
}

// measuredEach repeats the fix for a time, s.
func measuredEach(seconds float64) event {
	return func(m *trip, since float64) (float64, float64, bool) {
		if m.frozen == nil || m.seconds() >= m.until-1e-6 {
			m.frozen, m.until = &orb.Point{m.state.X, m.state.Y}, m.seconds()+seconds
		}
		return 1e-9, 0, true
	}
}

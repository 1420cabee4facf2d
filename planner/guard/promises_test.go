// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/guard"
	"ugp_explorer/sim"
)

var (
	promises   = flag.Int("promises", 0, "missions of a kind for the table of both promises; 0: no table")
	kindsFlag  = flag.String("kinds", "", "only the kinds whose names match this expression")
	wheelsFlag = flag.Bool("wheels", false, "robots for the table have no gyroscope")
	recordings = flag.String("recordings", "", "folder with recorded errors of receivers, one CSV file each, which become kinds")
)

// kind is a way in which receivers, wheels, clocks and bases err.
type kind struct {
	name   string
	honest bool          // what is stated is true
	stated float64       // m
	claims bool          // a real receiver states that, too, and not its own standard deviation
	fix    sim.FixConfig // with the errors; the zero value: white ones of 2 cm
	lever  float64       // m forward, of the antenna; the guard does not know it
	event  event         // nil: none
	gap    [2]float64    // s between the beginnings of two events
	change func(m *trip)
	spin   func(m *trip, rate float64) float64 // what the gyroscope makes of a yaw rate, rad/s, from the event on
	wheels bool                                // the robot has no gyroscope
}

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

func kinds(t *testing.T) []kind {
	white := func(sd float64) sim.FixConfig { return sim.FixConfig{StdDev: sd} }
	slow := func(sd, tau float64) sim.FixConfig {
		return sim.FixConfig{StdDev: 0.005, CorrelatedStdDev: sd, CorrelationTime: tau}
	}
	outage := func(m *trip, since float64) (float64, float64, bool) {
		gap := 10 + 50*m.size
		sin, cos := math.Sincos(m.direction)
		size := 1.5 + 8.5*math.Mod(7*m.size, 1)
		return size * cos, size * sin, since > gap
	}
	half := func(m *trip) float64 { return 0.9 - 0.2*m.share() }
	list := []kind{
		{name: "white 2 cm", honest: true, stated: 0.02},
		{name: "white 30 cm", honest: true, stated: 0.3, fix: white(0.3)},
		{name: "white 1 m", honest: true, stated: 1, fix: white(1)},
		{name: "Gauss-Markov 2 m, 60 s", honest: true, stated: 2, fix: slow(2, 60)},
		{name: "stuck, with 2 cm of white noise", stated: 0.02, event: stuck(0)},
		{name: "stuck, with 2 cm of noise over 5 s", stated: 0.02, event: stuck(5)},
		{name: "stuck, with 2 cm of noise over 20 s", stated: 0.02, event: stuck(20)},
		{name: "displaced after an outage", stated: 0.02, event: outage},
		{name: "outages of 10 to 60 s", honest: true, stated: 0.02, event: func(m *trip, since float64) (float64, float64, bool) {
			if since > 10+50*m.size {
				return 0, 0, true
			}
			return 1e-9, 0, false
		}, gap: [2]float64{60, 120}},
		{name: "displaced by 0.5 m for 5 s", stated: 0.02, event: displaced(0.5, 5), gap: [2]float64{40, 120}},
		{name: "displaced by 2 m for 10 s", stated: 0.02, event: displaced(2, 10), gap: [2]float64{60, 180}},
		{name: "displaced by 10 m for 60 s", stated: 0.02, event: displaced(10, 60), gap: once},
		{name: "drifts by 0.2 m/s for 60 s", stated: 0.02, event: drifts(0.2), gap: once},
		{name: "drifts by 0.2 m/s on the first metres", stated: 0.02, event: drifts(0.2), gap: once, change: func(m *trip) { m.next = 6 + 9*m.rng.Float64() }},
		{name: "drifts by 0.1 m/s for 60 s", stated: 0.02, event: drifts(0.1), gap: once},
		{name: "drifts by 0.05 m/s for 60 s", stated: 0.02, event: drifts(0.05), gap: once},
		{name: "both sides slip by 10 to 30 %", stated: 0.02, event: slips(half, half, 4, 20), gap: [2]float64{60, 120}},
		{name: "sides slip differently by 5 to 15 %", stated: 0.02, event: slips(func(m *trip) float64 { return 0.95 - 0.1*m.share() }, func(*trip) float64 { return 1 }, 4, 20), gap: [2]float64{60, 120}},
		{name: "2 cm stated, 5 cm true", stated: 0.02, fix: white(0.05)},
		{name: "step of 0.2 m", stated: 0.02, event: displaced(0.2, 1e9)},
		{name: "step of 0.5 m", stated: 0.02, event: displaced(0.5, 1e9)},
		{name: "step of 1.5 m", stated: 0.02, event: displaced(1.5, 1e9)},
		{name: "mast sways by 5 cm", stated: 0.02, fix: sim.FixConfig{StdDev: 0.02, CorrelatedStdDev: 0.05, CorrelationTime: 1}},
		{name: "mast sways by 15 cm", stated: 0.02, fix: sim.FixConfig{StdDev: 0.02, CorrelatedStdDev: 0.15, CorrelationTime: 1}},
		{name: "wheels 1.3 times as large as configured", stated: 0.02, change: func(m *trip) { m.scale = 1 / 1.3 }},
		{name: "odometry reports 1.3 times the distance", stated: 0.02, change: func(m *trip) { m.scale = 1.3 }},
		{name: "antenna 0.5 m forward, not configured", stated: 0.02, lever: 0.5},
		{name: "stamped on arrival, 1 s late", stated: 0.02, change: func(m *trip) { m.delay = 1 }},
		{name: "stamped on arrival, 3 s late", stated: 0.02, change: func(m *trip) { m.delay = 3 }},
		{name: "measured each second, published more often", stated: 0.02, event: measuredEach(1), change: atOnce},
		{name: "measured each 2 s, published more often", stated: 0.02, event: measuredEach(2), change: atOnce},
		{name: "drives at 1.3 times the command", stated: 0.02, change: func(m *trip) { m.gain = 1.3 }},
		{name: "drives at twice the command", stated: 0.02, change: func(m *trip) { m.gain = 2 }},
		{name: "brakes with 0.3 m/s²", stated: 0.02, change: func(m *trip) { m.brake = 0.3 }},
		{name: "gyroscope stuck at 0", stated: 0.02, spin: func(*trip, float64) float64 { return 0 }},
		{name: "gyroscope fails", stated: 0.02, spin: func(*trip, float64) float64 { return math.NaN() }},
		{name: "gyroscope stuck at 0.3 rad/s", stated: 0.02, spin: func(*trip, float64) float64 { return 0.3 }},
		{name: "bias of the gyroscope jumps by 0.02 rad/s", stated: 0.02, spin: func(_ *trip, rate float64) float64 { return rate + 0.02 }},
		{name: "bias of the gyroscope jumps by 0.01 rad/s", stated: 0.02, spin: func(_ *trip, rate float64) float64 { return rate + 0.01 }},
		{name: "gyroscope upside down", stated: 0.02, spin: func(_ *trip, rate float64) float64 { return -rate }, change: atOnce},
		{name: "gyroscope in degrees per second", stated: 0.02, spin: func(_ *trip, rate float64) float64 { return 180 / math.Pi * rate }, change: atOnce},
		{name: "fixes with y mirrored", stated: 0.02, event: func(m *trip, _ float64) (float64, float64, bool) { return 0, -2 * m.state.Y, true }, change: atOnce},
	}
	mixed, err := sim.ReceiverOf("rtk_mixed")
	must.OK(t, err)
	list = append(list, kind{name: "RTK fixed, float and single, all state 2 cm", stated: 0.02, claims: true, fix: sim.FixConfig{Receiver: mixed}})
	for _, name := range sim.Receivers() {
		r, err := sim.ReceiverOf(name)
		must.OK(t, err)
		stated := map[string]float64{"rtk": 0.011, "rtk_float": 0.064, "rtk_mixed": 0.064, "dgps": 0.87, "consumer": 2, "consumer_trees": 3, "phone": 1.5}[name]
		list = append(list, kind{name: name, honest: stated > 0.1 || name == "rtk", stated: stated, fix: sim.FixConfig{Receiver: r}})
	}
	if *recordings == "" {
		return list
	}
	files, err := filepath.Glob(filepath.Join(*recordings, "*.csv"))
	must.OK(t, err)
	for _, file := range files {
		trace, err := sim.ReadTrace(file, 2)
		must.OK(t, err)
		list = append(list, kind{name: strings.TrimSuffix(filepath.Base(file), ".csv"), stated: 1, fix: sim.FixConfig{Trace: trace}})
	}
	return list
}

// once is the gap after an event that does not come again: missions are over by then.
var once = [2]float64{1000, 1001}

// share is a number from 0 to 1 that stays the same during an event.
func (m *trip) share() float64 { return math.Mod(13*m.size, 1) }

// atOnce lets the event begin with the mission.
func atOnce(m *trip) { m.next = 0 }

// missions runs missions of a kind on a small field, with a gyroscope unless wheels is true, and hands each of them to check.
func missions(t *testing.T, name string, wheels bool, n uint64, check func(t *testing.T, m *trip)) {
	t.Helper()
	for _, k := range kinds(t) {
		if k.name != name {
			continue
		}
		k.wheels = wheels
		for seed := range n {
			t.Run(fmt.Sprint(name, " ", seed), func(t *testing.T) {
				m := newTrip(&k, seed, true, 30)
				m.run(30)
				check(t, m)
			})
		}
		return
	}
	t.Errorf("there is no kind %q", name)
}

func staysInside(t *testing.T, m *trip) {
	if m.out > 0.5 {
		t.Errorf("%.2f m outside", m.out)
	}
}

func completes(t *testing.T, m *trip) {
	staysInside(t, m)
	if m.unfinished != "" {
		t.Error(m.unfinished)
	}
}

// A robot whose receiver drifts for a minute, so that its filter leads it elsewhere, stays inside: its wheels and its stops tell, and a
// gyroscope if there is one.
func TestDriftIsNoSlip(t *testing.T) {
	missions(t, "drifts by 0.2 m/s for 60 s", true, 12, staysInside)
	missions(t, "drifts by 0.2 m/s for 60 s", false, 24, staysInside)
	missions(t, "drifts by 0.2 m/s on the first metres", true, 24, staysInside)
}

// A drift as slow as 0.05 m/s, which on the way looks like slip, shows while the robot stands at the fence.
func TestSlowDrift(t *testing.T) {
	for _, k := range kinds(t) {
		if k.name != "drifts by 0.05 m/s for 60 s" {
			continue
		}
		for seed := range uint64(24) {
			m := newTrip(&k, seed, true, 30)
			m.push(300)
			staysInside(t, m)
		}
	}
}

// A receiver that is metres off for good after an outage hinders a robot in the direction of that error, and in no other.
func TestDisplacedForGood(t *testing.T) {
	finished := 0
	missions(t, "displaced after an outage", false, 40, func(t *testing.T, m *trip) {
		staysInside(t, m)
		if m.unfinished == "" {
			finished++
		}
	})
	if finished < 36 {
		t.Errorf("%d of 40 missions finish", finished)
	}
}

// With a gyroscope a robot that drives on without fixes knows where it is when they come back. Without one 1 of 10 needs a person.
func TestGyroscopeBridgesOutages(t *testing.T) {
	missions(t, "outages of 10 to 60 s", false, 40, completes)
}

// A receiver that publishes each measurement several times keeps no robot from its way.
func TestRepeatedFixes(t *testing.T) {
	missions(t, "measured each second, published more often", false, 30, completes)
	missions(t, "measured each 2 s, published more often", true, 30, completes)
}

// A gyroscope that is wrong or dies moves no robot outside, and keeps none from its way.
func TestGyroscopeThatIsWrong(t *testing.T) {
	for _, name := range []string{"gyroscope stuck at 0", "gyroscope stuck at 0.3 rad/s", "gyroscope fails", "bias of the gyroscope jumps by 0.01 rad/s", "gyroscope upside down", "gyroscope in degrees per second"} {
		missions(t, name, false, 8, completes)
	}
}

// TestPromises prints, for each kind, how far outside fence and allowance a robot comes at worst, whether a mission leads it or
// it is driven straight at the fence, and how many missions end with their samples at home, with the guard and without. It judges
// nothing: the tests above do.
func TestPromises(t *testing.T) {
	if *promises == 0 {
		t.Skip("-promises says how many missions of each kind are for the table")
	}
	chosen, err := regexp.Compile(*kindsFlag)
	must.OK(t, err)
	const side = 30.0
	fmt.Printf("%-42s %22s %22s %16s   %s\n", "kind", "mission: worst, >0.5 m", "to the fence", "finished", "needs")
	for _, k := range kinds(t) {
		if !chosen.MatchString(k.name) {
			continue
		}
		k.wheels = *wheelsFlag
		n := *promises
		var worst, pushed, needs float64
		over, pushedOver, with, without := 0, 0, 0, 0
		why := map[string]int{}
		for seed := range uint64(n) {
			big := side
			if k.stated > 0.4 || k.fix.Trace != nil {
				big = 100
			}
			m := newTrip(&k, seed, true, big)
			m.run(big)
			worst = max(worst, m.out)
			if m.out > 0.5 {
				over++
				why[fmt.Sprintf("seed %d out", seed)]++
			}
			if m.unfinished == "" {
				with++
			} else {
				_, reason := m.g.Limit(m.now, 1, 0)
				why[m.unfinished+": "+string(reason)]++
			}
			now, _ := m.g.Needs()
			needs = max(needs, now)
			m = newTrip(&k, seed, false, big)
			if m.run(big); m.unfinished == "" {
				without++
			}
			m = newTrip(&k, seed, true, side)
			m.push(300)
			pushed = max(pushed, m.out)
			if m.out > 0.5 {
				pushedOver++
			}
		}
		fmt.Printf("%-42s %8.2f m %6.1f %% %10.2f m %6.1f %% %6d of %3d   %.1f %v\n", k.name, worst, 100*float64(over)/float64(n), pushed, 100*float64(pushedOver)/float64(n), with, without, needs, why)
	}
}

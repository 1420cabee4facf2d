package guard

import "math"

const (
	// excess is how many times the larger of commanded and measured speed a robot may drive:
	// wheels of another size, a slope.
	excess = 1.1
	// deceleration is the least with which a base brakes, m/s²: what our follower asks for.
	deceleration = 0.8
	// still is the speed below which wheels stand, m/s. Some bases report a little noise for ever.
	still = 0.01
	// maxAge is the age of the oldest fix that counts, s, and also how far its stamp may lie ahead.
	maxAge = 3.0
	// marks is the number of past lengths that are kept, every between s: they reach back for
	// maxAge.
	marks, between = 64, maxAge / 60
)

// path is the length that the robot can have driven, by the larger of what it was told and what
// its wheels measured.
type path struct {
	now      int64   // ns
	length   float64 // m
	measured float64 // speed of the wheels, m/s
	told     float64 // speed of the last command, m/s
	coasting float64 // speed that the base may still have from faster commands before, m/s

	wheels  reckoning
	forward float64 // speed of the wheels, m/s
	left    float64 // speed of the wheels to the left, m/s
	rate    float64 // at which they turn the robot, rad/s

	past [marks]mark // a ring
	kept int         // marks that were put into past
}

type mark struct {
	at     int64 // ns
	length float64
	wheels reckoning
}

// advance adds what the robot can have driven until now.
func (p *path) advance(now int64) {
	if p.now == 0 {
		p.now = now
	}
	if now <= p.now {
		return
	}
	if p.kept == 0 || float64(p.now-p.past[(p.kept-1)%marks].at)/1e9 >= between {
		p.past[p.kept%marks] = mark{p.now, p.length, p.wheels}
		p.kept++
	}
	dt := float64(now-p.now) / 1e9
	p.now = now
	p.length += max(p.measured, p.coasting) * excess * dt
	p.wheels.roll(p.forward, p.left, p.rate, dt)
	p.coasting = max(p.told, p.coasting-deceleration*dt)
}

// measure takes the speeds of the wheels forward and to the left, and the rate at which they turn the robot.
func (p *path) measure(forward, left, rate float64) {
	p.forward, p.left, p.rate = forward, left, rate
	if p.measured = math.Hypot(forward, left); p.measured < still {
		p.measured, p.forward, p.left = 0, 0, 0
	}
}

// tell takes the speed of a command.
func (p *path) tell(speed float64) {
	p.told = math.Abs(speed)
	p.coasting = max(p.coasting, p.told)
}

// at returns a length that the robot had driven at least at a time not more than maxAge from now, and where the
// wheels had it then; false for other times.
func (p *path) at(stamp int64) (length float64, wheels reckoning, ok bool) {
	if age := float64(p.now-stamp) / 1e9; age <= 0 {
		return p.length, p.wheels, age >= -maxAge
	} else if age > maxAge {
		return 0, reckoning{}, false
	}
	next := mark{at: p.now, wheels: p.wheels}
	for i := p.kept - 1; i >= max(0, p.kept-marks); i-- {
		m := &p.past[i%marks]
		if m.at <= stamp {
			return m.length, m.wheels.between(&next.wheels, float64(stamp-m.at)/float64(next.at-m.at)), true
		}
		next = *m
	}
	return 0, reckoning{}, false
}

// jump says that the clock was set to now.
func (p *path) jump(now int64) { p.now, p.kept = now, 0 }

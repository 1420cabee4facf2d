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

	past [marks]mark // a ring
	kept int         // marks that were put into past
}

type mark struct {
	at     int64 // ns
	length float64
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
		p.past[p.kept%marks] = mark{p.now, p.length}
		p.kept++
	}
	dt := float64(now-p.now) / 1e9
	p.now = now
	p.length += max(p.measured, p.coasting) * excess * dt
	p.coasting = max(p.told, p.coasting-deceleration*dt)
}

// measure takes the speed of the wheels.
func (p *path) measure(speed float64) {
	if p.measured = math.Abs(speed); p.measured < still {
		p.measured = 0
	}
}

// tell takes the speed of a command.
func (p *path) tell(speed float64) {
	p.told = math.Abs(speed)
	p.coasting = max(p.coasting, p.told)
}

// at returns a length that the robot had driven at least at a time not more than maxAge from now,
// and false for other times.
func (p *path) at(stamp int64) (length float64, ok bool) {
	if age := float64(p.now-stamp) / 1e9; age <= 0 {
		return p.length, age >= -maxAge
	} else if age > maxAge {
		return 0, false
	}
	for i := p.kept - 1; i >= max(0, p.kept-marks); i-- {
		if m := &p.past[i%marks]; m.at <= stamp {
			return m.length, true
		}
	}
	return 0, false
}

// jump says that the clock was set to now.
func (p *path) jump(now int64) { p.now, p.kept = now, 0 }

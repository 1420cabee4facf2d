// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// FixStatus is the kind of solution from which a receiver takes a fix.
type FixStatus int

// The kinds of solution, from the worst to the best.
const (
	FixSingle FixStatus = iota // from the satellites alone
	FixDGPS                    // with corrections of the code, as of SBAS
	FixFloat                   // with corrections of the carrier phase whose ambiguities are not integers yet
	FixRTK                     // with integer ambiguities
)

// fixError is the error of one fix, and what the receiver says of it.
type fixError struct {
	x, y   float64 // m
	stdDev float64 // stated, of x and of y, m
	status FixStatus
}

// fixErrors are the errors of a receiver in the course of time.
type fixErrors interface {
	// step moves on by dt, s, and returns the error there, which is factor times as large as in the open.
	// There is no fix when ok is false.
	step(dt, factor float64) (e fixError, ok bool)
}

// whiteErrors are those of a receiver without a model: a white error that is stated, and a slow one that is not.
type whiteErrors struct {
	stdDev float64
	white  *rand.Rand
	drifts [2]drift
}

func (w *whiteErrors) step(dt, factor float64) (fixError, bool) {
	ex, ey := w.white.NormFloat64(), w.white.NormFloat64()
	dx, dy := w.drifts[0].step(dt), w.drifts[1].step(dt)
	sd := w.stdDev * factor
	return fixError{dx + sd*ex, dy + sd*ey, sd, FixSingle}, true
}

// Receiver says how receivers of one kind err. All deviations are of one axis. Most of an error lasts for
// minutes: white noise is a small part of it. The numbers are medians over recordings of some ten receivers
// of each kind against a known position; [Receivers] has the kinds.
type Receiver struct {
	modes []fixMode

	white      float64    // m
	tau        float64    // correlation time of the slow error, s
	smooth     float64    // time constant of the filter in the receiver, s: the slow error is smooth over it
	excursions excursions // rare large errors that come and go without a jump
	jumps      jumps
	hold       bool // the position stays the same while the robot stands
}

// fixMode is a status of a receiver, with the errors that it has then.
type fixMode struct {
	status FixStatus
	slow   float64 // standard deviation of the slow error, m
	stated float64 // m

	// How long it lasts has a log-normal distribution, s; 0: for good.
	median, spread float64
	next           []float64 // probability of each mode to follow
}

type excursions struct {
	rate     float64 // 1/h
	duration float64 // median of the time from end to end, s
	peak     float64 // median, m
}

type jumps struct {
	rate    float64 // of those of more than a metre, 1/h
	beyond  float64 // mean of what is more than a metre, m
	forgets float64 // time constant with which a jump goes back, s
}

// worsening is the time constant with which the error grows when a receiver falls into a worse mode, s. A lost
// fix is no jump: what was known of the position is lost in the course of a minute. A better mode is there at once.
const worsening = 60

var receivers = map[string]Receiver{
	"exact": {modes: []fixMode{{status: FixRTK, stated: 0.001}}, tau: 1, smooth: 0.1},
	"rtk": {
		modes: []fixMode{{status: FixRTK, slow: 0.008, stated: 0.011}}, white: 0.004, tau: 60, smooth: 5,
		excursions: excursions{rate: 14, duration: 9, peak: 0.055},
	},
	"rtk_float": {
		modes: []fixMode{{status: FixFloat, slow: 0.7, stated: 0.064}}, white: 0.005, tau: 60, smooth: 8,
		excursions: excursions{rate: 13, duration: 60, peak: 3},
	},
	"rtk_mixed": {
		modes: []fixMode{
			{status: FixRTK, slow: 0.008, stated: 0.011, median: 13, spread: 1.8, next: []float64{0, 0.8, 0.2}},
			{status: FixFloat, slow: 1.1, stated: 0.064, median: 10, spread: 1.6, next: []float64{0.7, 0, 0.3}},
			{status: FixSingle, slow: 0.82, stated: 0.89, median: 8, spread: 1.5, next: []float64{0, 1, 0}},
		}, white: 0.005, tau: 60, smooth: 8,
	},
	"dgps": {
		modes: []fixMode{{status: FixDGPS, slow: 0.22, stated: 0.87}}, white: 0.011, tau: 48, smooth: 8,
		excursions: excursions{rate: 5, duration: 30, peak: 0.92},
	},
	"consumer": {
		modes: []fixMode{{status: FixSingle, slow: 1.1, stated: 2}}, white: 0.013, tau: 150, smooth: 6,
		excursions: excursions{rate: 1.8, duration: 60, peak: 4.2}, hold: true,
	},
	"consumer_trees": {
		modes: []fixMode{{status: FixSingle, slow: 3.4, stated: 3}}, white: 0.033, tau: 76, smooth: 8,
		excursions: excursions{rate: 6, duration: 35, peak: 14}, hold: true,
	},
	"phone": {
		modes: []fixMode{{status: FixSingle, slow: 1.1, stated: 1.5}}, white: 0.17, tau: 117, smooth: 8,
		excursions: excursions{rate: 4, duration: 12, peak: 4.1}, jumps: jumps{rate: 110, beyond: 0.4, forgets: 6},
	},
}

// Receivers returns the names of the kinds of receivers in alphabetic order: consumer and consumer_trees, of
// one frequency under the open sky and beside trees or buildings; dgps; phone; rtk, rtk_float and
// rtk_mixed, of two frequencies with fixed ambiguities, without, and with a status that changes; and exact, for
// comparison, one without an error.
func Receivers() []string {
	names := make([]string, 0, len(receivers))
	for name := range receivers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// ReceiverOf returns the kind of receivers of that name.
func ReceiverOf(name string) (*Receiver, error) {
	r, ok := receivers[name]
	if !ok {
		return nil, fmt.Errorf("sim: there is no receiver %q: want one of %s", name, strings.Join(Receivers(), ", "))
	}
	return &r, nil
}

// Stated returns the largest standard deviation that such a receiver states of its fixes, in x and in y, m.
func (r *Receiver) Stated() float64 {
	var most float64
	for _, m := range r.modes {
		most = max(most, m.stated)
	}
	return most
}

// StdDev returns the standard deviation of the error that such a receiver has most of the time in its worst mode, in x
// and in y, m. What it states may be less.
func (r *Receiver) StdDev() float64 {
	var most float64
	for _, m := range r.modes {
		most = max(most, math.Hypot(m.slow, r.white))
	}
	return most
}

// holdSpeed is the speed below which a receiver that holds its position takes the robot for standing, m/s.
const holdSpeed = 0.1

// holdDistance is the distance by which people may move the robot without such a receiver taking it for driving, m.
const holdDistance = 3

// modelErrors are the errors of one receiver.
type modelErrors struct {
	*Receiver
	mode      *fixMode
	left      float64 // time that the mode lasts, s
	amplitude float64 // standard deviation of the slow error now, m

	slow   [2]slowError
	bump   bump
	jumped [2]float64 // m

	white, changes, events *rand.Rand
}

func newModelErrors(r *Receiver, rng *rand.Rand) *modelErrors {
	m := &modelErrors{Receiver: r, white: split(rng), changes: split(rng), events: split(rng)}
	for i := range m.slow {
		m.slow[i] = newSlowError(r.tau, r.smooth, split(rng))
	}
	m.enter(0)
	m.amplitude = m.mode.slow
	return m
}

// enter changes the mode.
func (m *modelErrors) enter(i int) {
	m.mode = &m.modes[i]
	m.left = math.Inf(1)
	if m.mode.median > 0 {
		m.left = logNormal(m.changes, m.mode.median, m.mode.spread)
	}
}

func logNormal(rng *rand.Rand, median, spread float64) float64 {
	return median * math.Exp(spread*rng.NormFloat64())
}

func (m *modelErrors) step(dt, factor float64) (fixError, bool) {
	for m.left -= dt; m.left < 0; {
		left, u := m.left, m.changes.Float64()
		next := slices.IndexFunc(m.mode.next, func(p float64) bool { u -= p; return u < 0 })
		m.enter(max(next, 0))
		m.left += left
	}
	if m.amplitude = min(m.amplitude, m.mode.slow); m.amplitude < m.mode.slow {
		m.amplitude += (m.mode.slow - m.amplitude) * -math.Expm1(-dt/worsening)
	}
	bx, by := m.bump.step(&m.excursions, dt, m.events)
	m.kick(dt)
	e := fixError{
		x:      m.amplitude*m.slow[0].step(dt) + bx + m.jumped[0] + m.Receiver.white*m.white.NormFloat64(),
		y:      m.amplitude*m.slow[1].step(dt) + by + m.jumped[1] + m.Receiver.white*m.white.NormFloat64(),
		stdDev: m.mode.stated * factor, status: m.mode.status,
	}
	e.x, e.y = e.x*factor, e.y*factor
	return e, true
}

// kick lets jumps go back, and adds another when one is due.
func (m *modelErrors) kick(dt float64) {
	s := &m.jumps
	if s.rate == 0 {
		return
	}
	for i := range m.jumped {
		m.jumped[i] *= math.Exp(-dt / s.forgets)
	}
	if m.events.Float64() < -math.Expm1(-dt*s.rate/3600) {
		sin, cos := math.Sincos(2 * math.Pi * m.events.Float64())
		length := 1 + s.beyond*m.events.ExpFloat64()
		m.jumped[0] += length * cos
		m.jumped[1] += length * sin
	}
}

// bump is an excursion: the error grows to a peak and goes back, as the square of a sine.
type bump struct {
	at, duration float64 // s; no excursion when at ≥ duration
	x, y         float64 // peak, m
}

// step moves on by dt, s, and returns the error of the excursion there, if there is one.
func (b *bump) step(of *excursions, dt float64, rng *rand.Rand) (x, y float64) {
	if b.at += dt; b.at >= b.duration {
		if of.rate == 0 || rng.Float64() >= -math.Expm1(-dt*of.rate/3600) {
			return 0, 0
		}
		const spread = 0.6 // of the logarithms of durations and peaks
		sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
		peak := logNormal(rng, of.peak, spread)
		*b = bump{duration: logNormal(rng, of.duration, spread), x: peak * cos, y: peak * sin}
	}
	s := math.Sin(math.Pi * b.at / b.duration)
	return b.x * s * s, b.y * s * s
}

// slowError is an Ornstein–Uhlenbeck process with the correlation time tau behind a low pass with the
// time constant smooth: normal with mean 0 and standard deviation 1, and with a derivative, which a process
// of first order has not. It is the difference of two Ornstein–Uhlenbeck processes with these times and the
// same noise. It starts in its stationary state.
type slowError struct {
	rates [2]float64 // 1/s
	scale float64
	z     [2]float64
	rng   *rand.Rand
}

func newSlowError(tau, smooth float64, rng *rand.Rand) slowError {
	a, b := 1/tau, 1/smooth
	s := slowError{rates: [2]float64{a, b}, scale: 1 / math.Sqrt(1/(2*a)+1/(2*b)-2/(a+b)), rng: rng}
	s.step(math.Inf(1))
	return s
}

// step moves the process on by dt, s, by its exact transition, and returns its value.
func (s *slowError) step(dt float64) float64 {
	if dt > 0 {
		a, b := s.rates[0], s.rates[1]
		ea, eb := math.Exp(-a*dt), math.Exp(-b*dt)
		// The covariance of what the noise adds to both, and its Cholesky factor.
		aa, bb, ab := (1-ea*ea)/(2*a), (1-eb*eb)/(2*b), (1-ea*eb)/(a+b)
		la := math.Sqrt(aa)
		lab := ab / la
		lb := math.Sqrt(max(0, bb-lab*lab))
		n, m := s.rng.NormFloat64(), s.rng.NormFloat64()
		s.z = [2]float64{ea*s.z[0] + la*n, eb*s.z[1] + lab*n + lb*m}
	}
	return s.scale * (s.z[0] - s.z[1])
}

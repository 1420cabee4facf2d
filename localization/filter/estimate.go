// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"math"

	"ugp_explorer/localization"
)

// The filter's state: map from base, the parts of Slip, the gyroscope's bias and scale, the slow error of the fixes, and the
// delay of their stamps.
const (
	stateX     = iota // m, map
	stateY            // m, map
	stateYaw          // rad, map
	stateSpeed        // Slip.Speed
	stateTurn         // Slip.Turn
	stateDrift        // Slip.Drift, rad/m
	stateCrab         // Slip.Crab
	stateBias         // of the gyroscope, rad/s
	stateScale        // of the gyroscope: true turn over the measured one
	stateErrX         // slow error of the fixes, m, map
	stateErrY
	stateDelay // of the stamps of the fixes, s
	stateDim
)

type (
	stateVector [stateDim]float64
	stateMatrix [stateDim][stateDim]float64
)

// Mode says which parts of the pose the filter knows.
type Mode int

const (
	// Aligning means that there is no fix yet, or none since the heading was lost.
	Aligning Mode = iota
	// PositionKnown means that there are fixes; the robot must drive to find its heading.
	PositionKnown
	// HeadingKnown means that there is a heading; a fix is awaited.
	HeadingKnown
	// Running means that there is a pose.
	Running
)

var modeNames = [...]string{"aligning", "position known", "heading known", "running"}

// String returns the mode in words.
func (m Mode) String() string { return modeNames[m] }

// FixCounts counts the uses of fixes. Late fixes are counted as if they had come in order.
type FixCounts struct {
	Accepted    uint64
	Rejected    uint64 // refused by the gate
	Forced      uint64 // among Accepted: after MaxRejections refusals in a row
	Singular    uint64 // innovation covariance not invertible
	Waiting     uint64 // before there was a heading
	Initialised uint64 // number of times a pose was found
	HeadingLost uint64 // number of times the yaw exceeded MaxYawStdDev
	Turned      uint64 // number of times a wrong heading was corrected from the distance driven
	Coarser     uint64 // number of times fixes were found to err more than was believed, and the heading was doubted
}

// Repairs describes the last repair of each kind: a new heading, from OldYaw to NewYaw (rad), and a forced fix, Distance (m) from its
// expected position. MaxSpeed (m/s) and MaxTurnRate (rad/s) are the limits of the odometry, as configured or raised since.
type Repairs struct{ OldYaw, NewYaw, Distance, MaxSpeed, MaxTurnRate float64 }

// estimate holds everything that a step of the filter changes. It is a plain value, so that the
// history can keep one per step. In Aligning and PositionKnown the pose is in a local frame: that
// of the robot at its newest fix.
type estimate struct {
	stamp       int64
	x           stateVector
	p           stateMatrix
	mode        Mode
	fixes, yaws source
	stood       float64 // time for which the wheels have stood, s
	// Time and angle for which the gyroscope has turned while the wheels stood (s, rad).
	spunFor, spun float64
	way           track
	delayed       delayed
	steady        complex128 // mean velocity of the antenna, m/s in map, see learnsDelay
	doubt         doubt
	stray         doubt      // that would begin with the first position refused
	strayed       complex128 // m, from the position to that fix
	jump          jump
	// bias is the mean of the last innovations of positions (see average), and seen the stamp of the last one.
	bias    [2]float64
	biased  bool
	seen    int64
	outlier outlier
	proof   proof
	// contrary is the length of the wheels' path, m, up to which another contradiction shows that the fixes err more, see againWay.
	contrary   float64
	turnSigmas float64 // innovation of the gyroscope against the wheels, for Sources
	counts     FixCounts
	repair     Repairs
	receiver   receiver
	antenna    localization.Lever // see learnAntenna
}

// source is one of the two sources of corrections, positions or yaws.
type source struct {
	last       Fix     // the newest that was used
	known      bool    // there is one, since there is a pose
	way        float64 // how far and by how much the wheels had moved then, m + rad
	rejections int     // in a row
	innovation Innovation
}

// stands reports whether the robot has not moved since the newest fix.
func (s *source) stands(t *track) bool { return s.known && t.moved()-s.way < standsStill }

// use remembers the newest fix that was used.
func (s *source) use(fix *Fix, t *track) { s.last, s.way, s.known = *fix, t.moved(), true }

// proof is what fixes along the path have shown about the heading.
type proof int

const (
	unproven proof = iota // nothing since it was given: fixes do not teach the scale of the turn
	sought                // fixes have contradicted it, and err more than was believed: driving is to show it anew
	told                  // it is from them alone, perhaps from an excursion: fixes do not teach how they err
	proven                // they have confirmed it since
)

// start begins a new estimate at a stamp, as configured. The counts stay.
func (e *estimate) start(cfg *Config, stamp int64) {
	*e = estimate{stamp: stamp, counts: e.counts, repair: e.repair, receiver: e.receiver, antenna: e.antenna}
	e.forgetSlip(&cfg.Motion)
	cfg.Gyro.forget(&e.x, &e.p)
	forgetDelay(e)
	if cfg.HeadingGiven {
		e.knowHeading(cfg.InitialYaw, initialYawStdDev*initialYawStdDev)
	}
}

// forgetSlip forgets what was learnt about the slip.
func (e *estimate) forgetSlip(n *MotionNoise) {
	for _, s := range n.slip() {
		e.x[s.state] = s.mean
		e.p.forget(s.state, s.stdDev*s.stdDev)
	}
}

// forget makes a state independent of the others, with a variance.
func (m *stateMatrix) forget(state int, variance float64) {
	m.scale(state, 0)
	m[state][state] = variance
}

// scale scales the row and the column of a state.
func (m *stateMatrix) scale(state int, by float64) {
	for i := range m {
		m[state][i] *= by
		m[i][state] *= by
	}
}

// zeroPose sets the pose to the origin with zero covariance; the slip and what is known about the gyroscope stay.
func (e *estimate) zeroPose() {
	for i := range 3 {
		e.x[i] = 0
		e.p.forget(i, 0)
	}
}

// knowHeading sets a heading from outside; the mode is then HeadingKnown.
func (e *estimate) knowHeading(yaw, variance float64) {
	e.zeroPose()
	e.x[stateYaw] = wrapAngle(yaw)
	e.p[stateYaw][stateYaw] = variance
	e.mode, e.proof = HeadingKnown, unproven
}

// setPose sets the pose from outside; the mode is then Running.
func (e *estimate) setPose(p *localization.Pose) {
	e.zeroPose()
	e.x[stateX], e.x[stateY], e.x[stateYaw] = p.X, p.Y, wrapAngle(p.Yaw)
	for i := range 3 {
		for j := range 3 {
			e.p[i][j] = p.Cov[i][j]
		}
	}
	e.proof = unproven
	e.run()
}

// run sets the mode to Running and counts the pose found.
func (e *estimate) run() {
	e.mode, e.jump = Running, jump{since: e.stamp}
	e.trust()
	e.counts.Initialised++
}

// trust ends all doubts.
func (e *estimate) trust() {
	e.doubt, e.biased, e.seen = doubt{}, false, 0
	e.bias, e.fixes.rejections, e.yaws.rejections = [2]float64{}, 0, 0
}

// pose returns the pose part of the state. What the filter cannot decide is added to the covariance:
//
//   - While innovations are biased, by b, either the fixes are wrong or the filter is: b·bᵀ is added.
//   - In doubt, the wheels may be right: with d from the filter's position to that by the wheels, d·dᵀ/4 is added, so that both positions
//     are within two standard deviations. The effect of an uncertain heading on the path of the wheels is added in the same way.
//   - If the fixes have jumped, by j, they were wrong before or are wrong now: j·jᵀ/4 is added, see jump.
//   - Once refusedFixes fixes in a row have been refused, the heading may be wrong by lockoutYawStdDev.
func (e *estimate) pose() localization.Pose {
	p := localization.Pose{Stamp: e.stamp, X: e.x[stateX], Y: e.x[stateY], Yaw: e.x[stateYaw]}
	for i := range 3 {
		for j := range 3 {
			p.Cov[i][j] = e.p[i][j]
		}
	}
	add := func(x, y, factor float64) {
		p.Cov[0][0] += factor * x * x
		p.Cov[0][1] += factor * x * y
		p.Cov[1][0] += factor * x * y
		p.Cov[1][1] += factor * y * y
	}
	if e.biased {
		add(e.bias[0], e.bias[1], 1)
	}
	if e.stamp < e.jump.until {
		add(real(e.jump.by), imag(e.jump.by), 0.25)
	}
	if e.doubt.on {
		fixes, wheels := e.moved()
		d := wheels - fixes
		add(real(d), imag(d), 0.25)
		add(-imag(wheels), real(wheels), e.p[stateYaw][stateYaw]/4)
	}
	if e.fixes.rejections >= refusedFixes {
		p.Cov[2][2] += lockoutYawStdDev * lockoutYawStdDev / 2
	}
	return p
}

// symmetrise averages mirrored entries of the first n states, which differ by round-off.
func (m *stateMatrix) symmetrise(n int) {
	for i := range n {
		for j := range i {
			v := (m[i][j] + m[j][i]) / 2
			m[i][j], m[j][i] = v, v
		}
	}
}

// slipPart is a part of the slip, which varies about a mean.
type slipPart struct {
	state                int
	mean, stdDev, length float64
}

// slip returns the parts of the slip.
func (n *MotionNoise) slip() [4]slipPart {
	s, l := &n.SlipStdDev, &n.SlipLength
	return [...]slipPart{{stateSpeed, 1, s.Speed, l.Speed}, {stateTurn, n.Turn, s.Turn, l.Turn}, {stateDrift, 0, s.Drift, l.Drift}, {stateCrab, 0, s.Crab, l.Crab}}
}

// scale returns the true turn over the measured one, of the gyroscope or of the wheels.
func (x *stateVector) scale(gyro bool) float64 {
	if gyro {
		return x[stateScale]
	}
	return x[stateTurn]
}

// slip returns the estimated slip and the standard deviation of each part.
func (e *estimate) slip() (mean, stdDev Slip) {
	x, p := &e.x, &e.p
	mean = Slip{Speed: x[stateSpeed], Turn: x[stateTurn], Drift: x[stateDrift], Crab: x[stateCrab]}
	return mean, Slip{
		Speed: math.Sqrt(p[stateSpeed][stateSpeed]),
		Turn:  math.Sqrt(p[stateTurn][stateTurn]),
		Drift: math.Sqrt(p[stateDrift][stateDrift]),
		Crab:  math.Sqrt(p[stateCrab][stateCrab]),
	}
}

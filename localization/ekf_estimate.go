package localization

import "math"

// The filter's state: map from base, the parts of Slip, and the gyroscope's bias.
const (
	stateX     = iota // m, map
	stateY            // m, map
	stateYaw          // rad, map
	stateSpeed        // Slip.Speed
	stateTurn         // lasting part of Slip.Turn
	stateDrift        // Slip.Drift, rad/m
	stateCrab         // Slip.Crab
	stateSkid         // the part of Slip.Turn that varies with the ground
	stateBias         // of the gyroscope, rad/s
	stateDim

	firstSlip = stateSpeed
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
	// Anchored means that there is one fix; a second far enough from it is awaited.
	Anchored
	// HeadingKnown means that there is a heading; a fix is awaited.
	HeadingKnown
	// Running means that there is a pose.
	Running
)

var modeNames = [...]string{"aligning", "anchored", "heading known", "running"}

// String returns the mode in words.
func (m Mode) String() string {
	if m < 0 || int(m) >= len(modeNames) {
		return "unknown"
	}
	return modeNames[m]
}

// FixCounts counts how the fixes were used. Late fixes count as if they had come in order.
type FixCounts struct {
	Accepted    uint64
	Rejected    uint64 // refused by the gate
	Forced      uint64 // among Accepted: after MaxRejections refusals in a row
	Singular    uint64 // innovation covariance not invertible
	Anchors     uint64 // used as the first of two
	Waiting     uint64 // after the anchor, but too close to it
	Initialised uint64 // number of times a pose was found
	HeadingLost uint64 // number of times the yaw exceeded MaxYawStdDev
	Turned      uint64 // number of times a wrong heading was corrected from the distance driven
}

// Repair describes the last two repairs of a filter that fixes contradicted: by a heading that was
// found anew, from OldYaw to NewYaw (rad), and by a fix that was forced in, Distance (m) from where it
// was expected.
type Repair struct{ OldYaw, NewYaw, Distance float64 }

// estimate holds everything that a step of the filter changes. It is a plain value, so that the
// history can keep one per step. In Aligning and Anchored the pose is in a local frame whose origin
// is the anchor.
type estimate struct {
	stamp  int64
	x      stateVector
	p      stateMatrix
	mode   Mode
	anchor Fix // the first of two fixes; in Running, the first of the fixes refused in a row
	// stray is the believed position of the antenna at the first fix refused in a row.
	stray [2]float64
	// newest is the newest fix in Anchored, and newestAt the antenna's place in the local frame
	// there, and newestVar the sum of the variances of that frame's x and y (m²).
	newest    Fix
	newestAt  [2]float64
	newestVar float64
	lastFix   int64 // stamp of the last position fix accepted
	hasFix    bool
	stood     float64 // time for which the wheels have stood, s
	// doubted is the time for which the gyroscope has turned while the wheels stood, and doubt how
	// far (s, rad).
	doubted, doubt float64
	// slipping says that the wheels turn without moving the robot. way is the way by wheels and
	// gyroscope, and wheelTurn the angle turned on it, left and right added up (rad).
	slipping  bool
	way       track
	wheelTurn float64
	// rejections counts the refusals in a row, of positions and of yaws. refused holds the innovation of
	// the last position refused, and its covariance.
	rejections [2]int
	refused    struct {
		nu  [2]float64
		cov [2][2]float64
	}
	// confirmed says that fixes along the way have shown the heading to be right. Until then they do
	// not teach the scale of the turn.
	confirmed  bool
	innovation Innovation
	counts     FixCounts
	repair     Repair
}

// start begins a new estimate at a stamp, as configured. The counts stay.
func (e *estimate) start(cfg *EKFConfig, stamp int64) {
	*e = estimate{stamp: stamp, counts: e.counts, repair: e.repair}
	e.x[stateSpeed], e.x[stateTurn] = 1, cfg.Motion.Turn
	for _, s := range cfg.Motion.SlipStdDev.parts() {
		e.p[s.state][s.state] = s.stdDev * s.stdDev
	}
	e.p[stateTurn][stateTurn] = cfg.Motion.TurnStdDev * cfg.Motion.TurnStdDev
	e.p[stateBias][stateBias] = cfg.Gyro.BiasStdDev * cfg.Gyro.BiasStdDev
	if cfg.Heading == HeadingGiven {
		e.knowHeading(cfg.InitialYaw, cfg.InitialYawStdDev*cfg.InitialYawStdDev)
	}
}

// zeroPose sets the pose to the origin with zero covariance; the slip and the bias stay.
func (e *estimate) zeroPose() {
	for i := range stateDim {
		for j := range 3 {
			e.p[i][j], e.p[j][i] = 0, 0
		}
	}
	e.x[stateX], e.x[stateY], e.x[stateYaw] = 0, 0, 0
}

// knowHeading sets a heading from outside; the mode is then HeadingKnown.
func (e *estimate) knowHeading(yaw, variance float64) {
	e.zeroPose()
	e.x[stateYaw] = wrapAngle(yaw)
	e.p[stateYaw][stateYaw] = variance
	e.mode, e.confirmed = HeadingKnown, false
}

// setPose sets the pose from outside; the mode is then Running.
func (e *estimate) setPose(p *Pose) {
	e.zeroPose()
	e.x[stateX], e.x[stateY], e.x[stateYaw] = p.X, p.Y, wrapAngle(p.Yaw)
	for i := range 3 {
		for j := range 3 {
			e.p[i][j] = p.Cov[i][j]
		}
	}
	e.confirmed = false
	e.run()
}

// run sets the mode to Running and counts the pose found.
func (e *estimate) run() {
	e.mode = Running
	e.slipping = false
	e.rejections = [2]int{}
	e.counts.Initialised++
}

// pose returns the pose part of the state.
//
// Once refusedFixes fixes in a row have been refused, either they are wrong or the filter is. With equal
// probabilities of both the second moment of the error is the mean of both: P and ν·νᵀ + R, where ν is
// the innovation of the last fix refused and R its covariance. A heading that is wrong by
// LockoutYawStdDev is one of the possible causes.
func (e *estimate) pose(cfg *EKFConfig) Pose {
	p := Pose{Stamp: e.stamp, X: e.x[stateX], Y: e.x[stateY], Yaw: e.x[stateYaw]}
	for i := range 3 {
		for j := range 3 {
			p.Cov[i][j] = e.p[i][j]
		}
	}
	if e.rejections[0] >= refusedFixes {
		for i := range 2 {
			for j := range 2 {
				p.Cov[i][j] += (e.refused.nu[i]*e.refused.nu[j] + e.refused.cov[i][j]) / 2
			}
		}
		p.Cov[2][2] += cfg.LockoutYawStdDev * cfg.LockoutYawStdDev / 2
	}
	return p
}

// symmetrise averages mirrored entries that differ by round-off.
func (m *stateMatrix) symmetrise() {
	for i := range stateDim {
		for j := i + 1; j < stateDim; j++ {
			v := (m[i][j] + m[j][i]) / 2
			m[i][j], m[j][i] = v, v
		}
	}
}

// slipPart is a part of the slip that varies about a mean.
type slipPart struct {
	state        int
	mean, stdDev float64
}

// parts returns the parts that vary, with these standard deviations.
func (s Slip) parts() [4]slipPart {
	return [...]slipPart{{stateSpeed, 1, s.Speed}, {stateSkid, 0, s.Turn}, {stateDrift, 0, s.Drift}, {stateCrab, 0, s.Crab}}
}

// turn returns the scale of the turn, the sum of its lasting and its varying part.
func (x *stateVector) turn() float64 { return x[stateTurn] + x[stateSkid] }

// turnVariance returns the variance of the scale of the turn.
func (m *stateMatrix) turnVariance() float64 {
	return max(m[stateTurn][stateTurn]+2*m[stateTurn][stateSkid]+m[stateSkid][stateSkid], 0)
}

// slip returns the estimated slip and the standard deviation of each part.
func (e *estimate) slip() (mean, stdDev Slip) {
	x, p := &e.x, &e.p
	mean = Slip{Speed: x[stateSpeed], Turn: x.turn(), Drift: x[stateDrift], Crab: x[stateCrab]}
	return mean, Slip{
		Speed: math.Sqrt(p[stateSpeed][stateSpeed]),
		Turn:  math.Sqrt(p.turnVariance()),
		Drift: math.Sqrt(p[stateDrift][stateDrift]),
		Crab:  math.Sqrt(p[stateCrab][stateCrab]),
	}
}

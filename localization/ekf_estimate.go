package localization

// The filter's state: map from base, and the parts of Slip.
const (
	stateX     = iota // m, map
	stateY            // m, map
	stateYaw          // rad, map
	stateSpeed        // Slip.Speed
	stateTurn         // Slip.Turn
	stateDrift        // Slip.Drift, rad/m
	stateCrab         // Slip.Crab
	stateDim

	firstSlip = stateSpeed
)

type (
	stateVector [stateDim]float64
	stateMatrix [stateDim][stateDim]float64
)

// Mode says whether the filter has a heading and so a pose.
type Mode int

const (
	// Aligning has no fix yet, or not since the heading was lost.
	Aligning Mode = iota
	// Anchored has one fix and waits for a second one far enough from it.
	Anchored
	// HeadingKnown has a heading and waits for a fix.
	HeadingKnown
	// Running has a pose.
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

// FixCounts says what became of the fixes that were put in their place in
// time, as if all had come in order.
type FixCounts struct {
	Accepted    uint64
	Rejected    uint64 // by the gate
	Forced      uint64 // among Accepted: after MaxRejections in a row
	Singular    uint64 // innovation covariance not invertible
	Anchors     uint64 // taken as the first of two
	Waiting     uint64 // between the two: not far enough yet
	Initialised uint64 // times that a pose was found
	HeadingLost uint64 // times that the yaw went beyond MaxYawStdDev
	Turned      uint64 // times that the heading was found to be another, and taken from the way driven
}

// estimate is everything that a step of the filter changes. It is a plain
// value, so that the history can keep one of each step. In Aligning and
// Anchored the pose is in a local frame that begins at the anchor.
type estimate struct {
	stamp  int64
	x      stateVector
	p      stateMatrix
	mode   Mode
	anchor Fix // the first of two; in Running, the first of those refused in a row
	// stray is where the antenna was believed to be at that one.
	stray   [2]float64
	lastFix int64 // stamp of the last position fix accepted
	hasFix  bool
	// rejections in a row, of positions and of yaws.
	rejections [2]int
	innovation Innovation
	counts     FixCounts
}

// start begins as the configuration has it, at a stamp.
func (e *estimate) start(cfg *EKFConfig, stamp int64) {
	*e = estimate{stamp: stamp, counts: e.counts}
	e.x[stateSpeed], e.x[stateTurn] = 1, 1
	for i, sd := range cfg.Motion.SlipStdDev.parts() {
		e.p[firstSlip+i][firstSlip+i] = sd * sd
	}
	if cfg.Heading == HeadingGiven {
		e.knowHeading(cfg.InitialYaw, cfg.InitialYawStdDev*cfg.InitialYawStdDev)
	}
}

// zeroPose puts the pose at the origin without error; the slip stays.
func (e *estimate) zeroPose() {
	for i := range stateDim {
		for j := range 3 {
			e.p[i][j], e.p[j][i] = 0, 0
		}
	}
	e.x[stateX], e.x[stateY], e.x[stateYaw] = 0, 0, 0
}

// knowHeading takes a heading from outside and waits for a fix.
func (e *estimate) knowHeading(yaw, variance float64) {
	e.zeroPose()
	e.x[stateYaw] = WrapAngle(yaw)
	e.p[stateYaw][stateYaw] = variance
	e.mode = HeadingKnown
}

// setPose takes a pose from outside.
func (e *estimate) setPose(p *Pose) {
	e.zeroPose()
	e.x[stateX], e.x[stateY], e.x[stateYaw] = p.X, p.Y, WrapAngle(p.Yaw)
	for i := range 3 {
		for j := range 3 {
			e.p[i][j] = p.Cov[i][j]
		}
	}
	e.run()
}

// run marks a pose found.
func (e *estimate) run() {
	e.mode = Running
	e.rejections = [2]int{}
	e.counts.Initialised++
}

// pose returns the pose part of the state.
func (e *estimate) pose() Pose {
	p := Pose{Stamp: e.stamp, X: e.x[stateX], Y: e.x[stateY], Yaw: e.x[stateYaw]}
	for i := range 3 {
		for j := range 3 {
			p.Cov[i][j] = e.p[i][j]
		}
	}
	return p
}

// symmetrise averages mirrored entries, which round-off has parted.
func (m *stateMatrix) symmetrise() {
	for i := range stateDim {
		for j := i + 1; j < stateDim; j++ {
			v := (m[i][j] + m[j][i]) / 2
			m[i][j], m[j][i] = v, v
		}
	}
}

// parts returns the slip in the order of the state.
func (s Slip) parts() [stateDim - firstSlip]float64 {
	return [...]float64{s.Speed, s.Turn, s.Drift, s.Crab}
}

// slipOf returns the slip part of a state.
func slipOf(x *stateVector) Slip {
	return Slip{Speed: x[stateSpeed], Turn: x[stateTurn], Drift: x[stateDrift], Crab: x[stateCrab]}
}

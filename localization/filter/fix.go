package filter

import (
	"math"

	"ugp_explorer/localization"
)

// fusePosition uses a position fix at the estimate's stamp as the mode requires.
func (e *estimate) fusePosition(fix *Fix, cfg *Config, gate *[2]float64) {
	switch e.mode {
	case Running:
		m := e.positionMeasurement(fix, cfg.Antenna)
		m.keepTurn = !e.learnsTurn(cfg)
		if tau := cfg.FixCorrelationTime.Seconds(); tau > 0 && e.hasFix && fix.Stamp > e.lastFix {
			k := 1 / math.Tanh(float64(fix.Stamp-e.lastFix)*1e-9/(2*tau))
			for i := range 2 {
				for j := range 2 {
					m.r[i][j] *= k
				}
			}
		}
		if e.doubt.on && e.back(fix, &m, cfg.Antenna) {
			e.placeByHeading(fix, cfg.Antenna)
			e.trust()
			e.counts.Accepted++
			e.innovation = Innovation{Stamp: e.stamp, Status: FixAccepted, Residual: m.nu}
		} else {
			e.fuse(&m, cfg, gate)
		}
		if s := e.innovation.Status; s == FixAccepted || s == FixForced {
			e.lastFix, e.hasFix = fix.Stamp, true
		}
		return
	case HeadingKnown:
		e.placeByHeading(fix, cfg.Antenna)
	case Anchored:
		if !e.placeByDrive(fix, cfg, gate) {
			e.stand(fix, cfg.Antenna)
			return
		}
	default:
		e.setAnchor(fix)
		e.stand(fix, cfg.Antenna)
		return
	}
	e.run()
	e.lastFix, e.hasFix = fix.Stamp, true
	e.innovation = Innovation{Stamp: e.stamp, Status: FixInitialised}
}

// fuseYaw takes a yaw at the estimate's stamp, by the mode.
func (e *estimate) fuseYaw(yaw, variance float64, cfg *Config, gate *[2]float64) {
	if e.mode == Running || e.mode == HeadingKnown {
		m := e.yawMeasurement(yaw, variance)
		m.keepTurn = !e.learnsTurn(cfg)
		e.fuse(&m, cfg, gate)
		return
	}
	e.knowHeading(yaw, variance)
	e.innovation = Innovation{Stamp: e.stamp, Status: FixHeading}
}

// setAnchor starts the local frame at the robot and stores the fix as its position in map.
func (e *estimate) setAnchor(fix *Fix) {
	e.zeroPose()
	e.anchor = *fix
	e.mode = Anchored
	e.counts.Anchors++
	e.innovation = Innovation{Stamp: e.stamp, Status: FixAnchored}
}

// placeByHeading sets the pose from a fix when the heading is known. With b = R′(yaw)·antenna the
// position is fix − R(yaw)·antenna, and its error is e_fix − b·δyaw.
func (e *estimate) placeByHeading(fix *Fix, antenna localization.Lever) {
	sin, cos := math.Sincos(e.x[stateYaw])
	ax, ay := cos*antenna.X-sin*antenna.Y, sin*antenna.X+cos*antenna.Y
	e.x[stateX], e.x[stateY] = fix.X-ax, fix.Y-ay
	b := [2]float64{-ay, ax}
	for i := range 2 {
		for j := range stateDim {
			v := -b[i] * e.p[stateYaw][j]
			if j < 2 {
				v = fix.Cov[i][j] + b[i]*b[j]*e.p[stateYaw][stateYaw]
			}
			e.p[i][j], e.p[j][i] = v, v
		}
	}
}

// placeByDrive finds the heading from the displacement between the anchor and this
// fix: F = fix − anchor in map, and D the antenna's displacement in the local frame.
//
//	yaw = ψ + ∠F − ∠D        (x, y) = fix − R(yaw)·antenna
//
// with ψ the local yaw. Mean and covariance are propagated to first order from
// the local state and both fixes, so the covariance relates the errors of heading
// and position. It returns false when the distance is too short, when the lengths
// of F and D disagree beyond the gate, or when odometry alone is too uncertain; in
// the last two cases the fix becomes the new anchor.
func (e *estimate) placeByDrive(fix *Fix, cfg *Config, gate *[2]float64) bool {
	a := cfg.Antenna
	sin, cos := math.Sincos(e.x[stateYaw])
	dadx, dady := -sin*a.X-cos*a.Y, cos*a.X-sin*a.Y // R′(ψ)·antenna
	dx := e.x[stateX] + cos*a.X - sin*a.Y - a.X
	dy := e.x[stateY] + sin*a.X + cos*a.Y - a.Y
	fx, fy := fix.X-e.anchor.X, fix.Y-e.anchor.Y
	d, f := math.Hypot(dx, dy), math.Hypot(fx, fy)
	wait := func() bool {
		e.counts.Waiting++
		e.innovation = Innovation{Stamp: e.stamp, Status: FixWaiting}
		return false
	}
	if d < DriveDistance {
		return wait()
	}

	// Errors of direction (along n) and of length (along t), as rows over the
	// local state.
	var dirD, lenD stateVector
	dirD[stateX], dirD[stateY] = -dy/(d*d), dx/(d*d)
	lenD[stateX], lenD[stateY] = dx/d, dy/d
	dirD[stateYaw] = dirD[stateX]*dadx + dirD[stateY]*dady
	lenD[stateYaw] = lenD[stateX]*dadx + lenD[stateY]*dady
	// δyaw = jLocal·δξ + n·(e₂ − e₁)
	var jLocal stateVector
	for i := range stateDim {
		jLocal[i] = -dirD[i]
	}
	jLocal[stateYaw]++
	odometryVar := e.p.quadratic(&jLocal)
	if odometryVar > driveYawStdDev*driveYawStdDev {
		e.setAnchor(fix)
		return false
	}
	both := [2][2]float64{
		{fix.Cov[0][0] + e.anchor.Cov[0][0], fix.Cov[0][1] + e.anchor.Cov[0][1]},
		{fix.Cov[1][0] + e.anchor.Cov[1][0], fix.Cov[1][1] + e.anchor.Cov[1][1]},
	}
	if f == 0 {
		return wait()
	}
	lenVar := quadratic2(&both, fx/f, fy/f) + e.p.quadratic(&lenD)
	if (f-d)*(f-d) > gate[0]*lenVar {
		e.setAnchor(fix)
		return false
	}
	nx, ny := -fy/(f*f), fx/(f*f)
	yawVar := odometryVar + quadratic2(&both, nx, ny)
	if yawVar > driveYawStdDev*driveYawStdDev {
		return wait()
	}

	// Covariance of (e₂, δyaw, δslip), then the position's −b·δyaw.
	var withSlip stateVector
	for s := firstSlip; s < stateDim; s++ {
		for k := range stateDim {
			withSlip[s] += jLocal[k] * e.p[k][s]
		}
	}
	yaw := wrapAngle(e.x[stateYaw] + math.Atan2(fy, fx) - math.Atan2(dy, dx))
	sin, cos = math.Sincos(yaw)
	b := [2]float64{-sin*a.X - cos*a.Y, cos*a.X - sin*a.Y}
	c := [2]float64{fix.Cov[0][0]*nx + fix.Cov[0][1]*ny, fix.Cov[1][0]*nx + fix.Cov[1][1]*ny}
	e.zeroPose()
	e.confirmed = true
	e.x[stateX], e.x[stateY], e.x[stateYaw] = fix.X-b[1], fix.Y+b[0], yaw
	set := func(i, j int, v float64) { e.p[i][j], e.p[j][i] = v, v }
	set(stateYaw, stateYaw, yawVar)
	for s := firstSlip; s < stateDim; s++ {
		set(stateYaw, s, withSlip[s])
	}
	for i := range 2 {
		for j := range 2 {
			e.p[i][j] = fix.Cov[i][j] - c[i]*b[j] - b[i]*c[j] + b[i]*b[j]*yawVar
		}
		set(i, stateYaw, c[i]-b[i]*yawVar)
		for s := firstSlip; s < stateDim; s++ {
			set(i, s, -b[i]*withSlip[s])
		}
	}
	e.p.symmetrise()
	return true
}

// quadratic returns jᵀ·M·j.
func (m *stateMatrix) quadratic(j *stateVector) float64 {
	var sum float64
	for r := range stateDim {
		for c := range stateDim {
			sum += j[r] * m[r][c] * j[c]
		}
	}
	return sum
}

func quadratic2(m *[2][2]float64, x, y float64) float64 {
	return x*x*m[0][0] + x*y*(m[0][1]+m[1][0]) + y*y*m[1][1]
}

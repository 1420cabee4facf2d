// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import (
	"math"
	"math/cmplx"

	"ugp_explorer/internal/num"
)

// FixStatus says how a fix was used.
type FixStatus int

const (
	fixAccepted    FixStatus = iota
	fixForced                // accepted after MaxRejections refusals in a row
	FixRejected              // refused by the gate
	FixSingular              // innovation covariance not invertible: refused
	fixInitialised           // set the first pose
	fixWaiting               // gives the position of a robot whose heading is not known yet
	fixHeading               // a yaw that became the first heading
	fixRepeated              // the same value as the one before, measured once
	FixContrary              // a yaw that is not used, because driving has shown other headings
	fixPending               // newer than the odometry: waiting
	FixTooOld                // older than the history: dropped
)

var fixStatusNames = [...]string{
	"accepted", "forced", "rejected", "singular", "initialised", "waiting", "heading", "repeated", "not used: driving shows another", "pending", "too old",
}

// String returns the status in words.
func (s FixStatus) String() string { return fixStatusNames[s] }

// Innovation is the difference between a fix and the filter's prediction. NIS, the normalised
// innovation squared νᵀ·S⁻¹·ν, follows χ² with DoF degrees of freedom when the filter is
// consistent. DoF is zero when no innovation was computed.
type Innovation struct {
	Stamp    int64
	Status   FixStatus
	NIS      float64
	DoF      int
	Residual [2]float64 // ν: m, m for a position; rad, 0 for a yaw
}

// measurement is a linearised measurement of two values: ν, H and R. If there is only one, the second is a 0 that does not depend on the
// state, with the variance 1.
type measurement struct {
	nu [2]float64
	h  [2][stateDim]float64
	r  [2][2]float64
	// keepTurn means that the measurement does not correct the scale of the turn, see turnLearnt
	keepTurn bool
	// keepDelay means that it does not correct the delay of stamps, see learnsDelay
	keepDelay bool
}

// positionMeasurement linearises h(x) = (x, y) + R(yaw)·a + the slow error of the fixes, with the antenna's place a relative to the robot,
// which depends on the delay. R is left to the caller.
func (e *estimate) positionMeasurement(f *Fix) measurement {
	a, v := e.delayed.measured(&e.x)
	ax, ay := real(a), imag(a)
	m := measurement{nu: [2]float64{f.X - e.x[stateX] - ax - e.x[stateErrX], f.Y - e.x[stateY] - ay - e.x[stateErrY]}}
	m.h[0][stateX], m.h[0][stateYaw], m.h[0][stateErrX], m.h[0][stateDelay] = 1, -ay, 1, -real(v)
	m.h[1][stateY], m.h[1][stateYaw], m.h[1][stateErrY], m.h[1][stateDelay] = 1, ax, 1, -imag(v)
	return m
}

// yawMeasurement linearises h(x) = yaw. The innovation is the shorter arc.
func (x *stateVector) yawMeasurement(yaw, variance float64) measurement {
	m := measurement{nu: [2]float64{wrapAngle(yaw - x[stateYaw])}, r: [2][2]float64{{variance, 0}, {0, 1}}, keepDelay: true}
	m.h[0][stateYaw] = 1
	return m
}

// innovationFactor holds the Cholesky factor of S = H·P·Hᵀ + R, and P·Hᵀ.
type innovationFactor struct {
	pht           [stateDim][2]float64
	l00, l10, l11 float64
	white         [2]float64 // L⁻¹·ν
	nis           float64
	ok            bool
}

func (e *estimate) factorise(m *measurement) innovationFactor {
	var f innovationFactor
	for r := range m.h {
		for k, v := range &m.h[r] {
			if v != 0 {
				for i := range f.pht {
					f.pht[i][r] += e.p[k][i] * v
				}
			}
		}
	}
	s := m.r
	for r := range s {
		for c := range s {
			for k := range stateDim {
				s[r][c] += m.h[r][k] * f.pht[k][c]
			}
		}
	}
	f.l00 = math.Sqrt(s[0][0])
	f.l10 = s[1][0] / f.l00
	d := s[1][1] - f.l10*f.l10
	f.l11 = math.Sqrt(d)
	f.white[0] = m.nu[0] / f.l00
	f.white[1] = (m.nu[1] - f.l10*f.white[0]) / f.l11
	f.nis = f.white[0]*f.white[0] + f.white[1]*f.white[1]
	// A difference below 1e-12 of s₁₁ is round-off of the subtraction.
	f.ok = f.l00 > 0 && d > 1e-12*s[1][1] && !math.IsInf(f.l00, 0) && !math.IsInf(d, 0) && num.Finite(f.nis)
	return f
}

// leastTurn is the smallest true turn over that of the wheels which fixes may teach. A robot whose encoder fails while it turns on the spot
// would otherwise learn that it turns against its wheels, steer away from each direction that it is to take, and turn on the spot for good.
const leastTurn = 0.2

// correct is the update in Joseph form (Bar-Shalom et al. 2001, Eq. 5.2.6-4):
//
//	K = P·Hᵀ·S⁻¹    x ← x + K·ν    P ← (I − K·H)·P·(I − K·H)ᵀ + K·R·Kᵀ
func (e *estimate) correct(m *measurement, f *innovationFactor) {
	var gain [stateDim][2]float64
	for i := range gain {
		a := f.pht[i][0] / f.l00 // P·Hᵀ·L⁻ᵀ, and then times L⁻¹
		gain[i][1] = (f.pht[i][1] - f.l10*a) / f.l11 / f.l11
		gain[i][0] = (a - f.l10*gain[i][1]) / f.l00
	}
	turn := e.x[stateTurn]
	for r, nu := range m.nu {
		turn += gain[stateTurn][r] * nu
	}
	if m.keepTurn || turn < leastTurn {
		gain[stateTurn] = [2]float64{}
	}
	if m.keepDelay {
		gain[stateDelay] = [2]float64{}
	}
	// (I − K·H)·P = P − K·(P·Hᵀ)ᵀ, row by row, and then the same from the right.
	p := &e.p
	for i, k := range &gain {
		row := &p[i]
		for r, nu := range m.nu {
			e.x[i] += k[r] * nu
			for j := range row {
				row[j] -= k[r] * f.pht[j][r]
			}
		}
		var back [2]float64 // row·Hᵀ − (K·R) of the row
		for r := range m.h {
			h := &m.h[r]
			for j, v := range row {
				back[r] += v * h[j]
			}
			back[r] = back[r] - k[0]*m.r[0][r] - k[1]*m.r[1][r]
		}
		for j := range row {
			row[j] = row[j] - back[0]*gain[j][0] - back[1]*gain[j][1]
		}
	}
	e.x[stateYaw] = wrapAngle(e.x[stateYaw])
	p.symmetrise(stateDim)
}

// singular refuses a measurement whose innovation covariance cannot be inverted.
func (e *estimate) singular(in *Innovation) Innovation {
	e.counts.Singular++
	return Innovation{Stamp: e.stamp, Status: FixSingular, Residual: in.Residual}
}

// fusePlace applies a position. An outlier gets less weight, see outlier.weigh. If the error is far larger than the receiver's for MaxRejections
// fixes and outlierTime, the robot may have been moved: the position then follows the fix.
func (e *estimate) fusePlace(m *measurement, slow *[2][2]float64, cfg *Config) Innovation {
	f, gate := e.factorise(m), cfg.gate[1]
	in := Innovation{Stamp: e.stamp, NIS: f.nis, DoF: 2, Residual: m.nu}
	e.average(m, &f)
	if !f.ok {
		return e.singular(&in)
	}
	whole := m.whole(&e.x, slow)
	if w := e.factorise(&whole); w.nis > gate {
		if e.fixes.rejections == 0 {
			e.stray, e.strayed = e.begins(), complex(whole.nu[0], whole.nu[1])
		}
		e.fixes.rejections++
		if e.fixes.rejections >= refusedFixes {
			e.proof = unproven
		}
		e.bias, e.biased = whole.nu, true
		if e.fixes.rejections > MaxRejections && float64(e.stamp-e.stray.since)*1e-9 >= outlierTime {
			e.follow(m, &whole)
			in.Status = fixForced
			return in
		}
		in.Status = FixRejected
		e.counts.Rejected++
	} else {
		e.fixes.rejections = 0
		e.counts.Accepted++
	}
	if e.outlier.judge(complex(m.nu[0], m.nu[1]), f.nis > gate); f.nis > gate {
		more := e.outlier.weigh(m, f.nis, gate, e.receiver.size())
		e.p[stateErrX][stateErrX] += more
		e.p[stateErrY][stateErrY] += more
		f = e.factorise(m)
	}
	e.correct(m, &f)
	return in
}

// whole returns the measurement whose innovation is the whole difference between fix and position, with its whole expected variance.
func (m *measurement) whole(x *stateVector, slow *[2][2]float64) measurement {
	whole := *m
	for i := range 2 {
		whole.nu[i] += x[stateErrX+i]
		whole.h[i][stateErrX], whole.h[i][stateErrY] = 0, 0
		for j := range 2 {
			whole.r[i][j] += slow[i][j]
		}
	}
	return whole
}

// follow moves the position to a fix, after so many refused ones that the robot may have been moved. It enlarges the variances by |ν|², so that
// d² is below 1, in all directions: if it enlarged them only along ν, the state would adopt the measurement's error across ν without its
// variance.
func (e *estimate) follow(m, whole *measurement) {
	if !e.doubt.on && e.way.length > e.stray.length+gripFloor {
		e.doubt = e.stray
	}
	e.repair.Distance = math.Hypot(whole.nu[0], whole.nu[1])
	e.jump.take(e.stamp, e.strayed)
	e.bias, e.biased = [2]float64{}, false
	e.fixes.rejections = 0
	e.proof = unproven
	d2 := whole.nu[0]*whole.nu[0] + whole.nu[1]*whole.nu[1]
	e.p[stateX][stateX] += d2
	e.p[stateY][stateY] += d2
	if !e.doubt.on {
		e.doubtYaw()
	}
	e.forgetError()
	m.nu = whole.nu
	f := e.factorise(m)
	e.counts.Forced++
	e.counts.Accepted++
	e.correct(m, &f)
}

// outlier is what is known about the newest position beyond the gate.
type outlier struct {
	nu    complex128 // innovation of the newest position if it was one, m; otherwise 0
	alone bool       // the last one was, and the fix after it was none
}

// judge takes an innovation, m, and whether it is beyond the gate. If the one before was, this one shows whether that was alone, as one from a
// reflection is, or the begin of an excursion.
func (o *outlier) judge(nu complex128, beyond bool) {
	if o.nu != 0 {
		switch share := nu / o.nu; {
		case cmplx.Abs(share-1) < 0.5:
			o.alone = false
		case real(share) < -0.25:
			o.alone = true
		}
	}
	if o.nu = 0; beyond {
		o.nu = nu
	}
}

// weigh gives an outlier less weight, and returns by how much it enlarges the variance of the slow error, whose size it takes, m²: until the
// innovation passes the gate, so that this error explains most of it. If the last outlier was alone, another that is far off is taken for an
// error of its own: otherwise each would hide for a minute what the fixes beside it show.
func (o *outlier) weigh(m *measurement, nis, gate, slow float64) (more float64) {
	d2 := m.nu[0]*m.nu[0] + m.nu[1]*m.nu[1]
	more, part := d2/gate, slow/(slow+(m.r[0][0]+m.r[1][1])/2)
	if o.alone && nis > strayGates*gate && d2 > gripSigmas*gripFloor*gripSigmas*gripFloor {
		part = 0
	}
	for i := range m.r {
		m.r[i][i] += (1 - part) * more
	}
	return part * more
}

// strayGates is the least NIS, in gates, of an outlier that may be alone, since errors that grow pass the gate by less. Innovations below
// gripSigmas·gripFloor may come from errors of time and of the antenna's place.
const strayGates = 2

// doubtYaw enlarges the variance of the heading by lockoutYawStdDev².
func (e *estimate) doubtYaw() {
	yaw := &e.p[stateYaw][stateYaw]
	most := 0.9 * MaxYawStdDev * MaxYawStdDev // beyond MaxYawStdDev the heading would be lost
	*yaw = max(*yaw, min(*yaw+lockoutYawStdDev*lockoutYawStdDev, most))
}

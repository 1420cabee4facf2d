package filter

import "math"

// fixTau is the correlation time of the slow error of fixes, s. That of recorded receivers is between 20 and
// 400 s; between 20 and 200 s the filter is hardly worse with a wrong one.
const fixTau = 60

// receiver is what the filter knows of the errors of a receiver. They are the sum of a slow one, which is a part of the
// state, and of a white one. The sizes of both are learnt, for each kind of fixes on its own.
type receiver struct {
	kind  int
	now   [2][2]float64 // covariance of the slow error, as it was at the newest fix
	known [fixKinds]bool
	slow  [fixKinds]float64 // variance of the slow error, as a part of the stated one
	white [fixKinds]float64 // the same of the white error
}

// The kinds of fixes, by the standard deviation that they state.
const (
	fixedKind = iota // ambiguities are integers
	floatKind        // they are not yet, or distances to radio beacons
	codeKind         // of the code alone
	fixKinds
)

const (
	// Largest standard deviations that are stated by fixes with integer ambiguities, and by those of the phase, m.
	mostFixed, mostFloat = 0.03, 0.4
	// floatStdDev is what a float fix is worth until it has proved better, m.
	floatStdDev = 0.5
	// firstWhite is the part of the white error in the variance of a fix before both errors are learnt.
	firstWhite = 0.2
	// leastSlow and leastWhite are the least standard deviations of both errors, m: stamps and the place of the
	// antenna are not exact.
	leastSlow, leastWhite = 0.01, 0.01
	// errorSigmas is the number of standard deviations beyond which a slow error is doubted.
	errorSigmas = 4
	slowTime    = 120 // s, in which the size of the slow error is learnt
	whiteFixes  = 20  // fixes from which that of the white one is learnt
)

func stated(fix *Fix) float64 { return (fix.Cov[0][0] + fix.Cov[1][1]) / 2 }

func kindOf(variance float64) int {
	switch {
	case variance <= mostFixed*mostFixed:
		return fixedKind
	case variance <= mostFloat*mostFloat:
		return floatKind
	}
	return codeKind
}

// expect looks up the kind of a fix, and returns the covariance of its slow error, and that of the white one.
func (r *receiver) expect(fix *Fix) (slow, white [2][2]float64) {
	c := stated(fix)
	k := kindOf(c)
	r.kind = k
	if !r.known[k] {
		r.known[k], r.slow[k], r.white[k] = true, 1-firstWhite, firstWhite
		if k == floatKind {
			r.slow[k] = max(1-firstWhite, floatStdDev*floatStdDev/c)
		}
	}
	for i := range 2 {
		for j := range 2 {
			slow[i][j], white[i][j] = r.slow[k]*fix.Cov[i][j], r.white[k]*fix.Cov[i][j]
		}
		slow[i][i] = max(slow[i][i], leastSlow*leastSlow)
		white[i][i] = max(white[i][i], leastWhite*leastWhite)
	}
	r.now = slow
	return slow, white
}

// total returns the variance of a fix of one axis, and the part of the slow error in it.
func (r *receiver) total(fix *Fix) (variance, slowPart float64) {
	slow, white := r.expect(fix)
	s, w := (slow[0][0]+slow[1][1])/2, (white[0][0]+white[1][1])/2
	return s + w, s / (s + w)
}

// drift advances the slow error of the fixes by dt, s, towards a covariance.
func (e *estimate) drift(dt float64, slow *[2][2]float64) {
	phi := math.Exp(-dt / fixTau)
	for i := stateErrX; i <= stateErrY; i++ {
		e.x[i] *= phi
		for j := range stateDim {
			e.p[i][j] *= phi
			e.p[j][i] *= phi
		}
	}
	for i := range 2 {
		for j := range 2 {
			e.p[stateErrX+i][stateErrX+j] += (1 - phi*phi) * slow[i][j]
		}
	}
}

// forgetError forgets which slow error the newest fixes had.
func (e *estimate) forgetError() {
	now := e.receiver.now
	e.drift(1e9, &now)
}

// learnErrors learns the sizes of both errors from a fix that was used, by one step of expectation
// maximisation each. after is the measurement with what is left of the innovation.
func (e *estimate) learnErrors(fix *Fix, after *measurement, dt float64) {
	r := &e.receiver
	var slow, white float64
	for i := range 2 {
		n := stateErrX + i
		slow += (e.x[n]*e.x[n] + e.p[n][n]) / fix.Cov[i][i] / 2
		variance := 0.0
		for a := range stateDim {
			if h := after.h[i][a]; h != 0 {
				for b := range stateDim {
					variance += h * e.p[a][b] * after.h[i][b]
				}
			}
		}
		white += (after.nu[i]*after.nu[i] + variance) / fix.Cov[i][i] / 2
	}
	k := r.kind
	r.slow[k] += -math.Expm1(-min(dt, 10)/slowTime) * (slow - r.slow[k])
	r.white[k] += (white - r.white[k]) / whiteFixes
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package filter

import "math"

// receiver is what the filter knows about the errors of a receiver: the sum of a white error, which shows in each difference of two fixes,
// of a short one, which several fixes within a second share, and of a slow one, which is a part of the state. The variance of the sum is the
// stated one, until the path of the wheels shows another. Each kind of fixes has its own variances.
type receiver struct {
	kind   int
	fixed  int64         // stamp of the first of the newest consecutive fixes with integer ambiguities, ns; 0 if the newest has none
	leaps  bool          // that fix, or the newest, was not where the previous one was, see jumped
	lasted float64       // time from it to the newest one with integer ambiguities, s
	brief  bool          // they do not count as such, see fixedTime
	now    [2][2]float64 // covariance of the slow error, as it was at the newest fix
	kinds  [fixKinds]knownErrors
	// The newest consecutive fixes of one kind: their number and duration (s), the residual of the newest after its use, and its residual
	// before its use, less the residual of the previous one after its use (m).
	row       int
	lasts     float64
	off, step [2]float64
	// The sums of these steps since a stamp, ns, and over the second before it, 0 if that is not known, m.
	since    int64
	sum, was [2]float64
}

// knownErrors is what is known about one kind of fixes.
type knownErrors struct {
	fixes float64 // number from which the white error was learnt
	white float64 // variance of the white error, as a part of the one that is believed, see stated
	short float64 // the same of the error that lasts for several fixes, and changes within a second
	shown float64 // number of seconds from which that was learnt
	slow  float64 // variance of the slow error, as a part of what the others leave of that
	// Squares of the estimated slow error, and their expected values, relative to its variance and integrated over time, s.
	squares, expected float64
}

// The kinds of fixes, by the standard deviation that they state.
const (
	fixedKind = iota // ambiguities are integers, see fixedTime
	floatKind        // they are not yet, or distances to radio beacons
	codeKind         // of the code alone
	fixKinds
)

const (
	// fixTau is the correlation time of the slow error of fixes, s. That of recorded receivers is between 20 and 400 s; between 20 and 200
	// s a wrong value hardly harms the filter. While the robot stands (it has moved by less than standsStill, m and rad), the time is
	// stillTimes as long, because many receivers then hold their position.
	fixTau, stillTimes, standsStill = 60, 10, 0.05
	// Largest standard deviations stated by fixes with integer ambiguities and by float fixes, m.
	mostFixed, mostFloat = 0.03, 0.4
	// Beside trees and buildings, receivers find wrong ambiguities again and again, and in recordings kept them for 9 s at most. After others,
	// fixes with integer ambiguities therefore count as float ones until they have lasted for fixedTime (s), unless the last ones have.
	fixedTime = 10
	// floatStdDev is the standard deviation of a float fix until it has proved better, m.
	floatStdDev float64 = 0.75
	// leastError is the least standard deviation of each error, m: stamps and the antenna's position are not exact.
	leastError float64 = 0.01
	// firstWhite is the share of the white error before it is learnt, with the weight of firstFixes. It is learnt from mostFixes at most,
	// and treated as known after knownFixes.
	firstWhite, firstFixes, knownFixes, mostFixes = 0.2, 2, 30, 600
	// firstShort is the weight, in seconds, of the assumption that there is no short error.
	firstShort = 10
	// If the assumed size of the slow error is right, the mean square of the estimated error is leastSquare to mostSquare of its expected
	// value: all of it for a first-order process with fixTau, and less for real receivers, whose errors last longer and are smoother. Only
	// a ratio outside this range shows another size. The ratio begins with firstSquare, with the weight of firstExpected (s), or more if a
	// white error hides the slow one. It is averaged over learnTime (s), and the size follows it with sizeTime (s). A single square is
	// limited to mostSquares.
	leastSquare, firstSquare, mostSquare, mostSquares = 0.2, 0.4, 0.5, 9
	firstExpected, learnTime, sizeTime                = 10, 300, 20
)

// stated returns the variance of one axis that a fix states, m², and the smallest believable one.
func stated(fix *Fix) (c, least float64) {
	c = (fix.Cov[0][0] + fix.Cov[1][1]) / 2
	return c, max(c, leastError*leastError)
}

// rounder returns a stated covariance whose smallest standard deviation is at least half of its largest: nothing confirms that a receiver errs
// in one direction alone.
func rounder(c [2][2]float64) [2][2]float64 {
	const least = 0.25 // of the largest variance
	mean, half, both := (c[0][0]+c[1][1])/2, (c[0][0]-c[1][1])/2, (c[0][1]+c[1][0])/2
	apart := math.Hypot(half, both)
	if more := least*(mean+apart) - (mean - apart); more > 0 {
		half, both = half*(1-more/2/apart), both*(1-more/2/apart)
		mean += more / 2
	}
	return [2][2]float64{{mean + half, both}, {both, mean - half}}
}

// kindOf returns the kind of the newest fix, by the variance that it states and by how long integer ambiguities have lasted, which it notes.
func (r *receiver) kindOf(stamp int64, variance float64) int {
	fixed := variance <= mostFixed*mostFixed
	if fixed {
		if r.fixed == 0 {
			r.fixed = stamp
		}
		r.lasted = float64(stamp-r.fixed) * 1e-9
		r.brief = r.brief && r.lasted < fixedTime
	} else {
		r.fixed, r.brief = 0, r.lasted < fixedTime
	}
	switch {
	case fixed && !r.brief:
		return fixedKind
	case variance <= mostFloat*mostFloat:
		return floatKind
	}
	return codeKind
}

// surelyShort returns the variance of the short error, as short, as far as it is not by chance that the white one looks like it.
func (k *knownErrors) surelyShort() float64 { return max(0, k.short-3*k.white/math.Sqrt(k.shown)) }

// fast returns the variance of the error that changes within a second, as white.
func (k *knownErrors) fast() float64 { return k.white + k.surelyShort() }

// crowd returns the factor by which a fix tells less of the position, dt after the last one, s: fixes within a second have one short error.
func (k *knownErrors) crowd(dt float64) float64 {
	short := k.surelyShort()
	if short == 0 {
		return 1
	}
	return (k.white + short*max(1, 1/max(dt, 1e-3))) / (k.white + short)
}

// expect looks up the kind of a fix, and returns the covariances of its slow and its fast error. If the variance of the fast error is
// known from n fixes, a relative error of 1/√n remains, and the slow error may be as large as that.
func (r *receiver) expect(fix *Fix) (slow, fast [2][2]float64) {
	c, base := stated(fix)
	r.kind = r.kindOf(fix.Stamp, c)
	k := &r.kinds[r.kind]
	if k.fixes == 0 {
		*k = knownErrors{fixes: firstFixes, white: firstWhite, shown: firstShort, slow: 1}
	}
	share := k.fast()
	f, s := share*base/c, k.slow*max(1-share, share/math.Sqrt(k.fixes))*base/c
	if r.kind == floatKind {
		s *= max(1, floatStdDev*floatStdDev/base)
	}
	for i := range 2 {
		for j := range 2 {
			slow[i][j], fast[i][j] = s*fix.Cov[i][j], f*fix.Cov[i][j]
		}
		slow[i][i] = max(slow[i][i], leastError*leastError)
		fast[i][i] = max(fast[i][i], leastError*leastError)
	}
	r.now = slow
	return slow, fast
}

// size returns the variance of the slow error of one axis, m².
func (r *receiver) size() float64 { return (r.now[0][0] + r.now[1][1]) / 2 }

// total returns the variance of a fix along one axis, and the share of the slow error in it.
func (r receiver) total(fix *Fix) (variance, slowPart float64) {
	_, fast := r.expect(fix)
	w := (fast[0][0] + fast[1][1]) / 2
	return r.size() + w, r.size() / (r.size() + w)
}

// coarser enlarges the variance of the slow error of this kind of fixes.
func (r *receiver) coarser(growth float64) {
	r.kinds[r.kind].slow *= growth
	r.row, r.lasts = 0, 0
}

// drift advances the slow error of the fixes by dt, s, towards a covariance.
func (e *estimate) drift(dt float64, slow *[2][2]float64) {
	phi := math.Exp(-dt / fixTau)
	for i := stateErrX; i <= stateErrY; i++ {
		e.x[i] *= phi
		e.p.scale(i, phi)
	}
	for i := range 2 {
		for j := range 2 {
			e.p[stateErrX+i][stateErrX+j] += (1 - phi*phi) * slow[i][j]
		}
	}
}

// forgetError forgets the slow error of the newest fixes.
func (e *estimate) forgetError() {
	now := e.receiver.now
	e.drift(1e9, &now)
}

// off returns the difference between a fix and the filter's position of the antenna, m.
func (x *stateVector) off(m *measurement) [2]float64 {
	return [2]float64{m.nu[0] + x[stateErrX], m.nu[1] + x[stateErrY]}
}

// jumped reports whether a fix disagrees with the previous one. A better kind of fixes jumps to its position at once. If a fix states a
// smaller deviation but stays where the worse fix was, it only claims to be better.
func (r *receiver) jumped(off [2]float64) bool {
	return r.row == 0 || math.Hypot(off[0]-r.off[0], off[1]-r.off[1]) > gripFloor
}

// learnErrors learns the sizes of both errors from a fix that was used, dt after the last one. before is its residual before its use, and
// after is the measurement with the residual after it. The slow error is learnt only while the robot drives with a confirmed heading: with
// a wrong heading, the path of the wheels departs from the fixes without limit, and an error that grows with it would hide this.
func (e *estimate) learnErrors(fix *Fix, before [2]float64, after *measurement, dt float64, tells bool) {
	r := &e.receiver
	k := &r.kinds[r.kind]
	_, base := stated(fix)
	// The second difference between the fixes and the path of the wheels has six times the variance of the white error.
	white := 0.0
	for i := range 2 {
		step := before[i] - r.off[i]
		white += (step - r.step[i]) * (step - r.step[i]) / 12
		r.step[i] = step
		r.sum[i] += step
	}
	r.off = e.x.off(after)
	if r.row++; r.row > 1 {
		r.lasts += dt
	}
	if r.row > 2 {
		k.fixes = min(k.fixes+1, mostFixes)
		k.white += (min(white/base, mostSquares) - k.white) / k.fixes
	}
	r.learnShort(fix.Stamp, base)
	if k.fixes < knownFixes || r.lasts < fixTau || !tells { // a lost fix errs more and more at first
		return
	}
	size, fade := r.size(), math.Exp(-dt/learnTime)
	k.squares, k.expected = k.squares*fade, k.expected*fade
	for i := range 2 {
		x, p, size := e.x[stateErrX+i], e.p[stateErrX+i][stateErrX+i], r.now[i][i]
		k.squares += dt * min(x*x/size, mostSquares)
		k.expected += dt * max(1-p/size, 0)
	}
	fast := k.fast() * base
	hidden := fast / (fast + size) // by the fast error, of the slow one
	first, most := firstExpected/(1-hidden), mostSquare+(1-mostSquare)*hidden
	ratio := (k.squares + firstSquare*first) / (k.expected + first)
	larger := math.Pow(max(ratio/most, min(ratio/leastSquare, 1)), min(dt/sizeTime, 1))
	k.slow *= larger
	k.squares /= larger
}

// learnShort learns the size of the short error from the motions of fixes against the wheels over each second with several fixes.
func (r *receiver) learnShort(stamp int64, base float64) {
	if r.row <= 1 {
		r.since, r.sum, r.was = stamp, [2]float64{}, [2]float64{}
		return
	}
	if stamp-r.since < 1e9 {
		return
	}
	if r.sum != r.step && r.was != [2]float64{} { // with one fix a second, the white error is all that shows
		k, square := &r.kinds[r.kind], 0.0
		for i := range 2 {
			square += (r.sum[i] - r.was[i]) * (r.sum[i] - r.was[i]) / 12
		}
		k.shown = min(k.shown+1, mostFixes)
		k.short += (min(square/base, mostSquares) - k.white - k.short) / k.shown
	}
	r.since, r.was, r.sum = stamp, r.sum, [2]float64{}
}

// resize adjusts the covariance of the position to a new variance of the slow error: the part that comes from the fixes, and not from the
// motion, was wrong by the ratio of both variances. What the filter estimated as slow error, before it knew the white one, was white in the
// same ratio. The mean of the fixes gives the sum of position and error, so that part belongs to the position.
func (e *estimate) resize(was float64) {
	p := &e.p
	share := was / max(was, (p[stateX][stateX]+p[stateY][stateY])/2)
	f := math.Sqrt(1 + (e.receiver.size()/was-1)*share)
	if e.receiver.kinds[e.receiver.kind].fixes < knownFixes && f < 1 {
		for i := range 2 {
			was := (1 - f*f) * e.x[stateErrX+i]
			e.x[stateErrX+i] -= was
			e.x[stateX+i] += was
		}
	}
	for _, i := range [...]int{stateX, stateY, stateErrX, stateErrY} {
		p.scale(i, f)
	}
}

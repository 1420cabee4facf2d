package gp

import "math"

// expCutoff is the exponent past which exp(-h) counts as zero: exp(-345) ≈ 1e-150.
// It can't be told from zero beside a prior variance of 1, and squares of
// anything smaller would fall among the subnormal numbers, which are slow.
const expCutoff = 345

// expSteps is how many powers of two the table holds between 1 and 2.
const expSteps = 128

// exp2Table is 2^(i/expSteps).
var exp2Table = func() (t [expSteps]float64) {
	for i := range t {
		t[i] = math.Exp2(float64(i) / expSteps)
	}
	return t
}()

const (
	// expShift has a unit in the last place of 1: what is added to it is rounded to
	// a whole number, which stands in the lowest bits of the sum.
	expShift = 0x1.8p52
	// log 2/expSteps in two parts, the first with 17 bits of zeros at its end, so
	// that whole numbers up to 2^17 times it are exact.
	expStepHigh = 0x1.62e42fefa0000p-8
	expStepLow  = 0x1.cf79abc9e3b39p-47
)

// expNeg returns exp(-h), 0 where h is past expCutoff, with a relative error below
// 2.5e-16 for h ≥ 0. It takes half the time of math.Exp and is where most of
// a decision's time goes: -h = k·log2/128 + r with a whole number k and
// |r| ≤ log2/256, so that 2^(k/128) is a number of the table with k/128 added to
// its exponent, and e^r needs five terms of its series (Tang, ACM TOMS 15, 1989).
func expNeg(h float64) float64 {
	if h > expCutoff {
		return 0
	}
	k := -h*(expSteps/math.Ln2) + expShift
	bits := math.Float64bits(k)
	k -= expShift
	r := -h - k*expStepHigh - k*expStepLow
	r2 := r * r
	p := r + r2*(0.5+r*(1.0/6)) + r2*r2*(1.0/24+r*(1.0/120))
	s := math.Float64frombits(math.Float64bits(exp2Table[bits%expSteps]) + bits/expSteps<<52)
	return s + s*p
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package localization

import (
	"math"

	"ugp_explorer/internal/num"
)

const (
	// overflow is the size from which any entry is refused. Senders mark an unknown variance with
	// 1e6 to 1e12; a filter that reports 1e30 has diverged and will soon reach 1e308 and NaN.
	overflow = 1e30
	// minStdDev (m, rad) is the smallest standard deviation by which entries are scaled to
	// correlations. It keeps a millimetre's round-off in a row that is nearly zero from looking
	// like a broken matrix.
	minStdDev = 1e-3
	// unknownYaw (rad²) is the largest yaw variance; above it the heading counts as unknown. At π²
	// only e^(−π²/2) = 0.007 of the lever's mean is left; π²/3, the variance of a uniform angle,
	// would still leave 0.19.
	unknownYaw = math.Pi * math.Pi
)

var entryNames = [3][3]string{{"x x", "x y", "x yaw"}, {"y x", "y y", "y yaw"}, {"yaw x", "yaw y", "yaw yaw"}}

// Checker accepts, treats or refuses covariances by these rules, in this order:
//
//	the variance of x or y NaN                           as if x and y were all zero
//	another entry NaN or infinite                        refused   NotFinite
//	an entry of size 1e30 or more                        refused   TooLarge
//	x or y standard deviation above MaxPositionStdDev    refused   TooLarge
//	position block and its covariance with yaw all zero  refused   ZeroCovariance, or Substituted
//	mirrored entries differ beyond asymmetryTolerance    refused   asymmetric
//	mirrored entries differ within it                    averaged  symmetrised
//	a variance below −negativeTolerance                  refused   negativeVariance
//	a variance negative within it                        to zero   clipped
//	yaw variance above π²                                scaled    yawCapped (correlations kept)
//	an eigenvalue below −negativeTolerance               refused   notPSD
//	an eigenvalue negative within it                     to zero   clipped
//
// Everything else is accepted unchanged, including singular matrices such as one
// with a yaw variance of zero. Eigenvalues are those of the correlation matrix,
// so that metres and radians have the same weight. Scaling and clipping keep the
// matrix positive semi-definite. Every refusal and every treatment is counted.
// Checking a valid covariance allocates nothing.
type Checker struct {
	cfg    CovarianceConfig
	counts CovarianceCounts
}

// NewChecker returns a checker, or an error that names the invalid field of cfg.
func NewChecker(cfg CovarianceConfig) (*Checker, error) {
	if err := cfg.validate(); err != nil {
		return nil, err
	}
	return &Checker{cfg: cfg}, nil
}

// Counts returns how many covariances were accepted, treated and refused so far.
func (c *Checker) Counts() CovarianceCounts { return c.counts }

// CheckPose checks the mean of p (finite, below 1e30) and its covariance, treats the covariance in
// place and wraps the yaw. The error is a *CovarianceError; on an error p is unchanged.
func (c *Checker) CheckPose(p *Pose) error {
	for i, v := range [3]float64{p.X, p.Y, p.Yaw} {
		if !num.Finite(v) || math.Abs(v) >= overflow {
			kind := NotFinite
			if num.Finite(v) {
				kind = TooLarge
			}
			return c.counted(&CovarianceError{kind, [3]string{"mean x", "mean y", "mean yaw"}[i], v, overflow})
		}
	}
	if err := c.check(&p.Cov, 3); err != nil {
		return err
	}
	p.Yaw = wrapAngle(p.Yaw)
	return nil
}

// CheckPosition checks the 2×2 covariance (m²) of a position fix and treats it in place. The error
// is a *CovarianceError; on an error cov is unchanged.
func (c *Checker) CheckPosition(cov *[2][2]float64) error {
	p := [3][3]float64{{cov[0][0], cov[0][1], 0}, {cov[1][0], cov[1][1], 0}}
	if err := c.check(&p, 2); err != nil {
		return err
	}
	*cov = [2][2]float64{{p[0][0], p[0][1]}, {p[1][0], p[1][1]}}
	return nil
}

// counted counts a refusal and returns it.
func (c *Checker) counted(err *CovarianceError) error {
	c.counts.Refused++
	c.counts.ByKind[err.Kind]++
	return err
}

// check applies the rules to the leading n×n block of cov (n is 2 or 3).
func (c *Checker) check(cov *[3][3]float64, n int) error {
	// The treatments of a matrix that is refused later on are not counted.
	before := c.counts
	q := *cov
	if math.IsNaN(q[0][0]) || math.IsNaN(q[1][1]) { // so some senders say that they state none
		for i := range 2 {
			for j := range n {
				q[i][j], q[j][i] = 0, 0
			}
		}
		if math.IsNaN(q[2][2]) {
			q[2][2] = 0
		}
	}
	err := c.checkSizes(&q, n)
	if err == nil {
		err = c.checkZero(&q, n)
	}
	if err == nil {
		err = c.checkSymmetry(&q, n)
	}
	if err == nil {
		err = c.checkVariances(&q, n)
	}
	if err == nil {
		err = c.checkDefinite(&q, n)
	}
	if err != nil {
		c.counts = before
		return c.counted(err)
	}
	c.counts.Accepted++
	*cov = q
	return nil
}

func (c *Checker) checkSizes(q *[3][3]float64, n int) *CovarianceError {
	limit := c.cfg.MaxPositionStdDev * c.cfg.MaxPositionStdDev
	for i := range n {
		for j := range n {
			v := q[i][j]
			switch {
			case !num.Finite(v):
				return &CovarianceError{NotFinite, entryNames[i][j], v, overflow}
			case math.Abs(v) >= overflow:
				return &CovarianceError{TooLarge, entryNames[i][j], v, overflow}
			case i == j && i < 2 && v > limit:
				return &CovarianceError{TooLarge, entryNames[i][j], v, limit}
			}
		}
	}
	return nil
}

func (c *Checker) checkZero(q *[3][3]float64, n int) *CovarianceError {
	for i := range 2 {
		for j := range n {
			if q[i][j] != 0 || q[j][i] != 0 {
				return nil
			}
		}
	}
	if c.cfg.ZeroPositionStdDev == 0 {
		return &CovarianceError{ZeroCovariance, "position", 0, 0}
	}
	v := c.cfg.ZeroPositionStdDev * c.cfg.ZeroPositionStdDev
	q[0][0], q[1][1] = v, v
	c.counts.ByKind[Substituted]++
	if n == 3 && q[2][2] == 0 {
		q[2][2] = zeroYawStdDev * zeroYawStdDev
	}
	return nil
}

// rowScale returns the standard deviation by which row i is scaled to correlations.
func rowScale(q *[3][3]float64, i int) float64 {
	return math.Max(math.Sqrt(math.Abs(q[i][i])), minStdDev)
}

func (c *Checker) checkSymmetry(q *[3][3]float64, n int) *CovarianceError {
	changed := false
	for i := range n {
		for j := i + 1; j < n; j++ {
			diff := math.Abs(q[i][j] - q[j][i])
			if diff == 0 {
				continue
			}
			limit := asymmetryTolerance * rowScale(q, i) * rowScale(q, j)
			if diff > limit {
				return &CovarianceError{asymmetric, entryNames[i][j] + " − " + entryNames[j][i], diff, limit}
			}
			mean := q[i][j]/2 + q[j][i]/2
			q[i][j], q[j][i] = mean, mean
			changed = true
		}
	}
	if changed {
		c.counts.ByKind[symmetrised]++
	}
	return nil
}

func (c *Checker) checkVariances(q *[3][3]float64, n int) *CovarianceError {
	scale := math.Max(1, math.Max(q[0][0], q[1][1]))
	for i := range n {
		limit := -negativeTolerance
		if i < 2 {
			limit *= scale
		}
		switch v := q[i][i]; {
		case v >= 0:
		case v < limit:
			return &CovarianceError{negativeVariance, entryNames[i][i], v, limit}
		default:
			q[i][i] = 0
			c.counts.ByKind[clipped]++
		}
	}
	if n == 3 && q[2][2] > unknownYaw {
		c.counts.ByKind[yawCapped]++
		k := math.Pi / math.Sqrt(q[2][2])
		for i := range 2 {
			q[i][2] *= k
			q[2][i] = q[i][2]
		}
		q[2][2] = unknownYaw
	}
	return nil
}

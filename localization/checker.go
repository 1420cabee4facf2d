package localization

import "math"

const (
	// overflow is refused in any entry. Senders mark an unknown variance with
	// 1e6 to 1e12; at 1e30 a filter has lost its footing on the way to 1e308
	// and NaN.
	overflow = 1e30
	// minDeviation (m, rad) is the smallest deviation by which entries are
	// scaled to correlations, so that a millimetre's round-off in a row that
	// is nearly zero is not taken for a broken matrix.
	minDeviation = 1e-3
	// unknownYaw (rad²) is the largest yaw variance. Above it a heading is
	// unknown: e^(−π²/2) = 0.007 of the lever's mean is left at π², where the
	// variance of a uniform angle, π²/3, would still leave 0.19.
	unknownYaw = math.Pi * math.Pi
)

var entryNames = [3][3]string{{"x x", "x y", "x yaw"}, {"y x", "y y", "y yaw"}, {"yaw x", "yaw y", "yaw yaw"}}

// Checker takes, treats or refuses covariances by these rules, in this order:
//
//	an entry NaN or infinite                          refused   NotFinite
//	an entry of size 1e30 or more                     refused   TooLarge
//	x or y deviation above MaxPositionStdDev          refused   TooLarge
//	position block (and its share with yaw) all zero  by Zero   ZeroCovariance or Substituted
//	mirrored entries differ beyond AsymmetryTolerance refused   Asymmetric
//	mirrored entries differ within it                 averaged  Symmetrised
//	a variance below −NegativeTolerance               refused   NegativeVariance
//	a variance negative within it                     to zero   Clipped
//	yaw variance above π²                             scaled    YawCapped (correlations kept)
//	an eigenvalue below −NegativeTolerance            refused   NotPSD
//	an eigenvalue negative within it                  to zero   Clipped
//
// Everything else is accepted as it is: singular matrices among it, such as a
// yaw variance of zero beside a position's. Eigenvalues are those of the
// correlation matrix, so metres and radians weigh alike. Scaling and clipping
// keep the matrix positive semi-definite. Everything but plain acceptance is
// counted. A good covariance costs no allocation.
type Checker struct {
	cfg       CovarianceConfig
	counts    CovarianceCounts
	refusal   *CovarianceError
	treatment CovarianceError
	treated   bool
}

// NewChecker returns a checker, or what is wrong with cfg.
func NewChecker(cfg CovarianceConfig) (*Checker, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	return &Checker{cfg: cfg}, nil
}

// Counts returns what became of the covariances so far.
func (c *Checker) Counts() CovarianceCounts { return c.counts }

// LastRefusal returns the newest refusal, nil when there is none.
func (c *Checker) LastRefusal() error {
	if c.refusal == nil {
		return nil
	}
	return c.refusal
}

// LastTreatment returns the newest treatment, nil when there is none.
func (c *Checker) LastTreatment() error {
	if !c.treated {
		return nil
	}
	t := c.treatment
	return &t
}

// CheckPose checks the mean of p (finite, below 1e30) and its covariance, treats
// the covariance in place and wraps the yaw. The error is a *CovarianceError; p is then unchanged.
func (c *Checker) CheckPose(p *Pose) error {
	for i, v := range [3]float64{p.X, p.Y, p.Yaw} {
		if !finite(v) || math.Abs(v) >= overflow {
			kind := NotFinite
			if finite(v) {
				kind = TooLarge
			}
			err := c.refuse(kind, [3]string{"mean x", "mean y", "mean yaw"}[i], v, overflow)
			c.countRefusal()
			return err
		}
	}
	if err := c.check(&p.Cov, 3); err != nil {
		return err
	}
	p.Yaw = WrapAngle(p.Yaw)
	return nil
}

// CheckPosition is the same for the covariance (m²) of a position fix.
func (c *Checker) CheckPosition(cov *[2][2]float64) error {
	p := [3][3]float64{{cov[0][0], cov[0][1], 0}, {cov[1][0], cov[1][1], 0}}
	if err := c.check(&p, 2); err != nil {
		return err
	}
	*cov = [2][2]float64{{p[0][0], p[0][1]}, {p[1][0], p[1][1]}}
	return nil
}

// Check is the same for the covariance of x, y, yaw.
func (c *Checker) Check(cov *[3][3]float64) error { return c.check(cov, 3) }

func (c *Checker) countRefusal() {
	c.counts.Refused++
	c.counts.ByKind[c.refusal.Kind]++
}

func (c *Checker) refuse(k Kind, entry string, value, limit float64) error {
	c.refusal = &CovarianceError{k, entry, value, limit}
	return c.refusal
}

func (c *Checker) treat(k Kind, entry string, value, limit float64) {
	c.counts.ByKind[k]++
	c.treatment = CovarianceError{k, entry, value, limit}
	c.treated = true
}

// check applies the rules to the leading n×n block of cov (n is 2 or 3).
func (c *Checker) check(cov *[3][3]float64, n int) error {
	// Treatments of a matrix that is refused in the end do not count.
	before, lastTreatment, treated := c.counts, c.treatment, c.treated
	q := *cov
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
		c.counts, c.treatment, c.treated = before, lastTreatment, treated
		c.countRefusal()
		return err
	}
	c.counts.Accepted++
	*cov = q
	return nil
}

func (c *Checker) checkSizes(q *[3][3]float64, n int) error {
	limit := c.cfg.MaxPositionStdDev * c.cfg.MaxPositionStdDev
	for i := range n {
		for j := range n {
			v := q[i][j]
			switch {
			case !finite(v):
				return c.refuse(NotFinite, entryNames[i][j], v, overflow)
			case math.Abs(v) >= overflow:
				return c.refuse(TooLarge, entryNames[i][j], v, overflow)
			case i == j && i < 2 && v > limit:
				return c.refuse(TooLarge, entryNames[i][j], v, limit)
			}
		}
	}
	return nil
}

func (c *Checker) checkZero(q *[3][3]float64, n int) error {
	for i := range 2 {
		for j := range n {
			if q[i][j] != 0 || q[j][i] != 0 {
				return nil
			}
		}
	}
	if c.cfg.Zero == ZeroRefuse {
		return c.refuse(ZeroCovariance, "position", 0, 0)
	}
	v := c.cfg.ZeroPositionStdDev * c.cfg.ZeroPositionStdDev
	q[0][0], q[1][1] = v, v
	c.treat(Substituted, "position", 0, v)
	if n == 3 && q[2][2] == 0 {
		q[2][2] = c.cfg.ZeroYawStdDev * c.cfg.ZeroYawStdDev
	}
	return nil
}

// deviation is the scale by which row i is measured.
func deviation(q *[3][3]float64, i int) float64 {
	return math.Max(math.Sqrt(math.Abs(q[i][i])), minDeviation)
}

func (c *Checker) checkSymmetry(q *[3][3]float64, n int) error {
	changed := false
	var entry string
	var worst float64
	for i := range n {
		for j := i + 1; j < n; j++ {
			diff := math.Abs(q[i][j] - q[j][i])
			if diff == 0 {
				continue
			}
			limit := c.cfg.AsymmetryTolerance * deviation(q, i) * deviation(q, j)
			if diff > limit {
				return c.refuse(Asymmetric, entryNames[i][j]+" − "+entryNames[j][i], diff, limit)
			}
			mean := q[i][j]/2 + q[j][i]/2
			q[i][j], q[j][i] = mean, mean
			if diff > worst {
				changed, worst, entry = true, diff, entryNames[i][j]
			}
		}
	}
	if changed {
		c.treat(Symmetrised, entry, worst, 0)
	}
	return nil
}

func (c *Checker) checkVariances(q *[3][3]float64, n int) error {
	scale := math.Max(1, math.Max(q[0][0], q[1][1]))
	for i := range n {
		limit := -c.cfg.NegativeTolerance
		if i < 2 {
			limit *= scale
		}
		switch v := q[i][i]; {
		case v >= 0:
		case v < limit:
			return c.refuse(NegativeVariance, entryNames[i][i], v, limit)
		default:
			q[i][i] = 0
			c.treat(Clipped, entryNames[i][i], v, 0)
		}
	}
	if n == 3 && q[2][2] > unknownYaw {
		c.treat(YawCapped, entryNames[2][2], q[2][2], unknownYaw)
		k := math.Pi / math.Sqrt(q[2][2])
		for i := range 2 {
			q[i][2] *= k
			q[2][i] = q[i][2]
		}
		q[2][2] = unknownYaw
	}
	return nil
}

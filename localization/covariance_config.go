package localization

import "fmt"

// ZeroRule says how a covariance of zeros is handled. No place is known without error: a covariance
// of zeros comes from a sender that does not state its uncertainty (Gazebo's Odometry and
// NavSatFix, many drivers).
type ZeroRule int

const (
	// ZeroRefuse refuses a covariance of zeros.
	ZeroRefuse ZeroRule = iota
	// ZeroSubstitute replaces a covariance of zeros by one with
	// CovarianceConfig.ZeroPositionStdDev and ZeroYawStdDev.
	ZeroSubstitute
)

// String returns the name of the rule as parameter files spell it.
func (z ZeroRule) String() string {
	switch z {
	case ZeroRefuse:
		return "refuse"
	case ZeroSubstitute:
		return "substitute"
	}
	return fmt.Sprintf("ZeroRule(%d)", int(z))
}

// CovarianceConfig holds the limits by which a Checker accepts, treats or refuses a covariance.
type CovarianceConfig struct {
	// MaxPositionStdDev (m) is the largest standard deviation accepted in x or y. A
	// pose less certain than the field is wide says nothing about a sample's place.
	MaxPositionStdDev float64
	// AsymmetryTolerance is the largest difference between two mirrored entries, as a
	// share of the product of their standard deviations (a correlation, without unit).
	AsymmetryTolerance float64
	// NegativeTolerance is how far below zero a variance (m², rad²) or an eigenvalue
	// of the correlation matrix may be and still count as round-off. For position
	// variances it is multiplied by the largest of them when that is above 1 m².
	NegativeTolerance float64
	// Zero says how a covariance of zeros is handled.
	Zero ZeroRule
	// ZeroPositionStdDev (m) and ZeroYawStdDev (rad) are the standard deviations that
	// ZeroSubstitute puts in place of zeros.
	ZeroPositionStdDev, ZeroYawStdDev float64
}

// DefaultCovarianceConfig returns limits that refuse standard deviations above 100 m and refuse
// zeros. Zeros are not replaced by default: a standard deviation that nobody chose would enter
// every observation and the report as if it had been measured. The error names the field to set.
// The tolerances 1e-3 and 1e-6 cover what filters in single precision (ε = 1.2e-7) show after many
// steps.
func DefaultCovarianceConfig() CovarianceConfig {
	return CovarianceConfig{
		MaxPositionStdDev:  100,
		AsymmetryTolerance: 1e-3,
		NegativeTolerance:  1e-6,
		Zero:               ZeroRefuse,
		ZeroPositionStdDev: 0.5,
		ZeroYawStdDev:      0.2,
	}
}

// Validate returns an error that lists every invalid field of c.
func (c CovarianceConfig) Validate() error {
	p := problems{of: "CovarianceConfig"}
	p.positive("MaxPositionStdDev", c.MaxPositionStdDev)
	if c.MaxPositionStdDev > 1e9 {
		p.add("MaxPositionStdDev", c.MaxPositionStdDev, "at most 1e9 m")
	}
	p.between("AsymmetryTolerance", c.AsymmetryTolerance, 0, 0.1)
	p.between("NegativeTolerance", c.NegativeTolerance, 0, 0.1)
	switch c.Zero {
	case ZeroRefuse:
	case ZeroSubstitute:
		p.positive("ZeroPositionStdDev", c.ZeroPositionStdDev)
		p.positive("ZeroYawStdDev", c.ZeroYawStdDev)
		if c.ZeroPositionStdDev > c.MaxPositionStdDev {
			p.add("ZeroPositionStdDev", c.ZeroPositionStdDev, "at most MaxPositionStdDev")
		}
	default:
		p.add("Zero", c.Zero, "ZeroRefuse or ZeroSubstitute")
	}
	return p.err()
}

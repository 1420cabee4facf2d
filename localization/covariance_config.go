package localization

import "fmt"

// ZeroRule says what becomes of a covariance of zeros. Nobody knows a place
// without error: zeros are a sender that does not state its uncertainty
// (Gazebo's Odometry and NavSatFix, many drivers).
type ZeroRule int

const (
	// ZeroRefuse refuses it.
	ZeroRefuse ZeroRule = iota
	// ZeroSubstitute puts CovarianceConfig.ZeroPositionStdDev and
	// ZeroYawStdDev in its place.
	ZeroSubstitute
)

// String returns the rule's name in parameter files.
func (z ZeroRule) String() string {
	switch z {
	case ZeroRefuse:
		return "refuse"
	case ZeroSubstitute:
		return "substitute"
	}
	return fmt.Sprintf("ZeroRule(%d)", int(z))
}

// CovarianceConfig is the rule by which a Checker takes, treats or refuses a
// covariance.
type CovarianceConfig struct {
	// MaxPositionStdDev (m): a larger deviation in x or y is refused. A pose
	// less certain than the field is wide says nothing about a sample's place.
	MaxPositionStdDev float64
	// AsymmetryTolerance: how far two mirrored entries may differ, in units of
	// the product of their two deviations (a correlation, so without unit).
	AsymmetryTolerance float64
	// NegativeTolerance: how far below zero a variance (m², rad²; times the
	// largest position variance when that is above 1 m²) or an eigenvalue of
	// the correlation matrix may be and still count as round-off.
	NegativeTolerance float64
	// Zero is the rule for a covariance of zeros.
	Zero ZeroRule
	// ZeroPositionStdDev (m) and ZeroYawStdDev (rad) are used by
	// ZeroSubstitute alone.
	ZeroPositionStdDev, ZeroYawStdDev float64
}

// DefaultCovarianceConfig refuses beyond 100 m and refuses zeros: a deviation
// that nobody chose would end in every observation and in the report as if it
// had been measured. The error says which field to set. 1e-3 and 1e-6 are what
// filters in single precision (ε = 1.2e-7) show after many steps.
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

// Validate returns what is wrong with c, field by field.
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

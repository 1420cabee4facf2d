package localization

import "fmt"

// CovarianceConfig holds the limits by which a Checker accepts, treats or refuses a covariance.
type CovarianceConfig struct {
	// MaxPositionStdDev (m) is the largest standard deviation accepted in x or y. A
	// pose less certain than the field is wide says nothing about a sample's place.
	MaxPositionStdDev float64
	// ZeroPositionStdDev (m) takes the place of a covariance of zeros; 0 refuses such a covariance. No
	// place is known without error: a covariance of zeros comes from a sender that does not state
	// its uncertainty (Gazebo's Odometry and NavSatFix, many drivers).
	ZeroPositionStdDev float64
}

const (
	// asymmetryTolerance is the largest difference between two mirrored entries, as a
	// share of the product of their standard deviations (a correlation, without unit). This and
	// negativeTolerance cover what filters in single precision (ε = 1.2e-7) show after many steps.
	asymmetryTolerance = 1e-3
	// negativeTolerance is how far below zero a variance (m², rad²) or an eigenvalue
	// of the correlation matrix may be and still count as round-off. For position
	// variances it is multiplied by the largest of them when that is above 1 m².
	negativeTolerance = 1e-6
	// zeroYawStdDev (rad) is the standard deviation of a heading whose position has that of
	// ZeroPositionStdDev: a compass that is not calibrated.
	zeroYawStdDev = 0.2
)

// DefaultCovarianceConfig returns limits that refuse standard deviations above 100 m and refuse
// zeros. Zeros are not replaced by default: a standard deviation that nobody chose would enter
// every observation and the report as if it had been measured.
func DefaultCovarianceConfig() CovarianceConfig { return CovarianceConfig{MaxPositionStdDev: 100} }

func (c CovarianceConfig) validate() error {
	if most := c.MaxPositionStdDev; !(most > 0 && most <= 1e9) {
		return fmt.Errorf("localization: CovarianceConfig.MaxPositionStdDev = %v: must be above 0 m and at most 1e9 m", most)
	}
	if v := c.ZeroPositionStdDev; !(v >= 0 && v <= c.MaxPositionStdDev) {
		return fmt.Errorf("localization: CovarianceConfig.ZeroPositionStdDev = %v: must be within [0, %v] m", v, c.MaxPositionStdDev)
	}
	return nil
}

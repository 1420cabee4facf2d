// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

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

// CovarianceFault names a defect found in a covariance or a pose.
type CovarianceFault int

const (
	NotFinite        CovarianceFault = iota // an entry is infinite, or one beside the variances NaN: refused
	TooLarge                                // above MaxPositionStdDev, or an entry of 1e30 or more: refused
	negativeVariance                        // below −negativeTolerance: refused
	asymmetric                              // mirrored entries differ by more than asymmetryTolerance: refused
	notPSD                                  // an eigenvalue below −negativeTolerance: refused
	ZeroCovariance                          // all zero or variances NaN, and ZeroPositionStdDev is 0: refused
	symmetrised                             // mirrored entries differ within the tolerance: averaged
	clipped                                 // negative within tolerance: set to zero
	yawCapped                               // yaw variance above π²: heading unknown, scaled to π²
	Substituted                             // all zero or variances NaN: replaced by ZeroPositionStdDev
	kinds
)

var kindNames = [kinds]string{
	"not finite", "too large", "negative variance", "asymmetric", "not positive semi-definite", "all zero",
	"symmetrised", "clipped", "yaw capped", "substituted",
}

// String returns the fault in words.
func (k CovarianceFault) String() string { return kindNames[k] }

// CovarianceError says which entry of a covariance or pose broke which limit.
type CovarianceError struct {
	Kind         CovarianceFault
	Entry        string  // "x x", "x yaw", "mean x", "eigenvalue", …
	Value, Limit float64 // the value found and the limit it breaks
}

// Error names the entry, the value and the limit, and for zeros the field to set.
func (e *CovarianceError) Error() string {
	switch e.Kind {
	case ZeroCovariance:
		return fmt.Sprintf("localization: covariance of %s is all zero: the sender does not state its uncertainty; "+
			"set CovarianceConfig.ZeroPositionStdDev to its standard deviation in metres", e.Entry)
	case NotFinite:
		return fmt.Sprintf("localization: covariance %s: %s = %v, must be finite", e.Kind, e.Entry, e.Value)
	}
	return fmt.Sprintf("localization: covariance %s: %s = %v, limit %v", e.Kind, e.Entry, e.Value, e.Limit)
}

// CovarianceCounts counts the covariances that a Checker accepted, treated and refused. A
// covariance that is accepted after a treatment counts as both.
type CovarianceCounts struct {
	Accepted, Refused uint64
	ByKind            [kinds]uint64 // indexed by CovarianceFault
}

// planarRows are the rows of x, y and yaw in a 6×6 pose covariance in the
// order x, y, z, rotation about x, y, z (geometry_msgs/PoseWithCovariance).
var planarRows = [3]int{0, 1, 5}

// PlanarCovariance extracts the covariance of x, y, yaw from the row-major 6×6
// covariance of x, y, z and the rotations about x, y, z: entries 0, 1, 5, 6, 7, 11,
// 30, 31, 35. It neither checks nor symmetrises; the Checker does.
func PlanarCovariance(c *[36]float64) [3][3]float64 {
	var p [3][3]float64
	for i, r := range planarRows {
		for j, s := range planarRows {
			p[i][j] = c[6*r+s]
		}
	}
	return p
}

// ExpandCovariance is the inverse of PlanarCovariance: it writes the
// covariance of x, y, yaw into its nine entries of the row-major 6×6 dst and leaves
// the other entries unchanged.
func ExpandCovariance(dst *[36]float64, p *[3][3]float64) {
	for i, r := range planarRows {
		for j, s := range planarRows {
			dst[6*r+s] = p[i][j]
		}
	}
}

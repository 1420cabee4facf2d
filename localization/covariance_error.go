package localization

import "fmt"

// Kind names a defect found in a covariance or a pose.
type Kind int

const (
	NotFinite        Kind = iota // an entry is NaN or infinite: refused
	TooLarge                     // above MaxPositionStdDev, or an entry of 1e30 or more: refused
	negativeVariance             // below −negativeTolerance: refused
	asymmetric                   // mirrored entries differ by more than asymmetryTolerance: refused
	notPSD                       // an eigenvalue below −negativeTolerance: refused
	ZeroCovariance               // all zero, and ZeroPositionStdDev is 0: refused
	symmetrised                  // mirrored entries differ within the tolerance: averaged
	clipped                      // negative within tolerance: set to zero
	yawCapped                    // yaw variance above π²: heading unknown, scaled to π²
	Substituted                  // all zero: replaced by ZeroPositionStdDev
	kinds
)

var kindNames = [kinds]string{
	"not finite", "too large", "negative variance", "asymmetric", "not positive semi-definite", "all zero",
	"symmetrised", "clipped", "yaw capped", "substituted",
}

// String returns the kind in words.
func (k Kind) String() string { return kindNames[k] }

// CovarianceError says which entry of a covariance or pose broke which limit.
type CovarianceError struct {
	Kind         Kind
	Entry        string  // "x x", "x yaw", "mean x", "eigenvalue", …
	Value, Limit float64 // the value found and the limit it breaks
}

// Error names the entry, the value and the limit, and for zeros the field to set.
func (e *CovarianceError) Error() string {
	switch e.Kind {
	case ZeroCovariance:
		return fmt.Sprintf("localization: covariance of %s is all zero: the sender does not state its uncertainty; "+
			"set CovarianceConfig.ZeroPositionStdDev, m, to what it is", e.Entry)
	case NotFinite:
		return fmt.Sprintf("localization: covariance %s: %s = %v, must be finite", e.Kind, e.Entry, e.Value)
	}
	return fmt.Sprintf("localization: covariance %s: %s = %v, limit %v", e.Kind, e.Entry, e.Value, e.Limit)
}

// CovarianceCounts counts the covariances that a Checker accepted, treated and refused. A
// covariance that is accepted after a treatment counts as both.
type CovarianceCounts struct {
	Accepted, Refused uint64
	ByKind            [kinds]uint64 // indexed by Kind
}

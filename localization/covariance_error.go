package localization

import "fmt"

// Kind names what was found in a covariance or a pose.
type Kind int

const (
	NotFinite        Kind = iota // an entry is NaN or infinite: refused
	TooLarge                     // beyond MaxPositionStdDev, or 1e30 and more anywhere: refused
	NegativeVariance             // below −NegativeTolerance: refused
	Asymmetric                   // beyond AsymmetryTolerance: refused
	NotPSD                       // an eigenvalue below −NegativeTolerance: refused
	ZeroCovariance               // zeros, under ZeroRefuse: refused
	Symmetrised                  // asymmetry within tolerance: mirrored entries averaged
	Clipped                      // negative within tolerance: set to zero
	YawCapped                    // yaw variance above π²: heading unknown, scaled to π²
	Substituted                  // zeros, under ZeroSubstitute: defaults put in
	kinds
)

var kindNames = [kinds]string{
	"not finite", "too large", "negative variance", "asymmetric", "not positive semi-definite", "all zero",
	"symmetrised", "clipped", "yaw capped", "substituted",
}

// String returns the kind in words.
func (k Kind) String() string {
	if k < 0 || k >= kinds {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return kindNames[k]
}

// Refused reports whether the kind is a refusal and not a treatment.
func (k Kind) Refused() bool { return k < Symmetrised }

// CovarianceError says which entry of a covariance or pose broke which limit.
type CovarianceError struct {
	Kind         Kind
	Entry        string  // "x x", "x yaw", "mean x", "eigenvalue", …
	Value, Limit float64 // what was found and what is allowed
}

// Error names entry, value and limit, and for zeros the field to set.
func (e *CovarianceError) Error() string {
	switch e.Kind {
	case ZeroCovariance:
		return fmt.Sprintf("localization: covariance of %s all zero: the sender does not state its uncertainty; "+
			"set CovarianceConfig.Zero to substitute with ZeroPositionStdDev (m) and ZeroYawStdDev (rad)", e.Entry)
	case NotFinite:
		return fmt.Sprintf("localization: covariance %s: %s = %v, must be finite", e.Kind, e.Entry, e.Value)
	case Substituted:
		return fmt.Sprintf("localization: covariance %s: %s all zero, variance %v put in", e.Kind, e.Entry, e.Limit)
	}
	return fmt.Sprintf("localization: covariance %s: %s = %v, limit %v", e.Kind, e.Entry, e.Value, e.Limit)
}

// CovarianceCounts says how many covariances a Checker saw and what became of
// them. One that is accepted after a treatment counts in both.
type CovarianceCounts struct {
	Accepted, Refused uint64
	ByKind            [kinds]uint64 // indexed by Kind
}

// Of returns the count of one kind.
func (c CovarianceCounts) Of(k Kind) uint64 { return c.ByKind[k] }

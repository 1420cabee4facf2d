package gp

import (
	"errors"
	"fmt"
)

// ErrObservation is wrapped by every error about an observation whose numbers
// cannot be used.
var ErrObservation = errors.New("gp: invalid observation")

// maxCondition is the condition number past which an observation is refused. The
// posterior's relative error is about the condition times 2e-16, so at 1e12 four
// digits are left.
const maxCondition = 1e12

// IllConditionedError says that an observation would make the covariance matrix
// K̂+Λ of the observations so nearly singular that the posterior is noise: as a
// rule because it repeats an earlier one, or the data are dense beside the
// length-scale, and next to no noise is modelled. A larger noise variance cures
// it.
type IllConditionedError struct {
	Index         int     // the observation's index, had it been added
	Pivot         float64 // its variance given all earlier ones plus its noise: the new pivot, squared unit of the values
	Variance      float64 // its prior variance, same unit
	NoiseVariance float64 // its noise variance in total, same unit
	Condition     float64 // estimate of the matrix's condition number; +Inf when the pivot isn't positive
	MaxCondition  float64 // what is allowed
	Nearest       int     // the earlier observation most correlated with it, -1 when there is none
	Correlation   float64 // the prior correlation with Nearest
}

func (e *IllConditionedError) Error() string {
	return fmt.Sprintf("gp: observation %d makes the covariance ill-conditioned: condition %.3g, at most %.3g allowed; "+
		"pivot %.3g beside prior variance %.3g and noise variance %.3g; most like observation %d (correlation %.9g)",
		e.Index, e.Condition, e.MaxCondition, e.Pivot, e.Variance, e.NoiseVariance, e.Nearest, e.Correlation)
}

package field

import "ugp_explorer/planner/earth"

// What a field has of package earth.
type (
	Datum        = earth.Datum
	DegreesError = earth.DegreesError
)

// ErrDatum is wrapped by every error about a [Datum], or about coordinates that do not match it.
var ErrDatum = earth.ErrDatum

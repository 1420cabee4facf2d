package field

import (
	"errors"
	"fmt"
)

// ErrPolygon is wrapped by every error about a ring or a polygon that cannot be
// used.
var ErrPolygon = errors.New("planner: invalid polygon")

// CrossingError says that two edges meet that must not: edges of one ring, or a
// hole's and the boundary's. It wraps [ErrPolygon].
type CrossingError struct {
	Ring, Other string        // what the edges belong to: "boundary", "hole 1 of keep-out 2"
	A, B        [2][2]float64 // the edge of Ring and that of Other, each from its first point to its last
}

func (e *CrossingError) Error() string {
	what := e.Ring + " crosses or touches itself"
	if e.Other != e.Ring {
		what = e.Ring + " crosses " + e.Other
	}
	return fmt.Sprintf("%v: %s: edge (%g, %g)–(%g, %g) meets edge (%g, %g)–(%g, %g)", ErrPolygon, what,
		e.A[0][0], e.A[0][1], e.A[1][0], e.A[1][1], e.B[0][0], e.B[0][1], e.B[1][0], e.B[1][1])
}

func (e *CrossingError) Unwrap() error { return ErrPolygon }

// EmptyRegionError says that nothing of a field is left once the margin is kept
// from its edges and keep-outs.
type EmptyRegionError struct {
	Margin    float64    // m
	Inscribed float64    // m, radius of the largest disc that fits between the edges; 0 when keep-outs cover the field
	At        [2]float64 // m, the centre of that disc
}

func (e *EmptyRegionError) Error() string {
	if e.Inscribed <= 0 {
		return "planner: no free place: the keep-outs cover the whole boundary"
	}
	return fmt.Sprintf("planner: a margin of %g m leaves nothing of the field: its widest place, around (%.6g, %.6g), is %.3g m away from the nearest edge; choose a smaller margin",
		e.Margin, e.At[0], e.At[1], e.Inscribed)
}

// UnreachableError says that no way inside the region joins two places.
type UnreachableError struct {
	From, To [2]float64 // m
	Parts    int        // number of parts into which margin and keep-outs divide the region
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("planner: no way from (%.6g, %.6g) to (%.6g, %.6g): margin and keep-outs divide the region into %d parts, and these places lie in different ones",
		e.From[0], e.From[1], e.To[0], e.To[1], e.Parts)
}

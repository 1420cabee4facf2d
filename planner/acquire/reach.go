package acquire

import (
	"errors"
	"fmt"
	"math"

	"ugp_explorer/planner/field"
	"ugp_explorer/planner/internal/valid"
)

// Disc is the closed ball of all points within Radius of Centre.
type Disc struct {
	Centre []float64
	Radius float64 // m, > 0
}

// Reach says which places of the space may be chosen at a decision.
type Reach struct {
	// Range is how many metres the way to the target and from there home may
	// take; +Inf for no limit.
	Range float64

	// Home is where the way home ends; nil when only the way to the target
	// counts.
	Home []float64

	// Avoid are places to stay out of, such as around targets that were given up.
	Avoid []Disc

	// Allowed, when not nil, has the last word on every place. It must depend on
	// nothing but its argument, which it must not keep.
	Allowed func(x []float64) bool
}

// Anywhere returns the reach that allows every place to which there is a way.
func Anywhere() Reach { return Reach{Range: math.Inf(1)} }

// ErrReach is wrapped by the errors about a [Reach] that makes no sense.
var ErrReach = errors.New("planner: invalid reach")

func (r *Reach) Validate(dim int) error {
	if math.IsNaN(r.Range) || r.Range < 0 {
		return fmt.Errorf("%w: Range is %g m, want ≥ 0", ErrReach, r.Range)
	}
	if r.Home != nil {
		if err := valid.FinitePoint(ErrReach, r.Home, dim, "Home"); err != nil {
			return err
		}
	}
	for i, d := range r.Avoid {
		if err := valid.FinitePoint(ErrReach, d.Centre, dim, "centre of Avoid[%d]", i); err != nil {
			return err
		}
		if !valid.Finite(d.Radius) || d.Radius <= 0 {
			return fmt.Errorf("%w: radius of Avoid[%d] is %g m, want a finite number > 0", ErrReach, i, d.Radius)
		}
	}
	return nil
}

// ErrNoTarget is wrapped by [*NoTargetError].
var ErrNoTarget = errors.New("planner: no reachable place left")

// NoTargetError says why none of the places looked at may be a target.
type NoTargetError struct {
	Tried     int     // places of the space looked at
	TooFar    int     // of these, with too long a way there and home
	NoWay     int     // to which, or from which home, there is no way
	Avoided   int     // in a disc to be avoided
	Refused   int     // refused by the caller's own rule
	Range     float64 // m that the way could take
	WayHome   float64 // m from the robot straight on to home; 0 without a home
	GridSize  int     // for the even grid, the number of its points; else 0
	GridTaken int     // points of the grid handed out or passed over by now
}

func (e *NoTargetError) Error() string {
	if e.GridSize > 0 {
		return fmt.Sprintf("%v: %d of the %d points of the grid are done with; of the last %d, %d are too far for %.6g m, %d without a way, %d to be avoided, %d refused",
			ErrNoTarget, e.GridTaken, e.GridSize, e.Tried, e.TooFar, e.Range, e.NoWay, e.Avoided, e.Refused)
	}
	return fmt.Sprintf("%v: of %s tried, %d are too far for %.6g m there and home (the way home alone is %.6g m), %d without a way, %d to be avoided, %d refused",
		ErrNoTarget, valid.Count(e.Tried, "place"), e.TooFar, e.Range, e.WayHome, e.NoWay, e.Avoided, e.Refused)
}

func (e *NoTargetError) Unwrap() error { return ErrNoTarget }

// Filter decides which places may be chosen at one decision, and counts why not.
type Filter struct {
	space field.Space
	There field.Travel // from the robot
	home  field.Travel // from home

	robot   []float64
	reach   Reach
	always  bool // there is a way to everywhere
	Rejects NoTargetError
}

func NewFilter(space field.Space) *Filter {
	f := &Filter{space: space, There: space.Travel(), home: space.Travel(), always: true}
	if r, ok := space.(*field.Region); ok {
		f.always = r.Parts() == 1
	}
	return f
}

// Begin sets the decision's robot position and limits, which it keeps.
func (f *Filter) Begin(robot []float64, reach Reach) {
	f.robot, f.reach = robot, reach
	f.Rejects = NoTargetError{Range: reach.Range}
	f.There.From(robot)
	if reach.Home != nil {
		f.home.From(reach.Home)
		f.Rejects.WayHome = f.There.Length(reach.Home)
	}
}

// lengthless reports whether no way is too long, nor without an end.
func (f *Filter) lengthless() bool { return f.always && math.IsInf(f.reach.Range, 1) }

// Pass reports whether x, a place of the space, may be a target, and the length
// of the way there. The length is found only if it is wanted or decides.
func (f *Filter) Pass(x []float64, wantLength bool) (length float64, ok bool) {
	f.Rejects.Tried++
	for i := range f.reach.Avoid {
		if d := &f.reach.Avoid[i]; field.Distance(x, d.Centre) <= d.Radius {
			f.Rejects.Avoided++
			return 0, false
		}
	}
	limited := !math.IsInf(f.reach.Range, 1)
	if limited {
		straight := field.Distance(f.robot, x)
		if f.reach.Home != nil {
			straight += field.Distance(x, f.reach.Home)
		}
		if straight > f.reach.Range {
			f.Rejects.TooFar++
			return 0, false
		}
	}
	if limited || wantLength || !f.always {
		length = f.There.Length(x)
		total := length
		if f.reach.Home != nil && (limited || !f.always) {
			total += f.home.Length(x)
		}
		if math.IsInf(total, 1) {
			f.Rejects.NoWay++
			return 0, false
		}
		if total > f.reach.Range {
			f.Rejects.TooFar++
			return 0, false
		}
	}
	if f.reach.Allowed != nil && !f.reach.Allowed(x) {
		f.Rejects.Refused++
		return 0, false
	}
	return length, true
}

// Box narrows lo and hi to the places that the range can reach at all: the
// ellipsoid of the points whose distances to robot and home add up to it.
func (f *Filter) Box(lo, hi []float64) {
	if math.IsInf(f.reach.Range, 1) {
		return
	}
	if f.reach.Home == nil {
		for i, v := range f.robot {
			lo[i], hi[i] = max(lo[i], v-f.reach.Range), min(hi[i], v+f.reach.Range)
		}
		return
	}
	focal := field.Distance(f.robot, f.reach.Home)
	long2 := f.reach.Range * f.reach.Range / 4 // semi-axis through both foci, squared
	short2 := max(0, long2-focal*focal/4)      // all others
	for i := range lo {
		u2 := 0.0
		if focal > 0 {
			u := (f.reach.Home[i] - f.robot[i]) / focal
			u2 = u * u
		}
		half := math.Sqrt(long2*u2 + short2*(1-u2))
		c := f.robot[i]/2 + f.reach.Home[i]/2
		lo[i], hi[i] = max(lo[i], c-half), min(hi[i], c+half)
	}
}

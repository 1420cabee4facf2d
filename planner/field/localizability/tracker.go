package localizability

import (
	"fmt"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/internal/valid"
)

// Tracker makes a [Map] of the poses of a robot, and of their absence. The methods of a nil
// Tracker do nothing. It is not safe for concurrent use, and allocates nothing for a pose.
type Tracker struct {
	m    *Map
	lost float64       // variance where the pose was lost, m²
	gap  time.Duration // time without a pose after which it was lost

	at    orb.Point // of the newest pose, or of the newest that was refused
	stamp int64
	known bool
}

// NewTracker returns a tracker. lost is the standard deviation that is assumed where there
// was no pose for longer than gap, or one that was too uncertain to be used, m. The error
// wraps [ErrMap].
func NewTracker(cfg Config, lost float64, gap time.Duration) (*Tracker, error) {
	if !valid.Finite(lost) || lost <= 0 || gap <= 0 {
		return nil, fmt.Errorf("%w: a pose is lost after %v, with a standard deviation of %g m: want numbers > 0", ErrMap, gap, lost)
	}
	m, err := New(cfg)
	if err != nil {
		return nil, err
	}
	return &Tracker{m: m, lost: lost * lost, gap: gap}, nil
}

// Moved takes up a pose with a variance in x and in y of variance on average, m², reached by
// so many metres of driving. If the pose before is old, the robot was lost where that was.
func (t *Tracker) Moved(stamp int64, at orb.Point, variance, metres float64) {
	if t == nil {
		return
	}
	if t.known && stamp-t.stamp > int64(t.gap) {
		t.m.Add(stamp, t.at, t.lost, t.m.edge)
	}
	t.m.Add(stamp, at, min(variance, t.lost), metres)
	t.at, t.stamp, t.known = at, stamp, true
}

// lostSpeed is the speed as at which a robot drives whose poses are refused, m/s: it is
// halted, but it is there that the next one would be.
const lostSpeed = 1

// Refused takes up a pose that is too uncertain to be used.
func (t *Tracker) Refused(stamp int64, at orb.Point) {
	if t == nil {
		return
	}
	if t.known && stamp > t.stamp {
		t.m.Add(stamp, at, t.lost, lostSpeed*min(time.Duration(stamp-t.stamp), t.gap).Seconds())
	}
	t.at, t.stamp, t.known = at, stamp, true
}

// Expect is [Map.Expect].
func (t *Tracker) Expect(now int64) *Expectation {
	if t == nil {
		return nil
	}
	return t.m.Expect(now)
}

// Shift moves all stamps by ns, after the clock was set, and forgets how old the newest pose
// is.
func (t *Tracker) Shift(by int64) {
	if t != nil {
		t.m.Shift(by)
		t.known = false
	}
}

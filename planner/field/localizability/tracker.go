package localizability

import (
	"fmt"
	"slices"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/internal/valid"
)

// Seen is what was seen of a robot's position on a piece of its path within one cell.
type Seen struct {
	At       orb.Point `json:"at_m"`
	Variance float64   `json:"variance_m2"` // in x and in y, mean over the metres
	Metres   float64   `json:"metres"`      // > 0
}

// Tracker makes a [Map] of the poses of a robot, and of their absence. What it is told is in
// the map from the next [Tracker.Take] on, so that the map can be made again from what Take
// returned. The methods of a nil Tracker do nothing. It is not safe for concurrent use.
type Tracker struct {
	m    *Map
	lost float64       // variance where the pose was lost, m²
	gap  time.Duration // time without a pose after which it was lost
	news []Seen        // since the last Take

	at    orb.Point // of the newest pose, or of the newest that was refused
	stamp int64
	known bool
}

// NewTracker returns a tracker. lost is the standard deviation that is assumed where there
// was no pose for longer than gap, or one that was too uncertain to be used, m. The error
// names what is outside its range.
func NewTracker(cfg Config, lost float64, gap time.Duration) (*Tracker, error) {
	if !valid.Finite(lost) || lost <= 0 || gap <= 0 {
		return nil, fmt.Errorf("%w: a pose is lost after %v, with a standard deviation of %g m: want numbers > 0", errMap, gap, lost)
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
		t.see(t.at, t.lost, t.m.edge)
	}
	t.see(at, min(variance, t.lost), metres)
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
		t.see(at, t.lost, lostSpeed*min(time.Duration(stamp-t.stamp), t.gap).Seconds())
	}
	t.at, t.stamp, t.known = at, stamp, true
}

// see adds a piece of path to the last one if that is in the same cell.
func (t *Tracker) see(at orb.Point, variance, metres float64) {
	if !t.m.fits(at, variance, metres) {
		return
	}
	if n := len(t.news); n > 0 {
		last := &t.news[n-1]
		if t.m.index(last.At[0], last.At[1]) == t.m.index(at[0], at[1]) {
			sum := last.Metres + metres
			last.Variance += metres / sum * (variance - last.Variance)
			last.Metres = sum
			return
		}
	}
	t.news = append(t.news, Seen{at, variance, metres})
}

// Take adds to the map what was seen since the last Take, as seen at the stamp, and returns it.
func (t *Tracker) Take(stamp int64) []Seen {
	if t == nil || len(t.news) == 0 {
		return nil
	}
	news := slices.Clone(t.news)
	t.news = t.news[:0]
	t.Add(stamp, news)
	return news
}

// Add adds to the map what an earlier Take returned at the stamp.
func (t *Tracker) Add(stamp int64, seen []Seen) {
	if t == nil {
		return
	}
	for _, s := range seen {
		t.m.Add(stamp, s.At, s.Variance, s.Metres)
	}
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

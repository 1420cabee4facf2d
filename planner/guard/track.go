package guard

import (
	"math"

	"github.com/paulmach/orb"
)

const (
	// deviations is the number of standard deviations by which a fix may be wrong along the
	// direction to the fence. The best of all fixes counts, so that it must hold for each.
	deviations = 3
	// pairDeviations is that number for the distance between two fixes in the plane. Normal
	// errors exceed it once in 270,000 pairs (Rayleigh).
	pairDeviations = 5.5
	// minStdDev is the least standard deviation that is believed, m: that of RTK.
	minStdDev = 0.02
	// references is the number of earlier places that new fixes are compared with. Those of the
	// first half are the farther apart the older they are.
	references = 32
	// mostAveraged is the largest number of fixes in a mean.
	mostAveraged = 64
)

// fix is a position fix with the path at which it was measured.
type fix struct {
	at     orb.Point // m, of the antenna
	stdDev float64   // m, along the worst direction
	path   float64   // m, that the robot had driven at least at its stamp
	early  float64   // m, that it had driven at least a little before, when it was measured if it is new
	wheels reckoning // then
}

func apart(a, b orb.Point) float64 { return math.Hypot(a[0]-b[0], a[1]-b[1]) }

// noise returns the distance between two places of these standard deviations that their noise alone
// can explain, m.
func noise(a, b float64) float64 { return pairDeviations * math.Hypot(a, b) }

// reference is the mean of fixes that were taken within a short path.
type reference struct {
	fix           // the first, at the mean
	alive float64 // m, path up to which the receiver was known to have measured
	n     float64 // number of fixes
	level float64 // of the track before it, m
	next  float64 // early of the first fix after it, m; 0: none has come
}

// wide reports whether a fix is too far from the first one to belong to the reference. A robot that
// creeps gets more fixes within that path than one that drives.
func (r *reference) wide(f *fix) bool { return f.path-r.path > r.stdDev/2 || r.n >= mostAveraged }

// add takes a fix into the mean.
func (r *reference) add(f *fix) {
	r.n++
	for i := range r.at {
		r.at[i] += (f.at[i] - r.at[i]) / r.n
	}
	r.wheels = r.wheels.between(&f.wheels, 1/r.n)
	r.stdDev = max(r.stdDev, f.stdDev)
}

// mean returns the standard deviation of the mean if the receiver repeats itself with noise, m.
func (r *reference) mean() float64 { return max(r.stdDev/math.Sqrt(r.n), minStdDev/4) }

// track is a series of fixes that can come from one robot.
type track struct {
	refs  [references]reference // in the order in which they came; the last one may still grow
	kept  int                   // references in refs
	level float64               // largest distance to the fence less errors, plus path, m
	alive float64               // path up to which the receiver is known to have measured, m
	begin float64               // path from which on wheels and fixes can be compared, m
}

// newest returns the last reference.
func (t *track) newest() *reference { return &t.refs[max(0, t.kept-1)] }

// fits reports whether the robot can have come from the references to f, as it can if there are
// none. Some of them may be outliers: it takes more than an eighth of them to refuse f, or the two that came
// last, since a drift that takes a robot that stands back over its track contradicts no others. Errors may
// last, so that a mean is taken for no better than one fix.
func (t *track) fits(f *fix, lever float64) bool {
	against, last := 0, 0
	for i := range t.kept {
		r := &t.refs[i]
		// An antenna beside the base moves while the robot turns on the spot, and so does the base.
		turns := 2*lever + slide*min(2, math.Abs(f.wheels.yaw-r.wheels.yaw))
		if apart(f.at, r.at) > f.path-r.alive+noise(f.stdDev, r.stdDev)+turns {
			against++
			if i >= t.kept-2 {
				last++
			}
		}
	}
	return against <= t.kept/8 && last < 2
}

// take adds a fix. distance is that of the fix to the fence, m.
func (t *track) take(f *fix, distance, lever float64) {
	if t.kept == 0 {
		t.alive, t.level = f.path, math.Inf(-1)
	}
	if t.kept == 0 || t.newest().wide(f) {
		t.newest().next = f.early
		if t.kept == references {
			t.thin(f.path)
		}
		t.refs[t.kept] = reference{fix: *f, alive: t.alive, level: t.level}
		t.kept++
	}
	last := t.newest()
	last.add(f)
	for i := range t.kept {
		r := &t.refs[i]
		if more := apart(last.at, r.at) - noise(last.mean(), r.mean()); more > 0 {
			t.alive = max(t.alive, r.path)
			if more > r.stdDev/2 {
				t.alive = max(t.alive, r.next)
			}
		}
	}
	last.alive = t.alive
	t.level = max(t.level, distance-deviations*f.stdDev-lever+t.alive)
}

// thin drops the reference of the first half that is closest to its neighbours for its age.
func (t *track) thin(path float64) {
	least, drop := math.Inf(1), 0
	for i := 1; i < references/2; i++ {
		r := &t.refs[i]
		if gap := (t.refs[i+1].path - t.refs[i-1].path) / (path - r.path + r.stdDev); gap < least {
			least, drop = gap, i
		}
	}
	t.kept--
	copy(t.refs[drop:], t.refs[drop+1:])
}

// rivals are fixes in a row that the robot cannot have come to. They may contradict each other, too.
type rivals struct {
	count  int
	newest reference
	level  float64 // least distance to the fence less errors, plus path, m
	far    bool    // one was farther away than the robot can have driven
}

// take adds a fix. distance is that of the fix to the fence, m.
func (r *rivals) take(f *fix, distance, lever float64) {
	if level := distance - lever - deviations*f.stdDev + f.path; r.count == 0 || level < r.level {
		r.level = level
	}
	if r.count == 0 || r.newest.wide(f) {
		r.newest = reference{fix: *f}
	}
	r.newest.add(f)
	r.count++
}

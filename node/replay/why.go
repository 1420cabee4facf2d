package replay

import (
	"fmt"
	"math"
	"slices"
	"time"

	"ugp_explorer/msgs/bag"
	"ugp_explorer/node/sense"
)

// lost are the counts of the record that say why a reading has no use.
var lost = []string{
	"readings in a gap between poses", "readings older than every pose", "readings whose pose never came", "readings without a variance",
	"readings with a stray stamp", "readings beyond the queue", "readings lost to a reset of time", "readings not finite",
}

// mostLost is the share of such readings above which Unused names the reasons: a few at the
// ends of a bag have no pose.
const mostLost = 0.1

// Empty returns an error that explains why nothing was observed.
func (r *Replay) Empty() error {
	text, _ := r.unused()
	return fmt.Errorf("no observation was made from the bag: %s", text)
}

// Unused says why many of the readings are in no observation, and which option helps; "" if few are not.
func (r *Replay) Unused() string {
	if text, share := r.unused(); share > mostLost {
		return text
	}
	return ""
}

// unused lists why readings are in no observation and what helps, and returns their share of the readings.
func (r *Replay) unused() (text string, share float64) {
	counts := r.explorer.Record().Counts
	matched, unmatched := counts["readings matched"], int64(0)
	text = fmt.Sprintf("readings matched with a pose: %d", matched)
	for _, name := range lost {
		if n := counts[name]; n > 0 {
			text += fmt.Sprintf(", %s: %d", name, n)
			unmatched += n
		}
	}
	if idle := counts["readings while not sampling"]; idle > 0 {
		text += fmt.Sprintf(", of which no stop or piece of path took %d", idle)
	}
	share = float64(unmatched) / float64(max(matched+unmatched, 1))
	if counts["readings in a gap between poses"] > 0 {
		text += fmt.Sprintf("; poses come every %.3g s, and -p pose.timeout:=%.3g bridges that", quantile(r.poses.periods, 0.5), 8*quantile(r.poses.periods, 0.95))
	}
	if counts["readings without a variance"] > 0 {
		text += "; " + setStdDev
	}
	if counts["readings older than every pose"]+counts["readings whose pose never came"]+counts["readings with a stray stamp"] > 0 {
		text += otherClock("poses", r.poses.age) + otherClock("readings", r.readingAge())
	}
	return text, share
}

// setStdDev names the parameter for readings that state no variance.
const setStdDev = "set it with -p reading.stddev:=VALUE"

// readingAge returns the largest age of a reading's stamp at its record time, s. Damage ends nothing: who reads
// the bag reports it.
func (r *Replay) readingAge() (age float64) {
	t, _ := r.src.topic(r.source.Reading)
	for m, err := range r.src.missionMessages(bag.Query{Start: r.from, End: r.to, Topics: []string{t.Name}}) {
		if err != nil || m.Topic.Type != t.Type {
			continue
		}
		if got, err := sense.DecodeReading(t.Type, m.Data); err == nil && got.Stamp != 0 {
			age = larger(age, time.Duration(m.LogTime-got.Stamp).Seconds())
		}
	}
	return age
}

// larger returns the number that is farther from 0.
func larger(a, b float64) float64 {
	if math.Abs(b) > math.Abs(a) {
		return b
	}
	return a
}

// quantile returns the value below which a share of the values lies, NaN without values. It sorts them.
func quantile(values []float64, share float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	slices.Sort(values)
	return values[max(int(math.Ceil(share*float64(len(values))))-1, 0)]
}

// otherClock says that stamps of up to that age, s, are not of the clock that recorded them; "" if they are.
func otherClock(of string, age float64) string {
	const most = 5 // s; older stamps are taken for those of another clock
	if math.Abs(age) <= most {
		return ""
	}
	by := "older"
	if age < 0 {
		by = "newer"
	}
	return fmt.Sprintf("; the stamps of the %s are up to %.6g s %s than the record time: they are of another clock, or the messages came late", of, math.Abs(age), by)
}

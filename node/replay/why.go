package replay

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"ugp_explorer/localization"
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
	t, _ := r.src.topic(r.source.Reading)
	if counts["readings without a variance"] > 0 {
		text += "; " + r.readings(t).setStdDev()
	}
	if counts["readings older than every pose"]+counts["readings whose pose never came"]+counts["readings with a stray stamp"] > 0 {
		text += r.poses.age.otherClock("poses") + r.readings(t).age.otherClock("readings")
	}
	return text, share
}

// readingSurvey is what a topic of readings tells about itself.
type readingSurvey struct {
	steps []float64 // between successive readings, absolute
	age   span      // of the stamps at their record times, s
}

// readings reads a topic of readings. Damage ends nothing: who reads the bag reports it.
func (r *Replay) readings(t bag.Topic) (s readingSurvey) {
	before := math.NaN()
	for m, err := range r.src.Messages(bag.Query{Start: r.from, End: r.to, Topics: []string{t.Name}}) {
		if err != nil || m.Topic.Type != t.Type {
			continue
		}
		var got localization.Reading
		if got, err = sense.DecodeReading(t.Type, m.Data); err != nil {
			continue
		}
		if got.Stamp != 0 {
			s.age.add(time.Duration(m.LogTime - got.Stamp).Seconds())
		}
		if step := math.Abs(got.Value - before); step < math.Inf(1) {
			s.steps = append(s.steps, step)
		}
		before = got.Value
	}
	return s
}

// setStdDev names the parameter for readings that state no variance. For independent Gaussian readings the
// median of |difference| is 0.6745·√2 standard deviations.
func (s readingSurvey) setStdDev() string {
	estimate := quantile(s.steps, 0.5) / (0.6745 * math.Sqrt2)
	if !(estimate > 0) {
		return "set it with -p reading.stddev:=VALUE"
	}
	text := fmt.Sprintf("%.2g", estimate)
	if !strings.ContainsAny(text, ".e") {
		text += ".0" // YAML would take it for an integer
	}
	return fmt.Sprintf("set it with -p reading.stddev:=%s, which is estimated from the differences of successive readings; that of your sensor is probably smaller", text)
}

// quantile returns the value below which a share of the values lies, NaN without values. It sorts them.
func quantile(values []float64, share float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	slices.Sort(values)
	return values[max(int(math.Ceil(share*float64(len(values))))-1, 0)]
}

// span is the range of some values; the zero span holds none.
type span struct {
	any         bool
	least, most float64
}

func (s *span) add(v float64) {
	if !s.any {
		*s = span{true, v, v}
	}
	s.least, s.most = min(s.least, v), max(s.most, v)
}

// oldStamp is the absolute age above which stamps are taken for those of another clock, s.
const oldStamp = 5.0

// otherClock says that stamps of those ages are not of the clock that recorded them; "" if they are.
func (s span) otherClock(of string) string {
	by := ""
	switch {
	case s.most <= oldStamp && s.least >= -oldStamp:
		return ""
	case s.most <= 0:
		by = fmt.Sprintf("%.6g s to %.6g s newer than", -s.most, -s.least)
	case s.least < 0:
		by = fmt.Sprintf("from %.6g s newer to %.6g s older than", -s.least, s.most)
	default:
		by = fmt.Sprintf("%.6g s to %.6g s older than", s.least, s.most)
	}
	return fmt.Sprintf("; the stamps of the %s are %s the record time: they are of another clock, or the messages came late", of, by)
}

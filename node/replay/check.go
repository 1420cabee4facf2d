package replay

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/bag"
	"ugp_explorer/msgs/tf2_msgs"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/ros/param"
)

// Verdict is the result of Check: whether a bag can be replayed, and why.
type Verdict struct {
	Poses    []PoseCheck
	Readings []ReadingCheck
	Matches  []Match
	Truth    string   // topic of the true poses; empty: none
	Levers   []string // fixed frames on the robot, each as a sentence
	Problems []string // of the bag, and of the topics above
	Lost     int64    // bytes

	Note string // note on the parameters; may be empty

	Usable  bool
	Why     string // reason, in one sentence
	Command string // command that replays the bag; empty if the bag is not usable
}

// PoseCheck summarises a topic of poses.
type PoseCheck struct {
	Topic             bag.Topic
	From              string           // topics of the bag from which the filter computes them; empty: the bag has them
	Frames            map[string]int64 // messages by frame_id
	Used              int64            // poses that the explorer would use
	Refusal           string           // reason for refusing the last refused pose; empty: none was refused
	Counts            localization.CovarianceCounts
	Unusable          int64      // no valid position or orientation, or undecodable
	Deviation         [5]float64 // minimum, 5 %, median, 95 % and maximum standard deviation along the least certain direction, m
	Period            [3]float64 // median, 95 % and maximum time between stamps, s
	Age               [2]float64 // median and maximum difference between a stamp and its record time, s
	Back              int64      // stamps that go back
	Metres            float64    // distance driven in steps of at least a metre, m
	Speeds            bool       // some message states a speed other than 0
	HasTwist          bool       // the message type has a twist
	ZeroCovariance    int64
	InvalidCovariance int64
	Asymmetric        int64
}

// ReadingCheck summarises a topic of readings.
type ReadingCheck struct {
	Topic             bag.Topic
	Count, Odd        int64 // decoded readings; those of them that are not finite
	Stamped, Stated   int64 // readings with a stamp; readings with a variance
	Least, Mean, Most float64
	Spread            float64 // standard deviation of a reading, estimated from the differences of successive readings
}

// Match counts how the readings of one topic match the poses of another.
type Match struct {
	Pose, Reading string
	Counts        localization.MatchCounts
	Share         float64
}

// leastReadings is the least number of readings with a matching pose in a usable bag.
const leastReadings = 3

// Check reads a bag's poses and readings by the explorer's rules under cfg and the given
// parameters, which may be nil.
func Check(src *Source, cfg *Config, given *param.Overrides, progress func(share float64) error) (*Verdict, error) {
	o, note, err := parameters(src, given, cfg)
	if err != nil {
		return nil, err
	}
	if err := apply(o, explorer.DefaultName, cfg.Explorer.Parameters()); err != nil {
		return nil, err
	}
	c := &cfg.Explorer
	c.Passive = true
	var poses, readings []bag.Topic
	chosen, noPose := src.poses(cfg, given)
	for _, t := range src.Topics {
		switch {
		case isPose(t) || t.Name == cfg.Pose && isTruth(t):
			poses = append(poses, t)
		case isReading(t):
			readings = append(readings, t)
		}
	}
	seen := slices.Concat(poses, readings)
	if src.filter != nil {
		poses = append(poses, chosen)
		for _, in := range src.filter.inputs {
			if !slices.ContainsFunc(seen, func(t bag.Topic) bool { return t.Name == in.Name }) {
				seen = append(seen, in.Topic)
			}
		}
	}
	v := &Verdict{Note: note}
	v.Problems, v.Lost = src.Problems()
	if err := validate(*c); err != nil {
		return nil, err
	}
	if src.Count == 0 {
		v.Why = "the bag holds no message"
		return v, nil
	}
	s, err := newSurvey(poses, readings, c)
	if err != nil {
		return nil, err
	}
	s.seen = newInventory(seen)
	if err := s.read(src, src.Start, src.End+1, progress); err != nil {
		return nil, err
	}
	v.Problems, v.Lost = append(v.Problems, s.problems...), v.Lost+s.lost
	for _, p := range s.poses {
		c := p.check()
		if p.topic.Name == filteredTopic && src.filter != nil {
			c.From = src.filter.names()
			c.Topic.Count = 0
			for _, n := range p.frames {
				c.Topic.Count += n
			}
		}
		v.Poses = append(v.Poses, c)
	}
	for i, r := range s.readings {
		v.Readings = append(v.Readings, r.check())
		for j, p := range s.poses {
			m := Match{Pose: p.topic.Name, Reading: r.topic.Name, Counts: r.matches[j].Counts()}
			m.Share = float64(m.Counts.Matched) / float64(max(s.readings[i].count, 1))
			v.Matches = append(v.Matches, m)
		}
	}
	if t, ok := src.Topic(truthTopic); ok && isTruth(t) {
		v.Truth = truthTopic
	}
	v.Levers = levers(src)
	if noPose != nil {
		v.Why = noPose.Error()
		return v, nil
	}
	v.decide(src, cfg, chosen)
	return v, nil
}

// validate checks the explorer's configuration except for the type of the readings, which
// is not known yet.
func validate(c explorer.Config) error {
	c.Reading.Type = "FieldReading"
	return c.Validate()
}

func (p *poseSurvey) check() PoseCheck {
	counts := p.checker.Counts()
	c := PoseCheck{
		Topic: p.topic, Frames: p.frames, Used: p.deviation.n, Counts: counts, Unusable: p.malformed + p.unusable,
		Back: p.back, Metres: p.metres, Speeds: p.twist, HasTwist: p.topic.Type == odometryType,
		ZeroCovariance:    int64(counts.Of(localization.ZeroCovariance) + counts.Of(localization.Substituted)),
		InvalidCovariance: int64(counts.Of(localization.NotFinite) + counts.Of(localization.NegativeVariance) + counts.Of(localization.NotPSD)),
		Asymmetric:        int64(counts.Of(localization.Asymmetric) + counts.Of(localization.Symmetrised)),
	}
	if p.reason != nil {
		c.Refusal = p.reason.Error()
	}
	for i, share := range [5]float64{0, 0.05, 0.5, 0.95, 1} {
		c.Deviation[i] = p.deviation.at(share)
	}
	for i, share := range [3]float64{0.5, 0.95, 1} {
		c.Period[i] = p.period.at(share)
	}
	for i, share := range [2]float64{0.5, 1} {
		c.Age[i] = p.age.at(share)
	}
	return c
}

func (r *readingSurvey) check() ReadingCheck {
	c := ReadingCheck{
		Topic: r.topic, Count: r.count, Odd: r.odd, Stamped: r.stamped, Stated: r.stated,
		Least: math.NaN(), Mean: math.NaN(), Most: math.NaN(),
		// For independent Gaussian readings the median of |difference| is 0.6745·√2 standard
		// deviations.
		Spread: r.step.at(0.5) / (0.6745 * math.Sqrt2),
	}
	if n := r.count - r.odd; n > 0 {
		c.Least, c.Mean, c.Most = r.least, r.sum/float64(n), r.most
	}
	return c
}

// levers describes the bag's fixed transforms, which may include the position of the probe
// on the robot.
func levers(src *Source) (list []string) {
	const name = "/tf_static"
	t, ok := src.Topic(name)
	if !ok || t.Type != (&tf2_msgs.TFMessage{}).TypeName() {
		return nil
	}
	for m, err := range src.Messages(bag.Query{Topics: []string{name}}) {
		var tf tf2_msgs.TFMessage
		if err != nil || tf.UnmarshalCDR(m.Data) != nil {
			continue
		}
		for _, x := range tf.Transforms {
			at := x.Transform.Translation
			list = append(list, fmt.Sprintf("%s is at (%.3g, %.3g) m from %s", x.ChildFrameID, at.X, at.Y, x.Header.FrameID))
			if len(list) == 20 {
				return list
			}
		}
	}
	return list
}

// decide selects the topics as a replay does and sets Usable, Why and Command.
func (v *Verdict) decide(src *Source, cfg *Config, pose bag.Topic) {
	reading, err := src.find(readingRole(cfg.Reading))
	if err != nil {
		v.Why = err.Error()
		return
	}
	from := pose.Name
	if src.filter != nil {
		from = src.filter.source()
	}
	var p PoseCheck
	var r ReadingCheck
	var m Match
	for _, c := range v.Poses {
		if c.Topic.Name == pose.Name && c.Topic.Type == pose.Type {
			p = c
		}
	}
	for _, c := range v.Readings {
		if c.Topic.Name == reading.Name && c.Topic.Type == reading.Type {
			r = c
		}
	}
	for _, c := range v.Matches {
		if c.Pose == pose.Name && c.Reading == reading.Name {
			m = c
		}
	}
	switch {
	case p.From != "" && p.Topic.Count == 0:
		v.Why = src.filter.silent()
		return
	case p.Used == 0:
		v.Why = fmt.Sprintf("no pose of %s can be used: %s", pose.Name, p.Refusal)
		if p.ZeroCovariance > 0 {
			v.Why += "; to replace covariances of zero by a standard deviation, use -p pose.zero_stddev:=0.5"
		}
		return
	case m.Counts.Matched < leastReadings:
		v.Why = fmt.Sprintf("%d of %d readings of %s have a pose on %s: %s", m.Counts.Matched, r.Count, reading.Name, from, m.reasons())
		if m.Counts.Gap > 0 {
			v.Why += fmt.Sprintf("; poses come every %.3g s, and -p pose.max_gap:=%.3g bridges that (it is %.3g s)", p.Period[0], 2*p.Period[1], cfg.Explorer.PoseGap)
		}
		return
	}
	v.Usable = true
	v.Why = fmt.Sprintf("%d of %d readings of %s have a pose on %s", m.Counts.Matched, r.Count, reading.Name, from)
	if m.Counts.Matched < uint64(r.Count) {
		v.Why += " (" + m.reasons() + ")"
	}
	v.Command = "ugp replay " + quote(src.Path)
	if src.filter != nil {
		for _, in := range src.filter.inputs {
			v.Command += " " + filterFlags[in.to] + " " + quote(in.Name)
		}
	} else {
		v.Command += " " + poseFlag + " " + quote(pose.Name)
	}
	v.Command += " --reading-topic " + quote(reading.Name)
	if r.Stated == 0 && cfg.Explorer.Reading.StdDev == 0 {
		v.Command += fmt.Sprintf(" -p reading.stddev:=%s", double(r.Spread))
		v.Why += "; the readings state no variance: the standard deviation below is estimated from the differences of successive readings, and that of your sensor is probably smaller"
	}
}

// reasons lists why readings have no pose, with counts.
func (m *Match) reasons() string {
	var s []string
	for _, c := range []struct {
		n    uint64
		text string
	}{
		{m.Counts.Gap, "in a gap between poses"}, {m.Counts.TooEarly, "older than every pose"}, {m.Counts.TimedOut, "whose pose never came"},
		{m.Counts.Overflow, "beyond the queue"}, {m.Counts.Reset, "lost as time went back"}, {m.Counts.Invalid, "not finite"},
	} {
		if c.n > 0 {
			s = append(s, fmt.Sprintf("%d %s", c.n, c.text))
		}
	}
	if len(s) == 0 {
		return "there are no other readings"
	}
	return strings.Join(s, ", ")
}

// double formats a number with two digits so that YAML does not take it for an integer.
func double(v float64) string {
	if !(v > 0) {
		return "0.1"
	}
	text := fmt.Sprintf("%.2g", v)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text
}

// quote quotes a word for a shell if it needs quotes.
func quote(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+:@%,=") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

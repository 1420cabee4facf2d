package replay

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/bag"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/readings"
	"ugp_explorer/node/ros"
)

// poseSurvey collects statistics of a topic of poses by the explorer's rules.
type poseSurvey struct {
	topic     bag.Topic
	frame     string           // the configured frame_id if any message has it, otherwise that of the first message
	frames    map[string]int64 // messages by frame
	malformed int64
	unusable  int64 // poses without a valid position or orientation
	reason    error // reason for refusing the last refused pose
	first     int64 // first and last stamp of the used poses, ns
	last      int64
	back      int64     // stamps that go back
	deviation quantiles // standard deviation of the position along its least certain direction, m
	period    quantiles // s
	age       quantiles // age of a stamp at its record time, s
	twist     bool      // some message states a speed other than 0
	metres    float64
	corner    [2]float64 // last position that counted for metres
	hull      hull
	checker   *localization.Checker
	keep      bool // keep the used poses
	poses     []RecordedPose
}

// readingSurvey collects statistics of a topic of readings.
type readingSurvey struct {
	topic     bag.Topic
	malformed int64
	count     int64
	odd       int64 // not finite
	stamped   int64
	stated    int64 // with a variance
	sum       float64
	least     float64
	most      float64
	step      quantiles // absolute difference from the previous reading
	before    float64
	matches   []*localization.Matcher // one for each topic of poses
}

// survey collects statistics of a bag's poses and readings.
type survey struct {
	cfg      *explorer.Config
	seen     *Inventory // of topics that are to be judged; nil: of none
	poses    []*poseSurvey
	readings []*readingSurvey
	matched  []localization.Matched // workspace
	problems []string
	lost     int64
}

// surveyTopics reads the poses and readings of a bag from one record time to
// another, by the rules of cfg.
func surveyTopics(s *Source, poses, readings []bag.Topic, cfg *explorer.Config, from, to int64, progress func(share float64) error) (*survey, error) {
	v, err := newSurvey(poses, readings, cfg)
	if err != nil {
		return nil, err
	}
	return v, v.read(s, from, to, progress)
}

func newSurvey(poses, readings []bag.Topic, cfg *explorer.Config) (*survey, error) {
	v := &survey{cfg: cfg}
	for _, t := range poses {
		checker, err := cfg.NewChecker()
		if err != nil {
			return nil, err
		}
		v.poses = append(v.poses, &poseSurvey{topic: t, frames: map[string]int64{}, checker: checker})
	}
	for _, t := range readings {
		r := &readingSurvey{topic: t, least: math.Inf(1), most: math.Inf(-1), before: math.NaN()}
		for range poses {
			m, err := cfg.NewMatcher()
			if err != nil {
				return nil, err
			}
			r.matches = append(r.matches, m)
		}
		v.readings = append(v.readings, r)
	}
	return v, nil
}

// read reads the bag from one record time to another.
func (v *survey) read(s *Source, from, to int64, progress func(share float64) error) error {
	q := bag.Query{Start: from, End: to}
	byPose, byReading := map[string]int{}, map[string]int{}
	for i, p := range v.poses {
		byPose[p.topic.Name] = i
		q.Topics = append(q.Topics, p.topic.Name)
	}
	for i, r := range v.readings {
		byReading[r.topic.Name] = i
		q.Topics = append(q.Topics, r.topic.Name)
	}
	if v.seen != nil {
		for _, t := range v.seen.Topics {
			if !slices.Contains(q.Topics, t.Name) {
				q.Topics = append(q.Topics, t.Name)
			}
		}
	}
	n := 0
	for m, err := range s.Messages(q) {
		var p *bag.Problem
		switch {
		case errors.As(err, &p):
			v.problems, v.lost = append(v.problems, p.Error()), v.lost+p.Lost
			continue
		case err != nil:
			return err
		}
		if v.seen != nil {
			v.seen.take(m, s.Start)
		}
		if i, ok := byPose[m.Topic.Name]; ok && m.Topic.Type == v.poses[i].topic.Type {
			v.pose(i, m)
		} else if i, ok := byReading[m.Topic.Name]; ok && m.Topic.Type == v.readings[i].topic.Type {
			v.reading(i, m)
		}
		if n++; progress != nil && n%1024 == 0 {
			if err := progress(s.share(m.LogTime)); err != nil {
				return err
			}
		}
	}
	for _, r := range v.readings { // no reading waits beyond the end of the bag
		for _, m := range r.matches {
			v.matched = m.Expire(v.matched[:0], math.MaxInt64)
		}
	}
	if v.seen != nil {
		v.seen.judge()
		v.problems = append(v.problems, v.seen.Problems...)
	}
	return nil
}

// poseMessage holds the parts that both pose types share.
type poseMessage struct {
	frame string
	stamp int64
	pose  geometry_msgs.PoseWithCovariance
	speed float64 // a speed of the twist; NaN without a twist
}

func decodePose(typ string, data []byte) (p poseMessage, err error) {
	if typ == poseType {
		var m geometry_msgs.PoseWithCovarianceStamped
		err = m.UnmarshalCDR(data)
		return poseMessage{m.Header.FrameID, ros.TimeNs(m.Header.Stamp), m.Pose, math.NaN()}, err
	}
	var m nav_msgs.Odometry
	err = m.UnmarshalCDR(data)
	t := m.Twist.Twist
	speed := math.Abs(t.Linear.X) + math.Abs(t.Linear.Y) + math.Abs(t.Angular.Z)
	return poseMessage{m.Header.FrameID, ros.TimeNs(m.Header.Stamp), m.Pose, speed}, err
}

func (v *survey) pose(i int, m *bag.Message) {
	p := v.poses[i]
	msg, err := decodePose(m.Topic.Type, m.Data)
	if err != nil {
		p.malformed++
		p.reason = err
		return
	}
	p.frames[msg.frame]++
	switch {
	case len(p.frames) == 1:
		p.frame = msg.frame
	case msg.frame == v.cfg.Frame && p.frame != msg.frame: // the configured frame exists after all
		*p = poseSurvey{topic: p.topic, frame: msg.frame, frames: p.frames, malformed: p.malformed, checker: p.checker, keep: p.keep}
		for _, r := range v.readings {
			r.matches[i].Clear()
		}
	}
	if msg.frame != p.frame {
		return
	}
	pose, err := convert.PlanarPose(msg.stamp, &msg.pose)
	if err != nil {
		p.unusable++
		p.reason = err
		return
	}
	if msg.speed > 0 {
		p.twist = true
	}
	if err := p.checker.CheckPose(&pose); err != nil {
		p.reason = err
		return
	}
	p.take(&pose, m.LogTime)
	for _, r := range v.readings {
		v.matched = r.matches[i].AddPose(v.matched[:0], pose)
	}
}

// take adds a usable pose to the statistics.
func (p *poseSurvey) take(pose *localization.Pose, recorded int64) {
	if p.keep {
		p.poses = append(p.poses, RecordedPose{Pose: *pose, recorded: recorded})
	}
	b := pose.At(localization.Lever{})
	major, _, _ := b.Ellipse(1)
	p.deviation.add(major)
	p.age.add(math.Abs(time.Duration(recorded - pose.Stamp).Seconds()))
	switch {
	case p.deviation.n == 1:
		p.first, p.last, p.corner = pose.Stamp, pose.Stamp, [2]float64{pose.X, pose.Y}
		p.hull.add(pose.X, pose.Y)
	case pose.Stamp < p.last:
		p.back++
	default:
		p.period.add(time.Duration(pose.Stamp - p.last).Seconds())
		p.last = pose.Stamp
	}
	if d := math.Hypot(pose.X-p.corner[0], pose.Y-p.corner[1]); d >= 1 { // steps below 1 m may be jitter
		p.metres += d
		p.corner = [2]float64{pose.X, pose.Y}
		p.hull.add(pose.X, pose.Y)
	}
}

// refused describes how many poses are not used and why.
func (p *poseSurvey) refused() string {
	other := int64(0)
	for f, n := range p.frames {
		if f != p.frame {
			other += n
		}
	}
	text := fmt.Sprintf("%d of %d messages of %s are used", p.deviation.n, p.topic.Count, p.topic.Name)
	if other > 0 {
		text += fmt.Sprintf("; %d are in another frame than %q", other, p.frame)
	}
	if p.reason != nil {
		text += "; reason of the last refusal: " + p.reason.Error()
	}
	return text
}

func (v *survey) reading(i int, m *bag.Message) {
	r := v.readings[i]
	got, err := readings.Decode(m.Topic.Type, m.Data)
	if err != nil {
		r.malformed++
		return
	}
	r.count++
	if got.Stamp != 0 {
		r.stamped++
	}
	if got.Variance > 0 {
		r.stated++
	}
	if math.IsNaN(got.Value) || math.IsInf(got.Value, 0) {
		r.odd++
	} else {
		r.sum += got.Value
		r.least, r.most = min(r.least, got.Value), max(r.most, got.Value)
		if !math.IsNaN(r.before) {
			r.step.add(math.Abs(got.Value - r.before))
		}
		r.before = got.Value
	}
	got = readings.Place(got, m.LogTime, v.cfg.Reading.Delay)
	for _, match := range r.matches {
		v.matched = match.Expire(v.matched[:0], m.LogTime)
		v.matched = match.AddReading(v.matched[:0], got, m.LogTime)
	}
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package truth compares a simulated mission with the ground truth.
package truth

import (
	"errors"
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/surface"
)

// Truth is the simulation's ground truth. A nil Truth knows nothing. Only the record and the report use it; it never
// reaches the model or a decision.
type Truth struct {
	node   *ros.Node
	cfg    *settings.Config
	region *field.Region
	field  *surface.GridField // nil until it has been received
	poses  *localization.PoseBuffer
	track  []record.Place
	apart  float64                    // least distance between two points of the track, m
	ahead  []localization.Observation // readings whose true places are not known yet, in order of arrival
	tally  record.Consistency
	memo   *record.Truth // last evaluation; nil: there is none
	memoOf evaluated     // the data of that evaluation
}

// evaluated identifies the data of an evaluation: an evaluation changes when one of these numbers changes.
type evaluated struct{ samples, recommendations, afterTeam int }

// fewestMisses is the least number of samples for which the spread of the true places about
// their targets is estimated; with fewer samples Σ̂ is used.
const fewestMisses = 5

// New listens for the ground truth of a region. Points of its track are at least spacing metres apart.
func New(node *ros.Node, cfg *settings.Config, region *field.Region, spacing float64) (*Truth, error) {
	t := &Truth{node: node, cfg: cfg, region: region, apart: spacing, poses: localization.NewPoseBuffer(localization.DefaultMatcherConfig().MaxGap)}
	if _, err := ros.Subscribe(node, "ground_truth/odom", ros.SensorStream(), t.onPose); err != nil {
		return nil, err
	}
	_, err := ros.Subscribe(node, "ground_truth/field", ros.Latched(), t.onField)
	return t, err
}

func (t *Truth) onPose(m *nav_msgs.Odometry, _ ros.MessageInfo) {
	pose, err := convert.PlanarPose(t.node.Stamped(m.Header.Stamp), &m.Pose)
	if err != nil {
		return
	}
	t.poses.Add(pose)
	t.catchUp()
	t.track = record.AppendApart(t.track, record.Place{pose.X, pose.Y}, t.apart)
}

func (t *Truth) onField(m *sensor_msgs.PointCloud2, _ ros.MessageInfo) {
	var field *surface.GridField
	g, columns, err := convert.CloudColumns(m, "value", "smooth")
	if err == nil {
		field, err = surface.NewGridField(g, columns[0], columns[1], t.cfg.Quantity, t.cfg.Units)
	}
	if err != nil {
		t.node.Logger().Error("the ground truth of the field cannot be used", "error", err.Error())
		return
	}
	t.field, t.memo = field, nil
}

// Field returns the true field and the true path of the robot, as far as they are known.
func (t *Truth) Field() (field *surface.GridField, track []record.Place) {
	if t == nil {
		return nil, nil
	}
	return t.field, t.track
}

// Place returns the true place of the probe at a stamp; nil if it is not known.
func (t *Truth) Place(stamp int64) *record.Place {
	if t == nil {
		return nil
	}
	pose, err := t.poses.At(stamp)
	if err != nil {
		return nil
	}
	pose.Cov = [3][3]float64{}
	at := pose.At(t.cfg.Matcher.Probe)
	return &record.Place{at.X, at.Y}
}

// mostAhead bounds the readings that wait for their true places.
const mostAhead = 10_000

// Compare queues the belief of a reading for comparison with the truth.
func (t *Truth) Compare(m localization.Observation) {
	if t == nil {
		return
	}
	if len(t.ahead) == mostAhead {
		t.ahead = append(t.ahead[:0], t.ahead[1:]...)
		t.tally.Unknown++
	}
	t.ahead = append(t.ahead, m)
	t.catchUp()
}

// catchUp compares the queued readings whose true places are known by now.
func (t *Truth) catchUp() {
	kept := t.ahead[:0]
	for _, c := range t.ahead {
		if _, err := t.poses.At(c.Stamp); errors.Is(err, localization.ErrPending) {
			kept = append(kept, c)
			continue
		}
		at, squared := t.Place(c.Stamp), math.NaN()
		if at != nil {
			squared = c.Belief.SquaredDistance(*at)
		}
		if math.IsNaN(squared) {
			t.tally.Unknown++
			continue
		}
		t.tally.Readings++
		t.tally.Squared += squared // the sum; consistency divides it
		if c.Belief.Inside(*at) {
			t.tally.Inside++
		}
	}
	t.ahead = kept
}

// Consistency returns how well the readings' beliefs agree with the truth so far; nil if no
// true place is known.
func (t *Truth) Consistency() *record.Consistency {
	if t == nil || t.tally.Readings == 0 {
		return nil
	}
	c := t.tally
	c.Squared /= float64(c.Readings)
	c.Unknown += len(t.ahead)
	return &c
}

// execution returns the second moment of the true places about their targets, as measured
// in this mission. It includes a mean error.
func (t *Truth) execution(m *record.Mission) (cov [2][2]float64, measured bool) {
	n := 0.0
	for _, o := range m.Observations {
		if o.TruePlace == nil || o.Approach == nil { // nobody sent the robot there
			continue
		}
		dx, dy := o.TruePlace[0]-o.Target[0], o.TruePlace[1]-o.Target[1]
		cov[0][0] += dx * dx
		cov[0][1] += dx * dy
		cov[1][1] += dy * dy
		n++
	}
	if n < fewestMisses || t.cfg.Passive { // a passive explorer sends no targets
		v := t.cfg.Execution * t.cfg.Execution
		return [2][2]float64{{v, 0}, {0, v}}, false
	}
	cov[0][0] /= n
	cov[0][1] /= n
	cov[1][1] /= n
	cov[1][0] = cov[0][1]
	return cov, true
}

// Evaluate returns the regret of the mission; nil until the true field is known. It must not be changed.
func (t *Truth) Evaluate(m *record.Mission) *record.Truth {
	if t == nil || t.field == nil {
		return nil
	}
	of := evaluated{samples: len(m.Observations), recommendations: len(m.Recommended)}
	if m.Recommendation != nil {
		of.afterTeam = m.Recommendation.AfterTeam
	}
	if t.memo != nil && t.memoOf == of {
		return t.memo
	}
	s, err := t.surfaces(m)
	if err != nil {
		t.node.Logger().Error("the regret cannot be evaluated", "error", err.Error())
		return nil
	}
	t.memo, t.memoOf = &record.Truth{
		Name: t.field.Name(), Raw: s[raw].Surface, Smooth: &s[smooth].Surface, Expected: &s[expected].Surface,
		RegretOverSamples: t.regrets(m, &s),
	}, of
	return t.memo
}

// judged is a surface by which places are judged, and its best place.
type judged struct {
	record.Surface
	at   func(x, y float64) float64
	sign float64 // 1 if the highest value is the best, -1 if the lowest is
}

// regret returns by how much a place is worse than the best one, ≥ 0 in the region.
func (j *judged) regret(at record.Place) float64 { return j.sign * (j.Best - j.at(at[0], at[1])) }

// The surfaces by which places are judged.
const (
	raw      = iota // the field as the probe measures it
	smooth          // without the variation over distances too short to map
	expected        // the mean over where a robot that is sent there ends up
)

// surfaces returns the surfaces of the true field with their best places, and what they are at the
// recommended place.
func (t *Truth) surfaces(m *record.Mission) (list [3]judged, err error) {
	cov, measured := t.execution(m)
	mean, err := surface.NewExpectation(cov, t.field.Resolution())
	if err != nil {
		return list, err
	}
	how := "mean over the places where the robot ended up around its targets in this mission"
	if !measured {
		how = "mean over the places where the robot is assumed to end up, execution.stddev"
	}
	sign := 1.0
	if t.cfg.Objective == planner.ObjectiveMinimum {
		sign = -1
	}
	lo, hi := t.region.Bounds()
	bound := orb.Bound{Min: orb.Point(lo), Max: orb.Point(hi)}
	inside := func(x, y float64) bool { return t.region.Contains([]float64{x, y}) }
	for k, s := range [3]struct {
		description string
		f           surface.Surface
		cov         [2][2]float64 // of where the robot ends up
		at          func(x, y float64) float64
	}{
		raw:      {"the field as the probe measures it", t.field.Value, [2][2]float64{}, t.field.Value},
		smooth:   {"the field without the variation over distances too short to map", t.field.Smooth, [2][2]float64{}, t.field.Smooth},
		expected: {how, t.field.Value, cov, func(x, y float64) float64 { return mean.At(t.field.Value, x, y) }},
	} {
		best, err := surface.MaxExpected(func(x, y float64) float64 { return sign * s.f(x, y) }, bound, t.field.Resolution(), inside, s.cov)
		if err != nil {
			return list, err
		}
		j := &list[k]
		*j = judged{at: s.at, sign: sign, Surface: record.Surface{
			Description: s.description, Best: sign * best.Value, BestAt: record.Place{best.X, best.Y}, AtRecommendation: math.NaN(), Regret: math.NaN(),
		}}
		if r := m.Recommendation; r != nil {
			j.AtRecommendation = j.at(r.Target[0], r.Target[1])
			j.Regret = sign * (j.Best - j.AtRecommendation)
		}
	}
	return list, nil
}

// regrets returns the regret after each of the mission's recommendations.
func (t *Truth) regrets(m *record.Mission, s *[3]judged) (list []record.RegretAt) {
	sign := s[raw].sign
	best, last, sum, seen := math.Inf(-1), math.NaN(), 0.0, 0
	var newest record.Place
	for _, r := range m.Recommended {
		for ; seen < min(r.Samples, len(m.Observations)); seen++ {
			o := m.Observations[seen]
			if at := o.TruePlace; at != nil {
				best = max(best, sign*t.field.Value(at[0], at[1]))
			}
			newest, last = o.Target, s[expected].regret(o.Target)
			sum += last
		}
		at := r.Or(newest)
		list = append(list, record.RegretAt{
			Samples: r.Samples, Simple: sign*s[raw].Best - best,
			Recommended: s[raw].regret(at), Smooth: s[smooth].regret(at), Expected: s[expected].regret(at),
			Instantaneous: last, Mean: sum / float64(seen),
		})
	}
	return list
}

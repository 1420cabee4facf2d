// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/bag"
	"ugp_explorer/msgs/tf2_msgs"
	"ugp_explorer/node/record"
)

// lost are the counts of the record that say why a reading has no use.
var lost = []string{
	record.CountGap, record.CountOlderThanPoses, record.CountNoPose, record.CountNoVariance, record.CountOutside,
	record.CountStrayStamp, record.CountBeyondQueue, record.CountReset, record.CountBadVariance,
}

// mostLost is the share of such readings above which Unused names the reasons: a few at the
// ends of a bag have no pose.
const mostLost = 0.1

// Empty returns an error that explains why nothing was observed.
func (r *Replay) Empty() error {
	text, _ := r.unused()
	return fmt.Errorf("no observation was made from the bag: %s", strings.Join(append([]string{text}, r.src.filter.problems()...), "; "))
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
	matched, unmatched := counts[record.CountMatched], int64(0)
	text = fmt.Sprintf("readings matched with a pose: %d", matched)
	for _, name := range lost {
		if n := counts[name]; n > 0 {
			text += fmt.Sprintf(", %s: %d", name, n)
			unmatched += n
		}
	}
	if idle := counts[record.CountIdle]; idle > 0 {
		text += fmt.Sprintf(", in no stop or piece of path: %d", idle)
	}
	share = float64(unmatched) / float64(max(matched+unmatched, 1))
	switch gaps := 2*counts[record.CountGap] > unmatched; {
	case gaps && r.onTransforms():
		text += fmt.Sprintf("; %s has poses only from time to time, as AMCL publishes them, and %s has the poses between them: use -p pose.source:=tf", r.source.Pose, tfTopic)
	case gaps:
		text += fmt.Sprintf("; poses come every %.3g s: use -p pose.timeout:=%.3g", quantile(r.poses.periods, 0.5), 8*quantile(r.poses.periods, 0.95))
	}
	if counts[record.CountNoVariance] > 0 {
		text += "; " + setStdDev
	}
	if n := counts[record.CountCovariances+localization.TooLarge.String()]; n > 0 && counts[record.CountNoPose] > 0 {
		text += fmt.Sprintf("; %d poses on %s are too uncertain to be used on this field, by their covariance", n, r.source.Pose)
	}
	if counts[record.CountOlderThanPoses]+counts[record.CountNoPose]+counts[record.CountStrayStamp] > 0 {
		if a := r.poses.ages; (a[0] < -mostAhead || a[1] > r.poses.cfg.Mission.PoseTimeout) && r.src.skew == 0 {
			text += fmt.Sprintf("; the stamps of the poses are between %s and %s the times of recording: a clock was set while the bag was recorded, or messages came late; "+
				"--start and --duration replay a part with one clock, and --correct-stamps corrects its stamps", ahead(a[0]), ahead(a[1]))
		}
	}
	return text, share
}

// onTransforms reports whether the bag has the robot's pose as transforms, too, and they are not used.
func (r *Replay) onTransforms() bool {
	const most = 10_000 // messages
	n := 0
	parents := map[string]string{} // by frame
	var m tf2_msgs.TFMessage
	for _, topic := range []string{tfStaticTopic, tfTopic} {
		if t, ok := r.src.topic(topic); !ok || !usable(t) || r.transforms {
			continue
		}
		for msg, err := range r.src.recorded(bag.Query{Topics: []string{topic}, Start: r.from, End: r.to}) {
			if n++; n > most {
				break
			}
			if err != nil || msg.Topic.Type != tfType || m.UnmarshalCDR(msg.Data) != nil {
				continue
			}
			for i := range m.Transforms {
				parents[m.Transforms[i].ChildFrameID] = m.Transforms[i].Header.FrameID
			}
			frame := r.base
			for range parents { // which may be a circle
				if frame = parents[frame]; frame == r.poses.frame {
					return true
				}
			}
		}
	}
	return false
}

// setStdDev names the parameter for readings that state no variance.
const setStdDev = "set it with -p reading.stddev:=VALUE"

// setSecondary names the same of a second sensor.
const setSecondary = "set it with -p secondary.stddev:=VALUE"

// quantile returns the value below which a share of the values lies, NaN without values. It sorts them.
func quantile(values []float64, share float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	slices.Sort(values)
	return values[max(int(math.Ceil(share*float64(len(values))))-1, 0)]
}

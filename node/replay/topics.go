// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ugp_explorer/msgs/bag"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/tf2_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/sense"
)

// Message types of poses with covariance and of the true field.
var (
	odometryType = (&nav_msgs.Odometry{}).TypeName()
	poseType     = (&geometry_msgs.PoseWithCovarianceStamped{}).TypeName()
	// A pose without covariance, which is used if there is no other and pose.zero_stddev is given.
	poseStampedType = (&geometry_msgs.PoseStamped{}).TypeName()
	fieldType       = (&sensor_msgs.PointCloud2{}).TypeName()
	tfType          = (&tf2_msgs.TFMessage{}).TypeName()

	// Inputs of the filter.
	navSatType = (&sensor_msgs.NavSatFix{}).TypeName()
	imuType    = (&sensor_msgs.Imu{}).TypeName()

	observationType = (&ugp_explorer_msgs.FieldObservation{}).TypeName()
)

func ofType(name string) func(bag.Topic) bool {
	return func(t bag.Topic) bool { return t.Type == name }
}

// Topics of transforms.
const (
	tfTopic       = "/tf"
	tfStaticTopic = "/tf_static"
)

// Names of a simulation's topics that only the report uses.
const (
	truthTopic = "/ground_truth/odom"
	fieldTopic = "/ground_truth/field"
)

// isPose reports whether a topic has poses that the explorer can read.
func isPose(t bag.Topic) bool {
	return usable(t) && (t.Type == odometryType || t.Type == poseType) && !strings.HasSuffix(t.Name, truthTopic) && !isInitialPose(t)
}

// isInitialPose reports whether a topic has poses that people give to a filter.
func isInitialPose(t bag.Topic) bool {
	return usable(t) && t.Type == poseType && strings.HasSuffix("/"+t.Name, "/initialpose")
}

// isBarePose reports whether a topic has poses without covariance that are not goals.
func isBarePose(t bag.Topic) bool {
	return usable(t) && t.Type == poseStampedType && !strings.Contains(t.Name, "goal")
}

func isTruth(t bag.Topic) bool { return usable(t) && t.Type == odometryType }

func usable(t bag.Topic) bool { return t.Count > 0 && (t.Format == "cdr" || t.Format == "") }

// role is a part that a topic of the bag can have in a replay.
type role struct {
	what  string   // name for messages, such as "a pose with covariance"
	flag  string   // flag that names the topic
	given string   // value of the flag; empty: not given
	own   string   // topic to which the explorer subscribes
	often string   // what that is often remapped to; empty: nothing
	least []string // names of topics that have the part only if no others can
	types []string
	fits  func(bag.Topic) bool
}

// poseRole returns the role of the poses. Inputs of a filter that a mission has recorded, too, are not mistaken for poses.
func poseRole(given string, source string, inputs []string) role {
	own, often := "/odometry/filtered", ""
	if source != "odometry" {
		own, often = "/pose", "/amcl_pose"
	}
	return role{"a pose with covariance", poseFlag, given, own, often, inputs, []string{odometryType, poseType, poseStampedType, navSatType}, isPose}
}

// poseFlag may name true poses, too.
const poseFlag = "--pose-topic"

// readingRole returns the role of the readings. Topics of a second sensor and of other quantities are not mistaken for it.
func readingRole(given, second string, others []settings.Also) role {
	least := []string{secondaryTopic, cmp.Or(second, secondaryTopic)}
	for _, a := range others {
		least = append(least, a.Topic)
	}
	return role{"readings", "--reading-topic", given, "/reading", "", least, sense.ReadingTypes(), isReading}
}

// alsoRole returns the role of the readings of another quantity, which only a topic of its name and type has.
func alsoRole(a settings.Also) role {
	own := "/" + strings.TrimPrefix(a.Topic, "/")
	typ := sense.ReadingType(a.Type)
	return role{"readings of " + a.Quantity.Quantity, "the parameter also", "", own, "", nil, []string{typ}, func(t bag.Topic) bool {
		return isReading(t) && t.Type == typ && strings.HasSuffix(t.Name, own)
	}}
}

// secondaryTopic is the name of the topic on which the explorer hears a second sensor.
const secondaryTopic = "/secondary"

// secondaryRole returns the role of the readings of a second sensor, which another topic has only if it is given, and never
// the one of the mission's readings.
func secondaryRole(given, reading string) role {
	return role{"readings of a second sensor", "--secondary-topic", given, secondaryTopic, "", nil, sense.ReadingTypes(), func(t bag.Topic) bool {
		return isReading(t) && t.Name != reading && (given != "" || strings.HasSuffix(t.Name, secondaryTopic))
	}}
}

func isReading(t bag.Topic) bool {
	_, ok := sense.ReadingName(t.Type)
	return ok && usable(t)
}

// find returns the topic for a role: the given one, else the one to which the explorer
// subscribes, else the only one of a fitting type. The error lists the candidates.
func (s *Source) find(r role) (bag.Topic, error) {
	candidates := fitting(s.Topics, r.fits)
	if r.given != "" {
		i := slices.IndexFunc(s.Topics, func(t bag.Topic) bool {
			return t.Name == r.given && (r.fits(t) || r.flag == poseFlag && usable(t) && slices.Contains(r.types, t.Type))
		})
		if i >= 0 {
			return s.Topics[i], nil
		}
		t, ok := s.topic(r.given)
		is := fmt.Sprintf(" of type %s: the types with %s are %s", t.Type, r.what, strings.Join(r.types, ", "))
		switch {
		case !ok:
			is = ": the bag has no such topic"
		case t.Count == 0:
			is = ": the bag has no messages of it"
		}
		return t, fmt.Errorf("%s is %s%s; %s", r.flag, r.given, is, offer(r, candidates, s.Topics))
	}
	for _, fits := range []func(bag.Topic) bool{
		func(t bag.Topic) bool { return t.Name == r.own },
		func(t bag.Topic) bool { return strings.HasSuffix(t.Name, r.own) }, // in a namespace
		func(t bag.Topic) bool { return r.often != "" && strings.HasSuffix(t.Name, r.often) },
		func(t bag.Topic) bool {
			return !slices.ContainsFunc(r.least, func(name string) bool { return strings.HasSuffix("/"+t.Name, "/"+strings.TrimPrefix(name, "/")) })
		},
		func(bag.Topic) bool { return true },
	} {
		if found := fitting(candidates, fits); len(found) == 1 {
			return found[0], nil
		}
	}
	if len(candidates) > 0 {
		or := ""
		fixes, wheels := slices.IndexFunc(candidates, ofType(poseType)), slices.IndexFunc(candidates, ofType(odometryType))
		if r.flag == poseFlag && fixes >= 0 && wheels >= 0 {
			or = fmt.Sprintf("; or, if %s has position fixes, let the filter compute the poses with --fix-topic %[1]s --odom-topic %s", candidates[fixes].Name, candidates[wheels].Name)
		}
		return bag.Topic{}, fmt.Errorf("%d topics of the bag have %s: %s; choose one with %s%s", len(candidates), r.what, list(candidates), r.flag, or)
	}
	empty := fitting(s.Topics, func(t bag.Topic) bool { // as of a recording that ended before the first reading
		t.Count++
		return t.Count == 1 && r.fits(t)
	})
	switch {
	case len(empty) > 0:
		return bag.Topic{}, fmt.Errorf("the bag has no messages with %s: it has %s", r.what, list(empty))
	case slices.ContainsFunc(s.Topics, func(t bag.Topic) bool { return t.Type == observationType }):
		return bag.Topic{}, fmt.Errorf("the bag has no topic with %s: its mission recorded only topics that the explorer publishes; with record.topics: all, it also records those that it receives", r.what)
	}
	return bag.Topic{}, fmt.Errorf("the bag has no topic with %s: %s", r.what, offer(r, nil, s.Topics))
}

// fitting returns those of the topics that fit.
func fitting(topics []bag.Topic, fits func(bag.Topic) bool) []bag.Topic {
	return slices.DeleteFunc(slices.Clone(topics), func(t bag.Topic) bool { return !fits(t) })
}

// offer lists the topics of the bag that can be chosen, or else all.
func offer(r role, candidates, all []bag.Topic) string {
	switch {
	case len(candidates) > 0:
		return "the topics with " + r.what + " are " + list(candidates)
	case len(all) == 0:
		return "it has no topics"
	}
	text := "the types with " + r.what + " are " + strings.Join(r.types, ", ") + ", and the bag has " + list(all)
	switch at := func(t bag.Topic) bool { return t.Count > 0 && !usable(t) && slices.Contains(r.types, t.Type) }; {
	case slices.ContainsFunc(all, at):
		text += "; only messages in the format cdr can be read, in which ROS 2 records them"
	case r.flag == poseFlag && slices.ContainsFunc(all, func(t bag.Topic) bool { return t.Type == tfType }):
		text += "; transforms have no covariance: also record the pose of the localisation, such as /amcl_pose"
	}
	return text
}

// list names topics with their types and counts.
func list(topics []bag.Topic) string {
	var s []string
	for _, t := range topics {
		format := ""
		if !usable(t) && t.Count > 0 {
			format = " in the format " + t.Format
		}
		s = append(s, fmt.Sprintf("%s (%s, %d messages%s)", t.Name, cmp.Or(t.Type, "unknown type"), t.Count, format))
	}
	return strings.Join(s, ", ")
}

// Use says what a replay can use a topic for, "" for nothing.
func Use(t bag.Topic) string {
	var uses []string
	for _, u := range []struct {
		fits bool
		what string
	}{
		{isWheels(t), "poses (--pose-topic), or wheel odometry (--odom-topic)"},
		{isPose(t) && t.Type == poseType, "poses (--pose-topic)"},
		{isBarePose(t), "poses (--pose-topic) with -p pose.zero_stddev:=METRES"},
		{fixRole("").fits(t), "fixes (--fix-topic), or poses by themselves (--pose-topic)"},
		{isIMU(t), "yaw rates (--imu-topic)"},
		{isReading(t), "readings (--reading-topic)"},
		{secondaryRole("", "").fits(t), "readings of a second sensor (--secondary-topic)"},
		{isInitialPose(t), "the filter's first pose"},
		{usable(t) && t.Type == tfType, "poses with -p pose.source:=tf, in addition to a topic with poses"},
		{isTruth(t) && strings.HasSuffix(t.Name, truthTopic), "true poses (--truth-topic)"},
		{t.Count > 0 && !usable(t), "none: it is in the format " + t.Format},
	} {
		if u.fits {
			uses = append(uses, u.what)
		}
	}
	return strings.Join(uses, ", ")
}

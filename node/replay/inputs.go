// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"fmt"
	"slices"
	"strings"

	"ugp_explorer/msgs/bag"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/sense"
)

// inputs are the topics of a bag that are replayed.
type inputs struct {
	pose, reading bag.Topic
	secondary     bag.Topic // without a name: there is no second sensor
	also          []other   // in the order of the parameter also
}

// other is the topic of another quantity, without a name if the bag has none, and the one on which the explorer hears it.
type other struct {
	bag.Topic
	to string
}

// readings returns the topics with readings.
func (in *inputs) readings() []bag.Topic {
	topics := []bag.Topic{in.reading, in.secondary}
	for _, t := range in.also {
		topics = append(topics, t.Topic)
	}
	return slices.DeleteFunc(topics, func(t bag.Topic) bool { return t.Name == "" })
}

// topics finds the topics and configures the explorer for their types.
func (r *Replay) topics(cfg *Config) (in inputs, err error) {
	c := &cfg.Explorer
	var notes []string
	if in.pose, notes, err = r.src.poses(cfg, r.opts.Parameters); err != nil {
		return in, err
	}
	r.source.Notes = append(r.source.Notes, notes...)
	also, err := c.Others()
	if err != nil {
		return in, fmt.Errorf("explorer: %w", err)
	}
	if in.reading, err = r.src.find(readingRole(cfg.Reading, cfg.Secondary, also)); err != nil {
		return in, err
	}
	if in.secondary, err = r.second(cfg, in.reading.Name); err != nil {
		return in, err
	}
	if in.also, err = r.others(also, &in); err != nil {
		return in, err
	}
	t, transforms := r.src.topic(tfTopic)
	switch {
	case in.pose.Type == odometryType:
		c.PoseSource = "odometry"
	case c.PoseSource != "tf" || !transforms || t.Type != tfType:
		c.PoseSource = "pose"
	}
	r.transforms, r.base = c.PoseSource == "tf", c.BaseFrame
	c.Reading.Type, _ = sense.ReadingName(in.reading.Type)
	r.source.Bag, r.source.Pose, r.source.Reading, r.source.Secondary = r.src.Path, in.pose.Name, in.reading.Name, in.secondary.Name
	if f := r.src.filter; f != nil {
		r.source.Pose = f.source()
	}
	r.source.Truth = cfg.Truth
	if cfg.Truth != "" {
		if t, ok := r.src.topic(cfg.Truth); !ok || !isTruth(t) {
			return in, fmt.Errorf("--truth-topic is %s: want a topic of type %s; the bag has %s", cfg.Truth, odometryType, list(r.src.Topics))
		}
	} else if t, ok := r.src.topic(truthTopic); ok && isTruth(t) && in.pose.Name != truthTopic {
		r.source.Truth = truthTopic
	}
	c.Truth = r.source.Truth != ""
	if t, ok := r.src.topic(fieldTopic); ok && usable(t) && t.Type == fieldType && c.Truth {
		r.field = fieldTopic
	}
	return in, nil
}

// second finds the topic of a second sensor, beside that of the readings, and configures the explorer for its type. Without a
// name there is none.
func (r *Replay) second(cfg *Config, reading string) (t bag.Topic, err error) {
	c, role := &cfg.Explorer.Secondary, secondaryRole(cfg.Secondary, reading)
	switch {
	case cfg.Secondary == reading:
		return t, fmt.Errorf("%s is %s, which has the readings of the mission's quantity: choose another topic, or another one with --reading-topic", role.flag, reading)
	case cfg.Secondary != "" || slices.ContainsFunc(r.src.Topics, role.fits):
		if t, err = r.src.find(role); err != nil {
			return t, err
		}
	case c.Type != "":
		r.note("secondary.type is set, but the bag has no topic %s: %s names another one", strings.TrimPrefix(role.own, "/"), role.flag)
	}
	c.Type, _ = sense.ReadingName(t.Type)
	if cfg.Secondary == "" && lacksStdDev(c.Type, c.StdDev) {
		r.note("the second sensor on %s is not used: a %s states no variance; %s", t.Name, c.Type, setSecondary)
		c.Type = ""
		return bag.Topic{}, nil
	}
	return t, nil
}

// others finds the topics of other quantities, beside that of the readings. One that the bag does not have has no name.
func (r *Replay) others(list []settings.Also, in *inputs) (topics []other, err error) {
	for _, a := range list {
		role := alsoRole(a)
		var t bag.Topic
		if slices.ContainsFunc(r.src.Topics, role.fits) {
			if t, err = r.src.find(role); err != nil {
				return nil, err
			}
		}
		if t.Name == "" {
			r.note("%s is left out: the bag has no topic %s with messages of type %s, as the parameter also states", a.Quantity.Quantity, a.Topic, role.types[0])
		} else if t.Name == in.reading.Name || t.Name == in.secondary.Name {
			return nil, fmt.Errorf("also: %s has the readings of the mission's quantity or of the second sensor: choose another topic for those, or leave it out of also", t.Name)
		}
		topics = append(topics, other{t, a.Topic})
	}
	return topics, nil
}

// lacksStdDev reports whether readings of a type need a standard deviation that is not given.
func lacksStdDev(typ string, stdDev float64) bool {
	return typ != "" && !sense.StatesVariance(typ) && stdDev == 0
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"fmt"
	"slices"
	"strings"

	"ugp_explorer/msgs/bag"
	"ugp_explorer/node/sense"
)

// inputs are the topics of a bag that are replayed.
type inputs struct {
	pose, reading bag.Topic
	secondary     bag.Topic // without a name: there is no second sensor
}

// readings returns the topics with readings.
func (in *inputs) readings() []bag.Topic {
	if in.secondary.Name == "" {
		return []bag.Topic{in.reading}
	}
	return []bag.Topic{in.reading, in.secondary}
}

// topics finds the topics and configures the explorer for their types.
func (r *Replay) topics(cfg *Config) (in inputs, err error) {
	c := &cfg.Explorer
	var notes []string
	if in.pose, notes, err = r.src.poses(cfg, r.opts.Parameters); err != nil {
		return in, err
	}
	r.source.Notes = append(r.source.Notes, notes...)
	if in.reading, err = r.src.find(readingRole(cfg.Reading, cfg.Secondary)); err != nil {
		return in, err
	}
	if in.secondary, err = r.second(cfg, in.reading.Name); err != nil {
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
	c, role := &cfg.Explorer.Secondary, secondaryRole(cfg.Secondary)
	switch found := slices.ContainsFunc(r.src.Topics, func(t bag.Topic) bool { return role.fits(t) && t.Name != reading }); {
	case cfg.Secondary != "" && cfg.Secondary == reading:
		return t, fmt.Errorf("%s is %s, which has the readings that the mission is about: choose another topic, or another one with --reading-topic", role.flag, reading)
	case found || cfg.Secondary != "":
		if t, err = r.src.find(role); err != nil {
			return t, err
		}
	case c.Type != "":
		r.note("the explorer is to hear a second sensor, and the bag has no topic %s: %s names another one", strings.TrimPrefix(role.own, "/"), role.flag)
	}
	c.Type, _ = sense.ReadingName(t.Type)
	if cfg.Secondary == "" && lacksStdDev(c.Type, c.StdDev) {
		r.note("the second sensor on %s is not used: a %s states no variance; %s", t.Name, c.Type, setSecondary)
		c.Type = ""
		return bag.Topic{}, nil
	}
	return t, nil
}

// lacksStdDev reports whether readings of a type need a standard deviation that is not given.
func lacksStdDev(typ string, stdDev float64) bool {
	return typ != "" && !sense.StatesVariance(typ) && stdDev == 0
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"slices"

	"ugp_explorer/localization"
	"ugp_explorer/node/explorer"
	"ugp_explorer/planner/earth"
)

// Drive holds the poses of a bag in the order in which they were recorded.
type Drive struct {
	Poses   []RecordedPose
	Frame   string
	From    string       // topic of the poses, or those from which the filter computes them
	Refused string       // how many messages cannot be used by the explorer's rules, and why; empty: all can
	Datum   *earth.Datum // origin of the map; nil: unknown
	// FirstFix is set if the datum is not given, but the first fix.
	FirstFix bool
	Notes    []string
	Problems []string // of the bag
}

// RecordedPose is a pose of a bag.
type RecordedPose struct {
	localization.Pose
	At float64 // record time, s after the first message of the bag
}

// ReadDrive reads the poses of a bag by the explorer's rules: those of the topic that a replay
// would use, or those of the filter if the bag has none. The filter runs from the start of the bag.
func ReadDrive(src *Source, cfg *Config, opts Options) (*Drive, error) {
	o, note, err := parameters(src, opts.Parameters, cfg)
	if err != nil {
		return nil, err
	}
	c := &cfg.Explorer
	if err := apply(o, explorer.DefaultName, c.Parameters()); err != nil {
		return nil, err
	}
	if src.Count == 0 {
		return nil, src.empty()
	}
	c.Passive = true
	topic, notes, err := src.poses(cfg, o)
	if err != nil {
		return nil, err
	}
	valid := *c
	valid.Reading.Type = "FieldReading" // no reading is read
	if err := valid.Validate(); err != nil {
		return nil, err
	}
	clocks, err := src.checkClocks(cfg, topic, nil, src.Start, src.End+1)
	if err != nil {
		return nil, err
	}
	p, err := surveyPoses(src, topic, c, src.Start, src.End+1, true, opts.Looking)
	if err != nil {
		return nil, err
	}
	d := &Drive{Poses: p.poses, Frame: p.frame, From: topic.Name, Notes: append(notes, clocks...)}
	problems, _ := src.ReadingProblems()
	d.Problems = slices.Concat(problems, p.problems, src.filter.problems())
	if note != "" {
		d.Notes = append(d.Notes, note)
	}
	f := src.filter
	if (f == nil || f.alone()) && p.used < topic.Count || p.reason != nil {
		d.Refused = p.refused()
	}
	lonLat := c.Field.Datum
	if f != nil {
		d.From = f.source()
		settings, _, err := f.settings()
		if err != nil {
			return nil, err
		}
		if lonLat = settings.Datum; len(lonLat) == 0 && f.satellites() {
			lonLat, d.FirstFix = f.origin[:], true
		}
	}
	if len(lonLat) == 2 {
		d.Datum = &earth.Datum{Lon: lonLat[0], Lat: lonLat[1]}
	}
	return d, nil
}

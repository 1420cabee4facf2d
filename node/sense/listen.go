// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sense

import (
	"ugp_explorer/localization"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
)

// Poses are those that an explorer of the same configuration would use, without readings.
type Poses struct {
	*Sense
	*watch.Watch
}

// ListenPoses calls fn with each new pose. said, which may be nil, is called when what is missing
// changes.
func ListenPoses(node *ros.Node, cfg Config, fn func(localization.Pose), said func()) (*Poses, error) {
	cfg.Secondary, cfg.Also = nil, nil
	s, err := New(node, cfg, Listener{
		Located: func(at localization.Pose, _ bool) { fn(at) }, Moved: func(float64) {}, Lost: func(*localization.Pose) {}, Gatherer: &Pieces{},
	})
	if err != nil {
		return nil, err
	}
	if err := s.openPoses(); err != nil {
		return nil, err
	}
	w, err := watch.New(node, said)
	if err != nil {
		return nil, err
	}
	s.WatchPoses(w, func(want watch.Want) watch.Want { return want })
	return &Poses{s, w}, nil
}

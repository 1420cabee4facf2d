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
	s, err := New(node, cfg)
	if err != nil {
		return nil, err
	}
	s.Located, s.Moved, s.Lost = func(bool) { fn(s.at) }, func(float64) {}, func(*localization.Pose) {}
	s.Gatherer = noReadings{}
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

// noReadings is a gatherer where only poses are wanted.
type noReadings struct{}

func (noReadings) Gather([]localization.Matched) {}
func (noReadings) Expire(int64)                  {}
func (noReadings) ClockChanged(int64)            {}
func (noReadings) Wants() bool                   { return false }

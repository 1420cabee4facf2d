package explorer

import (
	"log/slog"
	"time"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
)

// oldestReading is the greatest normal age of a reading's stamp, for slow probes. An older
// reading has no pose any more: see localization.DefaultBufferConfig.
const oldestReading = 20 * time.Second

// startWatch starts the checks of what the mission needs from other nodes, in the order of
// urgency.
func (e *Explorer) startWatch() error {
	w, err := watch.New(e.node, func() {
		e.view.publishStatus()
		e.view.publishDiagnostics()
	})
	if err != nil {
		return err
	}
	e.view.watch = w
	untilDone := func(want watch.Want) watch.Want {
		if e.finished {
			return watch.WantNothing
		}
		return want
	}
	w.Condition("other explorers", slog.LevelWarn, func() string {
		for _, o := range watch.Others(e.node, e.view.out.status) {
			return o.Owner() + " publishes " + o.Name + " too: two explorers have the same name, or one was killed just now; stop one or change its name or namespace"
		}
		return e.conduct.rival()
	})
	e.sampler.watchPoses(w, untilDone)
	e.conduct.expectGoal(w, func() watch.Want { return untilDone(watch.WantMatch) })
	e.sampler.readings = w.Input(e.sampler.readingTopic, watch.Expect{
		Name: "reading", What: "a reading", Silence: seconds(e.cfg.Mission.SampleTimeout / 6), Age: oldestReading,
		Want: func() watch.Want {
			if e.conduct.reads() {
				return watch.WantMessages
			}
			return untilDone(watch.WantMatch)
		},
	})
	e.conduct.expectOthers(w)
	if len(e.team.mates) > 0 {
		w.Condition("team", slog.LevelInfo, e.team.unheard)
	}
	if e.cfg.OutputDir != "" {
		w.Notice("size of mission.json", func() string {
			if e.finished {
				return ""
			}
			return e.book.nearlyTooLarge()
		})
	}
	return nil
}

// Watched returns what the mission needs from other nodes, each with what is wrong with it.
func (e *Explorer) Watched() []diagnostic_msgs.DiagnosticStatus { return e.view.watch.Diagnostics() }

// watchPoses starts the checks of where poses come from. untilDone returns WantNothing when poses
// are not wanted any more.
func (s *sampler) watchPoses(w *watch.Watch, untilDone func(watch.Want) watch.Want) {
	over := func() bool { return untilDone(watch.WantMatch) == watch.WantNothing }
	expect := watch.Expect{Name: "pose", What: "a pose", Want: func() watch.Want { return untilDone(watch.WantMessages) }}
	switch s.cfg.PoseSource {
	case poseTF:
		w.Condition("pose on /tf", slog.LevelWarn, func() string {
			if over() {
				return ""
			}
			return s.tf.Missing()
		})
		expect.Name, expect.What = "covariance of the pose", "a pose with covariance"
		expect.Want = func() watch.Want {
			if s.tf.Track().Believes() { // the next may come only when the robot has moved
				return untilDone(watch.WantMatch)
			}
			return untilDone(watch.WantMessages)
		}
	case posePose:
		w.Condition("source of the pose", slog.LevelWarn, func() string {
			if over() {
				return ""
			}
			return s.rare()
		})
	}
	s.poses = w.Input(s.poseTopic, expect)
}

// rare names a localisation that tells its pose too seldom for pose.source pose.
func (s *sampler) rare() string {
	if s.hasPose && s.node.Now()-s.at.Stamp < int64(seconds(s.cfg.Mission.PoseTimeout)) {
		return ""
	}
	topic := s.poseTopic.Info()
	for _, o := range s.node.Endpoints(topic.Name) {
		if o.Kind == ros.PublisherEnd && o.Type == topic.Type && o.QoS.Durability == ros.TransientLocal {
			return o.Owner() + " keeps its last pose on " + topic.Name + " for late subscribers, as AMCL does, which publishes only after the robot has moved: " +
				"set pose.source to tf (pose_source:=tf in explore.launch.py), so that the pose comes from /tf and its covariance from there"
		}
	}
	return ""
}

// reads reports whether readings are expected now. Some probes measure only while the
// robot stands.
func (a *active) reads() bool { return a.stops.since != 0 || a.along.collects() }

func (a *active) expectGoal(w *watch.Watch, want func() watch.Want) { a.driver.Watch(w, want) }

func (a *active) expectOthers(w *watch.Watch) {
	w.Condition("other goals", slog.LevelDebug, a.otherGoals)
	w.Notice("guard", func() string {
		if a.e.finished {
			return ""
		}
		_, why := a.guarded()
		return why
	})
}

// rival returns a message if a second explorer sends goals to the same robot.
func (a *active) rival() string {
	for _, o := range a.driver.Others() {
		if isExplorer(a.e.node, o.Node) {
			return "there are two explorers: " + o.Node + " sends goals on " + o.Name + " too; stop one or give it another namespace"
		}
	}
	return ""
}

// otherGoals names another node that may send goals. This is only a note on /diagnostics:
// RViz's goal tool exists wherever RViz runs. Of the action's clients only one whose goal is
// under way counts.
func (a *active) otherGoals() string {
	if a.driver.ByAction() {
		if action := a.driver.OthersGoal(); action != "" {
			return "another client's goal is under way on " + action
		}
		return ""
	}
	for _, o := range a.driver.Others() {
		if !isExplorer(a.e.node, o.Node) {
			return o.Owner() + " may send goals on " + o.Name + " too"
		}
	}
	return ""
}

// isExplorer reports whether a node publishes a mission status.
func isExplorer(at *ros.Node, node string) bool {
	missionStatus := (&ugp_explorer_msgs.MissionStatus{}).TypeName()
	for _, o := range at.Endpoints("") {
		if node != "" && o.Node == node && o.Kind == ros.PublisherEnd && o.Type == missionStatus {
			return true
		}
	}
	return false
}

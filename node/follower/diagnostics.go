package follower

import (
	"time"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/pursuit"
)

// subscriptions are those that the follower cannot do without.
type subscriptions struct{ odometry, way *ros.Subscription }

// startWatch looks after what the follower needs of others, in the order of
// urgency.
func (f *Follower) startWatch() (err error) {
	if f.watch, err = ros.NewWatch(f.node, f.diagnose); err != nil {
		return err
	}
	f.odometry = f.watch.Input(f.in.odometry, ros.Expect{Name: "pose", What: "a pose"})
	f.watch.Output(ros.Expect{Name: "velocity", What: "the velocity"}, f.velocity)
	f.way = f.watch.Input(f.in.way, ros.Expect{Name: "goal", What: "a goal", Want: whenSent})
	_, err = f.node.NewTimer(time.Second, f.diagnose)
	return err
}

// whenSent is what the follower wants of goals: they come when there is a mission.
func whenSent() ros.Want { return ros.WantMatch }

// diagnose publishes what the follower does, and what it waits for.
func (f *Follower) diagnose() {
	if f.diagnostics.Matched() == 0 {
		return
	}
	d := diagnostic_msgs.DiagnosticStatus{Name: f.node.Name() + ": path", HardwareID: "none", Message: f.phase.String()}
	if f.phase == pursuit.PhaseStale || f.phase == pursuit.PhaseBadPose {
		d.Level = diagnostic_msgs.DiagnosticStatusWarn
	}
	var m diagnostic_msgs.DiagnosticArray
	m.Header.Stamp = ros.TimeMsg(f.node.Now())
	m.Status = append(append(m.Status, d), f.watch.Diagnostics()...)
	if err := f.diagnostics.Publish(&m); err != nil {
		f.warn.Warn("no diagnostics were published", "error", err.Error())
	}
}

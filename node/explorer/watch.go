package explorer

import (
	"log/slog"
	"time"

	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
)

// oldestReading is the age of a reading's stamp that a slow probe may make: an older
// one finds no pose any more, see localization.DefaultBufferConfig.
const oldestReading = 20 * time.Second

// theGoal is what sentences call it.
const theGoal = "the goal"

// startWatch looks after what the mission needs of others, in the order of
// urgency.
func (e *Explorer) startWatch() (err error) {
	e.watch, err = watch.New(e.node, func() {
		e.publishStatus()
		e.publishDiagnostics()
	})
	if err != nil {
		return err
	}
	untilDone := func(want watch.Want) watch.Want {
		if e.finished {
			return watch.WantNothing
		}
		return want
	}
	e.watch.Condition("other explorers", slog.LevelWarn, e.rival)
	e.poses = e.watch.Input(e.in.pose, watch.Expect{
		Name: "pose", What: "a pose",
		Want: func() watch.Want { return untilDone(watch.WantMessages) },
	})
	goal := watch.Expect{
		Name: "goal", What: theGoal,
		Want: func() watch.Want { return untilDone(watch.WantMatch) },
	}
	if e.nav != nil {
		e.watch.Action(e.nav.client, goal, e.nav.values)
	} else if !e.cfg.Passive {
		e.watch.Output(goal, e.out.goal, e.out.plan)
	}
	e.readings = e.watch.Input(e.in.reading, watch.Expect{
		Name: "reading", What: "a reading", Silence: seconds(e.cfg.Mission.SampleTimeout / 6), Age: oldestReading,
		Want: func() watch.Want {
			if e.sampling == 0 && !e.cfg.Passive { // there are probes that measure only where the robot stands
				return untilDone(watch.WantMatch)
			}
			return watch.WantMessages
		},
	})
	if !e.cfg.Passive {
		e.watch.Condition("other goals", slog.LevelInfo, e.otherGoals)
	}
	if len(e.team.mates) > 0 {
		e.watch.Condition("team", slog.LevelInfo, e.unheardMates)
	}
	return nil
}

// withTrouble adds the most urgent of what is wrong to what the mission says.
func (e *Explorer) withTrouble(text string) string {
	trouble := e.watch.Text()
	if text == "" || trouble == "" {
		return text + trouble
	}
	return text + "; " + trouble
}

// withResumption adds what a mission that was taken up waits for.
func (e *Explorer) withResumption(text string) string {
	if e.resumption.waiting && !e.resumption.due {
		text += "; taken up after an interruption, ~/resume goes on with it"
	}
	return text
}

// rival says that there is a second explorer, which would send the robot about as
// this one does.
func (e *Explorer) rival() string {
	for _, o := range e.others(e.out.status) {
		return o.Owner() + " publishes " + o.Name + " too: there are two explorers of one name, or one was killed just now; end it, or give it another name or namespace"
	}
	if e.cfg.Passive { // another explorer may well be at work
		return ""
	}
	for _, o := range e.goalSenders() {
		if e.isExplorer(o.Node) {
			return "there are two explorers: " + o.Node + " sends goals on " + o.Name + " too; end it, or give it a namespace"
		}
	}
	return ""
}

// otherGoals says who else may send goals. It is for a note alone: RViz's goal
// tool is there wherever RViz is.
func (e *Explorer) otherGoals() string {
	for _, o := range e.goalSenders() {
		if !e.isExplorer(o.Node) {
			return o.Owner() + " may send goals on " + o.Name + " too"
		}
	}
	return ""
}

// goalSenders returns the others that send goals where this explorer does.
func (e *Explorer) goalSenders() []ros.EndpointInfo {
	if e.nav == nil {
		return append(e.others(e.out.goal), e.others(e.out.plan)...)
	}
	senders := e.others(e.nav.client)
	for i := range senders {
		senders[i].Name = e.nav.client.Name()
	}
	return senders
}

// others returns the other publishers on a topic of ours.
func (e *Explorer) others(own watch.Sender) (ends []ros.EndpointInfo) {
	info := own.Info()
	for _, o := range e.node.Endpoints(info.Name) {
		if o.Kind == info.Kind && o.GUID != info.GUID {
			ends = append(ends, o)
		}
	}
	return ends
}

// isExplorer reports whether a node tells of a mission.
func (e *Explorer) isExplorer(node string) bool {
	missionStatus := (&ugp_explorer_msgs.MissionStatus{}).TypeName()
	for _, o := range e.node.Endpoints("") {
		if node != "" && o.Node == node && o.Kind == ros.PublisherEnd && o.Type == missionStatus {
			return true
		}
	}
	return false
}

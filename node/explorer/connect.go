package explorer

import (
	"slices"
	"strings"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/std_srvs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/msgs/visualization_msgs"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
)

// subscriptions are those that the explorer cannot do without.
type subscriptions struct{ pose, reading *ros.Subscription }

// publishers are the explorer's topics.
type publishers struct {
	goal        *ros.Publisher[geometry_msgs.PoseStamped, *geometry_msgs.PoseStamped] // nil when passive
	plan        *ros.Publisher[nav_msgs.Path, *nav_msgs.Path]                         // nil when passive
	suggestion  *ros.Publisher[geometry_msgs.PoseStamped, *geometry_msgs.PoseStamped] // nil unless passive
	mean        *ros.Publisher[nav_msgs.OccupancyGrid, *nav_msgs.OccupancyGrid]
	stddev      *ros.Publisher[nav_msgs.OccupancyGrid, *nav_msgs.OccupancyGrid]
	acquisition *ros.Publisher[nav_msgs.OccupancyGrid, *nav_msgs.OccupancyGrid]
	cloud       *ros.Publisher[sensor_msgs.PointCloud2, *sensor_msgs.PointCloud2]
	samples     *ros.Publisher[visualization_msgs.MarkerArray, *visualization_msgs.MarkerArray]
	field       *ros.Publisher[visualization_msgs.MarkerArray, *visualization_msgs.MarkerArray]
	observation *ros.Publisher[ugp_explorer_msgs.FieldObservation, *ugp_explorer_msgs.FieldObservation]
	status      *ros.Publisher[ugp_explorer_msgs.MissionStatus, *ugp_explorer_msgs.MissionStatus]
	diagnostics *ros.Publisher[diagnostic_msgs.DiagnosticArray, *diagnostic_msgs.DiagnosticArray]
}

// keptObservations is how many observations a subscriber that comes late gets.
const keptObservations = 1000

// mostShown is how much of a word that is no command the log quotes, bytes.
const mostShown = 40

func (e *Explorer) connect() error {
	n := e.node
	var errs []error
	note := func(err error) { errs = append(errs, err) }
	e.out = publishers{
		mean:        open[nav_msgs.OccupancyGrid](n, "~/mean", ros.Latched(), note),
		stddev:      open[nav_msgs.OccupancyGrid](n, "~/stddev", ros.Latched(), note),
		acquisition: open[nav_msgs.OccupancyGrid](n, "~/acquisition", ros.Latched(), note),
		cloud:       open[sensor_msgs.PointCloud2](n, "~/cloud", ros.Latched(), note),
		samples:     open[visualization_msgs.MarkerArray](n, "~/samples", ros.Latched(), note),
		field:       open[visualization_msgs.MarkerArray](n, "~/field", ros.Latched(), note),
		observation: open[ugp_explorer_msgs.FieldObservation](n, "~/observation", ros.Latched().WithDepth(keptObservations), note),
		status:      open[ugp_explorer_msgs.MissionStatus](n, "~/status", ros.Latched(), note),
		diagnostics: open[diagnostic_msgs.DiagnosticArray](n, "/diagnostics", ros.DefaultQoS(), note),
	}
	if e.cfg.Passive {
		e.out.suggestion = open[geometry_msgs.PoseStamped](n, "~/suggestion", ros.Latched(), note)
	} else {
		e.connectGoal(note)
	}
	var err error
	if e.cfg.PoseSource == poseOdometry {
		e.in.pose, err = ros.Subscribe(n, "odometry/filtered", ros.SensorData(), e.onOdometry)
	} else {
		e.in.pose, err = ros.Subscribe(n, "pose", ros.SensorData(), e.onPose)
	}
	note(err)
	e.in.reading, err = readingKinds[e.cfg.Reading.Type].subscribe(e)
	note(err)
	_, err = ros.Subscribe(n, "~/command", ros.DefaultQoS(), func(m *std_msgs.String, _ ros.MessageInfo) {
		word := strings.TrimSpace(m.Data)
		shown := strings.ToValidUTF8(word[:min(len(word), mostShown)], "?")
		for _, c := range e.commands() {
			if c.word == word {
				if done, text := c.act(); !done {
					e.warnCommand.Warn("a command is not followed", "command", shown, "reason", text)
				}
				return
			}
		}
		e.warnCommand.Warn("not a command", "given", shown, "allowed", "start, pause, resume, stop, home, save")
	})
	note(err)
	for _, c := range e.commands() {
		_, err := ros.Serve(n, "~/"+c.word, func(_ *std_srvs.TriggerRequest, res *std_srvs.TriggerResponse) {
			res.Success, res.Message = c.act()
		})
		note(err)
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// connectGoal opens what sends the robot. Beside the action, goal and plan are
// there to be seen only: Nav2 has a plan of its own, and would drive to whatever
// came on goal_pose.
func (e *Explorer) connectGoal(note func(error)) {
	private := ""
	if e.cfg.Interface == goalAction {
		private = "~/"
		var err error
		e.nav, err = newNavigator(e)
		note(err)
	}
	e.out.goal = open[geometry_msgs.PoseStamped](e.node, private+"goal_pose", ros.DefaultQoS(), note)
	e.out.plan = open[nav_msgs.Path](e.node, private+"plan", ros.DefaultQoS(), note)
}

// open advertises a topic and gives note what goes wrong.
func open[M any, PM ros.MessagePtr[M]](n *ros.Node, topic string, q ros.QoS, note func(error)) *ros.Publisher[M, PM] {
	p, err := ros.Advertise[M, PM](n, topic, q)
	note(err)
	return p
}

// command is what people may say to the explorer, as a service or a word on
// ~/command. It says whether it was done, and what the mission is doing now.
type command struct {
	word string
	act  func() (done bool, text string)
}

func (e *Explorer) commands() []command {
	say := func(word string, event func(now int64) mission.Event, wanted ...mission.State) command {
		return command{word, func() (bool, string) {
			e.tell(event(e.node.Now()))
			return e.answer(wanted...)
		}}
	}
	save := command{"save", e.saveNow}
	if e.cfg.Passive {
		return append(e.passiveCommands(), save)
	}
	return []command{
		{"start", func() (bool, string) {
			if !e.hasPose {
				return false, "there is no pose yet: " + e.poses.Why()
			}
			if !e.timeKnown() {
				return false, "there is no time yet: nothing has come on /clock"
			}
			if why := e.undriven(); why != "" {
				return false, why
			}
			e.start()
			return e.answer(mission.StatePlanning, mission.StateTravelling, mission.StateSampling)
		}},
		say("pause", func(now int64) mission.Event { return mission.EventPause{Stamp: now} }, mission.StatePaused),
		say("resume", func(now int64) mission.Event { return mission.EventResume{Stamp: now} },
			mission.StatePlanning, mission.StateTravelling, mission.StateSampling, mission.StateReturning),
		say("stop", func(now int64) mission.Event { return mission.EventStop{Stamp: now} }, mission.StateDone),
		say("home", func(now int64) mission.Event { return mission.EventHome{Stamp: now} }, mission.StateReturning, mission.StateDone),
		save,
	}
}

// passiveCommands are the commands to an explorer that moves nothing: it can be
// stopped.
func (e *Explorer) passiveCommands() []command {
	var list []command
	for _, word := range []string{"start", "pause", "resume", "home"} {
		list = append(list, command{word, func() (bool, string) {
			return false, "the explorer is passive: it moves no robot, and observes by itself"
		}})
	}
	return append(list, command{"stop", func() (bool, string) {
		e.End("stopped")
		return true, e.Status()
	}})
}

// saveNow writes the record of what is known now.
func (e *Explorer) saveNow() (done bool, text string) {
	if e.cfg.OutputDir == "" {
		return false, "output_dir is empty: there is no folder to save to"
	}
	if err := e.writeRecord(); err != nil {
		return false, err.Error()
	}
	return true, "saved in " + e.cfg.OutputDir
}

// answer says whether the mission is in one of the states that were wanted.
func (e *Explorer) answer(wanted ...mission.State) (bool, string) {
	return slices.Contains(wanted, e.State()), e.Status()
}

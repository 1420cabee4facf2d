// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/drive"
	"ugp_explorer/node/explorer/edge"
	"ugp_explorer/node/explorer/parts"
	"ugp_explorer/node/explorer/pilot"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/recorder"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/names"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/node/sense"
	"ugp_explorer/planner/earth"
)

// nodeName is the doctor's name in the graph.
const nodeName = "ugp_doctor"

// parameters examines parameters and field by making an explorer of them, in a graph of its own
// and without a folder, and then the budgets and the folder.
func (x *examiner) parameters() {
	const subject = "parameters"
	o := x.options
	o.Parameters = x.cfg.Parameters()
	node, err := ros.NewNode(inproc.New(), exec.NewSimulated(0), explorer.DefaultName, o)
	if err != nil {
		x.say(Bad, subject, "%v", err)
		return
	}
	var output string
	output, x.cfg.OutputDir = x.cfg.OutputDir, ""
	e, err := explorer.New(node, &x.cfg)
	if errors.Is(err, settings.ErrNoField) && x.cfg.Teach.On() {
		_ = node.Close() // of a graph of its own
		x.say(Note, subject, "the explorer accepts them, but waits until a field has been recorded in outline.file, %s", x.cfg.Teach.File)
		return
	}
	if err == nil {
		e.ReadPhoto()
	}
	if err = errors.Join(o.Overrides.Explain(err, node.FullName()), node.Close()); err != nil {
		x.say(Bad, subject, "%v", err)
		if degrees := new(earth.DegreesError); errors.As(err, &degrees) && len(x.cfg.Field.Datum) == 0 {
			// The rest is examined with the datum that the error suggests.
			if o.Overrides.AddAssignment(fmt.Sprintf("field.datum:=[%.9f, %.9f]", degrees.Datum.Lon, degrees.Datum.Lat)) == nil {
				x.cfg = settings.DefaultConfig()
				x.parameters()
			}
		}
		return
	}
	x.usable, x.name = true, node.FullName()
	simulated, _ := node.Parameters().Get("use_sim_time")
	x.simTime = simulated.Any() == true
	x.say(Good, subject, "the explorer accepts them and the field (%s)", e.Extent())
	if why := e.NoPhoto(); why != "" {
		x.say(Note, subject, "%s", why)
	}
	if why, _ := e.TightBudget(); why != "" {
		x.say(Note, "budget", "%s", why)
	}
	x.budget(0)
	x.folder(output)
}

// budget checks whether the budgets suffice for a mission whose path home has a length, m.
func (x *examiner) budget(home float64) {
	if err := x.cfg.CheckBudget(home); err != nil {
		x.say(Bad, "budget", "the mission would not start: %v: raise that limit, or lower the reserve or budget.sample_time", err)
	}
}

// folder examines the disk that the mission would be written to.
func (x *examiner) folder(output string) {
	const subject = "disk"
	if output == "" {
		x.say(Note, subject, "output_dir is empty, so the mission would not be saved; explore.launch.py sets it, or set it yourself")
		return
	}
	dir, err := filepath.Abs(output)
	if err == nil {
		dir, err = record.Writable(dir)
	}
	if err != nil {
		x.say(Bad, subject, "output_dir is %s: %v", output, err)
	} else if err := recorder.Room(dir, x.cfg.Record.Reserve); err != nil {
		x.say(Note, subject, "%v: the mission is saved, but no bags are recorded", err)
	} else {
		x.say(Good, subject, "output_dir %s can be written", output)
	}
}

// graph joins the graph and watches what the mission needs in it, with a passive explorer under
// another name, which sends no goals.
func (x *examiner) graph(ctx context.Context) error {
	const subject = "graph"
	tr, warnings, err := x.OpenTransport(x.args.Enclave)
	if err != nil {
		x.say(Bad, subject, "%v", err)
		return nil
	}
	defer tr.Close()
	if !x.usable {
		x.say(Note, subject, "joined; its topics are checked once the parameters are valid")
		return nil
	}
	for _, w := range warnings {
		x.say(Note, subject, "%s", w)
	}
	executor := x.executor
	if executor == nil {
		executor = exec.NewRealTime()
		defer executor.Close()
	}
	rename, err := names.ParseRemap("__node:=" + nodeName)
	if err != nil {
		return err
	}
	cfg := x.cfg
	options := ros.NodeOptions{Remaps: append(names.Remaps{rename}, x.options.Remaps...), Parameters: cfg.Parameters(), NoRosout: true}
	if x.simTime {
		options.Overrides = &param.Overrides{}
		if err := options.Overrides.AddAssignment("use_sim_time:=true"); err != nil {
			return err
		}
	}
	cfg.Passive, cfg.AutoStart, cfg.AutoResume = true, false, false
	node, err := ros.NewNode(tr, executor, explorer.DefaultName, options)
	if err != nil {
		x.say(Bad, subject, "%v", err)
		return nil
	}
	defer node.Close()
	e, err := explorer.New(node, &cfg)
	if err != nil {
		x.say(Bad, subject, "%v", err)
		return nil
	}
	guard, err := drive.ListenGuard(node)
	if err != nil {
		return err
	}
	said := map[string]string{} // a filter's complaints, by the end of the status's name
	if _, err := ros.Subscribe(node, "/diagnostics", ros.DefaultQoS(), func(m *diagnostic_msgs.DiagnosticArray, _ ros.MessageInfo) {
		for _, s := range m.Status {
			for _, end := range []string{convert.IMUStatus, convert.LocalisationStatus} {
				if strings.HasSuffix(s.Name, end) {
					said[end] = ""
					if s.Level > diagnostic_msgs.DiagnosticStatusOK {
						said[end] = s.Message
					}
				}
			}
		}
	}); err != nil {
		return err
	}
	if err := x.watch(ctx, executor); err != nil {
		return err
	}
	x.company(node)
	x.findings(node, e)
	if why := e.Narrow(); why != "" && !x.cfg.Passive {
		x.say(Bad, "start", "the mission would not start: %s", why)
	}
	if home, ok := e.HomeDistance(); ok && x.cfg.CheckBudget(0) == nil { // otherwise it is said above
		x.budget(home)
	}
	if text := said[convert.IMUStatus]; text != "" { // the mission does not need it
		x.say(Note, "imu", "%s", text)
	}
	unposed := slices.ContainsFunc(e.Watched(), func(f watch.Finding) bool { return f.Name == sense.PoseCheck && f.Wrong() })
	if text := said[convert.LocalisationStatus]; text != "" && !unposed { // otherwise it is said with the pose
		x.say(Note, "localisation", "%s", text)
	}
	x.driver(node)
	if !x.cfg.Passive {
		x.guard(guard, e.Reach())
	}
	return nil
}

// company examines the other nodes of the graph.
func (x *examiner) company(node *ros.Node) {
	var company []string // the other nodes
	for _, e := range node.Endpoints("") {
		if e.Node != "" && e.Node != node.FullName() {
			company = append(company, e.Node)
		}
	}
	slices.Sort(company)
	company = slices.Compact(company)
	if company == nil {
		x.say(Bad, "graph", "no other node was found: start the robot's nodes, with the same ROS_DOMAIN_ID and in the same network")
	} else {
		x.say(Good, "graph", "found %s", strings.Join(company, ", "))
	}
	if many := explorers(node); len(many) > 1 {
		x.say(Bad, "other explorers", "%s send goals to the same robot: stop all but one, or give them namespaces", strings.Join(many, " and "))
	}
	for _, unknown := range x.options.Overrides.Unmatched(append(company, x.name)...) {
		x.say(Note, "parameters", "%v", unknown)
	}
}

// findings tells what the explorer has found about its inputs.
func (x *examiner) findings(node *ros.Node, e *explorer.Explorer) {
	for _, f := range e.Watched() {
		about := f.Name
		var in ugp_explorer_msgs.InputStatus
		if f.Input != nil {
			in = f.Input.Status()
		}
		switch {
		case about != watch.ClockCheck && x.timeless(node): // nothing is checked while the time stands
		case about == sense.PoseCheck && !f.Wrong() && !x.cfg.Passive && x.cfg.Interface != settings.GoalAction && in.StampAge > sense.DrivenBy.Seconds():
			x.say(Bad, about, "its stamps are %.3g s older than their arrival, and the follower stops if a pose is older than %g s: set its sender's clock, or find the cause of the delay",
				in.StampAge, sense.DrivenBy.Seconds())
		case about == watch.TransportCheck: // said above
		case about == parts.GuardCheck: // said below
		case about == sense.ReadingCheck && f.Wrong() && x.silent(&in):
			x.say(Note, about, "%s; that is right for a probe that measures only while the robot stands at a target", f.Text)
		case f.Wrong():
			x.say(Bad, about, "%s", f.Text)
		case f.Text != "":
			x.say(Note, about, "%s", f.Text)
		case f.Input == nil: // only what was received is good
		default:
			x.say(Good, about, "nothing is wrong")
		}
	}
}

// guard examines the guard, and how much of the field it leaves.
func (x *examiner) guard(guard *drive.Guard, reach edge.Reach) {
	switch why := cmp.Or(guard.Lacks(), guard.Blind(), guard.Helpless()); {
	case why != "":
		x.say(Bad, "guard", "%s", why)
	case reach.Refused:
		x.say(Bad, "guard", "the mission would not start: %s", reach.Text())
	case guard.Trouble() != "", reach.News() != "":
		for _, note := range []string{guard.Trouble(), reach.News()} {
			if note != "" {
				x.say(Note, "guard", "%s", note)
			}
		}
	case guard.Heard():
		x.say(Good, "guard", "%s", cmp.Or(reach.Text(), "nothing is wrong"))
	default:
		x.say(Note, "guard", "there is none: nothing keeps the robot inside its field if its position is wrong; explore.launch.py starts one with guard:=true")
	}
}

// explorers returns the explorers that send goals to the robot.
func explorers(node *ros.Node) (list []string) {
	goal, err := node.Resolve("goal_pose")
	if err != nil {
		return nil
	}
	for _, e := range node.Endpoints(goal) {
		if e.Kind == ros.PublisherEnd && pilot.IsExplorer(node, e.Node) {
			list = append(list, e.Node)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// timeless reports whether a node whose time comes from /clock has none.
func (x *examiner) timeless(node *ros.Node) bool { return x.simTime && node.Now() == 0 }

// watch runs the executor for the time to wait: by the wall clock, as that of the executor stands still while
// /clock does, but in a test.
func (x *examiner) watch(ctx context.Context, executor exec.Executor) error {
	over := false
	if x.executor != nil {
		executor.After(x.Wait, func() { over = true })
		return executor.Run(ctx, func() bool { return over })
	}
	watched, enough := context.WithTimeout(ctx, x.Wait)
	defer enough()
	if err := executor.Run(watched, nil); ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// silent reports whether the mission samples at stops and the probe publishes nothing now.
func (x *examiner) silent(reading *ugp_explorer_msgs.InputStatus) bool {
	return !x.cfg.Passive && x.cfg.Reading.AtStops && reading.State == ugp_explorer_msgs.InputStatusStateSilent
}

// driver examines whether a node would drive to the goals.
func (x *examiner) driver(node *ros.Node) {
	const subject = "driver"
	if x.cfg.Passive {
		x.say(Good, subject, "not needed: a passive mission moves nothing")
		return
	}
	wanted, kind := []string{"goal_pose", "plan"}, ros.SubscriptionEnd
	if x.cfg.Interface == settings.GoalAction {
		wanted, kind = []string{settings.GoalAction + "/_action/send_goal"}, ros.ServerEnd
	}
	for _, name := range wanted {
		full, err := node.Resolve(name)
		if err != nil {
			x.say(Bad, subject, "%v", err)
			return
		}
		var takers []string // RViz, too, takes goals, but sends no velocities
		for _, e := range node.Endpoints(full) {
			if e.Kind == kind && e.Node != node.FullName() {
				takers = append(takers, e.Owner())
			}
		}
		switch both := senders(node, takers); {
		case len(both) > 1:
			x.say(Bad, subject, "%s all drive the robot to the goals on %s, and it obeys whichever came last: stop all but one", strings.Join(both, " and "), full)
			return
		case len(takers) > 0:
			x.say(Good, subject, "%s drives to the goals on %s", cmp.Or(strings.Join(both, ""), takers[0]), full)
			return
		}
	}
	x.say(Bad, subject, "no %v for %s: start the follower, Nav2 or your own node that drives to goals, or set passive", kind, strings.Join(wanted, " or "))
}

// senders returns those of some nodes that send velocities to the guard or the base.
func senders(node *ros.Node, of []string) (list []string) {
	for _, name := range []string{"cmd_vel_in", "cmd_vel"} {
		topic, err := node.Resolve(name)
		if err != nil {
			continue
		}
		for _, e := range node.Endpoints(topic) {
			if e.Kind == ros.PublisherEnd && slices.Contains(of, e.Owner()) {
				list = append(list, e.Owner())
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

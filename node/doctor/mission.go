package doctor

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/record"
	"ugp_explorer/node/recorder"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/names"
)

// nodeName is the doctor's name in the graph.
const nodeName = "ugp_doctor"

// mission is the mission that could start: what the explorer's arguments ask for.
type mission struct {
	args    ros.Args
	options ros.NodeOptions
	cfg     explorer.Config
	output  string // folder of the mission, "" for none
	usable  bool   // an explorer can be made of it
	name    string // of that explorer, with its namespace
}

func newMission(argv []string) (*mission, error) {
	args, rest, err := ros.ParseArgs(argv)
	if err != nil {
		return nil, err
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("unknown argument %q: want --ros-args followed by the explorer's ROS arguments", rest[0])
	}
	m := &mission{args: args, cfg: explorer.DefaultConfig()}
	if m.options, err = args.NodeOptions(nil); err != nil {
		return nil, err
	}
	m.options.NoRosout = true
	return m, nil
}

// parameters examines parameters and field by making an explorer of them, in a graph of its own
// and without a folder.
func (m *mission) parameters() []Finding {
	const subject = "parameters"
	o := m.options
	o.Parameters = m.cfg.Parameters()
	node, err := ros.NewNode(inproc.New(), exec.NewSimulated(0), explorer.DefaultName, o)
	if err != nil {
		return []Finding{bad(subject, "%v", err)}
	}
	m.output, m.cfg.OutputDir = m.cfg.OutputDir, ""
	_, err = explorer.New(node, &m.cfg)
	if errors.Is(err, explorer.ErrNoField) && m.cfg.Teach.On() {
		_ = node.Close() // of a graph of its own
		return []Finding{note(subject, "the explorer accepts them, and waits until a field has been recorded in outline.file, %s", m.cfg.Teach.File)}
	}
	if err = errors.Join(err, node.Close()); err != nil {
		return []Finding{bad(subject, "%v", err)}
	}
	m.usable, m.name = true, node.FullName()
	return append([]Finding{good(subject, "the explorer accepts them, and the field")}, m.budget(0)...)
}

// budget examines whether the budgets suffice for a mission whose path home is so many metres long.
func (m *mission) budget(home float64) []Finding {
	if err := m.cfg.CheckBudget(home); err != nil {
		return []Finding{bad("budget", "the mission would not start: %v: raise that limit, or lower the reserve or budget.sample_time", err)}
	}
	return nil
}

// folder examines the disk that the mission would be written to.
func (m *mission) folder() []Finding {
	const subject = "disk"
	if !m.usable {
		return nil
	}
	if m.output == "" {
		return []Finding{note(subject, "output_dir is empty, so nothing of the mission would be kept; explore.launch.py gives one, or set it")}
	}
	dir, err := filepath.Abs(m.output)
	if err == nil {
		dir, err = record.Writable(dir)
	}
	if err != nil {
		return []Finding{bad(subject, "output_dir is %s: %v", m.output, err)}
	}
	if err := recorder.Room(dir, m.cfg.Record.Reserve); err != nil {
		return []Finding{note(subject, "%v: the mission is kept, but no bags are recorded", err)}
	}
	return []Finding{good(subject, "output_dir %s can be written", m.output)}
}

// graph joins the graph and watches what the mission needs in it, with a passive explorer under
// another name, which sends no goals.
func (m *mission) graph(ctx context.Context, o Options) ([]Finding, error) {
	const subject = "graph"
	tr, warnings, err := o.OpenTransport(m.args.Enclave)
	if err != nil {
		return []Finding{bad(subject, "%v", err)}, nil
	}
	defer tr.Close()
	if !m.usable {
		return []Finding{note(subject, "joined; what the mission needs there is examined when the parameters are right")}, nil
	}
	var found []Finding
	for _, w := range warnings {
		if !strings.Contains(w, "net.core.") { // see buffers
			found = append(found, note(subject, "%s", w))
		}
	}
	executor, watch := o.executor, o.simulated
	if executor == nil {
		if executor, err = exec.NewRealTime(exec.DefaultRealTimeConfig()); err != nil {
			return nil, err
		}
		defer executor.Close()
		watch = o.wall
	}
	rename, err := names.ParseRemap("__node:=" + nodeName)
	if err != nil {
		return nil, err
	}
	cfg := m.cfg
	options := ros.NodeOptions{Remaps: append(names.Remaps{rename}, m.options.Remaps...), Parameters: cfg.Parameters(), NoRosout: true}
	cfg.Passive, cfg.AutoStart, cfg.AutoResume = true, false, false
	node, err := ros.NewNode(tr, executor, explorer.DefaultName, options)
	if err != nil {
		return append(found, bad(subject, "%v", err)), nil
	}
	defer node.Close()
	e, err := explorer.New(node, &cfg)
	if err != nil {
		return append(found, bad(subject, "%v", err)), nil
	}
	if err := watch(ctx, executor); err != nil {
		return found, err
	}
	company := others(node)
	if company == nil {
		found = append(found, good(subject, "no other node was found"))
	} else {
		found = append(found, good(subject, "found %s", strings.Join(company, ", ")))
	}
	for _, unknown := range m.options.Overrides.Unmatched(append(company, m.name)...) {
		found = append(found, note("parameters", "%v", unknown))
	}
	for _, d := range e.Watched() {
		about := strings.TrimPrefix(d.Name, node.Name()+": ")
		switch {
		case about == "transport": // said above
		case about == "reading" && m.silent(d):
			found = append(found, note(about, "%s; that is right for a probe that reads only while the robot stands at a target", d.Message))
		case d.Level > 0:
			found = append(found, bad(about, "%s", d.Message))
		default:
			found = append(found, good(about, "%s", d.Message))
		}
	}
	if home, ok := e.HomeDistance(); ok && m.budget(0) == nil { // otherwise it is said above
		found = append(found, m.budget(home)...)
	}
	return append(found, m.driver(node)), nil
}

// wall runs the executor for the time to wait by the wall clock: that of the executor stands
// still while /clock does.
func (o Options) wall(ctx context.Context, executor exec.Executor) error {
	watched, enough := context.WithTimeout(ctx, o.Wait)
	defer enough()
	if err := executor.Run(watched, nil); ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

func (o Options) simulated(ctx context.Context, executor exec.Executor) error {
	over := false
	executor.After(o.Wait, func() { over = true })
	return executor.Run(ctx, func() bool { return over })
}

// others returns the names of the other nodes of the graph; nil: there are none.
func others(node *ros.Node) (names []string) {
	for _, e := range node.Endpoints("") {
		if e.Node != "" && e.Node != node.FullName() {
			names = append(names, e.Node)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// silent reports whether a mission that reads at its stops has a probe that has published nothing yet.
func (m *mission) silent(reading diagnostic_msgs.DiagnosticStatus) bool {
	of := map[string]string{}
	for _, v := range reading.Values {
		of[v.Key] = v.Value
	}
	return reading.Level > 0 && !m.cfg.Passive && m.cfg.Reading.AtStops && of["publishers"] != "0" && of["received"] == "0"
}

// driver examines whether somebody would drive to the goals.
func (m *mission) driver(node *ros.Node) Finding {
	const subject = "driver"
	if m.cfg.Passive {
		return good(subject, "not needed: a passive mission moves nothing")
	}
	wanted, kind := []string{"goal_pose", "plan"}, ros.SubscriptionEnd
	if action := m.cfg.GoalAction(); action != "" {
		wanted, kind = []string{action + "/_action/send_goal"}, ros.ServerEnd
	}
	for _, name := range wanted {
		full, err := node.ResolveTopic(name)
		if err != nil {
			return bad(subject, "%v", err)
		}
		for _, e := range node.Endpoints(full) {
			if e.Kind == kind && e.Node != node.FullName() {
				return good(subject, "%s drives to the goals on %s", e.Owner(), full)
			}
		}
	}
	return bad(subject, "no %v for %s: start the follower, Nav2 or your own node that drives to goals, or set passive", kind, strings.Join(wanted, " or "))
}

// ShortestWait is the time after which what is missing is reported, with a second to join.
const ShortestWait = 7 * time.Second

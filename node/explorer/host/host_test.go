// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package host_test

import (
	"context"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/std_srvs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/host"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/web"
	"ugp_explorer/planner/mission"
)

// yard is a robot that a person drives, and the host of its explorer.
type yard struct {
	t      *testing.T
	ex     *exec.Simulated
	graph  *inproc.Transport
	cfg    *settings.Config
	node   *ros.Node // of the host
	host   *host.Host
	robot  *ros.Node
	pose   *ros.Publisher[nav_msgs.Odometry, *nav_msgs.Odometry]
	at     localization.Pose
	stdDev float64
	silent bool // no poses come
	log    strings.Builder

	goals  int // that were published
	status ugp_explorer_msgs.MissionStatus
}

const step = 100 * time.Millisecond

// config is that of a robot without a field.
func config(dir string) settings.Config {
	cfg := settings.DefaultConfig()
	cfg.Teach.File = filepath.Join(dir, "field.geojson")
	cfg.Radius, cfg.Mission.Budget.Samples = 0.3, 3
	cfg.Search.Starts, cfg.Model.Prior.Starts, cfg.Model.Average = 20, 2, 1
	return cfg
}

func newYard(t *testing.T, cfg settings.Config) *yard {
	t.Helper()
	y := &yard{t: t, ex: exec.NewSimulated(1e18), graph: inproc.New(), cfg: &cfg, stdDev: 0.05}
	var err error
	if y.node, err = ros.NewNode(y.graph, y.ex, explorer.DefaultName, ros.NodeOptions{Parameters: cfg.Parameters(), LogHandler: slog.NewTextHandler(&y.log, nil)}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { y.node.Close() })
	if y.host, err = host.New(y.node, y.cfg); err != nil {
		t.Fatal(err)
	}
	if y.robot, err = ros.NewNode(y.graph, y.ex, "robot", ros.NodeOptions{NoRosout: true}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { y.robot.Close() })
	if y.pose, err = ros.Advertise[nav_msgs.Odometry](y.robot, "odometry/filtered", ros.SensorData()); err != nil {
		t.Fatal(err)
	}
	if _, err := ros.Subscribe(y.robot, "goal_pose", ros.DefaultQoS(), func(*geometry_msgs.PoseStamped, ros.MessageInfo) { y.goals++ }); err != nil {
		t.Fatal(err)
	}
	if _, err := ros.Subscribe(y.robot, "ugp_explorer/status", ros.Latched(), func(m *ugp_explorer_msgs.MissionStatus, _ ros.MessageInfo) {
		y.status = ugp_explorer_msgs.MissionStatus{State: m.State, Text: m.Text}
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := y.robot.NewTimer(step, y.tell); err != nil {
		t.Fatal(err)
	}
	y.run(time.Second)
	return y
}

// tell publishes the robot's pose.
func (y *yard) tell() {
	if y.silent {
		return
	}
	v := y.stdDev * y.stdDev
	y.at.Stamp, y.at.Cov = y.ex.Now(), [3][3]float64{{v, 0, 0}, {0, v, 0}, {0, 0, 1e-3}}
	m := nav_msgs.Odometry{Header: std_msgs.Header{Stamp: ros.TimeMsg(y.at.Stamp), FrameID: y.cfg.Frame}}
	convert.PoseWithCovariance(&m.Pose, y.at)
	if err := y.pose.Publish(&m); err != nil {
		y.t.Error(err)
	}
}

func (y *yard) run(d time.Duration) {
	y.t.Helper()
	must.OK(y.t, y.ex.RunTo(context.Background(), y.ex.Now()+int64(d)))
}

// drive drives to each place in turn at 2 m/s.
func (y *yard) drive(places ...[2]float64) {
	y.t.Helper()
	for _, to := range places {
		dx, dy := to[0]-y.at.X, to[1]-y.at.Y
		y.at.Yaw = math.Atan2(dy, dx)
		n := math.Ceil(math.Hypot(dx, dy) / (2 * step.Seconds()))
		for range int(n) {
			y.at.X, y.at.Y = y.at.X+dx/n, y.at.Y+dy/n
			y.run(step)
		}
	}
}

// call asks a service.
func (y *yard) call(service string) (ok bool, text string) {
	y.t.Helper()
	c, err := ros.NewClient[std_srvs.TriggerRequest, std_srvs.TriggerResponse](y.robot, "ugp_explorer/"+service)
	must.OK(y.t, err)
	answered := false
	if err := c.Call(&std_srvs.TriggerRequest{}, time.Second, func(r *std_srvs.TriggerResponse, err error) {
		if err != nil {
			y.t.Fatalf("%s: %v", service, err)
		}
		answered, ok, text = true, r.Success, r.Message
	}); err != nil {
		y.t.Fatal(err)
	}
	for limit := y.ex.Now() + int64(2*time.Second); !answered && y.ex.Now() < limit; {
		y.run(time.Millisecond)
	}
	if !answered {
		y.t.Fatalf("%s is not answered", service)
	}
	must.OK(y.t, c.Close())
	return ok, text
}

// does calls a service that must succeed.
func (y *yard) does(service string) string {
	y.t.Helper()
	ok, text := y.call(service)
	if !ok {
		y.t.Fatalf("%s: %s", service, text)
	}
	return text
}

// refuses calls a service that must be refused for a reason.
func (y *yard) refuses(service, reason string) {
	y.t.Helper()
	if ok, text := y.call(service); ok || !strings.Contains(text, reason) {
		y.t.Errorf("%s: %v, %q, want a refusal with %q", service, ok, text, reason)
	}
}

func (y *yard) has(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// A robot without a field is driven along its edge by a person, and round a keep-out; the field is
// saved and used at once. Nothing drives the robot before the start.
func TestTaught(t *testing.T) {
	y := newYard(t, config(t.TempDir()))
	if y.host.Explorer() != nil || y.status.State != "idle" || !strings.Contains(y.status.Text, "no field is recorded yet") {
		t.Fatalf("without a field there is an explorer, or the status is %+v", y.status)
	}
	for _, service := range []string{"start", "home", "resume", "skip", "stop", "pause", "save"} {
		y.refuses(service, "no mission drives the robot")
	}
	y.refuses("record/corner", "no ring is open")
	y.refuses("record/save", "has none yet")
	y.does("record/keepout") // in any order
	y.drive([2]float64{12, 0}, [2]float64{12, 8}, [2]float64{18, 8})
	y.refuses("record/close", "ends at (18.00, 8.00) m")
	y.does("record/undo")
	for strings.Contains(y.does("record/undo"), "points are left") {
		y.run(time.Second / 4) // commands that come faster are refused
	}
	y.drive([2]float64{12, 10})
	y.does("record/keepout")
	y.does("record/hold")
	y.does("record/corner")
	y.drive([2]float64{18, 10})
	y.does("record/corner")
	y.drive([2]float64{15, 15})
	y.does("record/corner")
	if text := y.does("record/close"); !strings.Contains(text, "the keep-out is closed: 15 m²") {
		t.Errorf("the keep-out: %s", text)
	}
	y.drive([2]float64{0, 0})
	y.does("record/outline")
	y.drive([2]float64{30, 0}, [2]float64{30, 20})
	if y.run(time.Second); !strings.HasPrefix(y.status.Text, "recording the outline") || !y.has(y.cfg.Teach.File+".recording") {
		t.Errorf("the status is %+v", y.status)
	}
	y.drive([2]float64{0, 20}, [2]float64{0, 0.5})
	if text := y.does("record/close"); !strings.Contains(text, "the outline is closed: 6") || !strings.Contains(text, "standard deviation of its edge 0.0") {
		t.Errorf("the outline: %s", text)
	}
	if y.goals > 0 {
		t.Fatalf("%d goals were sent while a field was recorded", y.goals)
	}
	if text := y.does("record/save"); !strings.Contains(text, "start begins the mission") || strings.Contains(text, "the one before") {
		t.Errorf("saved: %s", text)
	}
	f, err := convert.ReadBoundary(y.cfg.Teach.File, nil)
	if err != nil || len(f.KeepOuts) != 1 || f.StdDev < 0.05 || f.StdDev > 0.1 || y.has(y.cfg.Teach.File+".recording") {
		t.Errorf("the file has %+v, %v", f, err)
	}
	e := y.host.Explorer()
	if margin := e.Region().Margin(); math.Abs(margin-(y.cfg.Field.Margin+2*f.StdDev)) > 1e-9 {
		t.Errorf("the margin is %g m, want %g m and twice %g m", margin, y.cfg.Field.Margin, f.StdDev)
	}
	y.run(2 * time.Second)
	if y.goals > 0 || e.State() != mission.StateIdle {
		t.Fatalf("the mission began by itself: %s", e.Status())
	}
	y.does("start")
	y.run(10 * time.Second)
	if y.goals == 0 || e.State() != mission.StateTravelling {
		t.Errorf("after the start: %s, %d goals", e.Status(), y.goals)
	}
	for _, service := range []string{"record/outline", "record/keepout", "record/edit"} {
		y.refuses(service, "a mission is in progress (travelling")
	}
	y.refuses("record/undo", "no field is being recorded")
	y.does("stop")
	y.run(time.Second)
	y.refuses("record/outline", "the mission is over")
}

// An existing field can be edited or recorded again before the start. The former file is kept, and
// discarded changes leave the field as it was.
func TestEditedBeforeTheStart(t *testing.T) {
	dir := t.TempDir()
	cfg := config(dir)
	cfg.AutoStart = false
	const square = `{"type":"Polygon","coordinates":[[[0,0],[40,0],[40,40],[0,40],[0,0]]]}`
	must.OK(t, os.WriteFile(cfg.Teach.File, []byte(square), 0o666))
	y := newYard(t, cfg)
	y.run(time.Second)
	if y.host.Explorer() == nil {
		t.Fatal("the recorded field is not used")
	}
	y.refuses("record/save", "no field is being recorded")
	y.does("record/outline")
	if y.host.Explorer() != nil {
		t.Fatal("there is an explorer while a field is recorded")
	}
	y.drive([2]float64{10, 0})
	if text := y.does("record/discard"); !strings.Contains(text, "it is kept in "+cfg.Teach.File+".recording.bak") || y.host.Explorer() == nil {
		t.Errorf("discarded: %s", text)
	}
	y.does("record/edit")
	y.refuses("record/edit", "already")
	y.drive([2]float64{10, 10})
	y.does("record/keepout")
	y.drive([2]float64{20, 10}, [2]float64{20, 20}, [2]float64{10, 20}, [2]float64{10, 10})
	y.does("record/undo") // at least a point, and the way back is driven again
	y.does("record/drive")
	y.drive([2]float64{10, 11})
	y.does("record/close")
	if text := y.does("record/save"); !strings.Contains(text, "the one before in "+cfg.Teach.File+".bak") {
		t.Errorf("saved: %s", text)
	}
	if before, err := os.ReadFile(cfg.Teach.File + ".bak"); err != nil || string(before) != square {
		t.Errorf("the backup is %s, %v", before, err)
	}
	if f, err := convert.ReadBoundary(cfg.Teach.File, nil); err != nil || len(f.KeepOuts) != 1 {
		t.Errorf("the file has %+v, %v", f, err)
	}
}

// A recording survives the end of the program.
func TestRestartInMidRecording(t *testing.T) {
	cfg := config(t.TempDir())
	y := newYard(t, cfg)
	y.does("record/outline")
	y.drive([2]float64{30, 0}, [2]float64{30, 20})
	must.OK(t, y.node.Close())
	n := newYard(t, cfg)
	if n.host.Explorer() != nil || !strings.Contains(n.status.Text, "there is a recording of an earlier run") || !strings.Contains(n.log.String(), "discard it then") {
		t.Fatalf("after the restart: %+v\n%s", n.status, n.log.String())
	}
	n.refuses("start", "no mission drives the robot")
	must.OK(t, n.node.Close())
	other := cfg
	other.Frame = "odom"
	node, err := ros.NewNode(inproc.New(), exec.NewSimulated(1e18), explorer.DefaultName, ros.NodeOptions{Parameters: other.Parameters()})
	must.OK(t, err)
	defer node.Close()
	if _, err := host.New(node, &other); err == nil || !strings.Contains(err.Error(), "begun with the parameters") {
		t.Errorf("a recording of another frame: %v", err)
	}
}

// Recording is refused, and says so, while the pose is uncertain, stale or missing, for a ring that
// crosses itself and for a field on which there is no room.
func TestRefusals(t *testing.T) {
	y := newYard(t, config(t.TempDir()))
	y.does("record/outline")
	y.stdDev = 1.5
	y.drive([2]float64{4, 0})
	y.run(time.Second)
	if !strings.Contains(y.status.Text, "the outline is not being recorded: the position is too uncertain: its standard deviation is 1.5 m, and the limit is 1 m") {
		t.Errorf("an uncertain pose: %+v", y.status)
	}
	y.refuses("record/corner", "its standard deviation is 1.5 m")
	y.stdDev = 0.05
	y.silent = true
	y.run(5 * time.Second)
	y.refuses("record/corner", "the newest pose is")
	if !strings.Contains(y.status.Text, "the newest pose is") {
		t.Errorf("a stale pose: %+v", y.status)
	}
	y.silent = false
	y.drive([2]float64{20, 0}, [2]float64{0, 20}, [2]float64{20, 20}, [2]float64{1, 1})
	y.refuses("record/close", "crosses itself in 1 place: (10.")
	y.does("record/discard")
	y.drive([2]float64{0, 0})
	y.does("record/outline")
	y.drive([2]float64{1, 0}, [2]float64{1, 1}, [2]float64{0, 1}, [2]float64{0, 0.2})
	y.does("record/close")
	y.refuses("record/save", "no mission is possible on this field")
	if y.has(y.cfg.Teach.File) || y.host.Explorer() != nil {
		t.Error("a field without room is used")
	}
}

// Without outline.file the field must be there, and nothing is recorded.
func TestWithoutRecording(t *testing.T) {
	cfg := config(t.TempDir())
	cfg.Teach.File = ""
	node, err := ros.NewNode(inproc.New(), exec.NewSimulated(1e18), explorer.DefaultName, ros.NodeOptions{Parameters: cfg.Parameters()})
	must.OK(t, err)
	defer node.Close()
	if _, err := host.New(node, &cfg); err == nil || !strings.Contains(err.Error(), "outline.file") {
		t.Errorf("without a field: %v", err)
	}
	if ends := node.Endpoints("/ugp_explorer/record/outline"); len(ends) != 0 {
		t.Errorf("there is %+v", ends)
	}
	if slices.ContainsFunc(node.Endpoints(""), func(e ros.EndpointInfo) bool { return e.Name == "/goal_pose" }) {
		t.Error("a goal is published without a field")
	}
}

// Nobody drives a real robot by the page.
func TestSteeringIsOfASimulation(t *testing.T) {
	y := newYard(t, config(t.TempDir()))
	if done, text := y.host.Steer(web.Steer{Forward: 1}); done || !strings.Contains(text, "only a simulated robot") {
		t.Errorf("the answer is %v, %s", done, text)
	}
	if y.host.Snapshot().Recording.Steered {
		t.Error("the page offers to drive the robot")
	}
}

// Without a datum of its own, a field in degrees takes the filter's; without a filter it is refused with the line to add.
func TestFiltersDatum(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "degrees.geojson")
	outline := `{"type":"Polygon","coordinates":[[[8.0,52.0],[8.001,52.0],[8.001,52.0005],[8.0,52.0005],[8.0,52.0]]]}`
	if err := os.WriteFile(file, []byte(outline), 0o666); err != nil {
		t.Fatal(err)
	}
	open := func(datum *[2]float64) (*host.Host, error) {
		cfg := config(dir)
		cfg.Field.File = file
		graph, ex := inproc.New(), exec.NewSimulated(1e18)
		filter, err := ros.NewNode(graph, ex, "ekf", ros.NodeOptions{NoRosout: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { filter.Close() })
		if datum != nil {
			pub, err := ros.Advertise[sensor_msgs.NavSatFix](filter, "~/datum", ros.Latched())
			if err != nil {
				t.Fatal(err)
			}
			if err := pub.Publish(&sensor_msgs.NavSatFix{Longitude: datum[0], Latitude: datum[1]}); err != nil {
				t.Fatal(err)
			}
		}
		node, err := ros.NewNode(graph, ex, explorer.DefaultName, ros.NodeOptions{Parameters: cfg.Parameters(), NoRosout: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { node.Close() })
		return host.New(node, &cfg)
	}
	h, err := open(&[2]float64{7.999, 52.0})
	if err != nil {
		t.Fatal(err)
	}
	m := h.Explorer().Record()
	// At 52° north a thousandth of a degree of longitude is 68.7 m.
	if at := m.Field.Boundary[0][0]; math.Abs(at[0]-68.7) > 0.5 || math.Abs(at[1]) > 0.1 || m.Datum() == nil || m.Datum().Lon != 7.999 {
		t.Errorf("the first corner is at %v m by the datum %v", at, m.Datum())
	}
	if _, err := open(nil); err == nil || !strings.Contains(err.Error(), "publishes one on ekf/datum, set field.datum: [8.0005, 52.0002") {
		t.Errorf("without a filter: %v", err)
	}
}

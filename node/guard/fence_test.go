// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package guard_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/guard"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/earth"
	"ugp_explorer/planner/field"
)

// robot is a base behind the guard, with wheels and a receiver, that drives to the east.
type robot struct {
	*rig
	x      float64
	wheels *ros.Publisher[nav_msgs.Odometry, *nav_msgs.Odometry]
	places *ros.Publisher[geometry_msgs.PoseWithCovarianceStamped, *geometry_msgs.PoseWithCovarianceStamped]
	orders *ros.Publisher[ugp_explorer_msgs.MissionStatus, *ugp_explorer_msgs.MissionStatus]
	person *ros.Publisher[std_msgs.Bool, *std_msgs.Bool]
	status string // of the guard
	level  uint8

	variance  float64 // of a fix, m²
	frame     string
	broken    bool          // the receiver says nothing
	holds     bool          // it repeats its fix to the bit while the robot stands
	frozen    bool          // the robot does not move
	twistless bool          // its odometry has no twist, only a pose
	stamped   bool          // it says when
	skew      time.Duration // by which its clock is ahead of the guard's

	obeys func(told float64) float64 // speed of the wheels for the commanded one, m/s, 50 ms after the last call; nil: it obeys
}

func newRobot(t *testing.T, cfg guard.Config) *robot {
	t.Helper()
	r := &robot{rig: newRig(t, cfg), variance: 4e-4, frame: "map"}
	r.wheels = rostest.Publisher[nav_msgs.Odometry](r.t, r.test, "odom", ros.SensorData())
	r.places = rostest.Publisher[geometry_msgs.PoseWithCovarianceStamped](r.t, r.test, "fix_pose", ros.SensorData())
	r.orders = rostest.Publisher[ugp_explorer_msgs.MissionStatus](r.t, r.test, "ugp_explorer/status", ros.Latched())
	r.person = rostest.Publisher[std_msgs.Bool](r.t, r.test, "guard/override", ros.DefaultQoS())
	rostest.Hear(r.t, r.test, "guard/status", ros.Latched(), func(m *ugp_explorer_msgs.GuardStatus) { r.status, r.level = m.Text, m.Level })
	return r
}

// ask asks for a speed for some time, and returns how far the robot drives.
func (r *robot) ask(speed float64, d time.Duration) float64 {
	r.t.Helper()
	from := r.x
	for range int(d / (50 * time.Millisecond)) {
		r.send(geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: speed}, Angular: geometry_msgs.Vector3{Z: speed / 2}})
		r.step()
	}
	return r.x - from
}

// step lets the robot drive as it was told, for 50 ms.
func (r *robot) step() {
	r.t.Helper()
	told := 0.0
	if n := len(r.heard); n > 0 {
		twist := r.heard[n-1].twist
		told = twist.Linear.X
		if math.Abs(twist.Angular.Z-told/2) > 1e-9 {
			r.t.Fatalf("%+v is another curve", twist)
		}
	}
	if r.obeys != nil {
		told = r.obeys(told)
	}
	if !r.frozen {
		r.x += 0.05 * told
	}
	var odom nav_msgs.Odometry
	if odom.Twist.Twist.Linear.X = told; r.twistless {
		odom.Twist.Twist.Linear.X, odom.Pose.Pose.Position.X, odom.Pose.Pose.Orientation.W = 0, r.x, 1
	}
	r.must(r.wheels.Publish(&odom))
	if !r.broken {
		var fix geometry_msgs.PoseWithCovarianceStamped
		fix.Header.FrameID = r.frame
		if r.stamped {
			fix.Header.Stamp = ros.TimeMsg(r.clock.Now() + int64(r.skew))
		}
		if fix.Pose.Pose.Position.X = r.x; !r.holds {
			fix.Pose.Pose.Position.Y = 1e-6 * float64(r.ex.Now()%1e9) / 1e9
		}
		fix.Pose.Covariance[0], fix.Pose.Covariance[7] = r.variance, r.variance
		r.must(r.places.Publish(&fix))
	}
	r.run(50 * time.Millisecond)
}

func (r *robot) mission(state string) {
	r.t.Helper()
	r.must(r.orders.Publish(&ugp_explorer_msgs.MissionStatus{State: state}))
	r.run(time.Millisecond)
}

// fenced returns the configuration for a square from -10 to 10 m.
func fenced() guard.Config {
	cfg := guard.DefaultConfig()
	cfg.Outline = field.Field{Boundary: orb.Polygon{{{-10, -10}, {10, -10}, {10, 10}, {-10, 10}}}}
	return cfg
}

// Inside the field commands pass. At the edge the robot is slowed and stopped on the curve that was
// asked for, whoever drives it on; and it drives back in.
func TestFence(t *testing.T) {
	r := newRobot(t, fenced())
	r.ask(0, time.Second)
	if way := r.ask(1, 4*time.Second); math.Abs(way-4) > 1.5 {
		t.Errorf("%.2f m in 4 s at 1 m/s, far from the edges; %s", way, r.status)
	}
	for r.ask(1, 4*time.Second) > 1e-3 { // once it stands, fixes that stand, too, may let it go on by centimetres
	}
	if r.x > 10.3 || r.x < 9.5 || !strings.HasPrefix(r.status, "stops the robot: the robot may be too near to the edge") {
		t.Errorf("it stands at x = %.2f m; %s", r.x, r.status)
	}
	if !strings.Contains(r.log.String(), "the guard stops the robot") {
		t.Errorf("the log does not say so:\n%s", &r.log)
	}
	if r.ask(-1, 40*time.Second); r.x > 5 {
		t.Errorf("it came back to %.2f m only; %s", r.x, r.status)
	}
	// One that continues pushing has to be driven in by a person.
	if r.ask(1, 3*time.Minute); r.x > 10.5 {
		t.Errorf("it was pushed to x = %.2f m; %s", r.x, r.status)
	}
	for range 20 {
		r.must(r.person.Publish(&std_msgs.Bool{Data: true}))
		r.ask(-1, 200*time.Millisecond)
	}
	if r.ask(-1, 20*time.Second); r.x > 0 {
		t.Errorf("after a person has driven it, it came to %.2f m only; %s", r.x, r.status)
	}
}

// A robot that was carried stands before it is at the edge by its last position. Fixes that have jumped may come back for 75 s. Then the
// explorer has some seconds for another way, and then the guard calls a person, after whose answer the next fix is believed.
func TestCallsAPerson(t *testing.T) {
	r := newRobot(t, fenced())
	r.ask(0, time.Second)
	r.ask(0.2, 2*time.Second)
	r.x -= 8
	since := time.Duration(0)
	for r.ask(1, 250*time.Millisecond) > 1e-3 && since < time.Minute {
		since += 250 * time.Millisecond
	}
	if r.x > 3 {
		t.Errorf("it stands at x = %.2f m, and it would be at %.2f m if it had not been carried", r.x, r.x+8)
	}
	if r.ask(0.2, 65*time.Second-since); r.level == ugp_explorer_msgs.GuardStatusLevelError || !strings.Contains(r.status, "may recover") {
		t.Errorf("65 s after the jump: level %d, %s", r.level, r.status)
	}
	if r.ask(0.2, 20*time.Second); r.level == ugp_explorer_msgs.GuardStatusLevelError || strings.Contains(r.status, "may recover") {
		t.Errorf("85 s after the jump: level %d, %s", r.level, r.status)
	}
	if way := r.ask(0.2, 7*time.Second); way > 1e-3 || r.level != ugp_explorer_msgs.GuardStatusLevelError || !strings.Contains(r.status, "if it may drive, drive it by hand, or publish true on guard/override 5 times a second until it drives by itself") {
		t.Errorf("92 s after the jump it drove %.2f m: level %d, %s", way, r.level, r.status)
	}
	for range 20 {
		r.step() // nobody asks it to drive any more
	}
	r.must(r.person.Publish(&std_msgs.Bool{Data: true}))
	// A mission that a person resumes asks for nothing before it sees that the guard has heard the answer.
	if r.step(); r.level != ugp_explorer_msgs.GuardStatusLevelOK {
		t.Errorf("at a person's answer, before it is asked to drive: level %d, %s", r.level, r.status)
	}
	if way := r.ask(0.2, 10*time.Second); math.Abs(way-2) > 0.3 || r.level != ugp_explorer_msgs.GuardStatusLevelOK {
		t.Errorf("after a person's answer it drove %.2f m: level %d, %s", way, r.level, r.status)
	}
}

// Before the first command a guard without fixes says that it lets no robot drive, and what it waits for.
func TestStatusWithoutFixes(t *testing.T) {
	r := newRobot(t, fenced())
	r.run(8 * time.Second)
	if !strings.Contains(r.status, "lets no robot drive yet: no credible position fix has come") || !strings.Contains(r.status, "waiting for a position fix on /fix_pose") {
		t.Errorf("without fixes the guard %s", r.status)
	}
	if r.ask(0.5, 2*time.Second); r.status != "passes commands on" {
		t.Errorf("with fixes the guard %s", r.status)
	}
}

// A receiver that holds its fix while the robot stands is no receiver without fixes.
func TestReceiverThatHoldsItsFix(t *testing.T) {
	r := newRobot(t, fenced())
	r.holds = true
	r.ask(0.5, 4*time.Second)
	r.ask(0, 30*time.Second)
	if log := r.log.String(); strings.Contains(log, "waiting for a position fix") || r.status != "passes commands on" {
		t.Errorf("the guard %s, and its log is:\n%s", r.status, log)
	}
	r.frozen = true
	if r.ask(0.5, 20*time.Second); !strings.Contains(r.log.String(), "waiting for a position fix") {
		t.Errorf("a receiver that repeats its fix on a drive is not in the log:\n%s", &r.log)
	}
}

// A robot that does not move because its base hears no velocities is told apart from one whose wheels slip.
func TestBaseThatHearsNothing(t *testing.T) {
	for _, deaf := range []bool{false, true} {
		r := newRobot(t, fenced())
		r.frozen = true
		if deaf {
			r.must(r.base.Close())
		}
		r.ask(1, 20*time.Second)
		if unheard := strings.Contains(r.status, "nothing subscribes to the velocity on /cmd_vel"); unheard != deaf || !deaf && !strings.Contains(r.status, "do not show any motion") {
			t.Errorf("a base that hears nothing: %v; the guard %s", deaf, r.status)
		}
	}
}

// With odometry that has only a pose the robot drives in its field, and stops at the edge.
func TestOdometryWithoutATwist(t *testing.T) {
	r := newRobot(t, fenced())
	r.twistless = true
	r.ask(0, time.Second)
	for range 10 {
		if way := r.ask(0.5, 6*time.Second) - r.ask(-0.5, 6*time.Second); way < 4 {
			t.Fatalf("%.2f m to and fro in 12 s at 0.5 m/s; the guard %s", way, r.status)
		}
	}
	if r.ask(1, 30*time.Second); r.x > 10.3 || r.x < 9 || !strings.HasPrefix(r.status, "stops the robot: the robot may be too near to the edge") {
		t.Errorf("it stands at x = %.2f m; the guard %s", r.x, r.status)
	}
}

// A receiver that is silent lets the robot drive as far as the edge is known to be away.
func TestFenceWithoutFixes(t *testing.T) {
	r := newRobot(t, fenced())
	r.ask(0, time.Second)
	r.ask(1, 3*time.Second)
	r.ask(0, 3*time.Second)
	r.broken = true
	r.ask(1, time.Minute)
	if r.x > 10.3 || r.x < 6.5 {
		t.Errorf("it stands at x = %.2f m; %s", r.x, r.status)
	}
}

// Fixes that cannot be used are none, and the robot stands.
func TestFixesThatAreNone(t *testing.T) {
	for name, change := range map[string]func(*robot){
		"another frame": func(r *robot) { r.frame = "odom" },
		"no covariance": func(r *robot) { r.variance = 0 },
		"negative":      func(r *robot) { r.variance = -1 },
		"NaN":           func(r *robot) { r.variance = math.NaN() },
	} {
		r := newRobot(t, fenced())
		change(r)
		if way := r.ask(1, 5*time.Second); way != 0 || !strings.Contains(r.status, "no credible position fix has come") {
			t.Errorf("%s: it drove %.2f m; %s", name, way, r.status)
		}
	}
	cfg := fenced()
	cfg.FixStdDev = 0.02
	for _, unstated := range []float64{0, math.NaN()} {
		r := newRobot(t, cfg)
		r.variance = unstated
		if way := r.ask(1, 5*time.Second); way < 2 {
			t.Errorf("with fix_stddev and a variance of %g it drove %.2f m; %s", unstated, way, r.status)
		}
	}
}

// The pose in the odometry may be anything, the speeds may not: one that no robot has stops it, is named in
// the log, and does no harm that lasts.
func TestAbsurdOdometry(t *testing.T) {
	r := newRobot(t, fenced())
	r.ask(0, time.Second)
	var odom nav_msgs.Odometry
	odom.Pose.Pose.Position.X = 1e300
	r.must(r.wheels.Publish(&odom))
	if way := r.ask(1, 2*time.Second); way < 1 {
		t.Errorf("after a pose at 1e300 m it drove %.2f m; %s", way, r.status)
	}
	odom.Twist.Twist.Linear.X = 1e300
	r.must(r.wheels.Publish(&odom))
	r.run(time.Millisecond)
	r.send(geometry_msgs.Twist{Linear: geometry_msgs.Vector3{X: 1}, Angular: geometry_msgs.Vector3{Z: 0.5}})
	r.run(time.Millisecond)
	if v := r.heard[len(r.heard)-1].twist.Linear.X; v != 0 {
		t.Errorf("it is told to drive %g m/s on absurd odometry", v)
	}
	if way := r.ask(1, 3*time.Second); way < 1 {
		t.Errorf("after absurd odometry it drove %.2f m; %s", way, r.status)
	}
	if !strings.Contains(r.log.String(), "1e+300 and 0 m/s") {
		t.Errorf("the log does not name the odometry:\n%s", &r.log)
	}
}

// A mission that is paused, over or in the fault state, and an explorer that is gone, hold the robot
// at once, whoever drives. While a person holds the override it drives, slowly.
func TestHolds(t *testing.T) {
	for _, state := range []string{"paused", "done", "fault", ""} {
		cfg := guard.DefaultConfig()
		r := newRobot(t, cfg)
		r.mission("travelling")
		if way := r.ask(1, 2*time.Second); way < 1.9 {
			t.Fatalf("it drove %.2f m while travelling; %s", way, r.status)
		}
		if state == "" { // the explorer is gone
			if way := r.ask(1, 10*time.Second); way > 1.2 {
				t.Errorf("it drove %.2f m with a silent explorer; %s", way, r.status)
			}
		} else {
			r.mission(state)
			if last := r.heard[len(r.heard)-1].twist; last != (geometry_msgs.Twist{}) {
				t.Errorf("%s: the last command is %+v, want zero at once", state, last)
			}
		}
		if way := r.ask(1, 2*time.Second); way != 0 || !strings.HasPrefix(r.status, "holds the robot: ") {
			t.Errorf("%q: it drove %.2f m; %s", state, way, r.status)
		}
		from := r.x
		for range 10 {
			r.must(r.person.Publish(&std_msgs.Bool{Data: true}))
			r.ask(1, 200*time.Millisecond)
		}
		if way := r.x - from; math.Abs(way-1) > 0.1 {
			t.Errorf("%q: it drove %.2f m in 2 s of override, want 0.5 m/s; %s", state, way, r.status)
		}
		r.must(r.person.Publish(&std_msgs.Bool{}))
		if way := r.ask(1, time.Second); way > 0.05 {
			t.Errorf("%q: it drove %.2f m after the person let go", state, way)
		}
		r.mission("travelling")
		if way := r.ask(1, 2*time.Second); way < 1.9 {
			t.Errorf("it drove %.2f m while travelling again; %s", way, r.status)
		}
	}
}

// The outline may be a file that a person records later, and fixes may be of a satellite receiver,
// with the map's origin from the filter.
func TestRecordedOutlineAndSatelliteFixes(t *testing.T) {
	cfg := guard.DefaultConfig()
	cfg.File = filepath.Join(t.TempDir(), "field.geojson")
	r := newRobot(t, cfg)
	r.broken = true
	if way := r.ask(1, 3*time.Second); way < 2.9 {
		t.Fatalf("it drove %.2f m without an outline", way)
	}
	file, err := os.Create(cfg.File)
	r.must(err)
	r.must(field.WriteField(file, fenced().Outline, nil))
	r.must(file.Close())
	r.ask(0, 3*time.Second)
	if way := r.ask(1, 3*time.Second); way != 0 || !strings.Contains(r.status, "no credible position fix has come") {
		t.Errorf("it drove %.2f m with an outline and no fix; %s", way, r.status)
	}
	fixes := rostest.Publisher[sensor_msgs.NavSatFix](r.t, r.test, "fix", ros.SensorData())
	origin := earth.Datum{Lon: 8, Lat: 52}
	fix := func() {
		lon, lat := origin.LonLat(r.x, 0)
		var m sensor_msgs.NavSatFix
		convert.NavSatFix(&m, lon, lat, [2][2]float64{{4e-4, 0}, {0, 4e-4}}, sensor_msgs.NavSatStatusStatusFix)
		r.must(fixes.Publish(&m))
	}
	fix()
	if way := r.ask(1, time.Second); way != 0 {
		t.Errorf("it drove %.2f m without an origin", way)
	}
	datum := rostest.Publisher[sensor_msgs.NavSatFix](r.t, r.test, "ekf/datum", ros.Latched())
	var m sensor_msgs.NavSatFix
	convert.NavSatFix(&m, origin.Lon, origin.Lat, [2][2]float64{}, sensor_msgs.NavSatStatusStatusFix)
	r.must(datum.Publish(&m))
	r.must(datum.Publish(&m))
	r.run(time.Second)
	if strings.Contains(r.log.String(), "another origin") {
		t.Errorf("the same origin is another one:\n%s", &r.log)
	}
	fix()
	if way := r.ask(0.5, 3*time.Second); way < 1 {
		t.Errorf("it drove %.2f m; %s", way, r.status)
	}
	// A filter that was started again may say another origin: fixes are seen as before.
	m.Longitude += 5e-4 // 34 m
	r.must(datum.Publish(&m))
	way := 0.0
	for i := range 50 { // farther than the edge is away, to and fro
		fix()
		way += math.Abs(r.ask(0.5-float64(i%2), time.Second))
	}
	if way < 12 {
		t.Errorf("it drove %.2f m with another origin; %s", way, r.status)
	}
	if log := r.log.String(); !strings.Contains(log, "another origin than the guard's") || !strings.Contains(log, "8.0005000 52.0000000") {
		t.Errorf("the log does not name the other origin:\n%s", log)
	}
}

func TestNewRefusesABadField(t *testing.T) {
	file := filepath.Join(t.TempDir(), "field.geojson")
	must.OK(t, os.WriteFile(file, []byte("no field"), 0o666))
	if err := tryNew(func(c *guard.Config) { c.File = file }); err == nil || !strings.Contains(err.Error(), "field.file") || !strings.Contains(err.Error(), file) {
		t.Errorf("error %v, want one that names field.file and the file", err)
	}
}

// Who publishes velocities to the base past the guard is named.
func TestPastTheGuard(t *testing.T) {
	r := newRobot(t, guard.DefaultConfig())
	r.ask(1, 2*time.Second)
	if strings.Contains(r.status, "bypass the guard") {
		t.Errorf("the status is %q", r.status)
	}
	rostest.Publisher[geometry_msgs.Twist](r.t, r.test, "cmd_vel", ros.DefaultQoS())
	r.ask(1, 2*time.Second)
	if !strings.Contains(r.status, "/test may bypass the guard") {
		t.Errorf("the status is %q", r.status)
	}
}

// A second guard is named as such, since it has nothing else to publish on.
func TestTwoGuards(t *testing.T) {
	r := newRobot(t, guard.DefaultConfig())
	second := rostest.Node(t, r.graph, r.ex, "second", ros.NodeOptions{})
	cfg := guard.DefaultConfig()
	if _, err := guard.New(second, &cfg); err != nil {
		t.Fatal(err)
	}
	r.ask(1, 2*time.Second)
	if want := "/second and /guard both pass velocities from /cmd_vel_in on to /cmd_vel"; !strings.Contains(r.status, want) || strings.Contains(r.status, "bypass") {
		t.Errorf("the status is %q, want %q", r.status, want)
	}
}

// Of two receivers that disagree a guard hears one, and names both.
func TestTwoReceivers(t *testing.T) {
	r := newRobot(t, fenced())
	r.ask(0.5, 2*time.Second)
	if strings.Contains(r.status, "/test") {
		t.Errorf("with one receiver the status is %q", r.status)
	}
	second := rostest.Publisher[geometry_msgs.PoseWithCovarianceStamped](r.t, rostest.Node(t, r.graph, r.ex, "second", ros.NodeOptions{}), "fix_pose", ros.SensorData())
	for range 20 {
		var fix geometry_msgs.PoseWithCovarianceStamped
		fix.Header.FrameID = "map"
		fix.Pose.Pose.Position.X, fix.Pose.Pose.Position.Y = r.x, 3
		fix.Pose.Covariance[0], fix.Pose.Covariance[7] = r.variance, r.variance
		r.must(second.Publish(&fix))
		r.ask(0.5, time.Second)
	}
	if strings.HasPrefix(r.status, "stops the robot") || !strings.Contains(r.status, "/second and /test send position fixes on /fix_pose, and only those of /test are used") {
		t.Errorf("with two receivers that are 3 m apart the status is %q", r.status)
	}
}

// edges writes a field file with a square of side 2r about the origin.
func edges(t *testing.T, name string, r float64) {
	t.Helper()
	file, err := os.Create(name)
	must.OK(t, err)
	must.OK(t, field.WriteField(file, field.Field{Boundary: orb.Polygon{{{-r, -r}, {r, -r}, {r, r}, {-r, r}}}}, nil))
	must.OK(t, file.Close())
}

// Of a file with several fields one is named.
func TestNamedField(t *testing.T) {
	file := filepath.Join(t.TempDir(), "farm.geojson")
	must.OK(t, os.WriteFile(file, []byte(`{"type": "FeatureCollection", "features": [
		{"type": "Feature", "properties": {"name": "far"}, "geometry": {"type": "Polygon", "coordinates": [[[900, 0], [990, 0], [990, 90], [900, 90], [900, 0]]]}},
		{"type": "Feature", "properties": {"name": "own"}, "geometry": {"type": "Polygon", "coordinates": [[[-9, -9], [9, -9], [9, 9], [-9, 9], [-9, -9]]]}}]}`), 0o666))
	cfg := guard.DefaultConfig()
	cfg.File = file + "#own"
	r := newRobot(t, cfg)
	r.ask(0, 3*time.Second)
	if way := r.ask(1, 60*time.Second); way < 5 || way > 9.5 {
		t.Errorf("it drove %.2f m to an edge 9 m away; %s", way, r.status)
	}
}

// An outline that is missing is told, and holds a mission; one that is edited counts at once; one that is broken later holds
// the robot, or leaves the fence of before.
func TestOutlineThatChanges(t *testing.T) {
	cfg := guard.DefaultConfig()
	cfg.File = filepath.Join(t.TempDir(), "field.geojson")
	r := newRobot(t, cfg)
	says := func(want string) {
		t.Helper()
		if r.ask(0, 3*time.Second); !strings.Contains(r.status, want) || !strings.Contains(r.status, cfg.File) || r.level == ugp_explorer_msgs.GuardStatusLevelOK {
			t.Errorf("level %d, %s: want %q and the file", r.level, r.status, want)
		}
	}
	says("does not exist")
	if r.ask(1, time.Second) < 0.9 {
		t.Errorf("nobody can record an outline; %s", r.status)
	}
	r.mission("travelling")
	if r.ask(1, time.Second) > 0.1 || !strings.Contains(r.status, "does not exist") {
		t.Errorf("a mission drives without an outline; %s", r.status)
	}
	r = newRobot(t, cfg)
	broken := func() { must.OK(t, os.WriteFile(cfg.File, []byte("{"), 0o666)) }
	broken()
	if says("cannot be used"); r.ask(1, time.Second) > 0.1 {
		t.Errorf("it drives though the outline is broken; %s", r.status)
	}
	edges(t, cfg.File, 20)
	r.ask(0, 3*time.Second)
	if r.ask(1, 8*time.Second) < 5 {
		t.Errorf("with an outline it does not drive; %s", r.status)
	}
	broken()
	says("the outline read before stays in force")
	edges(t, cfg.File, 12)
	r.ask(0, 3*time.Second)
	if r.ask(1, 20*time.Second); r.x > 12.5 || r.x < 11 {
		t.Errorf("after the edit to 12 m it stands at %.2f m; %s", r.x, r.status)
	}
}

// Without a fix nothing moves, whatever a command moves.
func TestNothingMovesBlindly(t *testing.T) {
	r := newRobot(t, fenced())
	r.broken = true
	for _, v := range []geometry_msgs.Twist{{Angular: geometry_msgs.Vector3{Z: 1}}, {Linear: geometry_msgs.Vector3{Z: 1}}, {Linear: geometry_msgs.Vector3{Y: 1}}} {
		r.drive(v, time.Second)
		if last := r.heard[len(r.heard)-1].twist; last != (geometry_msgs.Twist{}) {
			t.Errorf("%+v is passed as %+v", v, last)
		}
	}
}

// Before a mission a person is told that the robot stands too near to the edge for its receiver, and which allowance would do.
func TestTooNearToTheEdgeToStart(t *testing.T) {
	for allowance, level := range map[float64]uint8{
		2: ugp_explorer_msgs.GuardStatusLevelError, 4: ugp_explorer_msgs.GuardStatusLevelWarn, 5: ugp_explorer_msgs.GuardStatusLevelOK,
	} {
		cfg := fenced()
		cfg.Allowance = allowance
		r := newRobot(t, cfg)
		r.variance = 4
		r.mission(ugp_explorer_msgs.MissionStatusStateIdle)
		r.step()
		r.broken = true // it stands, and its fixes repeat
		for range 20 * 20 {
			r.step()
		}
		if told := strings.Contains(r.status, "but such fixes need about 8 m: drive it that far straight ahead by hand, start farther inside, use a better receiver, raise allowance to 10 m, or, if it may drive, publish true on guard/override 5 times a second until"); r.level != level || told != (level != ugp_explorer_msgs.GuardStatusLevelOK) {
			t.Errorf("allowance %g: level %d, %s", allowance, r.level, r.status)
		}
		r.mission(ugp_explorer_msgs.MissionStatusStateTravelling)
		r.run(2 * time.Second)
		if r.level != ugp_explorer_msgs.GuardStatusLevelOK {
			t.Errorf("allowance %g, under way: level %d, %s", allowance, r.level, r.status)
		}
	}
}

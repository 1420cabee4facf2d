// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ugp_explorer/internal/testkit/drivetest"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/bag"
	"ugp_explorer/msgs/cdr"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/tf2_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/param"
)

var datum = []float64{8.0471, 52.2726}

// satelliteBag records a simulated robot that somebody drives round the farm for four
// minutes, with a stop after each of nine legs: what its wheels, its satellite receiver, its
// IMU and its probe publish. It returns the poses of a filter that ran on the robot, which are
// not in the bag.
func satelliteBag(t *testing.T, spoil func(*sensor_msgs.NavSatFix)) (path string, live []nav_msgs.Odometry) {
	t.Helper()
	cfg := fieldsim.DefaultConfig()
	cfg.Seed, cfg.Datum, cfg.PublishIMU, cfg.Start = 1, datum, true, []float64{300, 300, 0.3}
	cfg.Fix.OutageGap = 0
	r := drivetest.New(t, cfg, map[string]cdr.Message{
		"/odom": &nav_msgs.Odometry{}, "/fix": &sensor_msgs.NavSatFix{}, "/imu": &sensor_msgs.Imu{}, "/reading": &ugp_explorer_msgs.FieldReading{},
		"/ground_truth/odom": &nav_msgs.Odometry{}, "/tf": &tf2_msgs.TFMessage{},
	}, func(topic string, data []byte) []byte {
		if topic != "/fix" || spoil == nil {
			return data
		}
		var m sensor_msgs.NavSatFix
		must.OK(t, m.UnmarshalCDR(data))
		spoil(&m)
		return m.AppendCDR(nil)
	})
	rostest.Hear(t, r.Node, "/odometry/filtered", ros.DefaultQoS(), func(m *nav_msgs.Odometry) { live = append(live, *m) })
	filter := ekf.DefaultConfig()
	filter.Datum = datum
	if _, err := ekf.New(r.Open(ekf.DefaultName, filter.Parameters()), &filter); err != nil {
		t.Fatal(err)
	}
	for leg := range 9 {
		for k := range 270 { // 27 s
			if k < 200 {
				r.Drive(1, 0.05*math.Sin(float64(leg)))
			} else {
				r.Drive(0, 0)
			}
		}
	}
	r.Close()
	return r.Path, live
}

func replayOf(t *testing.T, path, yaml string) (*Replay, error) {
	t.Helper()
	o := &param.Overrides{}
	must.OK(t, o.AddYAML("p.yaml", []byte(yaml)))
	cfg := quick()
	r, err := opened(t, path, &cfg, Options{Parameters: o})
	if err != nil {
		return nil, err
	}
	return r, r.Run(t.Context())
}

// A bag with odometry, NavSatFix and Imu is replayed through the filter, whose poses are
// those that it computed on the robot. The beliefs about the samples hold the true places.
func TestSatelliteBag(t *testing.T) {
	path, live := satelliteBag(t, nil)
	const withDatum = "ekf: {ros__parameters: {datum: [8.0471, 52.2726]}}\n"
	r, err := replayOf(t, path, withDatum)
	must.OK(t, err)
	m := r.Explorer().Record()
	if k := m.Consistency; len(stands(m)) < 8 || k == nil || float64(k.Inside) < 0.7*float64(k.Readings) {
		t.Errorf("%d stops; consistency %+v", len(stands(m)), k)
	}
	if s := r.Source(); s.Pose != "/odom, /fix and /imu through the filter" || !strings.Contains(strings.Join(s.Notes, "\n"), "the filter computes them from /odom, /fix and /imu") {
		t.Errorf("source %+v", s)
	}
	for _, o := range m.Observations {
		if o.TruePlace == nil || o.Belief.SquaredDistance(*o.TruePlace) > 30 {
			t.Errorf("observation %d: belief %+v, truly at %v", o.Sequence, o.Belief, o.TruePlace)
		}
	}

	var got []nav_msgs.Odometry
	for msg, err := range r.src.missionMessages(bag.Query{Topics: []string{filteredTopic}, Start: r.from, End: r.to}) {
		must.OK(t, err)
		var m nav_msgs.Odometry
		must.OK(t, m.UnmarshalCDR(msg.Data))
		got = append(got, m)
	}
	if len(got) < 4000 || len(got) != len(live) {
		t.Fatalf("%d poses, on the robot there were %d", len(got), len(live))
	}
	for i := range got {
		if diff := cmp.Diff(live[i], got[i]); diff != "" {
			t.Fatalf("pose %d: on the robot (-), in the replay (+):\n%s", i, diff)
		}
	}

	again, err := replayOf(t, path, withDatum)
	must.OK(t, err)
	if diff := cmp.Diff(m.Observations, again.Explorer().Record().Observations); diff != "" {
		t.Errorf("a second replay differs:\n%s", diff)
	}
}

// Without a datum the first fix is the origin, which the notes say; a field needs one. The
// explorer's datum is the filter's, too. The topics can be named, and a filter be refused.
func TestSatelliteBagDatum(t *testing.T) {
	path, _ := satelliteBag(t, nil)
	r, err := replayOf(t, path, "{}")
	must.OK(t, err)
	if notes := strings.Join(r.Source().Notes, "\n"); !strings.Contains(notes, "the map's origin is the first fix, longitude 8.05") {
		t.Errorf("notes %q", notes)
	} else if !strings.Contains(notes, "/ground_truth/odom is not used: its places are on a map whose origin is unknown") || r.Explorer().Record().Consistency != nil {
		t.Errorf("the truth on a map with another origin is compared; notes %q", notes)
	}
	for _, o := range r.Explorer().Record().Observations {
		if math.Hypot(o.Belief.X, o.Belief.Y) > 220 { // of nine legs of 20 m
			t.Errorf("observation at (%g, %g) m, where the first fix is the origin", o.Belief.X, o.Belief.Y)
		}
	}
	metres, degrees := filepath.Join(t.TempDir(), "metres.geojson"), filepath.Join(t.TempDir(), "degrees.geojson")
	for file, ring := range map[string]string{
		metres:  "[[250,250],[560,250],[560,560],[250,560],[250,250]]",
		degrees: "[[8.050,52.274],[8.056,52.274],[8.056,52.278],[8.050,52.278],[8.050,52.274]]",
	} {
		must.OK(t, os.WriteFile(file, []byte(`{"type":"Polygon","coordinates":[`+ring+`]}`), 0o666))
	}
	for _, c := range []struct{ explorer, ekf, want string }{
		{"field.file: " + metres, "", "-p ekf:datum:=[LON, LAT]"},
		{"field.file: " + degrees + ", field.datum: [8.05, 52.27]", "datum: [8.0471, 52.2726]", "they must be the same"},
		{"field.file: " + metres, "datum: [8.0471, 52.2726]", ""},
		{"field.file: " + degrees + ", field.datum: [8.0471, 52.2726]", "", ""},
	} {
		r, err := replayOf(t, path, "{ugp_explorer: {ros__parameters: {"+c.explorer+"}}, ekf: {ros__parameters: {"+c.ekf+"}}}")
		switch {
		case c.want != "":
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%+v: %v", c, err)
			}
		case err != nil:
			t.Errorf("%+v: %v", c, err)
		default:
			if at := stands(r.Explorer().Record())[0]; math.Hypot(at.Belief.X-at.TruePlace[0], at.Belief.Y-at.TruePlace[1]) > 5 {
				t.Errorf("%+v: the first stop at %+v, truly at %v", c, at.Belief, at.TruePlace)
			}
		}
	}
	for want, edit := range map[string]func(*Config){ // source of the poses, or error
		"/odom, /fix and /imu through the filter": func(c *Config) { c.Odom, c.Fix, c.IMU = "/odom", "/fix", "/imu" },
		"/odom": func(c *Config) { c.Pose = "/odom" },
		"--imu-topic is /imus: the bag has no such topic":     func(c *Config) { c.Fix, c.IMU = "/fix", "/imus" },
		"leave out --odom-topic, --fix-topic and --imu-topic": func(c *Config) { c.Pose, c.Fix = "/odom", "/fix" },
	} {
		cfg := quick()
		edit(&cfg)
		r, err := opened(t, path, &cfg, Options{})
		if err == nil && r.Source().Pose != want || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

// A bag whose fixes state no covariance cannot be used until the parameters of the filter
// say how good they are.
func TestSatelliteBagWithoutCovariance(t *testing.T) {
	path, _ := satelliteBag(t, func(m *sensor_msgs.NavSatFix) { m.PositionCovariance, m.PositionCovarianceType = [9]float64{}, 0 })
	wanted := []string{"the filter over /odom, /fix and /imu has computed no pose", "set covariance.zero_stddev", "-p ekf:NAME:=VALUE"}
	_, err := replayOf(t, path, "{}")
	for _, want := range wanted {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in the error %v", want, err)
		}
	}
	if strings.Contains(err.Error(), "initialpose") || strings.Contains(err.Error(), "drive") {
		t.Errorf("advice for somebody at the robot: %v", err)
	}
	r, err := replayOf(t, path, "ekf: {ros__parameters: {covariance.zero_stddev: 1.0}}")
	must.OK(t, err)
	if n := len(stands(r.Explorer().Record())); n < 8 {
		t.Errorf("%d stops", n)
	}
}

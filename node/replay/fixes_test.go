// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/earth"
)

// walk records somebody who walks an L of 60 m at 1 m/s in two minutes, with a fix and a reading each second,
// and what more adds to each step.
func walk(t *testing.T, fix func(*sensor_msgs.NavSatFix), more func(r *bagMaker, speed, turn float64)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "walk")
	r := makeBag(t, path, epoch)
	origin := earth.Datum{Lon: datum[0], Lat: datum[1]}
	for i := range 600 {
		r.at += int64(200 * time.Millisecond)
		speed, turn := 0.5, 0.0
		switch {
		case i < 300:
			r.x += 0.1
		case i == 300:
			turn = math.Pi / 2 / 0.2
		default:
			r.y += 0.1
		}
		if i%5 == 0 {
			m := &sensor_msgs.NavSatFix{Header: std_msgs.Header{Stamp: ros.TimeMsg(r.at), FrameID: "gps"}}
			lon, lat := origin.LonLat(r.x, r.y)
			convert.NavSatFix(m, lon, lat, [2][2]float64{{0.09, 0.01}, {0.01, 0.04}}, 0)
			if fix != nil {
				fix(m)
			}
			r.write("/fix", m)
			r.reading(r.x)
		}
		if more != nil {
			more(r, speed, turn)
		}
	}
	r.close()
	return path
}

// wheels returns a writer of odometry that states a speed, perhaps a turn rate, and no position.
func wheels(turns bool) func(*bagMaker, float64, float64) {
	return func(r *bagMaker, speed, turn float64) {
		m := nav_msgs.Odometry{Header: std_msgs.Header{Stamp: ros.TimeMsg(r.at - r.behind), FrameID: "odom"}}
		m.Pose.Pose.Orientation.W = 1
		m.Twist.Twist.Linear.X = speed
		if turns {
			m.Twist.Twist.Angular.Z = turn
		}
		r.write("/odom", &m)
	}
}

func initial(r *bagMaker, _, _ float64) {
	m := geometry_msgs.PoseWithCovarianceStamped{Header: std_msgs.Header{Stamp: ros.TimeMsg(r.at), FrameID: "map"}}
	m.Pose.Pose.Orientation.W, m.Pose.Covariance[0], m.Pose.Covariance[7], m.Pose.Covariance[35] = 1, 1, 1, 0.1
	if r.x < 0.15 {
		r.write("/initialpose", &m)
	}
}

func bare(topic string) func(*bagMaker, float64, float64) {
	return func(r *bagMaker, _, _ float64) {
		m := geometry_msgs.PoseStamped{Header: std_msgs.Header{Stamp: ros.TimeMsg(r.at), FrameID: "map"}}
		m.Pose.Position.X, m.Pose.Position.Y, m.Pose.Orientation.W = r.x, r.y, 1
		r.write(topic, &m)
	}
}

// A receiver and a sensor are enough, and what else a bag has is used if it says something.
func TestFixesAlone(t *testing.T) {
	none := func(m *sensor_msgs.NavSatFix) { m.Status.Status = sensor_msgs.NavSatStatusStatusNoFix }
	unknown := func(m *sensor_msgs.NavSatFix) { m.PositionCovarianceType = 0 }
	for name, c := range map[string]struct {
		path string
		edit func(*Config)
		pose string // source of the poses
		want string // in the notes, or the error
	}{
		"fixes":                 {walk(t, nil, nil), nil, "/fix", "the fixes on /fix are the poses"},
		"speeds without turns":  {walk(t, nil, wheels(false)), nil, "/fix", "the odometry on /odom states neither positions nor turn rates"},
		"speeds and turns":      {walk(t, nil, wheels(true)), nil, "/odom and /fix through the filter", "states speeds and no positions"},
		"chosen":                {walk(t, nil, wheels(true)), func(c *Config) { c.Pose = "/fix" }, "/fix", "the fixes on /fix are the poses"},
		"an initial pose":       {walk(t, nil, initial), nil, "/fix", "the fixes on /fix are the poses"},
		"that, too":             {walk(t, nil, func(r *bagMaker, v, w float64) { wheels(true)(r, v, w); initial(r, v, w) }), nil, "/odom and /fix through the filter", "/initialpose is not used: it is a place on a map whose origin is unknown; give it with --datum"},
		"on a known map":        {walk(t, nil, func(r *bagMaker, v, w float64) { wheels(true)(r, v, w); initial(r, v, w) }), func(c *Config) { c.EKF.Datum = datum }, "/odom, /fix and /initialpose through the filter", "states speeds"},
		"no fix":                {walk(t, none, nil), nil, "", "no fix on /fix can be used: the receiver has no fix: its status is -1"},
		"no covariance":         {walk(t, unknown, nil), nil, "", "-p pose.zero_stddev:=0.5"},
		"a covariance is given": {walk(t, unknown, nil), func(c *Config) { c.Explorer.Covariance.ZeroPositionStdDev = 2 }, "/fix", "the first fix"},
		"and to the filter":     {walk(t, unknown, nil), func(c *Config) { c.EKF.Covariance.ZeroPositionStdDev = 2 }, "/fix", "the first fix"},
	} {
		cfg := quick()
		cfg.Explorer.Matcher.Probe.X = 0
		if c.edit != nil {
			c.edit(&cfg)
		}
		r, err := opened(t, c.path, &cfg, Options{})
		if err != nil {
			if c.pose != "" || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", name, err, c.want)
			}
			continue
		}
		must.OK(t, r.Run(t.Context()))
		s := r.Source()
		if s.Pose != c.pose || !strings.Contains(strings.Join(s.Notes, "\n"), c.want) {
			t.Errorf("%s: poses on %s, notes %q", name, s.Pose, s.Notes)
		}
		seen := r.Explorer().Record().Observations
		if len(seen) < 3 {
			t.Errorf("%s: %d observations", name, len(seen))
		}
		for _, o := range seen {
			if math.Abs(o.Belief.X-o.Value) > 3 && c.pose == "/fix" { // the reading is the place, and the origin is the first fix
				t.Errorf("%s: %+v", name, o)
			}
		}
	}
}

// The stamps of fixes that are late by a known delay are corrected by it, with wheels and without: the places are right. Without it the
// bag is refused.
func TestFixesOfAKnownDelay(t *testing.T) {
	const delay = 10 * time.Second
	late := func(m *sensor_msgs.NavSatFix) {
		m.Header.Stamp = ros.TimeMsg(ros.TimeNs(m.Header.Stamp) + int64(delay))
	}
	for name, path := range map[string]string{"fixes": walk(t, late, nil), "wheels": walk(t, late, wheels(true))} {
		for _, known := range []time.Duration{0, delay} {
			cfg := quick()
			cfg.Explorer.Matcher.Probe.X, cfg.Explorer.Reading.Delay, cfg.EKF.FixDelay, cfg.EKF.Datum = 0, 0, known.Seconds(), datum
			r, err := opened(t, path, &cfg, Options{})
			if known == 0 {
				if err == nil || !strings.Contains(err.Error(), "those on /fix are 10 s ahead of the times of recording") {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			must.OK(t, err)
			must.OK(t, r.Run(t.Context()))
			seen := r.Explorer().Record().Observations
			if len(seen) < 3 {
				t.Errorf("%s: %d observations", name, len(seen))
			}
			for _, o := range seen { // the reading is the place
				if math.Abs(o.Belief.X-o.Value) > 0.5 {
					t.Errorf("%s: %g at %g m", name, o.Value, o.Belief.X)
				}
			}
		}
	}
}

// A filter computes the poses of a simulation whose time passes as fast as that of the records, as it does those of a slower one.
func TestFilterInSimulatedTime(t *testing.T) {
	for _, rate := range []int64{1, 4} {
		simulated := func(at int64) int64 { return 50*int64(time.Second) + (at-epoch)/rate }
		path := walk(t, func(m *sensor_msgs.NavSatFix) { m.Header.Stamp = ros.TimeMsg(simulated(ros.TimeNs(m.Header.Stamp))) },
			func(r *bagMaker, speed, turn float64) {
				r.behind = r.at - simulated(r.at)
				wheels(true)(r, speed*float64(rate), turn*float64(rate))
				if r.at%int64(time.Second) == 0 {
					r.write("/soil", &std_msgs.Float64{Data: r.x})
				}
			})
		cfg := quick()
		cfg.Reading, cfg.EKF.Datum = "/soil", datum
		cfg.Explorer.Matcher.Probe.X, cfg.Explorer.Reading.Delay = 0, 0
		r, err := opened(t, path, &cfg, Options{})
		must.OK(t, err)
		must.OK(t, r.Run(t.Context()))
		seen := r.Explorer().Record().Observations
		if len(seen) < 3 || !strings.Contains(strings.Join(r.Source().Notes, "\n"), "the bag is replayed in the time of these stamps") {
			t.Errorf("at 1/%d of the time: %d observations, notes %q", rate, len(seen), r.Source().Notes)
		}
		for _, o := range seen { // the reading is the place
			if math.Abs(o.Belief.X-o.Value) > 1 {
				t.Errorf("at 1/%d of the time: %g at %g m", rate, o.Value, o.Belief.X)
			}
		}
	}
}

// A clock that was set in the middle is named by the filter, which computes no poses from there on.
func TestClockSetInTheMiddle(t *testing.T) {
	jump := func(at int64) int64 {
		if at-epoch > 90*int64(time.Second) {
			return int64(time.Hour)
		}
		return 0
	}
	path := walk(t, func(m *sensor_msgs.NavSatFix) {
		at := ros.TimeNs(m.Header.Stamp)
		m.Header.Stamp = ros.TimeMsg(at + jump(at))
	}, func(r *bagMaker, speed, turn float64) {
		r.behind = -jump(r.at)
		wheels(true)(r, speed, turn)
	})
	cfg := quick()
	cfg.EKF.Datum = datum
	r, err := opened(t, path, &cfg, Options{})
	must.OK(t, err)
	must.OK(t, r.Run(t.Context()))
	why := strings.Join(append(r.Source().Problems, r.Unused()), "; ")
	if !strings.Contains(why, "those of /bag are 1h0m0s ahead: a clock is not set; --start and --duration replay a part") || strings.Contains(why, "pose.timeout") {
		t.Errorf("%d observations; %s", len(r.Explorer().Record().Observations), why)
	}
}

// What the filter has learnt to be wrong with its inputs is said, although it computes all poses: the receiver's clock was set in the middle.
func TestWhatTheFilterHasLearnt(t *testing.T) {
	for name, by := range map[string]time.Duration{"1h0m0s behind": -time.Hour, "": 0} {
		path := walk(t, func(m *sensor_msgs.NavSatFix) {
			if at := ros.TimeNs(m.Header.Stamp); at-epoch > 60*int64(time.Second) {
				m.Header.Stamp = ros.TimeMsg(at + int64(by))
			}
		}, wheels(true))
		cfg := quick()
		cfg.EKF.Datum = datum
		r, err := opened(t, path, &cfg, Options{})
		must.OK(t, err)
		must.OK(t, r.Run(t.Context()))
		said := strings.Join(r.Source().Problems, "; ")
		if unused := r.Unused(); unused != "" || !strings.Contains(said, name) || (name == "") != (said == "") {
			t.Errorf("problems %q, want %q; readings: %q", said, name, unused)
		}
	}
}

// Poses without a covariance are used with the one that is given. Goals are none.
func TestBarePoses(t *testing.T) {
	both := func(r *bagMaker, v, w float64) { bare("/vicon/hand")(r, v, w); bare("/goal_pose")(r, v, w) }
	none := func(m *sensor_msgs.NavSatFix) { m.Status.Status = sensor_msgs.NavSatStatusStatusNoFix }
	path := walk(t, none, both)
	for _, stddev := range []float64{0, 0.1} {
		cfg := quick()
		cfg.Pose, cfg.Explorer.Covariance.ZeroPositionStdDev = "/vicon/hand", stddev
		r, err := opened(t, path, &cfg, Options{})
		if stddev == 0 {
			if err == nil || !strings.Contains(err.Error(), "0 of 600 messages on /vicon/hand are used") || !strings.Contains(err.Error(), "pose.zero_stddev") {
				t.Error(err)
			}
			continue
		}
		must.OK(t, err)
		must.OK(t, r.Run(t.Context()))
		if n := len(r.Explorer().Record().Observations); n < 4 {
			t.Errorf("%d observations", n)
		}
	}
	s := &Source{}
	for _, name := range []string{"/goal_pose", "/vicon/hand"} {
		s.Topics = append(s.Topics, topicOf(name, poseStampedType))
	}
	cfg := quick()
	if got, _, err := s.poses(&cfg, nil); err != nil || got.Name != "/vicon/hand" {
		t.Errorf("%+v, %v", got, err)
	}
}

// Odometry that states speeds alone is no pose.
func TestSpeedAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bag")
	r := makeBag(t, path, epoch)
	for range 20 {
		r.at += 1e8
		wheels(true)(r, 1, 0)
		r.reading(1)
	}
	r.close()
	cfg := quick()
	if _, err := opened(t, path, &cfg, Options{}); err == nil || !strings.Contains(err.Error(), "the position on /odom stays the same while its speed is not zero") {
		t.Error(err)
	}
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/bag"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/tf2_msgs"
	"ugp_explorer/node/ros"
)

// driving records 40 s of a robot at 2 m/s, with poses of the given age and covariance, at a period.
func driving(t *testing.T, period int, age time.Duration, variance float64) string {
	t.Helper()
	return drivingOn(t, period, age, variance, variance)
}

// drivingOn is driving with another covariance after 20 s.
func drivingOn(t *testing.T, period int, age time.Duration, variance, later float64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "driving")
	r := makeBag(t, path, epoch)
	for i := range 400 {
		if r.at += int64(100 * time.Millisecond); i == 200 {
			variance = later
		}
		if i%period == 0 {
			m := nav_msgs.Odometry{Header: std_msgs.Header{Stamp: ros.TimeMsg(r.at - int64(age)), FrameID: "map"}}
			m.Pose.Pose.Position.X, m.Pose.Pose.Orientation.W = 0.2*float64(i), 1
			m.Pose.Covariance[0], m.Pose.Covariance[7], m.Pose.Covariance[35] = variance, variance, variance
			r.write("/odometry/filtered", &m)
		}
		if i%10 == 5 {
			r.reading(1)
		}
	}
	r.close()
	return path
}

// A bag of which nothing can be used is refused with the reason and the option that helps.
func TestEmpty(t *testing.T) {
	for _, c := range []struct {
		name     string
		period   int // of the poses, in tenths of a second
		age      time.Duration
		variance float64
		want     []string // none: it can be replayed
	}{
		{"whole", 1, 0, 0.1, nil},
		{"sparse poses", 20, 0, 0.1, []string{"readings in a gap between poses: 3", "poses come every 2 s: use -p pose.timeout:=16"}},
		{"older poses", 1, time.Hour, 0.1, []string{"/odometry/filtered are 3600 s behind the times of recording"}},
		{"newer poses", 1, -time.Hour, 0.1, []string{"/odometry/filtered are 3600 s ahead of the times of recording"}},
		{"no covariance", 1, 0, 0, []string{"0 of 400 messages on /odometry/filtered are used", "-p pose.zero_stddev:=0.5"}},
	} {
		cfg := quick()
		cfg.Explorer.Matcher.Probe.X = 0
		r, err := opened(t, driving(t, c.period, c.age, c.variance), &cfg, Options{})
		if err == nil {
			must.OK(t, r.Run(t.Context()))
			if len(r.Explorer().Record().Observations) == 0 {
				err = r.Empty()
			}
		}
		if c.want == nil && (err != nil || r.Unused() != "") {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %v; want %s", c.name, err, want)
			}
		}
	}
}

// Readings whose poses are too uncertain are lost, and the reason is given.
func TestUncertainPoses(t *testing.T) {
	cfg := quick()
	r, err := opened(t, drivingOn(t, 1, 0, 0.1, 60*60), &cfg, Options{})
	must.OK(t, err)
	must.OK(t, r.Run(t.Context()))
	if got := r.Unused(); !strings.Contains(got, "; 200 poses on /odometry/filtered are too uncertain to be used on this field") {
		t.Error(got)
	}
}

// A clock that is set while a bag is recorded costs the readings after that, and the reason names the differences, also of a few seconds.
func TestClockSetWhileRecorded(t *testing.T) {
	for by, want := range map[time.Duration]string{
		3 * time.Second:  "the stamps of the poses are between 3 s ahead of and 0 s behind the times of recording: a clock was set",
		-3 * time.Second: "the stamps of the poses are between 0 s behind and 3 s behind the times of recording: a clock was set",
		time.Hour:        "the stamps of the poses are between 3600 s ahead of and 0 s behind the times of recording: a clock was set",
	} {
		path := filepath.Join(t.TempDir(), "set")
		r := makeBag(t, path, epoch)
		for i := range 2400 {
			r.at += int64(100 * time.Millisecond)
			m := nav_msgs.Odometry{Header: std_msgs.Header{Stamp: ros.TimeMsg(r.at), FrameID: "map"}}
			if i >= 1200 {
				m.Header.Stamp = ros.TimeMsg(r.at + int64(by))
			}
			m.Pose.Pose.Position.X, m.Pose.Pose.Orientation.W = 0.1*float64(i), 1
			m.Pose.Covariance[0], m.Pose.Covariance[7], m.Pose.Covariance[35] = 0.01, 0.01, 0.01
			r.write("/odometry/filtered", &m)
			if i%10 == 5 {
				r.reading(1)
			}
		}
		r.close()
		cfg := quick()
		cfg.Explorer.Matcher.Probe.X = 0
		replayed, err := opened(t, path, &cfg, Options{})
		must.OK(t, err)
		must.OK(t, replayed.Run(t.Context()))
		if text := replayed.Unused(); !strings.Contains(text, want) {
			t.Errorf("the clock is set by %v: %q, want %q", by, text, want)
		}
	}
}

// Poses that come only now and then are those of AMCL, which has the robot's pose on /tf meanwhile.
func TestSparsePoses(t *testing.T) {
	for _, base := range []string{"base_link", "base_footprint"} {
		path := filepath.Join(t.TempDir(), "amcl")
		r := makeBag(t, path, epoch)
		for i := range 600 {
			r.at += int64(100 * time.Millisecond)
			at := std_msgs.Header{Stamp: ros.TimeMsg(r.at), FrameID: "map"}
			var tf tf2_msgs.TFMessage
			for parent, child := range map[string]string{"map": "odom", "odom": base} {
				m := geometry_msgs.TransformStamped{Header: at, ChildFrameID: child}
				m.Header.FrameID, m.Transform.Rotation.W = parent, 1
				if child == base {
					m.Transform.Translation.X = 0.1 * float64(i)
				}
				tf.Transforms = append(tf.Transforms, m)
			}
			r.write("/tf", &tf)
			if i%20 == 0 {
				m := geometry_msgs.PoseWithCovarianceStamped{Header: at}
				m.Pose.Pose.Position.X, m.Pose.Pose.Orientation.W = 0.1*float64(i), 1
				m.Pose.Covariance[0], m.Pose.Covariance[7], m.Pose.Covariance[35] = 0.01, 0.01, 0.01
				r.write("/amcl_pose", &m)
			}
			if i%10 == 5 {
				r.reading(1)
			}
		}
		r.close()
		cfg := quick()
		cfg.Explorer.Matcher.Probe.X = 0
		text := run(t, path, cfg).Unused()
		advice, bridge := strings.Contains(text, "/amcl_pose has poses only from time to time"), strings.Contains(text, "-p pose.timeout:=")
		if known := base == cfg.Explorer.BaseFrame; advice != known || bridge == known {
			t.Errorf("%s: %q", base, text)
		}
		cfg = quick()
		cfg.Explorer.Matcher.Probe.X, cfg.Explorer.PoseSource, cfg.Explorer.BaseFrame = 0, "tf", base
		if text := run(t, path, cfg).Unused(); text != "" {
			t.Errorf("%s, by /tf: %q", base, text)
		}
	}
}

// What a bag lacks is named: the covariance of transforms, a format that is read.
func TestOffer(t *testing.T) {
	s := &Source{Topics: []bag.Topic{topicOf("/tf", tfType)}}
	if _, err := s.find(poseRole("", "tf", nil)); err == nil || !strings.Contains(err.Error(), "transforms have no covariance") {
		t.Error(err)
	}
	s.Topics[0] = topicOf("/odom", odometryType)
	s.Topics[0].Format = "ros1"
	if _, err := s.find(poseRole("", "tf", nil)); err == nil || !strings.Contains(err.Error(), "/odom (nav_msgs/msg/Odometry, 3 messages in the format ros1); only messages in the format cdr can be read") {
		t.Error(err)
	}
}

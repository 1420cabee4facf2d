// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/bag"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/node/ros"
)

// A bag that is cut off anywhere replays up to the cut, and says what is lost.
func TestCutAnywhere(t *testing.T) {
	whole, err := os.ReadFile(bags + "lawnmower_mcap_zstd/lawnmower_mcap_zstd_0.mcap")
	must.OK(t, err)
	before := -1
	for _, share := range []float64{0.2, 0.45, 0.7, 0.999} {
		path := filepath.Join(t.TempDir(), "cut_0.mcap")
		must.OK(t, os.WriteFile(path, whole[:int(share*float64(len(whole)))], 0o666))
		cfg := quick()
		cfg.Explorer.Path.Every, cfg.Explorer.Model.Fit = 1000, false
		r := run(t, path, cfg)
		m := r.Explorer().Record()
		s := r.Source()
		if n := len(m.Observations); n <= before {
			t.Errorf("%d observations of %g of the file, and %d of less", n, share, before)
		} else {
			before = n
		}
		if len(s.Problems) == 0 || share < 0.99 && s.Lost == 0 {
			t.Errorf("of %g of the file: %d bytes lost, problems %q", share, s.Lost, s.Problems)
		}
	}
}

// The bags of a mission's folder are one replay, the later after the earlier; time
// that passed between them, and clocks that were set, are jumped over.
func TestMissionFolder(t *testing.T) {
	dir := t.TempDir()
	for i, at := range []int64{10 * int64(time.Second), epoch, epoch + int64(time.Hour)} {
		r := makeBag(t, filepath.Join(dir, "bag_"+string(rune('1'+i))), at)
		r.x = 40 * float64(i) // it stands from the start, as it did at the end of the bag before
		r.goes(40*float64(i), 0, 5)
		r.goes(40*float64(i), 40, 5)
		r.close()
	}
	must.OK(t, os.WriteFile(filepath.Join(dir, "mission.json"), nil, 0o666))
	cfg := quick()
	cfg.Explorer.Matcher.Probe.X, cfg.Explorer.Reading.StdDev, cfg.Explorer.Reading.Delay = 0, 0, 0
	m := run(t, dir, cfg).Explorer().Record()
	var xs []float64
	for _, o := range stands(m) {
		xs = append(xs, math.Round(o.Belief.X))
	}
	if !slices.Equal(xs, []float64{0, 0, 40, 40, 80, 80}) {
		t.Errorf("stops at x = %v", xs)
	}
}

// With ctx over, what came of the bag so far is there.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cfg := quick()
	r, err := opened(t, bags+"lawnmower_mcap_zstd", &cfg, Options{Replaying: func(share float64) {
		if share > 0.3 {
			cancel()
		}
	}})
	must.OK(t, err)
	if err := r.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	m := r.Explorer().Record()
	if n := len(m.Observations); n < 25 || n > 45 || m.Outcome != "interrupted" || m.Recommendation == nil {
		t.Errorf("%d observations, outcome %q", n, m.Outcome)
	}
}

// What cannot be replayed is an error that says what there is.
func TestRefusals(t *testing.T) {
	lawn := bags + "lawnmower_mcap_zstd"
	none := filepath.Join(t.TempDir(), "none")
	r := makeBag(t, none, epoch)
	r.odometry(1)
	r.close()
	bad := filepath.Join(t.TempDir(), "bad")
	r = makeBag(t, bad, epoch)
	for range 5 {
		r.at += 1e8
		r.write("/odometry/filtered", &nav_msgs.Odometry{Header: std_msgs.Header{Stamp: ros.TimeMsg(r.at), FrameID: "odom"}})
		r.reading(1)
	}
	r.write("/probe/depth", &std_msgs.Float64{})
	r.write("/soil/reading", &std_msgs.Float64{})
	r.close()
	for _, c := range []struct {
		path string
		edit func(*Config)
		want string
	}{
		{lawn, func(c *Config) { c.Pose = "/nowhere" }, "--pose-topic is /nowhere: the bag has no such topic; the topics with a pose with covariance are /odometry/filtered (nav_msgs/msg/Odometry, 2880 messages), /pose"},
		{lawn, func(c *Config) { c.Pose = "/soil/reading" }, "--pose-topic is /soil/reading of type std_msgs/msg/Float64: the types with a pose with covariance are nav_msgs/msg/Odometry, geometry_msgs/msg/PoseWithCovarianceStamped"},
		{lawn, func(c *Config) { c.Reading = "/pose" }, "--reading-topic is /pose of type geometry_msgs/msg/PoseWithCovarianceStamped: the types with readings are sensor_msgs/msg/FluidPressure"},
		{lawn, func(c *Config) { c.Truth = "/pose" }, "--truth-topic is /pose"},
		{lawn, func(c *Config) { c.Start = 1e4 }, "--start is 10000 s: want a time from 0 to the bag's length of 1439.5 s"},
		{lawn, func(c *Config) { c.Explorer.Reading.StdDev = 0 }, "a Float64 states no variance"},
		{none, func(*Config) {}, "the bag has no topic with readings: the types with readings are"},
		{bad, func(*Config) {}, "no pose can be used: 0 of 5 messages on /odometry/filtered are used; reason of the last refusal: orientation (0, 0, 0, 0) has length 0"},
		{bad, func(c *Config) { c.Reading = "/reading_" }, "the topics with readings are /reading (ugp_explorer/msg/FieldReading, 5 messages), /probe/depth (std_msgs/msg/Float64, 1 messages), /soil/reading"},
	} {
		cfg := quick()
		c.edit(&cfg)
		if _, err := opened(t, c.path, &cfg, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v\nwant %s", err, c.want)
		}
	}
}

func topicOf(name, typ string) bag.Topic {
	return bag.Topic{Name: name, Type: typ, Format: "cdr", Count: 3}
}

// Topics are found where there is one choice, and asked for where there are more.
func TestFind(t *testing.T) {
	topics := func(list ...string) *Source {
		s := &Source{}
		for _, l := range list {
			name, typ, _ := strings.Cut(l, " ")
			s.Topics = append(s.Topics, topicOf(name, typ))
		}
		return s
	}
	for _, c := range []struct {
		src    *Source
		source string
		want   string // topic, or error
	}{
		{topics("/a "+odometryType, "/odometry/filtered "+odometryType), "odometry", "/odometry/filtered"},
		{topics("/pose "+poseType, "/odometry/filtered "+odometryType), "pose", "/pose"},
		{topics("/a "+odometryType, "/robot/odometry/filtered "+odometryType), "odometry", "/robot/odometry/filtered"},
		{topics("/a "+poseType, "/ground_truth/odom "+odometryType), "odometry", "/a"},
		{topics("/fused "+odometryType, "/robot/odom "+odometryType, "/x/initialpose "+poseType), "odometry", "/fused"}, // beside a filter's inputs
		{topics("/odom " + odometryType), "odometry", "/odom"},
		{topics("/odom "+odometryType, "/amcl_pose "+poseType, "/b "+poseType), "tf", "/amcl_pose"},
		{topics("/a "+poseType, "/b "+odometryType), "odometry", "2 topics of the bag have a pose with covariance: /a (geometry_msgs/msg/PoseWithCovarianceStamped, 3 messages), /b (nav_msgs/msg/Odometry, 3 messages); choose one with --pose-topic; or, if /a has position fixes, let the filter compute the poses with --fix-topic /a --odom-topic /b"},
	} {
		got, err := c.src.find(poseRole("", c.source, []string{"odom", "fix_pose", "/x/initialpose"}))
		text := got.Name
		if err != nil {
			text = err.Error()
		}
		if text != c.want {
			t.Errorf("found %q, want %q", text, c.want)
		}
	}
}

// A recording of all topics that ended before the first reading is not taken for one that left the readings out.
func TestFindEmpty(t *testing.T) {
	s := &Source{}
	s.Topics = []bag.Topic{{Name: "/ugp_explorer/observation", Type: observationType, Format: "cdr"}, {Name: "/plan", Type: "nav_msgs/msg/Path", Format: "cdr", Count: 2}}
	if _, err := s.find(readingRole("", "", nil)); err == nil || !strings.Contains(err.Error(), "record.topics") {
		t.Error(err)
	}
	s.Topics = append(s.Topics, bag.Topic{Name: "/reading", Type: "ugp_explorer/msg/FieldReading", Format: "cdr"})
	const want = "the bag has no messages with readings: it has /reading (ugp_explorer/msg/FieldReading, 0 messages)"
	if _, err := s.find(readingRole("", "", nil)); err == nil || err.Error() != want {
		t.Error(err)
	}
}

package replay

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ugp_explorer/msgs/bag"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/ros/param"
)

// fixRole finds NavSatFix by itself, and the positions in the map that the filter also
// takes only if they are named.
func fixRole(given string) role {
	return role{"position fixes", "--fix-topic", given, "/fix", "/gps/fix", nil, []string{navSatType, poseType}, func(t bag.Topic) bool {
		return usable(t) && (t.Type == navSatType || given != "" && t.Type == poseType)
	}}
}

func isIMU(t bag.Topic) bool { return usable(t) && t.Type == imuType }

// poses returns the topic of the poses. Without one in the bag the source gets a filter that
// computes them, with the given parameters, if there are wheel odometry and position fixes.
func (s *bagSource) poses(cfg *Config, given *param.Overrides) (bag.Topic, error) {
	if cfg.Pose != "" && cfg.filters() {
		return bag.Topic{}, fmt.Errorf("%s is %s, so that no filter runs: leave out --odom-topic, --fix-topic and --imu-topic", poseFlag, cfg.Pose)
	}
	if !s.Filters(cfg) {
		scratch := cfg.EKF // a wrong parameter is an error, though no filter runs
		if err := apply(given, ekf.DefaultName, scratch.Parameters()); err != nil {
			return bag.Topic{}, err
		}
		return s.find(poseRole(cfg.Pose, cfg.Explorer.PoseSource, cfg.Explorer.Record.Also))
	}
	f := &filter{cfg: cfg.EKF, given: given, datum: cfg.Explorer.Field.Datum}
	fix, err := s.find(fixRole(cfg.Fix))
	if err != nil {
		return bag.Topic{}, err
	}
	odom, err := s.find(role{"wheel odometry", "--odom-topic", cfg.Odom, "/odom", "", nil, []string{odometryType}, func(t bag.Topic) bool {
		return isPose(t) && t.Type == odometryType
	}})
	if err != nil {
		return bag.Topic{}, err
	}
	f.inputs = []filterInput{{odom, "odom"}, {fix, "fix"}}
	if fix.Type == poseType {
		f.inputs[1].to = "fix_pose"
	}
	if cfg.IMU != "" || slices.ContainsFunc(s.Topics, isIMU) {
		imu, err := s.find(role{"yaw rates", "--imu-topic", cfg.IMU, "/imu", "/imu/data", nil, []string{imuType}, isIMU})
		if err != nil {
			return bag.Topic{}, err
		}
		f.inputs = append(f.inputs, filterInput{imu, "imu"})
	}
	if _, _, err := f.settings(); err != nil {
		return bag.Topic{}, err
	}
	s.filter = f
	return bag.Topic{Name: filteredTopic, Type: odometryType, Format: "cdr", Count: odom.Count}, nil
}

// filters reports whether a topic is given that only a filter uses.
func (cfg *Config) filters() bool { return cfg.Odom != "" || cfg.Fix != "" || cfg.IMU != "" }

// Filters reports whether a replay of the source computes the poses.
func (s *bagSource) Filters(cfg *Config) bool {
	return cfg.filters() || cfg.Pose == "" && s.needsFilter(cfg.Explorer.Frame)
}

// needsFilter reports whether the bag has fixes of a satellite receiver, and nothing with the
// type of a pose but wheel odometry, which is in a frame of its own.
func (s *bagSource) needsFilter(frame string) bool {
	if !slices.ContainsFunc(s.Topics, fixRole("").fits) {
		return false
	}
	wheels := false
	for _, t := range s.Topics {
		switch {
		case !isPose(t):
		case t.Type == odometryType && s.frame(t) != frame && !strings.HasSuffix(t.Name, poseRole("", "odometry", nil).own):
			wheels = true
		default:
			return false
		}
	}
	return wheels
}

// frame returns the frame of the first message of a topic of odometry, "" if there is none.
func (s *bagSource) frame(t bag.Topic) string {
	for m, err := range s.recorded(bag.Query{Topics: []string{t.Name}}) {
		if errors.As(err, new(*bag.Problem)) {
			continue
		}
		var o nav_msgs.Odometry
		if err != nil || m.Topic.Type != t.Type || o.UnmarshalCDR(m.Data) != nil {
			return ""
		}
		return o.Header.FrameID
	}
	return ""
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"strings"

	"ugp_explorer/node/ekf"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/replay"
	"ugp_explorer/node/ros/param"
)

// poseFlags select the bag, where its poses come from, and parameters.
type poseFlags struct {
	Bag       string   `arg:"" help:"A rosbag2 bag: its folder, one of its files, or a mission folder that contains bags." type:"path"`
	PoseTopic string   `group:"bag" help:"Topic of the poses, nav_msgs/Odometry or geometry_msgs/PoseWithCovarianceStamped, or the fixes of a receiver, sensor_msgs/NavSatFix, or geometry_msgs/PoseStamped with -p pose.zero_stddev:=METRES. Default: the topic that the explorer subscribes to, or the bag's only topic of these types." placeholder:"TOPIC"`
	OdomTopic string   `group:"bag" help:"Topic of the wheel odometry, nav_msgs/Odometry, from which the filter computes the poses of a bag without poses. Default: /odom, or the bag's only topic of this type." placeholder:"TOPIC"`
	FixTopic  string   `group:"bag" help:"Topic of the position fixes for the filter, sensor_msgs/NavSatFix, or geometry_msgs/PoseWithCovarianceStamped in the map frame. Default: /fix, or the bag's only NavSatFix. With this flag, the filter runs even if the bag has poses." placeholder:"TOPIC"`
	IMUTopic  string   `name:"imu-topic" group:"bag" help:"Topic of the yaw rates for the filter, sensor_msgs/Imu. Default: /imu, or the bag's only topic of this type, if there is one." placeholder:"TOPIC"`
	Correct   bool     `name:"correct-stamps" group:"bag" help:"If the clocks in the bag differ, shift the stamps on each topic by a constant, so that they match the times at which the messages were recorded. Without this flag, such a bag is refused."`
	Config    string   `group:"run" help:"ROS YAML file with parameters of the explorer and of the filter (ekf). Flags override the file." type:"path" placeholder:"FILE"`
	Param     []string `group:"run" short:"p" sep:"none" help:"Set a parameter of the explorer, as with ros2 run, or with ekf:NAME:=VALUE one of the filter; can be repeated." placeholder:"NAME:=VALUE"`
}

// read returns what the flags say about the bag, and the parameters of --config, -p and other flags.
func (c *poseFlags) read(flags given) (cfg replay.Config, o *param.Overrides, err error) {
	cfg, o = replay.DefaultConfig(), &param.Overrides{}
	cfg.Pose, cfg.Odom, cfg.Fix, cfg.IMU = c.PoseTopic, c.OdomTopic, c.FixTopic, c.IMUTopic
	cfg.CorrectStamps = c.Correct
	if c.Config != "" {
		if err := o.AddFile(c.Config); err != nil {
			return cfg, nil, badInput{fmt.Errorf("--config: %w", err)}
		}
	}
	var rules given
	for _, p := range c.Param {
		name, _, assigned := strings.Cut(p, ":=")
		if !assigned {
			return cfg, nil, badInput{fmt.Errorf("-p is %q: want NAME:=VALUE", p)}
		}
		if !strings.Contains(name, ":") {
			p = explorer.DefaultName + ":" + p
		}
		if node, name, _ := strings.Cut(name, ":"); name != "" && node != explorer.DefaultName && node != ekf.DefaultName || strings.Contains(name, ":") {
			return cfg, nil, badInput{fmt.Errorf("-p is %q: want a parameter of the explorer, NAME:=VALUE, or of the filter, %s:NAME:=VALUE", p, ekf.DefaultName)}
		}
		rules = append(rules, p)
	}
	return cfg, o, append(rules, flags...).addTo(o)
}

// survey runs read, which reads a whole bag, and shows its progress. looking takes the share that
// is read, and returns an error when the command is interrupted. An error of read is one in the bag.
func survey(t terminal, what string, read func(looking func(share float64) error) error) error {
	progress := newProgress(t)
	err := read(func(share float64) error { progress.share(what, share); return t.ctx.Err() })
	progress.finish()
	switch {
	case t.ctx.Err() != nil:
		return context.Cause(t.ctx)
	case err != nil:
		return badInput{err}
	}
	return nil
}

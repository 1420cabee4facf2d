// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fieldsim

import (
	"math"
	"time"

	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/sim"
)

// velocitySpan is the time over which the velocity of a robot is computed from its poses,
// ns. The velocity in the messages is not used: Gazebo's has spikes at the start and after
// a teleport, and the probe would read while the robot drives, or never.
const velocitySpan = int64(200 * time.Millisecond)

// mostDisordered is how much older than the newest a message may be that was overtaken, ns:
// ros_gz_bridge sends its first ones out of order. One that is older means a reset.
const mostDisordered = int64(time.Second)

// followed is a robot that another simulator moves, such as Gazebo. Its true poses arrive
// on ground_truth/odom, and their stamps are the time.
type followed struct {
	sensors *sensors
	past    []timedPose // the poses of the last velocitySpan and one before it, oldest first
	input   *watch.Input
	warn    ros.Throttle
}

type timedPose struct {
	stamp int64 // ns
	sim.Pose
}

// startFollowed subscribes to the true poses.
func startFollowed(node *ros.Node, s *sensors) error {
	f := &followed{sensors: s, warn: node.NewThrottle(time.Second)}
	sub, err := ros.Subscribe(node, truthTopic, ros.SensorData(), func(m *nav_msgs.Odometry, _ ros.MessageInfo) {
		f.input.Stamped(node.Stamped(m.Header.Stamp))
		if err := f.use(m); err != nil {
			f.input.Refused(err)
			f.warn.Warn("a true pose is not used", "error", err.Error())
		}
	})
	if err != nil {
		return err
	}
	w, err := watch.New(node, nil)
	if err != nil {
		return err
	}
	f.input = w.Input(sub, watch.Expect{Name: "truth", What: "the true pose of the robot"})
	return nil
}

// use moves the sensors to the pose of a message. When time was set back, as by a reset of
// the other simulator, the sensors start again.
func (f *followed) use(m *nav_msgs.Odometry) error {
	if m.Header.FrameID != frameMap {
		return &watch.FrameError{Frame: m.Header.FrameID, Want: frameMap}
	}
	at, err := convert.PlanarPose(f.sensors.node.Stamped(m.Header.Stamp), &m.Pose)
	if err != nil {
		return err
	}
	now := timedPose{stamp: at.Stamp, Pose: sim.Pose{X: at.X, Y: at.Y, Yaw: at.Yaw}}
	if n := len(f.past); n > 0 {
		if last := f.past[n-1].stamp; now.stamp <= last && last-now.stamp < mostDisordered {
			return nil // an earlier or the same instant
		} else if now.stamp < last {
			f.warn.Warn("time was set back; the sensors restart", "by_s", time.Duration(last-now.stamp).Seconds())
			f.past = f.past[:0]
			if err := f.sensors.restart(); err != nil {
				return err
			}
		}
	}
	f.past = append(f.past, now)
	for len(f.past) > 2 && f.past[1].stamp <= now.stamp-velocitySpan {
		f.past = f.past[:copy(f.past, f.past[1:])]
	}
	if first := f.past[0]; now.stamp-first.stamp >= velocitySpan {
		dt := time.Duration(now.stamp - first.stamp).Seconds() // the velocity is the mean since then, in the frame of now
		s, c := math.Sincos(now.Yaw)
		dx, dy := (now.X-first.X)/dt, (now.Y-first.Y)/dt
		f.sensors.tick(now.stamp, sim.PlantState{
			Pose: now.Pose, Forward: c*dx + s*dy, Left: c*dy - s*dx,
			YawRate: math.Remainder(now.Yaw-first.Yaw, 2*math.Pi) / dt,
		})
	}
	return nil
}

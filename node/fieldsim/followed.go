package fieldsim

import (
	"fmt"
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
	watch   *watch.Watch
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
	sub, err := ros.Subscribe(node, truthTopic, ros.SensorData(), f.onTruth)
	if err != nil {
		return err
	}
	if f.watch, err = watch.New(node, nil); err != nil {
		return err
	}
	f.input = f.watch.Input(sub, watch.Expect{Name: "truth", What: "the true pose of the robot"})
	return nil
}

func (f *followed) onTruth(m *nav_msgs.Odometry, _ ros.MessageInfo) {
	f.input.Stamped(ros.TimeNs(m.Header.Stamp))
	if err := f.use(m); err != nil {
		f.input.Refused(err)
		f.warn.Warn("a true pose is not used", "error", err.Error())
	}
}

// use moves the sensors to the pose of a message. When time was set back, as by a reset of
// the other simulator, the sensors start anew.
func (f *followed) use(m *nav_msgs.Odometry) error {
	if m.Header.FrameID != frameMap {
		return &watch.FrameError{Frame: m.Header.FrameID, Want: frameMap}
	}
	now := timedPose{stamp: ros.TimeNs(m.Header.Stamp), Pose: sim.Pose{X: m.Pose.Pose.Position.X, Y: m.Pose.Pose.Position.Y}}
	var err error
	if now.Yaw, err = convert.Yaw(m.Pose.Pose.Orientation); err != nil {
		return err
	}
	if sum := now.X + now.Y; math.IsNaN(sum) || math.IsInf(sum, 0) {
		return fmt.Errorf("position (%g, %g) m is not finite", now.X, now.Y)
	}
	if n := len(f.past); n > 0 {
		if last := f.past[n-1].stamp; now.stamp <= last && last-now.stamp < mostDisordered {
			return nil // an earlier or the same instant
		} else if now.stamp < last {
			f.warn.Warn("time was set back; the sensors start anew", "by_s", time.Duration(last-now.stamp).Seconds())
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
		f.sensors.tick(now.stamp, between(first, now))
	}
	return nil
}

// between returns the state at b of a robot that was at a before: its velocity is the mean
// since then, in the frame of b.
func between(a, b timedPose) sim.PlantState {
	dt := time.Duration(b.stamp - a.stamp).Seconds()
	s, c := math.Sincos(b.Yaw)
	dx, dy := (b.X-a.X)/dt, (b.Y-a.Y)/dt
	return sim.PlantState{
		Pose: b.Pose, Forward: c*dx + s*dy, Left: c*dy - s*dx,
		YawRate: math.Remainder(b.Yaw-a.Yaw, 2*math.Pi) / dt,
	}
}

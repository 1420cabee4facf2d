// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ideal

import (
	"math"
	"slices"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/mission"
	"ugp_explorer/sim"
)

// poseStdDev is the least standard deviation of a robot's position in x and in y, m, as with a
// satellite receiver with corrections.
const poseStdDev = 0.05

// StdDev returns the standard deviation of the position of a robot with that receiver, or with none, in x and in y, m.
func StdDev(fix *sim.FixConfig) float64 { return max(poseStdDev, fix.ErrorStdDev()) }

// period is the time between two poses.
const period = 500 * time.Millisecond

// body is a robot that drives along the corners of the newest plan and samples where its
// explorer wants that.
type body struct {
	world    *World
	robot    *Robot
	node     *ros.Node
	explorer *explorer.Explorer

	at     orb.Point      // believed
	errors *sim.FixSensor // of the receiver; nil: the believed place is the true one
	off    orb.Point      // error of the believed place, m
	stdDev float64        // that it states, m
	yaw    float64
	plan   []orb.Point // as received last
	way    []orb.Point // corners that are still to be visited

	sampling bool
	due      int64   // when the next reading of a sample is due, ns
	nugget   float64 // of this sample

	odometry *ros.Publisher[nav_msgs.Odometry, *nav_msgs.Odometry]
	reading  *ros.Publisher[ugp_explorer_msgs.FieldReading, *ugp_explorer_msgs.FieldReading]

	second    *sim.Probe // nil: there is no second sensor
	secondary *ros.Publisher[ugp_explorer_msgs.FieldReading, *ugp_explorer_msgs.FieldReading]
}

func (b *body) open(node *ros.Node) (err error) {
	fix := b.robot.Fix
	b.node, b.stdDev = node, StdDev(&fix)
	if fix.Real() {
		fix.Period = period.Seconds()
		b.errors = sim.NewFixSensor(fix, b.robot.Random)
	}
	if b.odometry, err = ros.Advertise[nav_msgs.Odometry](node, "odometry/filtered", ros.SensorData()); err != nil {
		return err
	}
	if b.reading, err = ros.Advertise[ugp_explorer_msgs.FieldReading](node, "reading", ros.SensorData()); err != nil {
		return err
	}
	if field := b.world.Secondary; field != nil {
		b.second, err = sim.NewProbe(fieldsim.SecondaryProbe(), field, sim.Stream(uint64(b.robot.Config.Seed), "secondary"))
		if err != nil {
			return err
		}
		if b.secondary, err = ros.Advertise[ugp_explorer_msgs.FieldReading](node, "secondary", ros.SensorData()); err != nil {
			return err
		}
	}
	_, err = ros.Subscribe(node, "plan", ros.DefaultQoS(), func(m *nav_msgs.Path, _ ros.MessageInfo) {
		if plan := convert.WayPoints(nil, m); !slices.Equal(plan, b.plan) { // not the one that the robot follows already
			b.plan, b.way = plan, slices.Clone(plan)
		}
	})
	if err != nil {
		return err
	}
	_, err = node.NewTimer(period, b.step)
	return err
}

// step lets a period pass.
func (b *body) step() {
	left := b.robot.Speed * period.Seconds()
	driven := 0.0
	for len(b.way) > 0 && left > 0 {
		dx, dy := b.way[0][0]-b.at[0], b.way[0][1]-b.at[1]
		d := math.Hypot(dx, dy)
		if d > 0 {
			b.yaw = math.Atan2(dy, dx)
		}
		if d > left {
			b.at[0], b.at[1] = b.at[0]+dx/d*left, b.at[1]+dy/d*left
			driven, left = driven+left, 0
			break
		}
		b.at, b.way = b.way[0], b.way[1:]
		driven, left = driven+d, left-d
	}
	m := nav_msgs.Odometry{Header: std_msgs.Header{Stamp: ros.TimeMsg(b.node.Now()), FrameID: b.robot.Config.Frame}}
	b.displace(driven / period.Seconds())
	v := b.stdDev * b.stdDev
	convert.PoseWithCovariance(&m.Pose, localization.Pose{
		Stamp: b.node.Now(), X: b.at[0], Y: b.at[1], Yaw: b.yaw, Cov: [3][3]float64{{v, 0, 0}, {0, v, 0}, {0, 0, 1e-4}},
	})
	m.Twist.Twist.Linear.X = driven / period.Seconds()
	_ = b.odometry.Publish(&m) // a message that does not arrive ends as a fault of the mission
	b.listen()
	b.probe()
}

// displace updates the distance between the believed place, which is on the path, and the true one.
func (b *body) displace(speed float64) {
	if b.errors == nil {
		return
	}
	b.errors.Tick(b.node.Now(), sim.PlantState{Pose: sim.Pose{X: b.at[0], Y: b.at[1]}, Forward: speed})
	if f, ok := b.errors.Next(b.node.Now()); ok {
		b.off = orb.Point{f.X - b.at[0], f.Y - b.at[1]}
	}
}

// listen gives the readings of the second sensor.
func (b *body) listen() {
	if b.second == nil {
		return
	}
	now := b.node.Now()
	b.second.Tick(now, sim.PlantState{Pose: sim.Pose{X: b.at[0] - b.off[0], Y: b.at[1] - b.off[1], Yaw: b.yaw}})
	for r, ok := b.second.Next(now); ok; r, ok = b.second.Next(now) {
		b.publish(b.secondary, r.Stamp, r.Value, r.Variance)
	}
}

// publish gives the explorer a reading.
func (b *body) publish(to *ros.Publisher[ugp_explorer_msgs.FieldReading, *ugp_explorer_msgs.FieldReading], stamp int64, value, variance float64) {
	_ = to.Publish(&ugp_explorer_msgs.FieldReading{Header: std_msgs.Header{Stamp: ros.TimeMsg(stamp)}, Value: value, Variance: variance})
}

// probe gives the readings of a sample, evenly over its time.
func (b *body) probe() {
	sampling, now := b.explorer.State() == mission.StateSampling, b.node.Now()
	w, each := b.world, int64(b.robot.SampleTime*1e9)/int64(b.robot.Config.Reading.Count)
	if sampling && !b.sampling {
		b.due, b.nugget = now+each, w.Nugget*w.Random.NormFloat64()
	}
	if b.sampling = sampling; !sampling || now < b.due {
		return
	}
	b.due += each
	l := b.robot.Config.Matcher.Probe
	sin, cos := math.Sincos(b.yaw)
	value, variance := w.reading(w.Field(b.at[0]-b.off[0]+cos*l.X-sin*l.Y, b.at[1]-b.off[1]+sin*l.X+cos*l.Y) + b.nugget)
	b.publish(b.reading, now, value, variance)
}

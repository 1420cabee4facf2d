// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"math"
	"slices"
	"strings"

	"ugp_explorer/internal/num"
	"ugp_explorer/localization"
	filtering "ugp_explorer/localization/filter"
	"ugp_explorer/msgs/bag"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner/earth"
)

// filteredTopic is the topic of the poses that the filter computes from wheel odometry.
const filteredTopic = "/ekf/odometry/filtered"

// filter computes poses from a bag without them: it plays wheel odometry, position fixes
// and yaw rates to the node ekf, each time that the poses are read. Fixes alone are poses by themselves.
type filter struct {
	topic  string // of the poses
	cfg    ekf.Config
	given  *param.Overrides
	datum  []float64 // of the explorer's field, for a filter without one
	inputs []filterInput
	log    slog.Handler // nil: nothing is logged

	// Of the last pass.
	wrong  []string // what was wrong with its inputs at its end
	mode   filtering.Mode
	learnt string     // what the filter has learnt to be wrong with its inputs
	gyro   error      // why yaw rates were left out; nil: they were not
	origin [2]float64 // longitude and latitude of the map's origin; zero: none
}

// filterInput maps a topic of the bag to a topic of the filter.
type filterInput struct {
	bag.Topic
	to string
}

// settings returns the filter's configuration with the given parameters.
func (f *filter) settings() (*ekf.Config, *param.Set, error) {
	cfg := f.cfg
	set := cfg.Parameters()
	if err := apply(f.given, ekf.DefaultName, set); err != nil {
		return nil, nil, err
	}
	switch {
	case len(cfg.Datum) == 0:
		cfg.Datum = f.datum
	case len(f.datum) > 0 && !slices.Equal(cfg.Datum, f.datum):
		return nil, nil, fmt.Errorf("the datum of the filter is %v, and field.datum of the explorer is %v: they must be the same", cfg.Datum, f.datum)
	}
	return &cfg, set, cfg.Validate()
}

// names lists the topics that the filter uses.
func (f *filter) names() string {
	var names []string
	for _, in := range f.inputs {
		names = append(names, in.Name)
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// alone reports whether the fixes are the poses, so that nothing is filtered.
func (f *filter) alone() bool { return len(f.inputs) == 1 }

// source says where the poses come from.
func (f *filter) source() string {
	if f.alone() {
		return f.topic
	}
	return f.names() + " through the filter"
}

// fix returns the topic of the fixes.
func (f *filter) fix() bag.Topic {
	return f.inputs[slices.IndexFunc(f.inputs, func(in filterInput) bool { return in.to == "fix" || in.to == "fix_pose" })].Topic
}

// delay returns by how much the stamps on a topic are known to be late, s.
func (f *filter) delay(in filterInput) float64 {
	if cfg, _, err := f.settings(); err == nil && in.Name == f.fix().Name {
		return cfg.FixDelay
	}
	return 0
}

// satellites reports whether the fixes are those of a satellite receiver.
func (f *filter) satellites() bool { return f.fix().Type == navSatType }

// silent explains why the filter has computed no pose.
func (f *filter) silent() string {
	if f.alone() {
		return fmt.Sprintf("no fix on %s can be used: %s", f.topic, strings.Join(f.wrong, "; "))
	}
	why := slices.Clone(f.wrong)
	switch f.mode {
	case filtering.PositionKnown:
		why = append(why, "the heading is unknown, since the robot did not drive some metres straight ahead: -p ekf:heading:=given with -p ekf:initial_yaw:=RAD states it")
		if f.satellites() {
			why = append(why, fmt.Sprintf("%s %s uses the fixes without the wheels", poseFlag, f.fix().Name))
		}
	case filtering.HeadingKnown, filtering.Aligning:
		why = append(why, "no fix gave it a position")
	}
	return fmt.Sprintf("the filter over %s has computed no pose: %s; -p ekf:NAME:=VALUE sets a parameter of the filter", f.names(), strings.Join(why, "; "))
}

// problems says what was wrong with the inputs of the last pass.
func (f *filter) problems() []string {
	if f == nil {
		return nil
	}
	const set = "-p ekf:NAME:=VALUE sets a parameter of the filter"
	var list []string
	if f.gyro != nil {
		imu := f.inputs[slices.IndexFunc(f.inputs, func(in filterInput) bool { return in.to == "imu" })].Name
		list = append(list, fmt.Sprintf("yaw rates on %s were left out: %v; %s", imu, f.gyro, set))
	}
	if f.learnt != "" {
		list = append(list, f.learnt+"; "+set)
	}
	if len(f.wrong) > 0 && !f.alone() {
		list = append(list, fmt.Sprintf("at the end the filter said: %s; --start and --duration replay a part, and --correct-stamps corrects its stamps", strings.Join(f.wrong, "; ")))
	}
	return list
}

// positions yields the messages of a query, those of the fixes as poses whose heading is unknown.
func (f *filter) positions(s *Source, q bag.Query) iter.Seq2[*bag.Message, error] {
	cfg, _, err := f.settings()
	if err != nil {
		return func(yield func(*bag.Message, error) bool) { yield(nil, err) }
	}
	var datum *earth.Datum // nil: the first fix will be
	f.wrong, f.origin = nil, [2]float64{}
	if len(cfg.Datum) == 2 {
		datum = &earth.Datum{Lon: cfg.Datum[0], Lat: cfg.Datum[1]}
	}
	unstated := cfg.Covariance.ZeroPositionStdDev * cfg.Covariance.ZeroPositionStdDev
	return converted(s.recorded(q), f.topic, func(data []byte) (*geometry_msgs.PoseWithCovarianceStamped, error) {
		var m sensor_msgs.NavSatFix
		if err := m.UnmarshalCDR(data); err != nil {
			return nil, err
		}
		lon, lat, cov, err := convert.SatellitePosition(&m)
		if err == nil && datum == nil {
			datum = &earth.Datum{Lon: lon, Lat: lat}
		}
		pose := localization.Pose{}
		if err == nil {
			f.origin = [2]float64{datum.Lon, datum.Lat}
			pose.X, pose.Y, err = datum.Plane(lon, lat)
		}
		if err != nil {
			f.wrong = append(f.wrong[:0], err.Error())
			return nil, err
		}
		if cov == [2][2]float64{} {
			cov = [2][2]float64{{unstated, 0}, {0, unstated}}
		}
		antenna := localization.Lever{X: -cfg.Filter.Antenna.X, Y: -cfg.Filter.Antenna.Y}
		pose.Cov = [3][3]float64{{cov[0][0], cov[0][1], 0}, {cov[1][0], cov[1][1], 0}, {0, 0, unknownYaw}}
		base := pose.At(antenna)
		pose.X, pose.Y = base.X, base.Y
		pose.Cov = [3][3]float64{{base.XX, base.XY, 0}, {base.XY, base.YY, 0}, {0, 0, unknownYaw}}
		p := &geometry_msgs.PoseWithCovarianceStamped{Header: m.Header}
		if stamp := ros.TimeNs(m.Header.Stamp); stamp != 0 {
			p.Header.Stamp = ros.TimeMsg(stamp - num.Nanoseconds(cfg.FixDelay))
		}
		p.Header.FrameID = cfg.MapFrame
		convert.PoseWithCovariance(&p.Pose, pose)
		return p, nil
	})
}

// unknownYaw is the variance of a heading that nobody knows, rad².
const unknownYaw = math.Pi * math.Pi

// filterPass is one run of the filter through a bag.
type filterPass struct {
	*graph
	inputs map[string]*ros.RawPublisher // by topic of the bag
	poses  []bag.Message                // since the last message
	clock  stampClock
}

// messages yields the messages of a query with the poses of the filter among them.
func (f *filter) messages(s *Source, q bag.Query, yield func(*bag.Message, error) bool) {
	p, err := f.begin(q.Start, s.skew)
	if err != nil {
		yield(nil, err)
		return
	}
	defer func() { _ = p.close() }() // nothing in memory can fail to be taken off the graph

	for m, err := range s.recorded(bag.Query{Topics: []string{tfStaticTopic}, End: q.Start}) { // they are published only once
		if err != nil || p.inputs[tfStaticTopic] == nil {
			break // reading the rest of the bag reports the error again
		}
		if err := p.inputs[tfStaticTopic].Publish(m.Data, p.executor.Now()); err != nil {
			yield(nil, err)
			return
		}
	}
	wanted := slices.DeleteFunc(slices.Clone(q.Topics), func(name string) bool { return name == f.topic })
	q.Topics = slices.Clone(wanted)
	for _, in := range f.inputs {
		q.Topics = append(q.Topics, in.Name)
	}
	for m, err := range s.recorded(q) {
		if err != nil {
			if !yield(nil, err) {
				return
			}
			continue
		}
		if slices.Contains(wanted, m.Topic.Name) && !yield(m, nil) {
			return
		}
		if err := f.play(p, m); err != nil {
			yield(nil, err)
			return
		}
		for i := range p.poses {
			if !yield(&p.poses[i], nil) {
				return
			}
		}
		p.poses = p.poses[:0]
	}
}

// begin starts a filter at a record time, whose clock differs from that of the stamps by skew, ns.
func (f *filter) begin(at, skew int64) (p *filterPass, err error) {
	cfg, set, err := f.settings()
	if err != nil {
		return nil, err
	}
	f.wrong, f.origin, f.learnt, f.gyro = nil, [2]float64{}, "", nil
	p = &filterPass{graph: newGraph(at - skew), clock: stampClock{skew: skew}, inputs: map[string]*ros.RawPublisher{}}
	defer func() {
		if err != nil {
			_ = p.close()
		}
	}()
	node, err := p.node(ekf.DefaultName, ros.NodeOptions{Parameters: set, LogHandler: f.log})
	if err != nil {
		return nil, err
	}
	running, err := ekf.New(node, cfg)
	if err != nil {
		return nil, err
	}
	player, err := p.node("bag", ros.NodeOptions{NoRosout: true})
	if err != nil {
		return nil, err
	}
	for _, in := range f.inputs {
		qos := ros.SensorData()
		switch in.to {
		case "initialpose":
			qos = ros.DefaultQoS()
		case tfStaticTopic:
			qos = ros.Latched()
		}
		if p.inputs[in.Name], err = ros.AdvertiseRaw(player, in.to, in.Type, "", qos); err != nil {
			return nil, err
		}
	}
	topic := &bag.Topic{Name: filteredTopic, Type: odometryType, Format: "cdr"}
	if _, err = ros.SubscribeRaw(player, "odometry/filtered", odometryType, "", ros.DefaultQoS(), func(cdr []byte, _ ros.MessageInfo) {
		p.poses = append(p.poses, bag.Message{Topic: topic, LogTime: p.executor.Now() + p.clock.skew, Data: slices.Clone(cdr)})
	}); err != nil {
		return nil, err
	}
	if _, err = ros.Subscribe(player, "/diagnostics", ros.DefaultQoS(), func(m *diagnostic_msgs.DiagnosticArray, _ ros.MessageInfo) {
		f.wrong, f.mode, f.learnt, f.gyro = f.wrong[:0], running.Mode(), running.Wrong(), running.WrongMounting()
		for _, s := range m.Status[1:] { // the first is advice for somebody at the robot
			if s.Level > diagnostic_msgs.DiagnosticStatusOK {
				f.wrong = append(f.wrong, s.Message)
			}
		}
	}); err != nil {
		return nil, err
	}
	_, err = ros.Subscribe(player, "/"+ekf.DefaultName+"/datum", ros.Latched(), func(m *sensor_msgs.NavSatFix, _ ros.MessageInfo) {
		f.origin = [2]float64{m.Longitude, m.Latitude}
	})
	return p, err
}

// play gives the filter a message at its record time.
func (f *filter) play(p *filterPass, m *bag.Message) error {
	i := slices.IndexFunc(f.inputs, func(in filterInput) bool { return in.Name == m.Topic.Name && in.Type == m.Topic.Type })
	if i < 0 {
		return nil
	}
	at, err := p.clock.passTo(p.executor, m, i == 0)
	if err != nil {
		return err
	}
	if err := p.inputs[m.Topic.Name].Publish(m.Data, at); err != nil {
		return err
	}
	return p.executor.RunTo(context.Background(), max(at, p.executor.Now()))
}

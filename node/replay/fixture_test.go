// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"math"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization"
	"ugp_explorer/msgs/bag/bagwriter"
	"ugp_explorer/msgs/cdr"
	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner"
)

// bags is where the bags are that rosbag2 recorded: a robot that mows a field in
// lanes of 360 m, 60 m apart, at 2 m/s.
const bags = "../../msgs/bag/testdata/"

// quick is a replay of the lawnmower bags that takes little time.
func quick() Config {
	c := DefaultConfig()
	e := &c.Explorer
	e.Reading.StdDev, e.Reading.Delay, e.Matcher.Probe.X = 0.02, 0.2, -0.4
	e.Model.Kernel = "matern32"
	e.Recommend = planner.RecommendTarget // a place where something was measured, which a test can judge
	e.Path.Length, e.Path.Every = 25, 20
	e.Search.Starts, e.Search.Refine, e.Model.Prior.Starts = 60, 2, 2
	e.Wall = func() time.Time { return time.Time{} }
	return c
}

// opened returns the replay of a bag before its start.
func opened(t *testing.T, path string, cfg *Config, opts Options) (*Replay, error) {
	t.Helper()
	src, err := Open(t.Context(), path)
	must.OK(t, err)
	t.Cleanup(func() { src.Close() })
	r, err := New(src, cfg, opts)
	if err == nil {
		t.Cleanup(func() { r.Close() })
	}
	return r, err
}

// run replays a bag and returns the replay after its end.
func run(t *testing.T, path string, cfg Config) *Replay {
	t.Helper()
	r, err := opened(t, path, &cfg, Options{})
	must.OK(t, err)
	must.OK(t, r.Run(t.Context()))
	return r
}

// bagMaker writes a bag.
type bagMaker struct {
	t      *testing.T
	w      *bagwriter.Writer
	topics map[string]*bagwriter.Topic
	at     int64 // record time, ns
	behind int64 // by which stamps are behind it, ns, of those messages that follow it
	x, y   float64
}

// epoch is when the bags of the tests begin, ns.
const epoch = 1_700_000_000 * int64(time.Second)

func makeBag(t *testing.T, path string, at int64) *bagMaker {
	t.Helper()
	w, err := bagwriter.Create(path, 0)
	must.OK(t, err)
	return &bagMaker{t: t, w: w, topics: map[string]*bagwriter.Topic{}, at: at}
}

func (r *bagMaker) write(topic string, m cdr.Message) {
	r.t.Helper()
	if r.topics[topic] == nil {
		r.topics[topic] = &bagwriter.Topic{Name: topic, Type: m.TypeName()}
	}
	must.OK(r.t, r.w.Write(r.topics[topic], r.at, r.at, m.AppendCDR(nil)))
}

// odometry writes where the robot is, on /odometry/filtered and in the frame map.
func (r *bagMaker) odometry(speed float64) {
	p := localization.Pose{Stamp: r.at, X: r.x, Y: r.y, Cov: [3][3]float64{{0.04, 0.01, 0}, {0.01, 0.09, 0}, {0, 0, 0.01}}}
	m := nav_msgs.Odometry{Header: std_msgs.Header{Stamp: ros.TimeMsg(r.at), FrameID: "map"}}
	convert.PoseWithCovariance(&m.Pose, p)
	m.Twist.Twist.Linear.X = speed
	r.write("/odometry/filtered", &m)
}

func (r *bagMaker) reading(value float64) {
	r.write("/reading", &ugp_explorer_msgs.FieldReading{Header: std_msgs.Header{Stamp: ros.TimeMsg(r.at)}, Value: value, Variance: 0.01})
}

// goes makes the robot drive to a place at 2 m/s and stand there for a number of seconds,
// with a pose every 0.1 s and a reading every half second.
func (r *bagMaker) goes(x, y, stand float64) {
	r.t.Helper()
	const step = 0.1
	dx, dy := x-r.x, y-r.y
	moving := int(math.Round(math.Hypot(dx, dy) / 2 / step))
	from := [2]float64{r.x, r.y}
	for i := 1; i <= moving+int(stand/step); i++ {
		r.at += int64(step * 1e9)
		share, speed := 1.0, 0.0
		if i <= moving {
			share, speed = float64(i)/float64(moving), 2
		}
		r.x, r.y = from[0]+share*dx, from[1]+share*dy
		r.odometry(speed)
		if i%5 == 0 {
			r.reading(10 * math.Exp(-((r.x-30)*(r.x-30)+(r.y-20)*(r.y-20))/(2*20*20)))
		}
	}
}

func (r *bagMaker) close() {
	r.t.Helper()
	must.OK(r.t, r.w.Close())
}

// stands returns the observations of stops.
func stands(m *record.Mission) (list []record.Observation) {
	for _, o := range m.Observations {
		if o.Path == nil {
			list = append(list, o)
		}
	}
	return list
}

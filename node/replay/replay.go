// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"ugp_explorer/internal/num"
	"ugp_explorer/msgs/bag"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/ekf"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/param"
)

// Config sets what is replayed, and how.
type Config struct {
	Pose, Reading, Truth string  // topics; empty: found automatically
	Secondary            string  // topic of a second sensor; empty: the one that is called so, if there is one
	Odom, Fix, IMU       string  // topics for the filter; empty: found automatically
	CorrectStamps        bool    // by a constant for each topic, where clocks differ
	Start                float64 // s after the bag's first message
	Duration             float64 // s; 0: to the end
	// Explorer is the configuration of the explorer. New makes it passive and takes the
	// topics and the frame of poses and readings from the bag.
	Explorer settings.Config
	// EKF is the configuration of the filter, which computes the poses of a bag without them.
	EKF ekf.Config
}

// DefaultConfig replays a whole bag with the nodes' own defaults.
func DefaultConfig() Config {
	return Config{Explorer: settings.DefaultConfig(), EKF: ekf.DefaultConfig()}
}

// Options holds parameters, a log and callbacks.
type Options struct {
	Parameters *param.Overrides // of the explorer and the filter; nil: none
	Log        slog.Handler     // nil: nothing is logged
	// Looking and Replaying are called with the share of the bag's time that was read by
	// New and replayed by Run. An error from Looking ends New. They may be nil.
	Looking   func(share float64) error
	Replaying func(share float64)
	// Status is called with each status of the explorer. The message is valid during the
	// call only.
	Status func(*ugp_explorer_msgs.MissionStatus)
}

// Replay replays a bag to an explorer. Only one goroutine may use it.
type Replay struct {
	src      *Source
	opts     Options
	explorer *explorer.Explorer
	*graph   // nil: not made yet
	outlets  []*outlet
	field    string // topic of the true field; empty: none

	transforms bool   // the poses come from /tf
	base       string // frame of the robot in it

	poses *survey

	from, to int64 // range of record times, without to, ns
	source   record.Source
}

// outlet maps a topic of the bag to a topic of the explorer.
type outlet struct {
	name, typ string
	*ros.RawPublisher
}

// longestSilence is the longest time without a message that is replayed, ns. Longer ones
// are skipped: a clock that is set while a bag is recorded can jump by decades.
const longestSilence = int64(10 * time.Second)

// endWait is the simulated time after the last message, ns. It is longer than a reading
// waits for its pose.
const endWait = int64(3 * time.Second)

// ErrOrigin is wrapped by the error of a field whose map has no origin, while the filter has fixes in degrees. Any origin will do.
var ErrOrigin = errors.New("the fixes are in degrees, and the map has no origin")

// New finds the topics, reads the poses once, and starts the explorer. On an error nothing
// keeps running.
func New(src *Source, cfg *Config, opts Options) (r *Replay, err error) {
	r = &Replay{src: src, opts: opts}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Close())
			r = nil
		}
	}()
	if err := r.limits(cfg); err != nil {
		return r, err
	}
	r.graph = newGraph(r.from)
	c := &cfg.Explorer
	given, note, err := parameters(src, opts.Parameters, cfg)
	if err != nil {
		return r, err
	}
	if note != "" {
		r.source.Notes = append(r.source.Notes, note)
	}
	node, err := r.node(explorer.DefaultName, ros.NodeOptions{Parameters: c.Parameters(), Overrides: given, LogHandler: opts.Log})
	if err != nil {
		return r, err
	}
	c.Passive, c.Alone = true, true
	in, err := r.topics(cfg)
	if err != nil {
		return r, err
	}
	notes, err := src.checkClocks(cfg, in.pose, in.readings(), r.from, r.to)
	if err != nil {
		return r, err
	}
	if r.transforms && src.later[in.pose.Name] != 0 {
		return r, fmt.Errorf("--correct-stamps shifts the stamps on %s, and not those on %s: leave out pose.source:=tf", in.pose.Name, tfTopic)
	}
	r.source.Notes = append(r.source.Notes, notes...)
	if err := r.look(in.pose, c); err != nil {
		return r, err
	}
	if r.explorer, err = explorer.New(node, c); err != nil {
		return r, err
	}
	if why := r.explorer.NoPhoto(); why != "" {
		r.note("%s", why)
	}
	r.explorer.AddSettings(explorer.DefaultName, node.Parameters())
	if f := src.filter; f != nil {
		_, set, err := f.settings()
		if err != nil {
			return r, err
		}
		r.explorer.AddSettings(ekf.DefaultName, set)
		f.log = opts.Log
	}
	return r, r.connect(in)
}

// limits sets the range of record times that is replayed.
func (r *Replay) limits(cfg *Config) error {
	length := r.src.Duration().Seconds()
	switch {
	case r.src.Count == 0:
		return r.src.empty()
	case !(cfg.Start >= 0 && cfg.Start <= length):
		return fmt.Errorf("--start is %g s: want a time from 0 to the bag's length of %.6g s", cfg.Start, length)
	case !(cfg.Duration >= 0):
		return fmt.Errorf("--duration is %g s: want a time above 0", cfg.Duration)
	}
	r.from, r.to = r.src.Start+num.Nanoseconds(cfg.Start), r.src.End+1
	if cfg.Duration > 0 && cfg.Duration < length-cfg.Start {
		r.to = r.from + num.Nanoseconds(cfg.Duration)
	}
	return nil
}

func (r *Replay) note(format string, args ...any) {
	r.source.Notes = append(r.source.Notes, fmt.Sprintf(format, args...))
}

// look reads the poses once to find their frame and, without a boundary, the field.
func (r *Replay) look(pose bag.Topic, c *settings.Config) error {
	if err := c.Validate(); err != nil {
		switch {
		case lacksStdDev(c.Reading.Type, c.Reading.StdDev):
			err = fmt.Errorf("%w; %s", err, setStdDev)
		case lacksStdDev(c.Secondary.Type, c.Secondary.StdDev):
			err = fmt.Errorf("%w; %s", err, setSecondary)
		}
		return err
	}
	p, err := surveyPoses(r.src, pose, c, r.from, r.to, false, r.opts.Looking)
	if err != nil {
		return err
	}
	r.poses = p
	f := r.src.filter
	if f != nil && f.satellites() {
		if cfg, _, err := f.settings(); err != nil {
			return err
		} else if len(cfg.Datum) == 0 {
			if c.Field.File != "" {
				_, err := convert.ReadBoundary(c.Field.File, nil) // in degrees: the error suggests a datum
				return errors.Join(fmt.Errorf("%w: the field %s needs it; set it with --datum LON,LAT for an outline in degrees, or with -p ekf:datum:=[LON, LAT] for one in metres", ErrOrigin, c.Field.File), err)
			}
			r.note("no datum is given: the map's origin is the first fix, longitude %.7f and latitude %.7f", f.origin[0], f.origin[1])
			if r.source.Truth != "" {
				r.note("%s is not used: its places are on a map whose origin is unknown; give that origin with --datum", r.source.Truth)
				r.source.Truth, r.field, c.Truth = "", "", false
			}
		}
	}
	if p.frame != c.Frame {
		r.note("the poses are in the frame %q, which is used instead of the configured frame_id %q", p.frame, c.Frame)
		c.Frame = p.frame
	}
	if c.Field.File != "" {
		return nil
	}
	extent := p.path.extent()
	around := max(min(leastAround, leastShare*extent), aroundShare*extent)
	if c.Field.Margin, err = c.Margin(p.path.field(around)); err != nil {
		return fmt.Errorf("the hull of the path cannot be used as a field: %w; give one with --field", err)
	}
	around += c.Field.Margin
	c.Outline, c.OutlineName = p.path.field(around), "the hull of the path"
	if c.Field.Name == "" {
		c.Field.Name = fmt.Sprintf("the hull of the path and %.3g m around it", around)
	}
	r.note("no outline is given: the field is the hull of the path and %.3g m around it", around)
	return nil
}

// Without a boundary the field is the hull of the path, extended by this share of its
// longer side, but at least by leastAround metres, or by leastShare of a side shorter than
// 20 m, plus the margin of the field. Readings say little about places farther away.
const (
	aroundShare = 0.05
	leastAround = 2.0
	leastShare  = 0.1
)

// connect opens the topics on which the bag's messages reach the explorer.
func (r *Replay) connect(in inputs) error {
	player, err := r.node("bag", ros.NodeOptions{NoRosout: true})
	if err != nil {
		return err
	}
	name := "odometry/filtered"
	if in.pose.Type == poseType {
		name = "pose"
	}
	type route struct {
		from, typ, to string
		qos           ros.QoS
	}
	routes := []route{
		{in.pose.Name, in.pose.Type, name, ros.SensorData()},
		{in.reading.Name, in.reading.Type, "reading", ros.SensorData()},
		{in.secondary.Name, in.secondary.Type, "secondary", ros.SensorData()},
		{r.source.Truth, odometryType, "ground_truth/odom", ros.SensorData()},
		{r.field, fieldType, "ground_truth/field", ros.Latched()},
	}
	for _, t := range in.also {
		routes = append(routes, route{t.Name, t.Type, t.to, ros.SensorData()})
	}
	if r.transforms {
		routes = append(routes, route{tfTopic, tfType, tfTopic, ros.DefaultQoS()}, route{tfStaticTopic, tfType, tfStaticTopic, ros.Latched()})
	}
	for _, o := range routes {
		if o.from == "" {
			continue
		}
		p, err := ros.AdvertiseRaw(player, o.to, o.typ, "", o.qos)
		if err != nil {
			return err
		}
		r.outlets = append(r.outlets, &outlet{o.from, o.typ, p})
	}
	if r.opts.Status == nil {
		return nil
	}
	_, err = ros.Subscribe(player, "/"+explorer.DefaultName+"/status", ros.Latched(),
		func(m *ugp_explorer_msgs.MissionStatus, _ ros.MessageInfo) { r.opts.Status(m) })
	return err
}

// Run replays the bag to its end or until ctx ends. In the latter case it saves the results
// so far and returns ctx's cause.
func (r *Replay) Run(ctx context.Context) error {
	r.source.Problems, r.source.Lost = r.src.ReadingProblems()
	err := r.feed(ctx)
	r.source.Problems = append(r.source.Problems, r.src.filter.problems()...)
	reason := "the end of the bag"
	switch {
	case ctx.Err() != nil:
		reason = "interrupted"
	case err != nil:
		return err
	case r.source.Lost > 0:
		reason = "the end of the readable part of the bag"
	case r.to <= r.src.End:
		reason = "the end of the requested part"
	}
	r.strike()
	src := r.source
	r.explorer.SetSource(&src)
	// The last steps run without ctx: the executor stops when ctx has ended.
	r.explorer.End(reason)
	if e := r.executor.Run(context.WithoutCancel(ctx), r.explorer.Finished); e != nil {
		return errors.Join(err, e)
	}
	return errors.Join(err, r.explorer.Err())
}

// feed publishes the messages at their record times.
func (r *Replay) feed(ctx context.Context) error {
	q := bag.Query{Start: r.from, End: r.to}
	for _, o := range r.outlets {
		q.Topics = append(q.Topics, o.name)
	}
	clock := stampClock{skew: r.src.skew}
	if clock.skew != 0 {
		r.executor.Jump(r.from - clock.skew)
	}
	if err := r.latched(); err != nil {
		return err
	}
	n := 0
	for m, err := range r.src.missionMessages(q) {
		var p *bag.Problem
		switch {
		case errors.As(err, &p):
			r.source.Problems = append(r.source.Problems, p.Error())
			r.source.Lost += p.Lost
			continue
		case err != nil:
			return err
		}
		i := slices.IndexFunc(r.outlets, func(o *outlet) bool { return o.name == m.Topic.Name && o.typ == m.Topic.Type })
		if i < 0 {
			continue // another type
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		at, err := clock.passTo(r.executor, m, i == 0)
		if err != nil {
			return err
		}
		if err := r.outlets[i].Publish(m.Data, at); err != nil {
			return err
		}
		if r.source.Messages == 0 {
			r.source.From = num.Seconds(m.LogTime)
		}
		r.source.To = num.Seconds(m.LogTime)
		r.source.Messages++
		if n++; r.opts.Replaying != nil && n%64 == 0 {
			r.opts.Replaying(float64(m.LogTime-r.from) / float64(r.to-r.from))
		}
	}
	return r.executor.RunTo(context.WithoutCancel(ctx), r.executor.Now()+endWait)
}

// latched publishes what was recorded before the start and is published only once: the true
// field and the static transforms.
func (r *Replay) latched() error {
	if r.from == r.src.Start {
		return nil
	}
	for _, o := range r.outlets {
		if !o.Info().QoS.TransientLocal {
			continue
		}
		for m, err := range r.src.missionMessages(bag.Query{Topics: []string{o.name}, End: r.from}) {
			if err != nil {
				break // reading the rest of the bag reports the error again
			}
			if err := o.Publish(m.Data, r.executor.Now()); err != nil {
				return err
			}
		}
	}
	return nil
}

// Explorer returns the explorer's node.
func (r *Replay) Explorer() *explorer.Explorer { return r.explorer }

// Source returns the description of the replayed bag for the record.
func (r *Replay) Source() record.Source { return r.source }

// Close takes the nodes off the graph. The source stays open.
func (r *Replay) Close() error {
	if r.graph == nil {
		return nil
	}
	return r.graph.close()
}

// graph is an in-process graph of nodes in simulated time.
type graph struct {
	executor  *exec.Simulated
	transport *inproc.Transport
	nodes     []*ros.Node
}

// newGraph returns a graph without nodes whose time is now, ns.
func newGraph(now int64) *graph {
	return &graph{executor: exec.NewSimulated(now), transport: inproc.New()}
}

func (g *graph) node(name string, opts ros.NodeOptions) (*ros.Node, error) {
	n, err := ros.NewNode(g.transport, g.executor, name, opts)
	if err == nil {
		g.nodes = append(g.nodes, n)
	}
	return n, err
}

// close takes the nodes off the graph.
func (g *graph) close() error {
	var errs []error
	for _, n := range slices.Backward(g.nodes) {
		errs = append(errs, n.Close())
	}
	return errors.Join(append(errs, g.executor.Close(), g.transport.Close())...)
}

// apply sets the parameters of a node.
func apply(o *param.Overrides, name string, set *param.Set) error {
	g := newGraph(0)
	_, err := g.node(name, ros.NodeOptions{Parameters: set, Overrides: o, NoRosout: true})
	return errors.Join(err, g.close())
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package host

import (
	"math"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/painter"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/sense"
	"ugp_explorer/node/web"
	"ugp_explorer/planner/mission"
)

// listener receives poses for a recording, and publishes its state.
type listener struct {
	cfg         *settings.Config
	r           *recording
	again       func() // called when the track on the page begins again
	node        *ros.Node
	poses       *sense.Poses
	status      *ros.Publisher[ugp_explorer_msgs.MissionStatus, *ugp_explorer_msgs.MissionStatus]
	diagnostics *ros.Publisher[diagnostic_msgs.DiagnosticArray, *diagnostic_msgs.DiagnosticArray]
	warn        ros.Throttle
	scene       *web.Scene
	track       []record.Place
	below       orb.Bound // of the newest photo, or of the one that is being read, m
	reading     bool      // a photo is being read
}

// trackSpacing is the least distance between two points of the path on the page, m, and mostTrack
// the number of points after which it starts again.
const (
	trackSpacing = 0.5
	mostTrack    = 20_000
)

// photoAhead is the least distance by which a photo extends beyond the recording and the robot, m, and newAhead
// that of a photo that is read again.
const (
	photoAhead = 50
	newAhead   = 200
)

func listen(node *ros.Node, cfg *settings.Config, r *recording, again func()) (*listener, error) {
	l := &listener{cfg: cfg, r: r, again: again, node: node, scene: show.Scene(cfg), warn: node.NewThrottle(time.Second)}
	var err error
	if l.status, err = ros.Advertise[ugp_explorer_msgs.MissionStatus](node, "~/status", ros.Latched()); err != nil {
		return nil, err
	}
	if l.diagnostics, err = ros.Advertise[diagnostic_msgs.DiagnosticArray](node, "/diagnostics", ros.DefaultQoS()); err != nil {
		return nil, err
	}
	if l.poses, err = sense.ListenPoses(node, cfg.Sense(), l.onPose, l.tell); err != nil {
		return nil, err
	}
	node.OnShutdown(node.Executor().OnJump(func(j exec.Jump) {
		l.poses.ClockChanged(j.To - j.From)
	}))
	_, err = node.NewTimer(1e9, l.tell)
	return l, err
}

func (l *listener) onPose(p localization.Pose) {
	l.r.pose(p)
	if n := len(l.track); n == 0 || math.Hypot(p.X-l.track[n-1][0], p.Y-l.track[n-1][1]) >= trackSpacing {
		if l.track = append(l.track, record.Place{p.X, p.Y}); n == mostTrack {
			l.track = nil
			l.again()
		}
	}
}

// text says what the recording is doing, with what is wrong.
func (l *listener) text() string {
	text := l.r.text(l.node.Now())
	if trouble := l.poses.Watch.Text(); trouble != "" {
		text += "; " + trouble
	}
	return text
}

// photograph reads the photo of the surroundings when the one that is shown does not reach far enough.
func (l *listener) photograph() {
	var places orb.MultiPoint
	for _, ring := range l.r.rec.Rings() {
		for _, p := range ring.Points {
			places = append(places, orb.Point(p))
		}
	}
	if p := l.r.newest; p != nil {
		places = append(places, orb.Point{p.X, p.Y})
	}
	if around := places.Bound().Pad(photoAhead); l.reading || len(places) == 0 || l.below.Contains(around.Min) && l.below.Contains(around.Max) {
		return
	}
	l.below, l.reading = places.Bound().Pad(newAhead), true
	var photo *painter.Photo
	var err error
	cfg, below := *l.cfg, l.below
	l.node.Async(func() { photo, err = cfg.Photo(below) }, func() {
		l.reading = false
		if err != nil {
			l.warn.Warn(err.Error())
		}
		scene := *l.scene
		scene.Photo = photo
		l.scene = &scene
	})
}

// tell publishes the state.
func (l *listener) tell() {
	l.photograph()
	m := ugp_explorer_msgs.MissionStatus{
		Header: std_msgs.Header{Stamp: l.node.Stamp(), FrameID: l.cfg.Frame}, State: string(mission.StateIdle), Text: l.text(),
		RemainingDistance: math.Inf(1), RemainingTime: math.Inf(1), BestValue: math.NaN(), BestStddev: math.NaN(),
		ExpectedDistance: math.NaN(), ExpectedTime: math.NaN(), ShareDone: math.NaN(), StoppedBy: ugp_explorer_msgs.MissionStatusStoppedByNobody, Inputs: l.poses.Watch.Inputs(),
	}
	d := diagnostic_msgs.DiagnosticArray{Header: m.Header, Status: append([]diagnostic_msgs.DiagnosticStatus{{
		Level: diagnostic_msgs.DiagnosticStatusOK, Name: l.node.Name() + ": recording of the field", HardwareID: "none", Message: m.Text,
	}}, l.poses.Watch.Diagnostics()...)}
	l.warn.Unsent(l.status.Publish(&m))
	l.warn.Unsent(l.diagnostics.Publish(&d))
}

// snapshot returns what the page shows.
func (l *listener) snapshot() *web.Snapshot {
	now := l.node.Now()
	w := &web.Snapshot{
		Now: now, Scene: l.scene, Status: web.Status{State: "recording", Text: l.text()}, Robot: show.Robot(l.poses.Sense),
		Usage: web.Usage{Samples: web.Used{Limit: float64(l.cfg.Mission.Budget.Samples)}}, Track: l.track[:len(l.track):len(l.track)],
		Checks: show.Checks(l.poses.Watch.Findings()), Recording: l.r.state(now),
	}
	w.Recording.Active, w.Recording.Steered = true, l.cfg.Steer != nil
	return w
}

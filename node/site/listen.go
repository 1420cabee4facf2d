package site

import (
	"math"
	"strings"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/web"
	"ugp_explorer/planner/mission"
)

// listener hears poses for a recording, and tells others of it.
type listener struct {
	s           *Site
	node        *ros.Node
	poses       *explorer.Poses
	status      *ros.Publisher[ugp_explorer_msgs.MissionStatus, *ugp_explorer_msgs.MissionStatus]
	diagnostics *ros.Publisher[diagnostic_msgs.DiagnosticArray, *diagnostic_msgs.DiagnosticArray]
	track       []record.Place
}

// trackSpacing is the least distance between two points of the path on the page, m, and mostTrack
// the number of points after which it begins anew.
const (
	trackSpacing = 0.5
	mostTrack    = 20_000
)

func listen(node *ros.Node, s *Site) (*listener, error) {
	l := &listener{s: s, node: node}
	var err error
	if l.status, err = ros.Advertise[ugp_explorer_msgs.MissionStatus](node, "~/status", ros.Latched()); err != nil {
		return nil, err
	}
	if l.diagnostics, err = ros.Advertise[diagnostic_msgs.DiagnosticArray](node, "/diagnostics", ros.DefaultQoS()); err != nil {
		return nil, err
	}
	if l.poses, err = explorer.ListenPoses(node, s.cfg, l.onPose, l.tell); err != nil {
		return nil, err
	}
	node.KeepClock(func() string {
		if s.session.Empty() {
			return ""
		}
		return "the outline of a field is being recorded"
	})
	node.OnShutdown(node.Executor().OnJump(func(j exec.Jump) {
		if j.To < j.From {
			l.poses.SetBack()
		}
	}))
	_, err = node.NewTimer(1e9, l.tell)
	return l, err
}

func (l *listener) onPose(p localization.Pose) {
	l.s.session.Pose(p)
	if n := len(l.track); n == 0 || math.Hypot(p.X-l.track[n-1][0], p.Y-l.track[n-1][1]) >= trackSpacing {
		if l.track = append(l.track, record.Place{p.X, p.Y}); n == mostTrack {
			l.track = nil
			l.s.run++
		}
	}
}

// text says what the recording is doing, with what is wrong.
func (l *listener) text() string {
	text := l.s.session.Text(l.node.Now())
	if trouble := l.poses.Watched().Text(); trouble != "" && !strings.Contains(text, trouble) {
		text += "; " + trouble
	}
	return text
}

// tell publishes the state.
func (l *listener) tell() {
	m := ugp_explorer_msgs.MissionStatus{
		Header: std_msgs.Header{Stamp: ros.TimeMsg(l.node.Now()), FrameID: l.s.cfg.Frame}, State: string(mission.StateIdle), Text: l.text(),
		RemainingDistance: math.Inf(1), RemainingTime: math.Inf(1), BestValue: math.NaN(), BestStddev: math.NaN(),
	}
	if err := l.status.Publish(&m); err != nil {
		l.s.warn.Error("a message was not published", "error", err.Error())
	}
	d := diagnostic_msgs.DiagnosticArray{Header: m.Header, Status: append([]diagnostic_msgs.DiagnosticStatus{{
		Level: diagnostic_msgs.DiagnosticStatusOK, Name: l.node.Name() + ": recording of the field", HardwareID: "none", Message: m.Text,
	}}, l.poses.Watched().Diagnostics()...)}
	if err := l.diagnostics.Publish(&d); err != nil {
		l.s.warn.Error("a message was not published", "error", err.Error())
	}
}

var _ web.Editor = (*Site)(nil)

// Order implements web.Explorer.
func (s *Site) Order(words string) (done bool, text string, err error) {
	done, text, err = s.order(words)
	explorer.LogOrder(s.node, words, done, text, err)
	return done, text, err
}

// Edit implements web.Editor.
func (s *Site) Edit(e web.Edit) (done bool, text string) {
	switch {
	case s.session == nil:
		return false, "no field can be recorded: outline.file is empty"
	case s.explorer != nil:
		return false, "no field is being recorded"
	}
	return s.session.Edit(e)
}

// Snapshot implements web.Explorer.
func (s *Site) Snapshot() *web.Snapshot {
	var w *web.Snapshot
	if s.explorer != nil {
		w = s.explorer.Page().Snapshot()
		if s.session != nil {
			w.Recording = &web.Recording{Field: true, Refused: s.explorer.Busy()}
		}
	} else {
		w = s.recorded()
	}
	w.Run = s.run
	return w
}

// recorded returns the state of a recording.
func (s *Site) recorded() *web.Snapshot {
	l, cfg, now := s.listener, s.cfg, s.node.Now()
	if s.scene == nil {
		s.scene = &web.Scene{
			Name: cfg.Field.Name, Frame: cfg.Frame, Quantity: cfg.Quantity, Units: cfg.Units, Objective: record.Objective(cfg.Objective),
			Passive: cfg.Passive, Boundary: [][]record.Place{}, Stale: cfg.Mission.PoseTimeout, Radius: cfg.Radius,
		}
		if d, err := convert.Datum("field.datum", cfg.Field.Datum); err == nil && d != nil {
			s.scene.Datum = &[2]float64{d.Lon, d.Lat}
			s.scene.LonLat = func(p record.Place) (lon, lat float64) { return d.LonLat(p[0], p[1]) }
		}
	}
	w := &web.Snapshot{
		Now: now, Scene: s.scene, Status: web.Status{State: "recording", Text: l.text()},
		Usage: web.Usage{Samples: web.Used{Limit: float64(cfg.Mission.Budget.Samples)}}, Track: l.track[:len(l.track):len(l.track)],
		Recording: s.session.Page(now),
	}
	w.Recording.Active, w.Recording.Field = true, s.hasField()
	if at, speed, ok := l.poses.Newest(); ok {
		w.Robot = &web.Robot{Stamp: at.Stamp, X: at.X, Y: at.Y, Yaw: at.Yaw, XX: at.Cov[0][0], XY: at.Cov[0][1], YY: at.Cov[1][1], Speed: speed}
	}
	for _, d := range l.poses.Watched().Diagnostics() {
		w.Checks = append(w.Checks, web.Check{
			Name: strings.TrimPrefix(d.Name, l.node.Name()+": "), Level: min(int(d.Level), web.LevelError), Text: d.Message,
		})
	}
	return w
}

// hasField reports whether there is a field to go back to.
func (s *Site) hasField() bool {
	return s.given.Field.File != "" || len(s.given.Outline.Boundary) > 0 || s.given.Teach.Recorded()
}

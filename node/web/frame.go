package web

import (
	"bytes"
	"encoding/json"
	"math"
	"time"

	"ugp_explorer/node/record"
)

// frame is a snapshot as clients get it. It is not changed once it is published.
type frame struct {
	at       time.Time // when the snapshot came
	snapshot *Snapshot
	maps     uint64 // version of the maps; 0: none
	sections [sectionCount]section
}

// section is an event that is sent again whenever its data have changed.
type section struct {
	version uint64 // 0: not known yet
	data    []byte // JSON
}

const (
	sceneSection = iota
	poseSection
	statusSection
	usageSection
	checksSection
	planSection
	mapsSection
	regretSection
	recordingSection
	ringsSection
	sectionCount
)

var sectionNames = [sectionCount]string{"scene", "pose", "status", "usage", "checks", "plan", "maps", "regret", "recording", "rings"}

// next returns the frame of a snapshot after the frame f, nil for the first.
func (f *frame) next(s *Snapshot, at time.Time) (*frame, error) {
	n := &frame{at: at, snapshot: s}
	var before Snapshot
	if f != nil {
		n.sections, n.maps = f.sections, f.maps
		before = *f.snapshot
	}
	if s.Run != before.Run { // the maps' version counts on: what was encoded is of the other explorer
		n.sections, before = [sectionCount]section{}, Snapshot{}
	}
	var err error
	set := func(i int, v any) {
		data, failed := json.Marshal(v)
		if failed != nil {
			err = failed
			return
		}
		if old := n.sections[i]; old.version == 0 || !bytes.Equal(data, old.data) {
			n.sections[i] = section{version: old.version + 1, data: data}
		}
	}
	if s.Scene != before.Scene {
		set(sceneSection, s.Scene)
	}
	if s.Robot != nil {
		set(poseSection, poseOf(s))
	}
	status := s.Status
	if t := status.Target; t != nil {
		at := rounded(*t)
		status.Target = &at
	}
	if b := status.Best; b != nil {
		best := Best{At: rounded(b.At), Value: significant(b.Value), StdDev: significant(b.StdDev), LonLat: s.Scene.lonLat(b.At)}
		status.Best = &best
	}
	set(statusSection, status)
	usage := s.Usage
	usage.Distance.Used, usage.Time.Used = to(1, usage.Distance.Used), math.Floor(to(3, usage.Time.Used))
	usage.ToTarget, usage.ToHome = to(1, usage.ToTarget), to(1, usage.ToHome)
	set(usageSection, usage)
	set(checksSection, s.Checks)
	set(planSection, places(s.Plan))
	if s.Maps != before.Maps {
		n.maps++
		set(mapsSection, s.Maps.describe(n.maps))
	}
	if len(s.Regret) != len(before.Regret) || len(s.Regret) > 0 && &s.Regret[0] != &before.Regret[0] {
		set(regretSection, s.Regret)
	}
	setRecording(set, s.Recording, before.Recording)
	return n, err
}

type poseEvent struct {
	T     float64    `json:"t"`
	X     float64    `json:"x"`
	Y     float64    `json:"y"`
	Yaw   float64    `json:"yaw"`
	Cov   [3]float64 `json:"cov"` // xx, xy, yy, m²
	Speed float64    `json:"v"`
	Age   float64    `json:"age"`
}

func poseOf(s *Snapshot) poseEvent {
	r := s.Robot
	return poseEvent{
		T: to(2, seconds(r.Stamp)), X: to(3, r.X), Y: to(3, r.Y), Yaw: to(3, r.Yaw),
		Cov: [3]float64{significant(r.XX), significant(r.XY), significant(r.YY)}, Speed: to(2, r.Speed),
		Age: to(1, max(0, seconds(s.Now-r.Stamp))),
	}
}

type mapsEvent struct {
	Version uint64   `json:"version"`
	Samples int      `json:"samples"`
	Layers  []string `json:"layers"`
	Model   bool     `json:"model"` // /api/at can be asked
}

func (m *Maps) describe(version uint64) mapsEvent {
	e := mapsEvent{Version: version}
	if m == nil {
		return e
	}
	e.Samples, e.Model = m.Samples, m.Predict != nil
	for _, l := range layers {
		if l.has(m) {
			e.Layers = append(e.Layers, l.name)
		}
	}
	return e
}

type sampleEvent struct {
	N      int         `json:"n"`
	T      float64     `json:"t"`
	Value  float64     `json:"v"`
	StdDev float64     `json:"sd"`
	At     [2]float64  `json:"at"`
	Cov    [3]float64  `json:"cov"`
	Target [2]float64  `json:"to"`
	Read   int         `json:"k"`
	GaveUp bool        `json:"short,omitempty"` // the target was not reached
	True   *[2]float64 `json:"true,omitempty"`
	Path   *float64    `json:"path,omitempty"`
	Robot  string      `json:"robot,omitempty"` // another robot took it
	LonLat *[2]float64 `json:"ll,omitempty"`
}

func sampleOf(o *record.Observation, scene *Scene) sampleEvent {
	e := sampleEvent{
		N: o.Sequence, T: to(1, o.Stamp), Value: significant(o.Value), StdDev: significant(math.Sqrt(o.Variance)),
		At: rounded(record.Place{o.Belief.X, o.Belief.Y}), Cov: [3]float64{significant(o.Belief.XX), significant(o.Belief.XY), significant(o.Belief.YY)},
		Target: rounded(o.Target), Read: o.Readings, GaveUp: o.Approach != nil && o.Approach.GaveUp, Path: o.Path,
	}
	if o.TruePlace != nil {
		at := [2]float64(rounded(*o.TruePlace))
		e.True = &at
	}
	e.LonLat = scene.lonLat(record.Place{o.Belief.X, o.Belief.Y})
	return e
}

// lonLat returns longitude and latitude of a place in degrees, to about a centimetre; nil
// without a datum.
func (s *Scene) lonLat(p record.Place) *[2]float64 {
	if s == nil || s.LonLat == nil {
		return nil
	}
	lon, lat := s.LonLat(p)
	return &[2]float64{to(7, lon), to(7, lat)}
}

func places(list []record.Place) []record.Place {
	r := make([]record.Place, len(list))
	for i, p := range list {
		r[i] = rounded(p)
	}
	return r
}

// rounded rounds a place to centimetres.
func rounded(p record.Place) record.Place { return record.Place{to(2, p[0]), to(2, p[1])} }

// to rounds to a number of decimals. What is not finite becomes 0: JSON has no word for it.
func to(decimals int, v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	scale := math.Pow10(decimals)
	if r := math.Round(v*scale) / scale; !math.IsInf(r, 0) {
		return r
	}
	return v
}

// significant rounds to five significant digits.
func significant(v float64) float64 {
	if v == 0 {
		return 0
	}
	return to(min(300, 4-int(math.Floor(math.Log10(math.Abs(v))))), v)
}

func seconds(ns int64) float64 { return float64(ns) / 1e9 }

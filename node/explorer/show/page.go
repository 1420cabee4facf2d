// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package show

import (
	"cmp"
	"math"
	"slices"
	"time"

	"ugp_explorer/gp"
	"ugp_explorer/internal/num"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/painter"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/watch"
	"ugp_explorer/node/sense"
	"ugp_explorer/node/web"
	"ugp_explorer/planner"
	"ugp_explorer/planner/surface"
)

// page holds the page's data of the mission. Use it only on the executor's goroutine; returned data do not change.
type page struct {
	scene    *web.Scene
	maps     *web.Maps
	mapsOf   mapsSource
	checks   []web.Check
	checked  time.Time // when, by the wall clock
	answer   *record.Answer
	answerOf answerSource
	battery  *web.Battery
	charged  int64 // when the last state of the battery was received, ns
	regret   []web.Regret
	regretOf *record.Truth // of the regrets; nil: they are not known yet

	field *surface.GridField // true field whose layer is being computed, or is known
	layer []float64          // of the true field; nil: not known yet
}

// mapsSource identifies the data from which the maps of a page are made.
type mapsSource struct {
	mapping *Mapping // nil: nothing is mapped yet
	cells   int      // of the layer of the true field; 0: it is not known yet
}

// answerSource identifies the data from which the answer of a page is made.
type answerSource struct {
	samples int
	best    *record.Recommendation
	maps    *Mapping
	heard   int // observations of the second quantity
	with    planner.Correlation
}

func (v *Show) onBattery(m *sensor_msgs.BatteryState, _ ros.MessageInfo) {
	p := v.page
	p.charged = v.node.Now()
	p.battery = nil
	if !m.Present && m.Voltage == 0 {
		return
	}
	charge := float64(m.Percentage)
	if !num.Finite(charge) {
		charge = float64(m.Charge) / float64(m.Capacity)
	}
	b := web.Battery{Charging: m.PowerSupplyStatus == sensor_msgs.BatteryStatePowerSupplyStatusCharging}
	if charge >= 0 && charge <= 1 {
		percent := math.Round(1000*charge) / 10
		b.Percent = &percent
	}
	if v := float64(m.Voltage); num.Finite(v) && v > 0 {
		v = math.Round(100*v) / 100
		b.Voltage = &v
	}
	p.battery = &b
}

// Robot returns the newest pose in the form of the page, nil before the first.
func Robot(s *sense.Sense) *web.Robot {
	if !s.HasPose() {
		return nil
	}
	at := s.Pose()
	return &web.Robot{Stamp: at.Stamp, X: at.X, Y: at.Y, Yaw: at.Yaw, XX: at.Cov[0][0], XY: at.Cov[0][1], YY: at.Cov[1][1], Speed: s.Speed()}
}

// Page returns what the page shows of a close-up, see [settings.Config.HasPage].
func (v *Show) Page(s *Snapshot, photo *painter.Photo) *web.Snapshot {
	p, m, at := v.page, &s.Record, &s.Mission
	if was := p.scene; was == nil || was.Home != m.Home {
		p.scene = Scene(v.cfg)
		p.scene.Scene, p.scene.Free = painter.SceneOf(m), v.ground.Region().Edge()
		p.scene.Photo = photo
	}
	v.updateMaps(s)
	p.updateRegret(s)
	w := &web.Snapshot{
		Now: v.node.Now(), Scene: p.scene, Status: v.pageStatus(s), Checks: v.checks(s), Maps: p.maps, Regret: p.regret,
		Robot: s.Close.Robot, Plan: s.Close.Plan,
		Track: slices.Clip(s.Close.Track), Own: slices.Clip(m.Observations), Team: slices.Clip(m.Team),
		Usage: web.Usage{
			Samples:  web.Used{Used: float64(len(m.Observations)), Limit: float64(at.Budget.Samples)},
			Distance: web.Used{Used: at.UsedDistance, Limit: at.Budget.Distance},
			Time:     web.Used{Used: at.UsedDuration, Limit: at.Budget.Duration},
			ToHome:   at.HomeDistance,
		},
	}
	if rest := s.Rest; rest != nil {
		w.Usage.Left = &web.Left{Distance: rest.Distance, Time: rest.Duration, Done: rest.Done}
	}
	if w.Status.Files {
		w.Folder = v.cfg.OutputDir
	}
	return w
}

func (v *Show) pageStatus(s *Snapshot) web.Status {
	r := web.Status{
		State: string(s.State), Text: s.sentence(holds), Waiting: cmp.Or(s.Waits, s.Mission.Waiting, s.Guard), Answer: v.answer(s),
		Offers: s.Commands, Over: s.Over, Files: s.Files,
	}
	if s.StoppedBy != ugp_explorer_msgs.MissionStatusStoppedByNobody {
		r.Stopped = s.StoppedBy
	}
	if v.cfg.Passive {
		r.State = "passive"
		if s.Over {
			r.State = "done"
		}
	}
	if at, ok := s.Mission.UnderWay(); ok {
		r.Target = &at
	}
	if p := v.page; p.battery != nil {
		b := *p.battery
		b.Age = 10 * math.Floor(time.Duration(v.node.Now()-p.charged).Seconds()/10)
		r.Battery = &b
	}
	if best := s.Record.Recommendation; best != nil && s.Record.LooksForBest() {
		r.Best = &web.Best{At: best.Target}
	}
	return r
}

// answer returns the answer so far; it is computed again when its data change.
func (v *Show) answer(s *Snapshot) *record.Answer {
	p := v.page
	of := answerSource{samples: len(s.Record.Observations), best: s.Record.Recommendation, maps: v.maps, with: s.Known.Correlation}
	if second := s.Record.Secondary; second != nil {
		of.heard = len(second.Heard)
	}
	if p.answer == nil || of != p.answerOf {
		var maps *record.Maps
		if of.maps != nil {
			maps = of.maps.maps
		}
		m := s.Record
		s.Explain(&m)
		answer := m.Answer(maps)
		p.answer, p.answerOf = &answer, of
	}
	return p.answer
}

// checks returns what the explorer watches, renewed once a second.
func (v *Show) checks(s *Snapshot) []web.Check {
	p, now := v.page, v.cfg.Wall()
	if p.checks == nil || now.Sub(p.checked) >= time.Second {
		p.checked, p.checks = now, Checks(s.Close.Checked)
	}
	return p.checks
}

// Checks returns what the page shows of a node's findings.
func Checks(all []watch.Finding) []web.Check {
	list := make([]web.Check, len(all))
	for i, f := range all {
		if list[i] = (web.Check{Name: f.Name, Text: f.Text}); f.Wrong() {
			list[i].Level = web.LevelWarn
		}
	}
	return list
}

// Scene returns the unchanging data of the page, as far as the parameters determine them.
func Scene(c *settings.Config) *web.Scene {
	s := &web.Scene{Stale: c.Mission.PoseTimeout}
	s.Name, s.Quantity, s.Units = c.Field.Name, c.Quantity, c.Units
	s.Boundary = [][]record.Place{}
	if d := c.Datum(); d != nil {
		s.Datum = &[2]float64{d.Lon, d.Lat}
	}
	return s
}

// updateMaps makes new layers when there are new maps, or the true field has come.
func (v *Show) updateMaps(s *Snapshot) {
	p := v.page
	if s.Close.Field != p.field {
		p.field, p.layer = s.Close.Field, nil
		field, cells := p.field, v.cells
		var layer []float64
		v.node.Async(func() { layer = cells.truth(field) }, func() {
			if field == p.field {
				p.layer = layer
			}
		})
	}
	of := mapsSource{v.maps, len(p.layer)}
	if of == p.mapsOf && p.maps != nil {
		return
	}
	p.mapsOf = of
	data := record.Maps{Grid: v.cells.Grid, Layers: v.rasters}
	p.maps = &web.Maps{Data: &data, Transform: s.Record.Transform}
	m := v.maps
	if m != nil {
		data = *m.maps
	}
	data.Truth = p.layer
	if m == nil || len(m.Mixture) == 0 {
		return
	}
	p.maps.Samples = m.Mixture[0].Model.Len()
	transform := p.maps.Transform
	p.maps.Variance = m.Mixture[0].Model.Hyper().SignalVariance
	p.maps.Predict = func(at record.Place) (median, low, high float64, err error) {
		b := gp.Belief{Mean: at[:], Cov: m.QueryCov}
		if err := b.Validate(len(at)); err != nil {
			return 0, 0, 0, err
		}
		mean, variance := m.Mixture.Posterior(b)
		stdDev := math.Sqrt(variance)
		return transform.Inverse(mean), transform.Inverse(mean - 2*stdDev), transform.Inverse(mean + 2*stdDev), nil
	}
}

// updateRegret updates the regret of the recommended places on the true field without variation over distances too short to map.
func (p *page) updateRegret(s *Snapshot) {
	t := s.Close.Truth
	if t == nil || t == p.regretOf {
		return
	}
	p.regretOf, p.regret = t, nil
	for _, r := range t.RegretOverSamples {
		if num.Finite(r.Smooth) {
			p.regret = append(p.regret, web.Regret{Samples: r.Samples, Regret: r.Smooth})
		}
	}
}

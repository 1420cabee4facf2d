package explorer

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/gp"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/painter"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/sense"
	"ugp_explorer/node/web"
	"ugp_explorer/planner/surface"
)

// page is what the page shows of the mission. It is for the goroutine of the executor; what is
// handed over is not changed any more.
type page struct {
	scene    *web.Scene
	maps     *web.Maps
	mapsOf   mapsSource
	checks   []web.Check
	checked  time.Time // when, by the wall clock
	answer   *record.Answer
	answerOf answerSource
	battery  *web.Battery
	charged  int64 // when the battery was heard of, ns
	regret   []web.Regret
	regretOf *record.Truth // that the regrets are of; nil: they are not known yet

	field *surface.GridField // true field whose layer is being computed, or is known
	layer []float64          // of the true field; nil: not known yet
}

// mapsSource is what the maps of a page are made of.
type mapsSource struct {
	mapping *mapping // nil: nothing is mapped yet
	cells   int      // of the layer of the true field; 0: it is not known yet
}

// answerSource is what the answer of a page is made of.
type answerSource struct {
	samples int
	best    *record.Recommendation
	maps    *mapping
}

func (e *Explorer) onBattery(m *sensor_msgs.BatteryState, _ ros.MessageInfo) {
	p := e.page
	p.charged = e.node.Now()
	p.battery = nil
	if !m.Present && m.Voltage == 0 {
		return
	}
	charge := float64(m.Percentage)
	if !finite(charge) {
		charge = float64(m.Charge) / float64(m.Capacity)
	}
	b := web.Battery{Charging: m.PowerSupplyStatus == sensor_msgs.BatteryStatePowerSupplyStatusCharging}
	if charge >= 0 && charge <= 1 {
		percent := math.Round(1000*charge) / 10
		b.Percent = &percent
	}
	if v := float64(m.Voltage); finite(v) && v > 0 {
		v = math.Round(100*v) / 100
		b.Voltage = &v
	}
	p.battery = &b
}

// ShownRobot returns what the page shows of the newest pose, nil before the first.
func ShownRobot(s *sense.Sense) *web.Robot {
	if !s.HasPose() {
		return nil
	}
	at := s.Pose()
	return &web.Robot{Stamp: at.Stamp, X: at.X, Y: at.Y, Yaw: at.Yaw, XX: at.Cov[0][0], XY: at.Cov[0][1], YY: at.Cov[1][1], Speed: s.Speed()}
}

// Snapshot returns what the page shows, see [settings.Config.HasPage].
func (e *Explorer) Snapshot() *web.Snapshot {
	p, m := e.page, e.memory
	if s := p.scene; s == nil || s.Home != m.record.Home || s.Noise != m.record.Noise {
		p.scene = Scene(e.cfg)
		p.scene.Scene, p.scene.Free = painter.SceneOf(&m.record), e.ground.Region().Edge()
		p.scene.Photo = e.photo
	}
	e.updateMaps()
	e.updateRegret()
	s := &web.Snapshot{
		Now: e.node.Now(), Scene: p.scene, Status: e.shownStatus(), Checks: e.shownChecks(), Maps: p.maps, Regret: p.regret,
		Robot: ShownRobot(e.sense), Plan: e.mode.plan(),
		Track: slices.Clip(m.tracks.Estimated), Own: slices.Clip(m.record.Observations), Team: slices.Clip(m.record.Team),
	}
	at := e.mode.status()
	s.Usage = web.Usage{
		Samples:  web.Used{Used: float64(len(m.record.Observations)), Limit: float64(at.Budget.Samples)},
		Distance: web.Used{Used: at.UsedDistance, Limit: at.Budget.Distance},
		Time:     web.Used{Used: at.UsedDuration, Limit: at.Budget.Duration},
		ToTarget: at.TargetDistance, ToHome: at.HomeDistance,
	}
	if rest, ok := e.mode.rest(); ok {
		s.Usage.Left = &web.Left{Distance: rest.Distance, Time: rest.Duration, Done: rest.Done}
	}
	if s.Status.Files {
		s.Folder = e.cfg.OutputDir
	}
	return s
}

func (e *Explorer) shownStatus() web.Status {
	s := e.mode.status()
	over := e.Finished()
	r := web.Status{
		State: string(e.mode.publicState()), Text: e.told(e.mode.text()), Waiting: cmp.Or(e.Waiting(), s.Waiting, e.view.guard), Answer: e.shownAnswer(),
		Offers: e.mode.offers(), Skipped: s.Skipped, Over: over, Files: over && e.memory.saved && e.cfg.OutputDir != "",
	}
	if e.cfg.Passive {
		r.State = "passive"
		if over {
			r.State = "done"
		}
	}
	if at, ok := underWay(s); ok {
		r.Target = &at
	}
	if p := e.page; p.battery != nil {
		b := *p.battery
		b.Age = 10 * math.Floor(stampSeconds(e.node.Now()-p.charged)/10)
		r.Battery = &b
	}
	if best := e.memory.record.Recommendation; best != nil && e.bestPlace() != "" {
		r.Best = &web.Best{At: best.Target}
	}
	return r
}

// shownAnswer returns the answer so far, renewed when there is another.
func (e *Explorer) shownAnswer() *record.Answer {
	p, m := e.page, e.memory.record
	if of := (answerSource{len(m.Observations), m.Recommendation, e.view.maps}); p.answer == nil || of != p.answerOf {
		var maps *record.Maps
		if of.maps != nil {
			maps = of.maps.maps
		}
		m.Settings = e.memory.settings // with the datum
		answer := m.Answer(maps)
		p.answer, p.answerOf = &answer, of
	}
	return p.answer
}

// Refuses implements web.Explorer.
func (e *Explorer) Refuses(at record.Place) (why string, inside bool) {
	why = "the explorer does not drive the robot"
	for _, c := range e.commands {
		if c.asks != nil {
			why = c.asks(orb.Point(at))
		}
	}
	return why, e.ground.Region().SignedDistance(orb.Point(at)) >= 0
}

// shownChecks returns what the explorer watches, renewed once a second: the sentences take time.
func (e *Explorer) shownChecks() []web.Check {
	p := e.page
	now := e.cfg.Wall()
	if p.checks != nil && now.Sub(p.checked) < time.Second {
		return p.checks
	}
	p.checked, p.checks = now, Checks(e.node, e.Watched())
	return p.checks
}

// Checks returns what the page shows of a node's diagnostics.
func Checks(node *ros.Node, all []diagnostic_msgs.DiagnosticStatus) []web.Check {
	list := make([]web.Check, len(all))
	for i, d := range all {
		list[i] = web.Check{Name: strings.TrimPrefix(d.Name, node.Name()+": "), Level: min(int(d.Level), web.LevelError), Text: d.Message}
	}
	return list
}

// Scene returns what the page shows that does not change, as far as the parameters tell it.
func Scene(c *settings.Config) *web.Scene {
	s := &web.Scene{Stale: c.Mission.PoseTimeout, Radius: c.Radius}
	s.Name, s.Frame, s.Quantity, s.Units, s.Objective = c.Field.Name, c.Frame, c.Quantity, c.Units, record.Objective(c.Objective)
	s.Passive, s.Boundary = c.Passive, [][]record.Place{}
	if d := c.Datum(); d != nil {
		s.Datum = &[2]float64{d.Lon, d.Lat}
	}
	return s
}

// updateMaps makes new maps when there are others, or the true field has come.
func (e *Explorer) updateMaps() {
	p := e.page
	if e.truth != nil && e.truth.field != p.field {
		p.field, p.layer = e.truth.field, nil
		field, grid, region := p.field, e.view.grid, e.ground.Region()
		var layer []float64
		e.node.Async(func() { layer = truthLayer(field, grid, region) }, func() {
			if field == p.field {
				p.layer = layer
			}
		})
	}
	of := mapsSource{e.view.maps, len(p.layer)}
	if of == p.mapsOf && p.maps != nil {
		return
	}
	p.mapsOf = of
	data := record.Maps{Grid: e.view.grid, Rasters: e.view.rasters}
	p.maps = &web.Maps{Data: &data, Transform: e.memory.record.Transform}
	m := e.view.maps
	if m != nil {
		data = *m.maps
	}
	data.Truth = p.layer
	if m == nil || len(m.mixture) == 0 {
		return
	}
	p.maps.Samples = m.mixture[0].Model.Len()
	transform := p.maps.Transform
	p.maps.Variance = m.mixture[0].Model.Hyper().SignalVariance
	p.maps.Predict = func(at record.Place) (median, low, high float64, err error) {
		b := gp.Belief{Mean: at[:], Cov: m.queryCov}
		if err := b.Validate(len(at)); err != nil {
			return 0, 0, 0, err
		}
		mean, variance := m.mixture.Posterior(b)
		stdDev := math.Sqrt(variance)
		return transform.Inverse(mean), transform.Inverse(mean - 2*stdDev), transform.Inverse(mean + 2*stdDev), nil
	}
}

// updateRegret renews what the recommended places lose, on the true field without variation over
// distances too short to map.
func (e *Explorer) updateRegret() {
	p := e.page
	if e.truth == nil || !e.memory.record.LooksForBest() {
		return
	}
	t := e.truth.evaluate(&e.memory.record)
	if t == nil || t == p.regretOf {
		return
	}
	p.regretOf, p.regret = t, nil
	for _, r := range t.RegretOverSamples {
		if finite(r.Smooth) {
			p.regret = append(p.regret, web.Regret{Samples: r.Samples, Regret: r.Smooth})
		}
	}
}

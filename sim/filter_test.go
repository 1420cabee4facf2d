// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization"
	"ugp_explorer/localization/filter"
	"ugp_explorer/sim"
)

// journey is a drive of the simulated robot whose pose the filter estimates: it turns on the spot
// towards a place, drives there, stands for 10 s, and so on. Unless steered, the controller knows the
// truth, so the path does not depend on the filter.
type journey struct {
	plant    sim.PlantConfig
	odometer sim.OdometerConfig
	fix      sim.FixConfig
	filter   filter.Config
	gyro     bool    // at 100 Hz, with a bias of 0.005 rad/s (1σ) and white noise of 0.005 rad/s
	seconds  int     // length
	from     float64 // errors count from here, s
	settled  float64 // those at departures count from here, s
	told     float64 // error of the given heading, rad
	speed    float64 // m/s
	square   float64 // side of the square in which the places lie, m
	steered  bool    // the controller knows the filter's pose, as that of a robot does
	antenna  localization.Lever
	modes    []fixMode // of an RTK receiver; nil: one with the errors of fix

	// disturb is called once in each step, before the plant moves; nil: nothing. It may also change
	// the fix that is fused.
	disturb func(now float64, p *sim.Plant)
	spoil   func(now float64, f *filter.Fix) (lost bool)
	watch   func(now float64, truth sim.PlantState, f *filter.EKF)
	fused   func(now float64, i filter.Innovation) // of each fix
}

// newJourney returns a drive of 20 minutes with the filter as the node configures it.
func newJourney() journey {
	cfg := filter.DefaultConfig()
	cfg.HeadingGiven = true
	return journey{
		plant: sim.DefaultPlantConfig(), odometer: sim.DefaultOdometerConfig(), fix: sim.DefaultFixConfig(),
		filter: cfg, seconds: 1200, speed: 1, square: 100,
	}
}

// skid makes the robot's true turn a fraction of the odometry's, for the whole drive, but for a
// variation of 0.03.
func (j *journey) skid(fraction float64) {
	j.odometer.TurnFraction, j.odometer.TrackStdDev = 1, 0
	p := &j.plant
	p.TurnFractionLow, p.TurnFractionHigh, p.TurnFractionStdDev = fraction, fraction, 0.03
	p.TurnFractionMin, p.TurnFractionMax = 0.4, 1.1
}

// score gathers the errors of a filter.
type score struct {
	n           float64
	yaw, yawVar float64 // sums of squares and of variances
	nees        float64 // sum
	none        float64 // moments without a pose
}

func (s *score) add(p localization.Pose, x, y, yaw float64) {
	e := [3]float64{p.X - x, p.Y - y, math.Remainder(p.Yaw-yaw, 2*math.Pi)}
	s.n++
	s.yaw += e[2] * e[2]
	s.yawVar += p.Cov[2][2]
	// By Gaussian elimination.
	a, q := p.Cov, 0.0
	for i := range 3 {
		q += e[i] * e[i] / a[i][i]
		for r := i + 1; r < 3; r++ {
			f := a[r][i] / a[i][i]
			e[r] -= f * e[i]
			for c := range 3 {
				a[r][c] -= f * a[i][c]
			}
		}
	}
	s.nees += q
}

func (s *score) merge(o *score) {
	s.n += o.n
	s.yaw += o.yaw
	s.yawVar += o.yawVar
	s.nees += o.nees
	s.none += o.none
}

// outcome is the score of a drive, altogether and in the 5 s after each departure.
type outcome struct {
	all, departed score
	counts        filter.Counts
}

const simStep = int64(20e6) // ns

// run drives once.
func (j *journey) run(t testing.TB, seed uint64) (o outcome) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 99))
	start := sim.Pose{X: 50, Y: 50, Yaw: 2 * math.Pi * rng.Float64()}
	plant := sim.NewPlant(j.plant, start, sim.Stream(seed, "plant"))
	odom := sim.NewOdometer(j.odometer, sim.Stream(seed, "odometer"))
	fixes := newReceiver(j.fix, j.modes, seed)
	cfg := j.filter
	cfg.InitialYaw = math.Remainder(start.Yaw+j.told+0.1*rng.NormFloat64(), 2*math.Pi)
	cfg.Antenna = j.antenna
	f := filter.New(cfg)
	bias := 0.005 * rng.NormFloat64()

	driver := pilot{rng: rng, speed: j.speed, square: j.square}
	for now := int64(0); now < int64(j.seconds)*1e9; now += simStep {
		s := float64(now) * 1e-9
		if j.disturb != nil {
			j.disturb(s, plant)
		}
		believed := plant.State()
		if p, err := f.Pose(); j.steered && err == nil {
			believed.X, believed.Y, believed.Yaw = p.X, p.Y, p.Yaw
		}
		must.OK(t, plant.Command(driver.command(s, believed)))
		truth := plant.Step(float64(simStep) * 1e-9)
		if j.gyro && now%10e6 == 0 {
			must.OK(t, f.PredictGyro(now, truth.YawRate+bias+0.005*rng.NormFloat64(), 0.005*0.005))
		}
		if m, ok := odom.Tick(now, truth); ok {
			must.OK(t, f.PredictPose(m.Stamp, m.Pose.X, m.Pose.Y, m.Pose.Yaw))
		}
		at := truth
		at.X, at.Y = truth.Point(j.antenna.X, j.antenna.Y)[0], truth.Point(j.antenna.X, j.antenna.Y)[1]
		fixes.tick(now, at)
		for m, ok := fixes.next(now); ok; m, ok = fixes.next(now) {
			fix := filter.Fix{Stamp: m.Stamp, X: m.X, Y: m.Y, Cov: m.Cov}
			if j.spoil != nil && j.spoil(s, &fix) {
				continue
			}
			innovation, err := f.FusePosition(fix)
			must.OK(t, err)
			if j.fused != nil {
				j.fused(s, innovation)
			}
		}
		if j.watch != nil {
			j.watch(s, truth, f)
		}
		if now%1e9 != 0 || s < max(j.from, 2) {
			continue
		}
		p, err := f.Pose()
		if errors.Is(err, filter.ErrNotInitialised) {
			o.all.none++
			continue
		}
		must.OK(t, err)
		o.all.add(p, truth.X, truth.Y, truth.Yaw)
		if s >= j.settled && s-driver.departed < 5 && driver.driving {
			o.departed.add(p, truth.X, truth.Y, truth.Yaw)
		}
	}
	o.counts = f.Counts()
	return o
}

// pilot drives the robot from place to place in a square.
type pilot struct {
	rng      *rand.Rand
	speed    float64
	square   float64 // side, m
	x, y     float64
	started  bool
	driving  bool
	departed float64 // when the robot last began to drive, s
	rest     float64 // it stands until then
}

func (p *pilot) command(now float64, at sim.PlantState) (speed, rate float64) {
	if now < 5 || now < p.rest {
		return 0, 0
	}
	for !p.started || p.rest > 0 || math.Hypot(p.x-at.X, p.y-at.Y) < 1 {
		if p.started && p.rest == 0 {
			p.rest, p.driving = now+10, false
			return 0, 0
		}
		p.x, p.y = p.square*p.rng.Float64(), p.square*p.rng.Float64()
		p.rest, p.started = 0, math.Hypot(p.x-at.X, p.y-at.Y) > 15
	}
	off := math.Remainder(math.Atan2(p.y-at.Y, p.x-at.X)-at.Yaw, 2*math.Pi)
	if !p.driving {
		if math.Abs(off) > 0.05 {
			return 0, math.Copysign(0.6, off)
		}
		p.driving, p.departed = true, now
	}
	if math.Abs(off) > 0.8 {
		p.driving = false
		return 0, math.Copysign(0.6, off)
	}
	return p.speed, off
}

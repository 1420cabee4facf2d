// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package pursuit

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
)

// reachBound is the time within which a robot that turns at half the commanded rate must reach a goal at distance d: two half
// turns on the spot, each at half MaxTurnRate with an exponential tail down to turnExit; the distance at half the speed; the
// exponential approach of the last metre; one return over LookaheadMin at ApproachSpeed; and the acceleration.
func reachBound(c Config, d float64) float64 {
	turn := math.Pi/(0.5*c.MaxTurnRate) + math.Log(math.Pi/turnExit)/(0.5*turnGain)
	approach := c.ApproachDistance / c.MaxSpeed * math.Log(2*c.ApproachDistance/c.GoalTolerance)
	return 2*turn + d/(0.5*c.MaxSpeed) + approach + c.LookaheadMin/c.ApproachSpeed + c.MaxSpeed/c.Acceleration
}

func TestReachesGoalFromAnywhere(t *testing.T) {
	cfg := DefaultConfig()
	rng := rand.New(rand.NewPCG(1, 2))
	worst := 0.0
	for i := range 600 {
		u := unicycle{
			x: rng.NormFloat64(), y: rng.NormFloat64(), yaw: 2 * math.Pi * rng.Float64(),
			gain:  0.5 + 0.5*rng.Float64(), // a skid-steered robot in Gazebo turns at 0.5 to 1.0 of the commanded rate
			delay: rng.IntN(7),             // up to 0.3 s
		}
		d, phi := 6*rng.Float64()*rng.Float64(), 2*math.Pi*rng.Float64()
		goal := orb.Point{u.x + d*math.Cos(phi), u.y + d*math.Sin(phi)}
		r := newTrial(t, cfg, u)
		r.path(t, goal)
		bound := reachBound(cfg, d)
		took := r.until(t, PhaseArrived, bound, nil)
		worst = max(worst, took/bound)
		for range 40 { // the robot stays there, although commands are still delayed
			if c, st := r.step(); c != (Command{}) || st.Phase != PhaseArrived {
				t.Fatalf("trial %d: command %+v in %v after arrival", i, c, st.Phase)
			}
		}
		if e := r.u.distance(goal); e > cfg.GoalTolerance {
			t.Errorf("trial %d: rests %.3f m from the goal, tolerance %.3f m: %+v", i, e, cfg.GoalTolerance, u)
		}
	}
	t.Logf("slowest trial took %.2f of its bound", worst)
}

// A base that does not obey small turn rates on the spot reaches its goals: it drives on where its turn ends early.
func TestReachesGoalWithADeadBand(t *testing.T) {
	cfg := DefaultConfig()
	rng := rand.New(rand.NewPCG(3, 4))
	for _, dead := range []float64{0.2, 0.4, 0.7} {
		for range 50 {
			d, phi := 1+10*rng.Float64(), 2*math.Pi*rng.Float64()
			goal := orb.Point{d * math.Cos(phi), d * math.Sin(phi)}
			r := newTrial(t, cfg, unicycle{yaw: 2 * math.Pi * rng.Float64(), gain: 0.5 + 0.5*rng.Float64(), dead: dead})
			r.path(t, goal)
			r.until(t, PhaseArrived, reachBound(cfg, d)+10, nil)
			if e := r.u.distance(goal); e > cfg.GoalTolerance {
				t.Errorf("dead band of %g rad/s: rests %.3f m from the goal, tolerance %.3f m", dead, e, cfg.GoalTolerance)
			}
		}
	}
}

// With noisy poses that are 0.1 s old the robot still arrives, within the tolerance and the noise.
func TestReachesGoalByNoisyPoses(t *testing.T) {
	cfg := DefaultConfig()
	rng := rand.New(rand.NewPCG(7, 8))
	const noise = 0.04 // m, and rad
	for i := range 200 {
		d, phi := 5*rng.Float64(), 2*math.Pi*rng.Float64()
		goal := orb.Point{d * math.Cos(phi), d * math.Sin(phi)}
		r := newTrial(t, cfg, unicycle{yaw: 2 * math.Pi * rng.Float64(), gain: 0.5 + 0.5*rng.Float64(), delay: rng.IntN(5)})
		r.path(t, goal)
		older, old := r.u.pose(r.now-2*period), r.u.pose(r.now-period)
		arrived := false
		for s := 0.0; s < reachBound(cfg, d)+20 && !arrived; s += dt {
			p := older
			p.X += noise * rng.NormFloat64()
			p.Y += noise * rng.NormFloat64()
			p.Yaw += noise * rng.NormFloat64()
			p.V += 0.01 * rng.NormFloat64()
			p.W += 0.01 * rng.NormFloat64()
			c, st := r.f.Step(r.now, p)
			older, old = old, r.u.pose(r.now)
			r.u.drive(c, dt)
			r.now += period
			arrived = st.Phase == PhaseArrived
		}
		if !arrived {
			t.Errorf("trial %d: goal at %.2f m not reached", i, d)
		}
		if e := r.u.distance(goal); e > cfg.GoalTolerance+4*noise {
			t.Errorf("trial %d: arrived %.3f m from the goal", i, e)
		}
	}
}

// The heading to a goal straight behind is ±π. The noise here is the worst case: at every step it makes the direction that
// the robot does not turn look the shorter one. The robot must still turn round, and lose no time.
func TestTurnsRoundUnderHeadingNoise(t *testing.T) {
	cfg := DefaultConfig()
	r := newTrial(t, cfg, unicycle{yaw: math.Pi})
	r.path(t, orb.Point{5, 0})
	limit := math.Pi/cfg.MaxTurnRate + cfg.MaxTurnRate/turnRateChange + math.Log(1/(turnExit*turnGain))/turnGain + 0.5
	for s := 0.0; s < limit; s += dt {
		p := r.u.pose(r.now)
		p.Yaw -= math.Copysign(0.2, r.u.w)
		c, st := r.f.Step(r.now, p)
		if st.Phase == PhaseTracking {
			return
		}
		r.u.drive(c, dt)
		r.now += period
	}
	t.Errorf("still turning after %.1f s, yaw %g", limit, r.u.yaw)
}

// A robot that still rolls has not arrived, and one that rolls out of the tolerance returns.
func TestArrivesOnlyStanding(t *testing.T) {
	r := newTrial(t, DefaultConfig(), unicycle{})
	r.path(t, orb.Point{2, 0})
	r.until(t, phaseStopping, 30, nil)
	for range 20 {
		p := r.u.pose(r.now)
		p.V = 0.06
		r.now += period
		p.Stamp = r.now
		if c, st := r.f.Step(r.now, p); st.Phase != phaseStopping {
			t.Fatalf("%+v in %v at 0.06 m/s, want stopping", c, st.Phase)
		}
	}
	r.u.x, r.u.v = 2.2, 0
	if _, st := r.step(); !r.f.slowly || st.Phase == PhaseArrived {
		t.Errorf("rolled out: %v, slowly %v, want another attempt, slowly", st.Phase, r.f.slowly)
	}
	r.until(t, PhaseArrived, reachBound(r.f.cfg, 0.2), nil)
}

func TestTurnHysteresis(t *testing.T) {
	cfg := DefaultConfig()
	at := func(f *Follower, now int64, yaw float64) Phase {
		_, st := f.Step(now, Pose{Stamp: now, Yaw: yaw})
		return st.Phase
	}
	f, err := New(cfg)
	must.OK(t, err)
	must.OK(t, f.SetPath([]orb.Point{{0, 0}, {10, 0}}))
	for i, s := range []struct {
		yaw  float64
		want Phase
	}{
		{0.79, PhaseTracking}, {0.81, PhaseTurning}, {0.79, PhaseTurning}, {0.11, PhaseTurning}, {0.09, PhaseTracking}, {0.79, PhaseTracking},
	} {
		if got := at(f, int64(i), s.yaw); got != s.want {
			t.Errorf("step %d, goal %g rad aside: %v, want %v", i, s.yaw, got, s.want)
		}
	}
}

// Turns make the heading uncertain in proportion, and a correction of the position in the middle of a turn moves the
// bearing on, by most of a turn in all. The robot turns back and round the other way before it loses its heading. One that
// knows its heading, or did not know it before, continues.
func TestTurnsBackBeforeItLosesItsHeading(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, grows float64 // rad, and rad per radian
		back          bool
	}{
		{"uncertain", 0.2, 0.23, true}, {"certain", 0.02, 0.01, false}, {"not known", 0, 0, false}, {"uncertain before", 0.8, 0.05, false},
		{"uncertain both ways round", 0.2, 0.4, true}, // it does not turn to and fro for ever
	} {
		r := newTrial(t, DefaultConfig(), unicycle{})
		r.path(t, orb.Point{0, 0}, orb.Point{-50, 5})
		turned, most, stdDev := 0.0, 0.0, 0.0
		for tick := 0; ; tick++ {
			if tick > 1000 {
				t.Fatalf("%s: the robot has not set out after %d steps", c.name, tick)
			}
			if turned > 2.5 && r.u.y == 0 { // it is found beside the beginning of its path
				r.u.x, r.u.y = -2, 3
			}
			pose := r.u.pose(r.now)
			pose.YawStdDev = math.Hypot(c.before, c.grows*turned)
			stdDev = max(stdDev, pose.YawStdDev)
			yaw := r.u.yaw
			cmd, st := r.f.Step(r.now, pose)
			if st.Phase == PhaseTracking && cmd.Linear > 0 {
				break
			}
			r.u.drive(cmd, dt)
			r.now += period
			turned += math.Remainder(r.u.yaw-yaw, 2*math.Pi)
			most = max(most, math.Abs(turned))
		}
		if back := turned < 0; back != c.back {
			t.Errorf("%s: turned by %.2f rad in all, %.2f at most, want it to go back: %v", c.name, turned, most, c.back)
		}
		if c.back && c.grows < 0.4 && stdDev > 0.95 {
			t.Errorf("%s: the heading had a standard deviation of %.2f rad, and is lost at 1", c.name, stdDev)
		}
	}
}

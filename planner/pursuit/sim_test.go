// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package pursuit

import (
	"math"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
)

// unicycle is a robot for tests: it turns at gain times the commanded turn rate and obeys commands delay steps late.
type unicycle struct {
	x, y, yaw float64
	v, w      float64 // true
	gain      float64
	dead      float64 // turn rates below it have no effect while the robot stands, rad/s
	delay     int
	queue     []Command
}

// drive applies one command for dt seconds: exact arcs of constant speed and turn rate.
func (u *unicycle) drive(c Command, dt float64) {
	u.queue = append(u.queue, c)
	c = Command{}
	if len(u.queue) > u.delay {
		c, u.queue = u.queue[0], u.queue[1:]
	}
	u.v, u.w = c.Linear, c.Angular*u.gain
	if c.Linear == 0 && math.Abs(c.Angular) < u.dead {
		u.w = 0
	}
	if math.Abs(u.w) < 1e-9 {
		u.x += u.v * dt * math.Cos(u.yaw)
		u.y += u.v * dt * math.Sin(u.yaw)
	} else {
		r := u.v / u.w
		u.x += r * (math.Sin(u.yaw+u.w*dt) - math.Sin(u.yaw))
		u.y -= r * (math.Cos(u.yaw+u.w*dt) - math.Cos(u.yaw))
	}
	u.yaw = math.Remainder(u.yaw+u.w*dt, 2*math.Pi)
}

func (u *unicycle) pose(stamp int64) Pose {
	return Pose{Stamp: stamp, X: u.x, Y: u.y, Yaw: u.yaw, V: u.v, W: u.w}
}

func (u *unicycle) distance(p orb.Point) float64 { return math.Hypot(u.x-p[0], u.y-p[1]) }

const (
	period = 50_000_000 // ns
	dt     = 0.05       // s
)

// trial is a follower driving a unicycle.
type trial struct {
	u   unicycle
	f   *Follower
	now int64
}

func newTrial(t testing.TB, cfg Config, u unicycle) *trial {
	t.Helper()
	f, err := New(cfg)
	must.OK(t, err)
	if u.gain == 0 {
		u.gain = 1
	}
	return &trial{u: u, f: f, now: 1_000_000_000}
}

func (r *trial) path(t testing.TB, points ...orb.Point) {
	t.Helper()
	must.OK(t, r.f.SetPath(points))
}

// step takes one step of the loop.
func (r *trial) step() (Command, Status) {
	c, st := r.f.Step(r.now, r.u.pose(r.now))
	r.u.drive(c, dt)
	r.now += period
	return c, st
}

// until steps until the phase is reached and returns the seconds needed. It fails the test after limit seconds.
func (r *trial) until(t testing.TB, phase Phase, limit float64, each func(Command, Status)) float64 {
	t.Helper()
	var st Status
	var c Command
	for s := 0.0; s < limit; s += dt {
		c, st = r.step()
		if each != nil {
			each(c, st)
		}
		if st.Phase == phase {
			return s
		}
	}
	t.Fatalf("not %v within %.1f s: %+v, robot %+v", phase, limit, st, r.u)
	return 0
}

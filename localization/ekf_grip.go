package localization

import (
	"math"
	"math/cmplx"
)

const (
	gripFixes   = 40  // fixes in the window
	gripSpacing = 0.4 // s, least time between two of them, so that the window lasts for 16 s or more
	gripFloor   = 0.1 // m, added to the standard deviation of each fix: errors of time and of the antenna's place
	gripLeast   = 4   // fixes needed
	gripTime    = 3   // s, that they must span
	gripWay     = 1   // m, that the wheels must have driven meanwhile

	// The wheels slip when the fixes moved by less than gripStuck of what the wheels did, and by
	// gripSigmas standard deviations less than all of it. They grip again when the fixes moved by
	// more than gripHold of it, and by gripHoldSigmas standard deviations more than nothing.
	gripStuck, gripSigmas    = 0.45, 4.7
	gripHold, gripHoldSigmas = 0.6, 5
	// While the wheels slip, the robot may or may not move as they tell. slipTime is the time for
	// which such a motion may last unnoticed by fixes.
	slipTime = 1 // s
)

// Slippage says since when wheels have turned without moving the robot (ns), and how far wheels and
// fixes moved from then until it was noticed (m), the latter fitted to all fixes.
type Slippage struct {
	Since         int64
	Wheels, Fixes float64
}

// track is the way by wheels and gyroscope alone: dead reckoning from an arbitrary start.
type track struct{ x, y, yaw float64 }

// gripEntry is a fix with the place of the antenna on the track, and the estimate before the fix.
type gripEntry struct {
	stamp     int64
	way, fix  complex128 // m
	weight    float64    // 1/m²
	x         stateVector
	p         stateMatrix
	wheelTurn float64 // rad, turned by the wheels so far, left and right added up
	wayYaw    float64 // rad, of the track
}

// grip compares the way of the wheels with that of the fixes, in a window of the last fixes.
type grip struct {
	entries  []gripEntry // in the order of their stamps; memory allocated once
	slippage Slippage
}

// similarity is the fit way → fix, fix ≈ a + z·way with a complex z, over the newest fixes: |z| is the
// ratio of the ways' lengths and arg z the angle between them. So an unknown heading does not matter.
type similarity struct {
	first  int        // index of its first entry
	z      complex128 // 0 when the robot stands
	stdDev float64    // of each part of z
	rest   float64    // weighted sum of squares of the fixes about their mean
	spread float64    // the same of the way
	n      int
}

// fits calls try with the fit over the newest entries, from gripLeast of them on to all.
func (g *grip) fits(try func(similarity)) {
	if len(g.entries) < gripLeast {
		return
	}
	last := &g.entries[len(g.entries)-1]
	var w, ww, ff float64 // sums of weights, of squares
	var sw, sf, wf complex128
	for i := len(g.entries) - 1; i >= 0; i-- {
		e := &g.entries[i]
		way, fix, k := e.way-last.way, e.fix-last.fix, complex(e.weight, 0)
		w += e.weight
		sw += k * way
		sf += k * fix
		ww += e.weight * (real(way)*real(way) + imag(way)*imag(way))
		ff += e.weight * (real(fix)*real(fix) + imag(fix)*imag(fix))
		wf += k * cmplx.Conj(way) * fix
		n := len(g.entries) - i
		if n < gripLeast || float64(last.stamp-e.stamp)*1e-9 < gripTime || cmplx.Abs(way) < gripWay {
			continue
		}
		s := similarity{first: i, n: n}
		s.spread = ww - real(sw*cmplx.Conj(sw))/w
		s.rest = ff - real(sf*cmplx.Conj(sf))/w
		if !(s.spread > 0) {
			continue
		}
		s.z = (wf - cmplx.Conj(sw)*sf/complex(w, 0)) / complex(s.spread, 0)
		s.stdDev = 1 / math.Sqrt(s.spread)
		try(s)
	}
}

// stuck reports whether the fixes stood still, within their errors, while the wheels moved.
func (s similarity) stuck() bool {
	dof := float64(2*s.n - 2)
	limit := dof + 3.1*math.Sqrt(2*dof) + 6 // about the 0.999 quantile of χ²
	length := cmplx.Abs(s.z)
	return length < gripStuck && 1-length > gripSigmas*s.stdDev && s.rest < max(limit, gripStuck*gripStuck*s.spread)
}

// moves reports whether the fixes moved as the wheels did.
func (s similarity) moves() bool {
	length := cmplx.Abs(s.z)
	return length > gripHold && length > gripHoldSigmas*s.stdDev
}

// Slipping returns since when the wheels have turned without moving the robot; ok is false while
// they grip. It is noticed from the ways of fixes and wheels over some seconds of driving. Meanwhile
// the pose follows the fixes, and the odometry only says that the robot may have moved.
func (f *EKF) Slipping() (s Slippage, ok bool) {
	if !f.started || !f.hist.newest().after.slipping {
		return Slippage{}, false
	}
	return f.grip.slippage, true
}

// checkGrip takes up a position fix that was inserted as event i, and notices that wheels begin to
// slip or to grip again.
func (f *EKF) checkGrip(i int) {
	ev, before := f.hist.at(i), &f.hist.at(i-1).after
	e := &ev.after
	g := &f.grip
	if e.mode != Running || before.mode != Running || e.innovation.Status == FixTurned || e.innovation.Status == FixForced {
		g.entries = g.entries[:0]
		return
	}
	if n := len(g.entries); n > 0 && float64(ev.stamp-g.entries[n-1].stamp)*1e-9 < gripSpacing {
		return // too near, or late
	}
	if len(g.entries) == cap(g.entries) {
		g.entries = g.entries[:copy(g.entries, g.entries[1:])]
	}
	g.entries = append(g.entries, f.gripEntry(i))
	var best similarity
	slipping := e.slipping // read now: checkHeading may insert an event, and so move this one
	if !slipping && f.checkHeading(ev) {
		return
	}
	if slipping {
		g.fits(func(s similarity) {
			if s.moves() && (best.n == 0 || s.stdDev < best.stdDev) {
				best = s
			}
		})
		if best.n > 0 {
			f.endSlip(best)
		}
		return
	}
	g.fits(func(s similarity) {
		if best.n == 0 && s.stuck() { // the shortest: a longer one may reach back to before
			best = s
		}
	})
	if best.n > 0 {
		f.beginSlip(best)
	}
}

// gripEntry returns the entry of the fix that is event i.
func (f *EKF) gripEntry(i int) gripEntry {
	ev, before := f.hist.at(i), &f.hist.at(i-1).after
	e, a := &ev.after, f.cfg.Antenna
	sin, cos := math.Sincos(e.way.yaw)
	return gripEntry{
		stamp:     ev.stamp,
		way:       complex(e.way.x+cos*a.X-sin*a.Y, e.way.y+sin*a.X+cos*a.Y),
		fix:       complex(ev.fix.X, ev.fix.Y),
		weight:    1 / ((ev.fix.Cov[0][0]+ev.fix.Cov[1][1])/2 + gripFloor*gripFloor),
		wheelTurn: e.wheelTurn,
		wayYaw:    e.way.yaw,
		x:         before.x, p: before.p,
	}
}

// repeatGrip computes the entries of fixes anew that are event first or later.
func (f *EKF) repeatGrip(first int) {
	i := f.hist.len() - 1
	for k := len(f.grip.entries) - 1; k >= 0; k-- {
		g := &f.grip.entries[k]
		for i >= first && (f.hist.at(i).kind != positionEvent || f.hist.at(i).stamp > g.stamp) {
			i--
		}
		if i < first || f.hist.at(i).stamp < g.stamp {
			return
		}
		*g = f.gripEntry(i)
	}
}

// beginSlip goes back to the estimate at the first fix of the window, from which on the robot has
// stood still: the later ones have misled the filter.
func (f *EKF) beginSlip(s similarity) {
	g := &f.grip
	// Before it drove it may have turned on the spot.
	from, last := s.first, &g.entries[len(g.entries)-1]
	for i := from + 1; i < len(g.entries)-1 && cmplx.Abs(g.entries[i].way-g.entries[s.first].way) < gripWay/2.0; i++ {
		from = i
	}
	old := g.entries[from]
	f.grip.slippage = Slippage{Since: old.stamp, Wheels: cmplx.Abs(last.way - old.way)}
	f.grip.slippage.Fixes = f.grip.slippage.Wheels * cmplx.Abs(s.z)
	f.counts.Slips++
	e := event{kind: slipEvent, stamp: f.hist.newest().stamp, slip: &slipChange{begins: true, x: old.x, p: old.p}}
	// It may have moved before it stood, by no more than the fixes' errors hide.
	spread := 1/old.weight + 0.01*f.grip.slippage.Wheels*f.grip.slippage.Wheels
	e.slip.p[stateX][stateX] += spread
	e.slip.p[stateY][stateY] += spread
	turned := last.wheelTurn - old.wheelTurn // by the wheels, or not
	yaw := &e.slip.p[stateYaw][stateYaw]
	*yaw = max(*yaw, min(*yaw+turned*turned/4, f.cfg.MaxYawStdDev*f.cfg.MaxYawStdDev/2))
	g.entries = g.entries[:0]
	f.insert(&e)
}

// endSlip returns to the odometry. The angle between both ways tells the heading.
func (f *EKF) endSlip(s similarity) {
	g := &f.grip
	newest := f.hist.newest()
	heading := wrapAngle(newest.after.way.yaw + cmplx.Phase(s.z))
	variance := s.stdDev*s.stdDev/real(s.z*cmplx.Conj(s.z)) + 0.01
	g.entries = g.entries[:0]
	f.insert(&event{kind: slipEvent, stamp: newest.stamp, slip: &slipChange{heading: heading, variance: variance}})
}

// slipChange is the content of a slipEvent.
type slipChange struct {
	begins            bool
	x                 stateVector // the estimate from which the robot has stood, when it begins
	p                 stateMatrix
	heading, variance float64 // when it ends
}

// changeGrip begins or ends to distrust the odometry.
func (e *estimate) changeGrip(c *slipChange, gate *[2]float64) {
	if e.mode != Running {
		return
	}
	e.slipping = c.begins
	if c.begins {
		e.x, e.p = c.x, c.p
		e.rejections = [2]int{}
		return
	}
	m := e.yawMeasurement(c.heading, c.variance)
	f := e.factorise(&m)
	if f.ok && f.nis > gate[0] { // it has turned meanwhile
		e.p[stateYaw][stateYaw] += m.nu[0] * m.nu[0]
		f = e.factorise(&m)
	}
	if f.ok {
		e.correct(&m, &f)
	}
}

// follow advances the track.
func (t *track) follow(m *motion, x *stateVector) (turned float64) {
	turned = x.turn()*m.turn + x[stateDrift]*m.dx
	if m.gyro {
		turned = m.spin - x[stateBias]*m.dt
	}
	sin, cos := math.Sincos(t.yaw + turned/2)
	k, left := x[stateSpeed], m.dy+x[stateCrab]*m.dx
	t.x += k * (cos*m.dx - sin*left)
	t.y += k * (sin*m.dx + cos*left)
	t.yaw += turned
	return turned
}

// doubt returns what is left of a motion while the wheels slip: the robot may have moved, and
// turned, or not. Its place is taken to stay. Its heading is taken to follow the wheels, or the
// gyroscope: a robot that pushes against an obstacle can turn away from it, and if the heading
// stayed, whatever drives the robot would turn it on and on.
func (m *motion) doubt() motion {
	d := *m
	if m.dt > 0 {
		d.spreadPos += (m.dx*m.dx + m.dy*m.dy) / m.dt * slipTime
		d.spreadYaw += min(m.turn*m.turn/m.dt*slipTime, unknownYaw)
	}
	d.dx, d.dy = 0, 0
	return d
}

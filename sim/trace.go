// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"ugp_explorer/planner/table"
)

// Trace is a recording of the errors of a real receiver.
type Trace struct {
	rows []traceRow // in the order of their times, of which there are at least two
	gap  float64    // time between two rows beyond which there were no fixes between them, s
}

type traceRow struct {
	at float64 // s
	fixError
}

// traceStatus has the kinds of solution by their names in a recording.
var traceStatus = map[string]FixStatus{"": FixSingle, "unknown": FixSingle, "single": FixSingle, "dgps": FixDGPS, "float": FixFloat, "rtk_float": FixFloat, "fixed": FixRTK, "rtk_fixed": FixRTK}

// otherUnits are those of people who do not write seconds and metres.
var otherUnits = []string{"h", "min", "ms", "us", "µs", "ns", "km", "cm", "mm", "ft", "deg", "°"}

var underscores = strings.NewReplacer(" ", "_", "-", "_")

// ReadTrace reads a recording from a CSV file with the columns t_s, east_err_m and north_err_m, and, if they are
// known, stated_stddev_m and status: single, dgps, rtk_float, rtk_fixed or unknown. Times may begin anywhere. A table of
// positions is refused. A row without errors says that there was no fix. A fix whose stated deviation is missing or 0 states stdDev, m; NaN:
// the root mean square of the recorded errors with its status, as the driver of a known receiver does. Other columns are ignored.
func ReadTrace(file string, stdDev float64) (*Trace, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	const want = "want a CSV file with the columns t_s, east_err_m and north_err_m, which are positions minus the true ones, and if they are known stated_stddev_m and status"
	if err := table.Foreign(data, file, table.Errors); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", file, err, want)
	}
	rows, err := table.Read(data, maxPointsFile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", file, err, want)
	}
	column := func(name string) int {
		c, two := rows.Find(name)
		if two != nil && err == nil {
			err = fmt.Errorf("%s: %w: leave one of them out", file, two)
		}
		if c >= 0 && err == nil {
			_, in := table.Known(rows.Names[c])
			if slices.Contains(otherUnits, strings.ToLower(in)) || strings.HasSuffix(strings.ToLower(rows.Names[c]), "_deg") {
				err = fmt.Errorf("%s: column %s is in another unit: convert its numbers, and call it %s", file, rows.Names[c], name)
			}
		}
		return c
	}
	t, east, north, stated, status := column("t_s"), column("east_err_m"), column("north_err_m"), column("stated_stddev_m"), column("status")
	if err == nil && min(t, east, north) < 0 {
		err = fmt.Errorf("%s has the columns %s: %s", file, rows.List(), want)
	}
	trace := &Trace{}
	for i := 0; i < rows.Len() && err == nil; i++ {
		fail := func(format string, args ...any) {
			if err == nil {
				err = fmt.Errorf("%s, %s: %w", file, rows.Where(i), fmt.Errorf(format, args...))
			}
		}
		number := func(c int) (float64, bool) {
			v, ok, bad := rows.Number(i, c)
			if bad != nil {
				fail("%w; times are in seconds, errors and deviations in metres", bad)
			}
			return v, ok
		}
		var fix traceRow
		var timed, x, y, known bool
		fix.at, timed = number(t)
		fix.x, x = number(east)
		fix.y, y = number(north)
		fix.stdDev, _ = number(stated)
		fix.status, known = traceStatus[underscores.Replace(strings.ToLower(rows.Cell(i, status)))]
		switch n := len(trace.rows); {
		case !timed:
			fail("t_s is %q: want a time in seconds", rows.Cell(i, t))
		case x != y:
			fail("only one of east_err_m and north_err_m has a number: want both, or neither where there was no fix")
		case n > 0 && fix.at < trace.rows[n-1].at:
			fail("t_s is %s after %.12g: want times that do not go back; sort the rows, or give one of the recordings alone", rows.Cell(i, t), trace.rows[n-1].at)
		case !x:
		case fix.stdDev < 0:
			fail("stated_stddev_m is %q: want 0 or more metres, or nothing where the receiver stated none", rows.Cell(i, stated))
		case !known:
			fail("status is %q: want single, dgps, rtk_float, rtk_fixed, unknown or nothing", rows.Cell(i, status))
		default:
			trace.rows = append(trace.rows, fix)
		}
	}
	if err != nil {
		return nil, err
	}
	if n := len(trace.rows); n < 2 || trace.rows[0].at == trace.rows[n-1].at {
		return nil, fmt.Errorf("%s has %d fixes at one time: want at least two, at times that ascend", file, n)
	}
	trace.state(stdDev)
	every := trace.interval()
	if trace.gap = 2.5 * every; every > slowestFixes || every < fastestFixes {
		return nil, fmt.Errorf("%s has a fix each %.6g s: want t_s in seconds, and a fix each %g to %d s", file, every, fastestFixes, slowestFixes)
	}
	if trace.ofClock(every) {
		return nil, fmt.Errorf("%s has t_s from %.12g to %.12g, and none of its fixes in the last 40 s of any 100 s, as if they were hours, minutes and seconds (hhmmss), as NMEA writes them: convert them, 3600 hh + 60 mm + ss", file, trace.rows[0].at, trace.rows[len(trace.rows)-1].at)
	}
	for i, r := range trace.rows[1:] {
		if from := trace.rows[i].at; r.at-from > longestGap {
			return nil, fmt.Errorf("%s has no fix for %.0f s after t_s = %.12g: want at most %d s, since a mission would wait as long; give one of the recordings alone", file, r.at-from, from, longestGap)
		}
	}
	if x, y, spread := trace.middle(); math.Hypot(x, y) > max(nearErrors, min(farErrors, 100*spread)) {
		return nil, fmt.Errorf("%s has errors about (%.8g, %.8g) m, half of them within %.3g m of that: want the errors of positions, and these look like positions; subtract the true ones", file, x, y, spread)
	}
	return trace, nil
}

const (
	slowestFixes = 60    // s: what is slower are milliseconds or less
	fastestFixes = 0.005 // s: what is faster are hours or days
	longestGap   = 3600  // s: after an hour without fixes, a simulated mission is given up
	// Errors that hardly vary about a middle farther away than nearErrors, and all beyond farErrors, are places or degrees, m.
	nearErrors, farErrors = 30.0, 1000.0
	leastStated           = 0.01 // m: no receiver states less, though the errors of one that stands may be smaller about their own median
)

// ofClock reports whether the times, every s apart, are those of a clock, hhmmss: read as seconds, there would be an outage
// of 40 s at the end of each minute.
func (t *Trace) ofClock(every float64) bool {
	const second, minute, fewest = 60, 100, 2
	ends := 0
	for i, r := range t.rows {
		if r.at < 0 || math.Mod(r.at, minute) >= second {
			return false
		}
		if i == 0 {
			continue
		}
		if before := t.rows[i-1].at; math.Floor(r.at/minute) > math.Floor(before/minute) && r.at-before <= minute-second+2*every {
			ends++
		}
	}
	return every < (minute-second)/2 && ends >= fewest
}

// middle returns the medians of the errors in x and y, and the median distance from there, m.
func (t *Trace) middle() (x, y, spread float64) {
	all := make([]float64, len(t.rows))
	over := func(of func(r traceRow) float64) float64 {
		for i, r := range t.rows {
			all[i] = of(r)
		}
		return median(all)
	}
	x, y = over(func(r traceRow) float64 { return r.x }), over(func(r traceRow) float64 { return r.y })
	return x, y, over(func(r traceRow) float64 { return math.Hypot(r.x-x, r.y-y) })
}

// median sorts numbers and returns their median, the larger one of two.
func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// StdDev returns the root mean square of the errors, of one axis, m.
func (t *Trace) StdDev() float64 {
	return t.rootMeanSquare(func(traceRow) bool { return true })
}

// rootMeanSquare returns that of the errors of some rows, of one axis, m.
func (t *Trace) rootMeanSquare(of func(r traceRow) bool) float64 {
	sum, n := 0.0, 0
	for _, r := range t.rows {
		if of(r) {
			sum += r.x*r.x + r.y*r.y
			n++
		}
	}
	return math.Sqrt(sum / float64(2*n))
}

// state gives each row that states no deviation this one, m; NaN: that of its status.
func (t *Trace) state(stdDev float64) {
	known := map[FixStatus]float64{}
	for i := range t.rows {
		r := &t.rows[i]
		if r.stdDev != 0 {
			continue
		}
		if r.stdDev = stdDev; !math.IsNaN(stdDev) {
			continue
		}
		if known[r.status] == 0 {
			known[r.status] = max(t.rootMeanSquare(func(o traceRow) bool { return o.status == r.status }), leastStated)
		}
		r.stdDev = known[r.status]
	}
}

// interval returns the median time between two rows, s.
func (t *Trace) interval() float64 {
	var d []float64
	for i, r := range t.rows[1:] {
		if by := r.at - t.rows[i].at; by > 0 {
			d = append(d, by)
		}
	}
	return median(d)
}

// player plays a recording from one of its fixes on to its end, then backwards to its beginning, and so on.
type player struct {
	*Trace
	at     float64 // time since the first row, s
	back   bool
	length float64 // s
}

func (t *Trace) play(rng *rand.Rand) *player {
	length := t.rows[len(t.rows)-1].at - t.rows[0].at
	return &player{Trace: t, at: t.rows[rng.IntN(len(t.rows))].at - t.rows[0].at, length: length}
}

func (p *player) step(dt, factor float64) (fixError, bool) {
	if p.back {
		dt = -dt
	}
	p.at += dt
	for p.at < 0 || p.at > p.length {
		if p.back = p.at > p.length; p.back {
			p.at = 2*p.length - p.at
		} else {
			p.at = -p.at
		}
	}
	now := p.rows[0].at + p.at
	i, _ := slices.BinarySearchFunc(p.rows, now, func(r traceRow, at float64) int {
		if r.at <= at {
			return -1
		}
		return 1
	})
	a, b := p.rows[i-1], p.rows[min(i, len(p.rows)-1)]
	if b.at-a.at > p.gap && now > a.at {
		return fixError{}, false
	}
	e := a.fixError
	if b.at > a.at && a.status == b.status { // between two rows of a kind the error goes from one to the other
		w := (now - a.at) / (b.at - a.at)
		e.x, e.y = e.x+w*(b.x-e.x), e.y+w*(b.y-e.y)
	}
	e.x, e.y, e.stdDev = e.x*factor, e.y*factor, e.stdDev*factor
	return e, true
}

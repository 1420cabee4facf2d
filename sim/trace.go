// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"cmp"
	"errors"
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
	columns, err := findColumns(rows)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if min(columns.at, columns.x, columns.y) < 0 {
		return nil, fmt.Errorf("%s has the columns %s: %s", file, rows.List(), want)
	}
	trace := &Trace{}
	for i := range rows.Len() {
		r, received, err := columns.row(i)
		if n := len(trace.rows); err == nil && n > 0 && r.at < trace.rows[n-1].at {
			err = fmt.Errorf("t_s is %s after %.12g: want times that do not go back; sort the rows, or give one of the recordings alone", rows.Cell(i, columns.at), trace.rows[n-1].at)
		}
		if err != nil {
			return nil, fmt.Errorf("%s, %s: %w", file, rows.Where(i), err)
		}
		if received {
			trace.rows = append(trace.rows, r)
		}
	}
	if err := trace.check(); err != nil {
		return nil, fmt.Errorf("%s has %w", file, err)
	}
	trace.state(stdDev)
	return trace, nil
}

// traceColumns are the columns of a table of errors; -1: there is none.
type traceColumns struct {
	*table.Table
	at, x, y, stdDev, status int
}

// findColumns finds them by their names, which say seconds and metres.
func findColumns(rows *table.Table) (c traceColumns, err error) {
	find := func(name string) int {
		i, two := rows.Find(name)
		if two != nil {
			err = cmp.Or(err, fmt.Errorf("%w: leave one of them out", two))
		}
		if i >= 0 {
			_, in := table.Known(rows.Names[i])
			if slices.Contains(otherUnits, strings.ToLower(in)) || strings.HasSuffix(strings.ToLower(rows.Names[i]), "_deg") {
				err = cmp.Or(err, fmt.Errorf("column %s is in another unit: convert its numbers, and call it %s", rows.Names[i], name))
			}
		}
		return i
	}
	c = traceColumns{rows, find("t_s"), find("east_err_m"), find("north_err_m"), find("stated_stddev_m"), find("status")}
	return c, err
}

// row reads a row. received is false if it says that there was no fix.
func (c *traceColumns) row(i int) (r traceRow, received bool, err error) {
	number := func(column int) (v float64, ok bool) {
		v, ok, bad := c.Number(i, column)
		if bad != nil {
			err = cmp.Or(err, fmt.Errorf("%w; times are in seconds, errors and deviations in metres", bad))
		}
		return v, ok
	}
	var timed, x, y, known bool
	r.at, timed = number(c.at)
	r.x, x = number(c.x)
	r.y, y = number(c.y)
	r.stdDev, _ = number(c.stdDev)
	r.status, known = traceStatus[underscores.Replace(strings.ToLower(c.Cell(i, c.status)))]
	switch {
	case err != nil:
	case !timed:
		err = fmt.Errorf("t_s is %q: want a time in seconds", c.Cell(i, c.at))
	case x != y:
		err = errors.New("only one of east_err_m and north_err_m has a number: want both, or neither where there was no fix")
	case !x:
	case r.stdDev < 0:
		err = fmt.Errorf("stated_stddev_m is %q: want 0 or more metres, or nothing where the receiver stated none", c.Cell(i, c.stdDev))
	case !known:
		err = fmt.Errorf("status is %q: want single, dgps, rtk_float, rtk_fixed, unknown or nothing", c.Cell(i, c.status))
	}
	return r, x, err
}

// check returns what t has that a recording of errors has not, and sets its gap.
func (t *Trace) check() error {
	if n := len(t.rows); n < 2 || t.rows[0].at == t.rows[n-1].at {
		return fmt.Errorf("%d fixes at one time: want at least two, at times that ascend", n)
	}
	every := t.interval()
	if t.gap = 2.5 * every; every > slowestFixes || every < fastestFixes {
		return fmt.Errorf("a fix each %.6g s: want t_s in seconds, and a fix each %g to %d s", every, fastestFixes, slowestFixes)
	}
	if t.ofClock(every) {
		return fmt.Errorf("t_s from %.12g to %.12g, and none of its fixes in the last 40 s of any 100 s, as if they were hours, minutes and seconds (hhmmss), as NMEA writes them: convert them, 3600 hh + 60 mm + ss", t.rows[0].at, t.rows[len(t.rows)-1].at)
	}
	for i, r := range t.rows[1:] {
		if from := t.rows[i].at; r.at-from > longestGap {
			return fmt.Errorf("no fix for %.0f s after t_s = %.12g: want at most %d s, since a mission would wait as long; give one of the recordings alone", r.at-from, from, longestGap)
		}
	}
	if x, y, spread := t.middle(); math.Hypot(x, y) > max(nearErrors, min(farErrors, 100*spread)) {
		return fmt.Errorf("errors about (%.8g, %.8g) m, half of them within %.3g m of that: want the errors of positions, and these look like positions; subtract the true ones", x, y, spread)
	}
	return nil
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

package sim

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Trace is a recording of the errors of a real receiver.
type Trace struct {
	rows []traceRow // at least two, in the order of their times
	gap  float64    // time between two rows from which on there were no fixes between them, s
}

type traceRow struct {
	at float64 // s
	fixError
}

var traceStatus = map[string]FixStatus{"": FixSingle, "unknown": FixSingle, "single": FixSingle, "dgps": FixDGPS, "rtk_float": FixFloat, "rtk_fixed": FixRTK}

// ReadTrace reads a recording from a CSV file with the columns t_s, east_err_m and north_err_m, and, if they are
// known, stated_stddev_m and status: single, dgps, rtk_float, rtk_fixed or unknown. A fix without a stated deviation
// states stdDev, m. Other columns are ignored.
func ReadTrace(file string, stdDev float64) (*Trace, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment, r.TrimLeadingSpace = '#', true
	rows, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	const want = "want a CSV file with the columns t_s, east_err_m and north_err_m, and at will stated_stddev_m and status"
	if len(rows) < 3 {
		return nil, fmt.Errorf("%s has %d lines: %s, and at least two fixes", file, len(rows), want)
	}
	column := func(name string) int { return slices.Index(rows[0], name) }
	t, east, north, stated, status := column("t_s"), column("east_err_m"), column("north_err_m"), column("stated_stddev_m"), column("status")
	if min(t, east, north) < 0 {
		return nil, fmt.Errorf("%s has the columns %s: %s", file, strings.Join(rows[0], ", "), want)
	}
	trace := &Trace{rows: make([]traceRow, len(rows)-1)}
	for i, row := range rows[1:] {
		number := func(c int) (v float64) {
			if v, err2 := strconv.ParseFloat(row[c], 64); err2 == nil && !math.IsNaN(v) && !math.IsInf(v, 0) {
				return v
			}
			if err == nil {
				err = fmt.Errorf("%s, fix %d: %s is %q: want a number", file, i+1, rows[0][c], row[c])
			}
			return 0
		}
		fix := traceRow{number(t), fixError{x: number(east), y: number(north), stdDev: stdDev}}
		if stated >= 0 && row[stated] != "" {
			if fix.stdDev = number(stated); err == nil && fix.stdDev <= 0 {
				err = fmt.Errorf("%s, fix %d: stated_stddev_m is %s: want more than 0, or nothing where the receiver stated none", file, i+1, row[stated])
			}
		}
		if status >= 0 {
			var known bool
			if fix.status, known = traceStatus[row[status]]; err == nil && !known {
				err = fmt.Errorf("%s, fix %d: status is %q: want single, dgps, rtk_float, rtk_fixed or unknown", file, i+1, row[status])
			}
		}
		if i > 0 && err == nil && fix.at <= trace.rows[i-1].at {
			err = fmt.Errorf("%s, fix %d: t_s is %g after %g: want ascending times", file, i+1, fix.at, trace.rows[i-1].at)
		}
		if err != nil {
			return nil, err
		}
		trace.rows[i] = fix
	}
	trace.gap = trace.longestInterval()
	return trace, nil
}

// longestInterval returns the time between two rows from which on fixes are missing there: more than twice the median.
func (t *Trace) longestInterval() float64 {
	d := make([]float64, len(t.rows)-1)
	for i := range d {
		d[i] = t.rows[i+1].at - t.rows[i].at
	}
	slices.Sort(d)
	return 2.5 * d[len(d)/2]
}

// player plays a recording from a place on to its end, then backwards to its beginning, and so on.
type player struct {
	*Trace
	at     float64 // time since the first row, s
	back   bool
	length float64 // s
}

func (t *Trace) play(rng *rand.Rand) *player {
	length := t.rows[len(t.rows)-1].at - t.rows[0].at
	return &player{Trace: t, at: length * rng.Float64(), length: length}
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
	if b.at-a.at > p.gap {
		return fixError{}, false
	}
	e := a.fixError
	if b.at > a.at { // between two rows the error goes from one to the other
		w := (now - a.at) / (b.at - a.at)
		e.x, e.y = e.x+w*(b.x-e.x), e.y+w*(b.y-e.y)
	}
	e.x, e.y, e.stdDev = e.x*factor, e.y*factor, e.stdDev*factor
	return e, true
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package soak

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"ugp_explorer/node/chart"
)

const hour = 3600.0 // s

// Table returns what was measured as two tables in Markdown: of the nodes, over the whole time, and
// of the explorer, of each of its processes.
func (l *Log) Table() string {
	var b strings.Builder
	fmt.Fprintf(&b, "| node | resident memory after 1 h, MB | at the end, MB | growth, MB/h | goroutines | open files | processor time, s per simulated hour |\n|---|---|---|---|---|---|---|\n")
	for _, node := range l.nodes() {
		r := l.of(node)
		first, last := r[at(r, hour)], r[len(r)-1]
		fmt.Fprintf(&b, "| `%s` | %.0f | %.0f | %s | %s | %s | %.0f |\n", node, first.Resident, last.Resident, growth(r),
			span(r, func(r Reading) int { return r.Goroutines }), span(r, func(r Reading) int { return r.Files }), processor(r))
	}
	fmt.Fprintf(&b, "\n| hours | samples | decision, ms | journal, MB | bags, MB | killed, and back with a goal after, s |\n|---|---|---|---|---|---|\n")
	for i, restart := range l.Restarts {
		from := 0.0
		if i > 0 {
			from = l.Restarts[i-1].Time
		}
		k := l.before(restart.Time)
		goal := "–"
		if restart.Goal > 0 {
			goal = fmt.Sprintf("%.1f", restart.Goal)
		}
		fmt.Fprintf(&b, "| %.1f | %d | %.0f | %.1f | %.0f | %s |\n", restart.Time/hour, restart.Samples, 1000*l.decision(from, restart.Time), k.Journal, k.Bag, goal)
	}
	if n := len(l.Kept); n > 0 {
		k, from := l.Kept[n-1], 0.0
		if n := len(l.Restarts); n > 0 {
			from = l.Restarts[n-1].Time
		}
		fmt.Fprintf(&b, "| %.1f | %d | %.0f | %.1f | %.0f | |\n", k.Time/hour, k.Samples, 1000*l.decision(from, k.Time), k.Journal, k.Bag)
	}
	return b.String()
}

// nodes returns the names of the nodes in the order of their first readings.
func (l *Log) nodes() (names []string) {
	for _, r := range l.Readings {
		if !slices.Contains(names, r.Node) {
			names = append(names, r.Node)
		}
	}
	return names
}

// at returns the index of the first reading from a time on, or of the last.
func at(r []Reading, time float64) int {
	for i := range r {
		if r[i].Time >= time {
			return i
		}
	}
	return len(r) - 1
}

// growth returns the slope of the resident memory after the first hour, with its standard error.
func growth(r []Reading) string {
	r = r[at(r, hour):]
	if len(r) < 3 {
		return "–"
	}
	var x, y []float64
	for _, k := range r {
		x, y = append(x, k.Time/hour), append(y, k.Resident)
	}
	a, b := stat.LinearRegression(x, y, nil, false)
	rest, spread := 0.0, stat.Variance(x, nil)*float64(len(x)-1)
	for i := range x {
		rest += math.Pow(y[i]-a-b*x[i], 2)
	}
	return fmt.Sprintf("%.2f ± %.2f", b, math.Sqrt(rest/float64(len(x)-2)/spread))
}

// span returns the smallest and the largest of the known counts.
func span(r []Reading, of func(Reading) int) string {
	lo, hi := math.MaxInt, 0
	for _, k := range r {
		if n := of(k); n > 0 {
			lo, hi = min(lo, n), max(hi, n)
		}
	}
	switch {
	case hi == 0:
		return "–"
	case lo == hi:
		return fmt.Sprint(lo)
	}
	return fmt.Sprintf("%d to %d", lo, hi)
}

// processor returns the processor time per simulated hour, s. That of a process that was killed
// counts up to its last reading.
func processor(r []Reading) float64 {
	used, before := 0.0, 0.0
	for _, k := range r {
		if k.CPU < before { // another process
			before = 0
		}
		used, before = used+k.CPU-before, k.CPU
	}
	return used / (r[len(r)-1].Time / hour)
}

// before returns what the explorer had last before a time.
func (l *Log) before(time float64) (k Kept) {
	for _, other := range l.Kept {
		if other.Time <= time {
			k = other
		}
	}
	return k
}

// decision returns the median duration of the rounds of learning and deciding between two times, s.
func (l *Log) decision(from, to float64) float64 {
	var took []float64
	for _, k := range l.Kept {
		if k.Time > from && k.Time <= to && k.Decision > 0 {
			took = append(took, k.Decision)
		}
	}
	if len(took) == 0 {
		return math.NaN()
	}
	slices.Sort(took)
	return took[len(took)/2]
}

// Picture returns the curves of all that was measured over the simulated hours, as SVG.
func (l *Log) Picture() []byte {
	const hours = "simulated hours"
	of := func(title string, value func(Reading) float64) chart.Panel {
		p := chart.Panel{Title: title, Axis: hours}
		for _, node := range l.nodes() {
			s := chart.Line{Label: node}
			for _, r := range l.of(node) {
				if v := value(r); v > 0 {
					s.X, s.Y = append(s.X, r.Time/hour), append(s.Y, v)
				}
			}
			p.Lines = append(p.Lines, s)
		}
		return p
	}
	explorer := slices.Index(l.nodes(), l.last())
	kept := func(title string, value func(Kept) float64) chart.Panel {
		p := chart.Panel{Title: title, Axis: hours, Lines: make([]chart.Line, explorer+1)}
		s := &p.Lines[explorer] // in the colour of the explorer
		for _, k := range l.Kept {
			s.X, s.Y = append(s.X, k.Time/hour), append(s.Y, value(k))
		}
		return p
	}
	return chart.SVG([]chart.Panel{
		of("resident memory (MB)", func(r Reading) float64 { return r.Resident }),
		of("heap (MB)", func(r Reading) float64 { return r.Heap }),
		of("goroutines", func(r Reading) float64 { return float64(r.Goroutines) }),
		of("open files", func(r Reading) float64 { return float64(r.Files) }),
		kept("decision (s)", func(k Kept) float64 { return k.Decision }),
		kept("samples", func(k Kept) float64 { return float64(k.Samples) }),
		kept("journal (MB)", func(k Kept) float64 { return k.Journal }),
		kept("bags (MB)", func(k Kept) float64 { return k.Bag }),
	}, 2, "")
}

// last returns the node that was measured last: the explorer.
func (l *Log) last() string {
	if n := l.nodes(); len(n) > 0 {
		return n[len(n)-1]
	}
	return ""
}

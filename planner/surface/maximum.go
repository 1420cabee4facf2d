// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package surface

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"
)

// Peak is a value and its position, m.
type Peak struct{ X, Y, Value float64 }

// errNoPlace is returned when no position is admissible.
var errNoPlace = errors.New("surface: no admissible place")

const (
	refined     = 32   // candidates of the scan that are refined
	finest      = 0.01 // m, accuracy of the position found
	maxScan     = 1 << 22
	scanHalving = 4 // number of times the scan is refined when it finds no place
)

// MaxExpected returns the largest E[f(x̃)], x̃ ~ N(x, cov), over all x in bounds
// for which inside is true, and that x. With a cov of zero it is the largest f(x)
// itself.
//
// Bounds are scanned at the field's resolution or, where that is wider, at
// half the smaller standard deviation of cov: the expected field is smoother
// than the field itself. The 32 best local maxima of the scan are then refined by
// compass search (Kolda, Lewis & Torczon 2003, SIAM Review
// 45:385), which needs no derivatives and keeps inside, to 1 cm.
func MaxExpected(f Surface, bounds orb.Bound, resolution float64, inside func(x, y float64) bool, cov [2][2]float64) (Peak, error) {
	rule, err := NewExpectation(cov, resolution)
	if err != nil {
		return Peak{}, err
	}
	// The screening rule leaves out the outermost 0.3 % of the mass per axis; it only
	// selects candidates, and the exact rule decides between them.
	screen, err := newExpectation(cov, screenExtent, 1, resolution/2)
	if err != nil {
		return Peak{}, err
	}
	_, minor, _, err := principalAxes(cov)
	if err != nil {
		return Peak{}, err
	}
	step := max(resolution, minor/2)
	var places []Peak
	for range scanHalving {
		if places, err = scan(f, screen, bounds, step, inside); err != nil {
			return Peak{}, err
		}
		if len(places) > 0 {
			break
		}
		step /= 2
	}
	if len(places) == 0 {
		return Peak{}, fmt.Errorf("%w in %v–%v × %v–%v m", errNoPlace, bounds.Min[0], bounds.Max[0], bounds.Min[1], bounds.Max[1])
	}
	best := Peak{Value: math.Inf(-1)}
	for _, p := range places {
		if p = climb(f, rule, bounds, p, step, inside); p.Value > best.Value {
			best = p
		}
	}
	return best, nil
}

// scan returns the best admissible local maxima of a regular scan, best first.
func scan(f Surface, e *Expectation, b orb.Bound, step float64, inside func(x, y float64) bool) ([]Peak, error) {
	g, err := GridOver(b, step, 0)
	if err != nil || g.Len() > maxScan {
		return nil, fmt.Errorf("surface: search of %v–%v × %v–%v m at %v m has too many positions, at most %d are allowed", b.Min[0], b.Max[0], b.Min[1], b.Max[1], step, maxScan)
	}
	value := make([]float64, g.Len())
	for j := range g.NY {
		for i := range g.NX {
			x, y := g.Node(i, j)
			value[g.Index(i, j)] = math.Inf(-1)
			if b.Contains(orb.Point{x, y}) && inside(x, y) {
				value[g.Index(i, j)] = e.At(f, x, y)
			}
		}
	}
	var best []Peak
	for j := range g.NY {
		for i := range g.NX {
			v := value[g.Index(i, j)]
			highest := !math.IsInf(v, -1) // of the eight nodes around
			for q := max(j-1, 0); q <= min(j+1, g.NY-1); q++ {
				for p := max(i-1, 0); p <= min(i+1, g.NX-1); p++ {
					highest = highest && value[g.Index(p, q)] <= v
				}
			}
			if !highest {
				continue
			}
			x, y := g.Node(i, j)
			best = append(best, Peak{x, y, v})
		}
	}
	slices.SortStableFunc(best, func(p, q Peak) int { return cmp.Compare(q.Value, p.Value) })
	return best[:min(len(best), refined)], nil
}

// climb refines a place by compass search along the axes and diagonals.
func climb(f Surface, e *Expectation, b orb.Bound, p Peak, step float64, inside func(x, y float64) bool) Peak {
	p.Value = e.At(f, p.X, p.Y)
	for step > finest {
		moved := false
		for _, d := range [...][2]float64{{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}} {
			x, y := p.X+step*d[0], p.Y+step*d[1]
			if !b.Contains(orb.Point{x, y}) || !inside(x, y) {
				continue
			}
			if v := e.At(f, x, y); v > p.Value {
				p, moved = Peak{x, y, v}, true
			}
		}
		if !moved {
			step /= 2
		}
	}
	return p
}

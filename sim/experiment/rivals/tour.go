package rivals

import (
	"math"
	"slices"

	"ugp_explorer/planner/field"
)

// Legs holds the lengths of the paths between stops, m. They are the same in both directions.
type Legs struct {
	Start   []float64   // from the start to each stop
	End     []float64   // from each stop to the end; zeros if the tour may end anywhere
	Between [][]float64 // from stop to stop
}

// NewLegs measures the legs of a tour over stops from the robot's place and back home; with a
// nil home it may end anywhere. travel is used as workspace.
func NewLegs(travel field.Travel, robot, home []float64, stops [][]float64) *Legs {
	n := len(stops)
	l := &Legs{Start: make([]float64, n), End: make([]float64, n), Between: make([][]float64, n)}
	from := func(x []float64, dst []float64, first int) {
		travel.From(x)
		for i := first; i < n; i++ {
			dst[i] = travel.Length(stops[i])
		}
	}
	from(robot, l.Start, 0)
	if home != nil {
		from(home, l.End, 0)
	}
	for i := range stops {
		l.Between[i] = make([]float64, n)
		from(stops[i], l.Between[i], i+1)
		for k := range i {
			l.Between[i][k] = l.Between[k][i]
		}
	}
	return l
}

// leg returns the length of the path between two stops of a tour, where a negative number is
// the start and len(l.Start) the end.
func (l *Legs) leg(a, b int) float64 {
	a, b = min(a, b), max(a, b)
	switch n := len(l.Start); {
	case a < 0 && b == n:
		return 0 // only of an empty tour
	case a < 0:
		return l.Start[b]
	case b == n:
		return l.End[a]
	}
	return l.Between[a][b]
}

// Length returns the length of the tour over the stops in order, m.
func (l *Legs) Length(order []int) float64 {
	sum, at := 0.0, -1
	for _, stop := range order {
		sum += l.leg(at, stop)
		at = stop
	}
	return sum + l.leg(at, len(l.Start))
}

// Nearest returns the given stops in the order in which a robot visits them that always drives
// to the nearest one.
func (l *Legs) Nearest(stops []int) []int {
	order, left, at := make([]int, 0, len(stops)), slices.Clone(stops), -1
	for len(left) > 0 {
		best := 0
		for i, stop := range left {
			if l.leg(at, stop) < l.leg(at, left[best]) {
				best = i
			}
		}
		at = left[best]
		order, left = append(order, at), slices.Delete(left, best, best+1)
	}
	return order
}

const (
	tourGain   = 1e-6 // m, smallest gain of a change of a tour
	tourRounds = 100  // most rounds of changes
	moved      = 3    // most stops that move to another place of a tour together
)

// Tour returns the given stops in the order of a short tour: that of [Legs.Nearest], improved
// while a reversed piece (2-opt, Croes 1958) or up to three stops at another place of the tour
// (Or 1976) make it shorter.
func (l *Legs) Tour(stops []int) []int {
	order := l.Nearest(stops)
	for range tourRounds {
		if !l.reverse(order) && !l.move(order) {
			break
		}
	}
	return order
}

// at returns the stop at a place of the tour, or its start or end.
func (l *Legs) at(order []int, i int) int {
	switch {
	case i < 0:
		return -1
	case i >= len(order):
		return len(l.Start)
	}
	return order[i]
}

// reverse reverses pieces of the tour where that makes it shorter, and reports whether it did.
func (l *Legs) reverse(order []int) (shorter bool) {
	for i := range order {
		for j := i + 1; j < len(order); j++ {
			before, after := l.at(order, i-1), l.at(order, j+1)
			if l.leg(before, order[j])+l.leg(order[i], after) < l.leg(before, order[i])+l.leg(order[j], after)-tourGain {
				slices.Reverse(order[i : j+1])
				shorter = true
			}
		}
	}
	return shorter
}

// move moves the first piece that makes the tour shorter elsewhere, and reports whether there
// is one.
func (l *Legs) move(order []int) bool {
	for size := 1; size <= moved; size++ {
		for i := 0; i+size <= len(order); i++ {
			piece := slices.Clone(order[i : i+size])
			rest := slices.Delete(slices.Clone(order), i, i+size)
			first, last := piece[0], piece[size-1]
			without := l.leg(l.at(rest, i-1), first) + l.leg(last, l.at(rest, i)) - l.leg(l.at(rest, i-1), l.at(rest, i))
			best, to, turned := without-tourGain, -1, false
			for k := 0; k <= len(rest); k++ {
				before, after := l.at(rest, k-1), l.at(rest, k)
				gap := l.leg(before, after)
				if with := l.leg(before, first) + l.leg(last, after) - gap; with < best {
					best, to, turned = with, k, false
				}
				if with := l.leg(before, last) + l.leg(first, after) - gap; with < best {
					best, to, turned = with, k, true
				}
			}
			if to < 0 || math.IsInf(without, 1) {
				continue
			}
			if turned {
				slices.Reverse(piece)
			}
			copy(order, slices.Insert(rest, to, piece...))
			return true
		}
	}
	return false
}

package report

import (
	"fmt"
	"math"
)

// Grid is a raster of square cells in the map frame. Cell (i, j), with i along
// x and j along y, has its centre at Origin + (i+½, j+½)·Cell and has
// index j·NX + i.
type Grid struct {
	X, Y   float64 // lower left corner, m
	Cell   float64 // edge of a cell, m
	NX, NY int
}

// Centre returns the centre of a cell, m.
func (g Grid) Centre(i, j int) Place {
	return Place{g.X + (float64(i)+0.5)*g.Cell, g.Y + (float64(j)+0.5)*g.Cell}
}

// Maps are rasters of the field at the end of a mission. Each is nil or has
// NX·NY values; NaN marks a cell outside the field.
type Maps struct {
	Grid        Grid
	Truth       []float64 // the true field, smooth where Truth.Smooth is known, user's units
	Mean        []float64 // posterior mean, model units
	StdDev      []float64 // posterior standard deviation, model units
	Acquisition []float64 // acquisition function of the next decision, model units
}

// Validate returns an error when a map does not fit the grid.
func (m *Maps) Validate() error {
	g := m.Grid
	if g.NX < 1 || g.NY < 1 {
		return fmt.Errorf("report: maps: grid of %d×%d cells; each must be at least 1", g.NX, g.NY)
	}
	if !(g.Cell > 0) || math.IsInf(g.Cell, 1) {
		return fmt.Errorf("report: maps: cell edge is %g m; it must be positive and finite", g.Cell)
	}
	if !isNumber(g.X) || !isNumber(g.Y) {
		return fmt.Errorf("report: maps: origin is (%g, %g) m; it must be finite", g.X, g.Y)
	}
	for _, l := range []struct {
		name   string
		values []float64
	}{{"truth", m.Truth}, {"mean", m.Mean}, {"stddev", m.StdDev}, {"acquisition", m.Acquisition}} {
		if l.values != nil && len(l.values) != g.NX*g.NY {
			return fmt.Errorf("report: maps: %s has %d values; a grid of %d×%d needs %d or none", l.name, len(l.values), g.NX, g.NY, g.NX*g.NY)
		}
	}
	return nil
}

// Tracks are the paths of a mission, in the order of time. Either may be nil.
// A place that is not finite breaks the line.
type Tracks struct {
	Estimated []Place // by the localisation filter, m
	True      []Place // where the robot really was, m
}

// Survey is how well the whole field is known at the end of a mission, over the
// cells of its maps, in the user's units. NaN means that it was not evaluated.
type Survey struct {
	StdDev float64 `json:"stddev"` // posterior standard deviation, mean over the cells
	Error  float64 `json:"error"`  // root mean square of posterior mean − truth, the truth smooth where that is known

	// Shares of the cells, under ObjectiveThreshold.
	Above     float64 `json:"above"`      // two standard deviations below the mean is above the threshold
	Below     float64 `json:"below"`      // two standard deviations above the mean is below it
	WrongSide float64 `json:"wrong_side"` // the mean is on the other side than the truth
}

// Survey returns how well the maps know a field; nil without a posterior. threshold, in
// the user's units, may be nil.
func (m *Maps) Survey(t Transform, threshold *float64) *Survey {
	if m.Mean == nil || m.StdDev == nil || !t.Known() {
		return nil
	}
	var s Survey
	var cells, known float64
	for i, mean := range m.Mean {
		if math.IsNaN(mean) {
			continue
		}
		cells++
		value := t.Inverse(mean)
		s.StdDev += t.Spread(mean, m.StdDev[i])
		if threshold != nil && t.Inverse(mean-2*m.StdDev[i]) > *threshold {
			s.Above++
		}
		if threshold != nil && t.Inverse(mean+2*m.StdDev[i]) < *threshold {
			s.Below++
		}
		if m.Truth == nil || math.IsNaN(m.Truth[i]) {
			continue
		}
		known++
		s.Error += (value - m.Truth[i]) * (value - m.Truth[i])
		if threshold != nil && (value > *threshold) != (m.Truth[i] > *threshold) {
			s.WrongSide++
		}
	}
	if cells == 0 {
		return nil
	}
	s.StdDev /= cells
	s.Error = math.Sqrt(s.Error / known) // NaN without a truth
	s.Above, s.Below, s.WrongSide = s.Above/cells, s.Below/cells, s.WrongSide/known
	if threshold == nil {
		s.Above, s.Below, s.WrongSide = math.NaN(), math.NaN(), math.NaN()
	}
	return &s
}

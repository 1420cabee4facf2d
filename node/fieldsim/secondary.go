// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fieldsim

import (
	"fmt"
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/planner/surface"
	"ugp_explorer/sim"
)

// What the second sensor measures, and how.
const (
	SecondaryQuantity = "conductivity"
	SecondaryUnits    = "mS/m"

	secondaryMean   = 50 // over the field, mS/m
	secondaryStdDev = 10 // over the field, mS/m
)

// SecondaryProbe describes the second sensor, at the robot's base.
func SecondaryProbe() sim.ProbeConfig {
	return sim.ProbeConfig{StdDev: 0.1 * secondaryStdDev, Period: 2, Delay: sim.DefaultProbeConfig().Delay}
}

// Conductivity returns what the second sensor measures, in SecondaryUnits, of a field with the mean 0 and the variance 1.
func Conductivity(standard surface.Surface) surface.Surface {
	return func(x, y float64) float64 { return secondaryMean + secondaryStdDev*standard(x, y) }
}

// correlatedAcross is the number of places across the field over which a drawn field has its correlation.
const correlatedAcross = 80

// Correlated draws a field that has exactly this correlation with the true one, the mean 0 and the variance
// 1 over places in the outline, which it returns, too. Its part that has nothing to do with the true field
// varies as a synthetic field of the seed does.
func (c FieldConfig) Correlated(truth *surface.GridField, outline orb.Polygon, correlation float64, seed uint64) (at surface.Surface, places []orb.Point, err error) {
	noise, err := c.Draw(outline, seed)
	if err != nil {
		return nil, nil, err
	}
	bound := outline.Bound()
	step := max(bound.Right()-bound.Left(), bound.Top()-bound.Bottom()) / correlatedAcross
	var values, others []float64
	for x := bound.Left(); x <= bound.Right(); x += step {
		for y := bound.Bottom(); y <= bound.Top(); y += step {
			if planar.PolygonContains(outline, orb.Point{x, y}) {
				places = append(places, orb.Point{x, y})
				values, others = append(values, truth.Smooth(x, y)), append(others, noise.Smooth(x, y))
			}
		}
	}
	if len(places) < 2 {
		return nil, nil, fmt.Errorf("it has %d points in the field", len(places))
	}
	mix := sim.Correlate(values, others, correlation)
	return func(x, y float64) float64 { return mix(truth.Smooth(x, y), noise.Smooth(x, y)) }, places, nil
}

// newSecondary makes the second sensor if there is one.
func (s *sensors) newSecondary() error {
	if math.IsNaN(s.cfg.Secondary) {
		return nil
	}
	seed, another := uint64(s.cfg.Seed), uint64(1)<<63 // no world has such a seed
	at, _, err := s.cfg.Field.Correlated(s.field, s.outline.Boundary, s.cfg.Secondary, another+seed)
	if err != nil {
		return fmt.Errorf("secondary.correlation is %g: %w", s.cfg.Secondary, err)
	}
	s.conductivity = Conductivity(at)
	s.secondary, err = sim.NewProbe(SecondaryProbe(), s.conductivity, sim.Stream(seed, "secondary"))
	return err
}

// Secondary returns what the second sensor measures, in SecondaryUnits, nil without such a sensor.
func (s *Fieldsim) Secondary() surface.Surface { return s.sensors.conductivity }

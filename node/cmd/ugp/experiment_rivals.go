package main

import (
	"errors"

	"github.com/paulmach/orb"

	"ugp_explorer/node/simulation"
	"ugp_explorer/planner/field"
	"ugp_explorer/sim"
	"ugp_explorer/sim/experiment/rivals"
)

// trialOfRivals starts the nodes of one mission like trial, with an explorer that accepts the
// rivals of the experiments. If the method is one that knows the maximum, it is told.
func (w *world) trialOfRivals(method string, seed int64, rules ...string) (*simulation.Simulation, error) {
	var maximum []float64
	everything := rivals.Catalogue(func() []float64 { return maximum })
	own := *w
	own.catalogue = &everything
	s, cfg, err := own.openTrial(seed, rules...)
	if err != nil || method != rivals.Clairvoyant {
		return s, err
	}
	truth, _, err := cfg.Fieldsim.Field.Open(uint64(cfg.Fieldsim.Seed))
	if err == nil {
		maximum, err = highest(truth, s.Explorer().Region())
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// highest returns where the field without the variation over distances too short to map is
// highest, m.
func highest(truth *sim.GridField, region *field.Region) ([]float64, error) {
	lo, hi := region.Bounds()
	inside := func(x, y float64) bool { return region.Contains([]float64{x, y}) }
	best, err := sim.MaxExpected(truth.Smooth, orb.Bound{Min: orb.Point(lo), Max: orb.Point(hi)}, truth.Resolution(), inside, [2][2]float64{})
	return []float64{best.X, best.Y}, err
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"fmt"

	"ugp_explorer/gp"
	"ugp_explorer/gp/fit"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/covariate"
)

// Beside is what is known beside the sought quantity. All of it belongs to the record of one mission.
type Beside struct {
	Secondary *gp.GP              // posterior of the second quantity; nil: nothing is known
	Also      []fit.Mixture       // of the other quantities, in their order; nil: nothing is known
	Rasters   []*covariate.Raster // in the order of the covariates
}

// Layers returns the maps of what is known, with values at places alone.
func (b *Beside) Layers(m *record.Mission, at []record.Place) (list []record.Layer, err error) {
	add := func(l record.Layer, known fit.Mixture) error {
		predictor, err := known.NewPredictor(nil)
		if err != nil {
			return fmt.Errorf("%s: %w", l.Name, err)
		}
		if l.Values = make([]float64, len(at)); len(at) > 0 {
			predictor.PredictBatch(l.Values, nil, rows(at))
		}
		list = append(list, l)
		return nil
	}
	if s := m.Secondary; b.Secondary != nil {
		l := record.Layer{Kind: record.LayerSecondary, Name: s.String(), Units: s.Units}
		if err = add(l, fit.Mixture{{Model: b.Secondary, Weight: 1}}); err != nil {
			return nil, err
		}
	}
	for i, known := range b.Also {
		if q := &m.Also[i]; known != nil {
			if err = add(record.Layer{Kind: record.LayerAlso, Index: i, Name: q.Quantity, Units: q.Units}, known); err != nil {
				return nil, err
			}
		}
	}
	for i, raster := range b.Rasters {
		l := record.Layer{Kind: record.LayerRaster, Index: i, Name: m.Covariates[i].String(), Values: make([]float64, len(at))}
		for k, p := range at {
			l.Values[k] = raster.Value(p[0], p[1])
		}
		list = append(list, l)
	}
	return list, nil
}

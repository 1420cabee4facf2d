package explorer

import (
	"fmt"
	"slices"

	"ugp_explorer/node/covariate"
	"ugp_explorer/node/record"
)

// readCovariates reads the rasters that the field may go with, and gives them to the model. It returns what the
// record says of them at first.
func (e *Explorer) readCovariates() (used []record.Covariate, err error) {
	cfg := e.cfg
	if len(cfg.Covariates) == 0 {
		return nil, nil
	}
	cfg.Model.Covariates = nil // those of an explorer before this one
	for _, file := range cfg.Covariates {
		raster, note, err := covariate.Read(file, e.ground.Region(), cfg.datum())
		if err != nil {
			return nil, err
		}
		cfg.Model.Covariates, used, e.rasters = append(cfg.Model.Covariates, raster), append(used, note), append(e.rasters, raster)
		e.node.Logger().Info(fmt.Sprintf("the model may use %s, which has values on %.0f %% of the field", note, 100*raster.Covered()))
	}
	return used, nil
}

// rasterLayers returns the rasters as layers of the maps.
func (e *Explorer) rasterLayers() (layers []record.Raster) {
	grid := e.view.grid
	cells, at := cellsInside(grid, e.ground.Region())
	for i, r := range e.rasters {
		layer := record.Raster{Name: e.memory.record.Covariates[i].String(), Values: newLayer(grid)}
		for k, cell := range cells {
			layer.Values[cell] = r.Value(at[2*k], at[2*k+1])
		}
		layers = append(layers, layer)
	}
	return layers
}

// explained returns the mission's rasters with what each explains by now.
func (e *Explorer) explained() []record.Covariate {
	list := slices.Clone(e.memory.record.Covariates)
	if known := e.optimizer.Learnt().Mixture; len(list) > 0 && len(known) > 0 {
		for i, x := range known.Explained() {
			c := &list[i]
			c.Weight, c.WeightStdDev, c.Share, c.ShareStdDev = x.Mean, x.StdDev, x.Share, x.ShareStdDev
		}
	}
	return list
}

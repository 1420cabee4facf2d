package explorer

import (
	"slices"

	"ugp_explorer/node/record"
)

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

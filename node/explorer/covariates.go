package explorer

import (
	"fmt"

	"ugp_explorer/gp"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/covariate"
	"ugp_explorer/node/record"
)

// readCovariates reads the rasters that the field may go with, for the model, and notes them in the record.
// It returns what the log says of them.
func (c *Config) readCovariates(e *Explorer) (used []record.Covariate, err error) {
	if len(c.Covariates) == 0 {
		return nil, nil
	}
	datum, err := convert.Datum("field.datum", c.Field.Datum)
	if err != nil {
		return nil, err
	}
	c.Model.Covariates = nil
	for _, file := range c.Covariates {
		raster, err := covariate.Read(file, e.ground.Region(), datum)
		if err != nil {
			return nil, err
		}
		note, err := record.CovariateOf(file)
		if err != nil {
			return nil, fmt.Errorf("covariate: %w", err)
		}
		c.Model.Covariates = append(c.Model.Covariates, gp.Covariate(raster))
		used = append(used, note)
		e.node.Logger().Info(fmt.Sprintf("the model may use %s, which has values on %.0f %% of the field", note, 100*raster.Covered()))
	}
	return used, nil
}

// explained returns the mission's rasters with what each explains by now.
func (e *Explorer) explained() []record.Covariate {
	var list []record.Covariate
	known := e.optimizer.Learnt().Mixture
	for i, c := range e.memory.record.Covariates {
		if len(known) > 0 {
			x := known.Explained()[i]
			c.Weight, c.WeightStdDev, c.Share, c.ShareStdDev = x.Mean, x.StdDev, x.Share, x.ShareStdDev
		}
		list = append(list, c)
	}
	return list
}

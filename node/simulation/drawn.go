// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ugp_explorer/planner/field"
	"ugp_explorer/planner/surface"
)

// DrawnCovariate, in the explorer's list of rasters, stands for a raster that the simulation draws so that
// it goes with the true field: its correlation with it, over the field, is exactly the number behind a
// colon, as in farm:0.8, or DefaultCorrelation.
const DrawnCovariate = "farm"

// DefaultCorrelation is the correlation with the true field of a raster that is drawn, or of what a second sensor
// measures, unless another is given.
const DefaultCorrelation = 0.6

// drawCovariates replaces each DrawnCovariate by the file of a raster in the mission's folder, which is written when the
// mission begins if it has a folder.
func (c *Config) drawCovariates(truth *surface.GridField, outline field.Field) error {
	c.Explorer.Covariates, c.Explorer.Drawn = slices.Clone(c.Explorer.Covariates), map[string][]byte{}
	for i, entry := range c.Explorer.Covariates {
		if !isDrawn(entry) {
			continue
		}
		correlation := DefaultCorrelation
		if _, text, given := strings.Cut(entry, ":"); given {
			var err error
			if correlation, err = strconv.ParseFloat(text, 64); err != nil || !(math.Abs(correlation) <= 1) {
				return fmt.Errorf("the raster is %q: want %s, or %s:0.8 with a correlation from -1 to 1", entry, DrawnCovariate, DrawnCovariate)
			}
		}
		points, err := c.drawnCovariate(i, correlation, truth, outline)
		if err != nil {
			return fmt.Errorf("the raster %s: %w", entry, err)
		}
		file := "drawn_raster.csv"
		if i > 0 {
			file = fmt.Sprintf("drawn_raster_%d.csv", i+1)
		}
		file = filepath.Join(c.Explorer.OutputDir, file)
		c.Explorer.Covariates[i], c.Explorer.Drawn[file] = file, points
	}
	return nil
}

// isDrawn reports whether an entry of the explorer's list of rasters stands for one that is drawn.
func isDrawn(entry string) bool {
	name, _, _ := strings.Cut(entry, ":")
	return name == DrawnCovariate
}

// drawnCovariate returns the points of the raster at a place in the list.
func (c *Config) drawnCovariate(place int, correlation float64, truth *surface.GridField, outline field.Field) ([]byte, error) {
	another := uint64(place+1) << 32 // no mission has such a seed
	at, places, err := c.Fieldsim.Field.Correlated(truth, outline.Boundary, correlation, another+uint64(c.Fieldsim.Seed))
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	text.WriteString("x,y,value\n")
	for _, p := range places {
		fmt.Fprintf(&text, "%.2f,%.2f,%.4f\n", p[0], p[1], at(p[0], p[1]))
	}
	return text.Bytes(), nil
}

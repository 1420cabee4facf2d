// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"fmt"
	"path/filepath"
)

// Covariate is a raster that may be correlated with the field, and what the samples say about that correlation.
type Covariate struct {
	File         string  `json:"file"`               // absolute; the column of a table stands behind #
	SHA256       string  `json:"sha256"`             // of the file
	LeftOut      string  `json:"left_out,omitempty"` // how many rows of a table have no value, in a clause
	Covered      float64 `json:"covered,omitempty"`  // share of the field on which the raster has values, in [0, 1]; 0: not recorded
	Zeros        float64 `json:"zeros,omitempty"`    // share of exact zeros among its values on and beside the field, if they may stand for no value
	Weight       float64 `json:"weight"`             // by how much the value rises with a standard deviation of the raster over the field, model units
	WeightStdDev float64 `json:"weight_stddev"`      // model units
	Share        float64 `json:"share"`              // of the field's variance that the raster explains, in [0, 1]
	ShareStdDev  float64 `json:"share_stddev"`
}

// String returns the file's name.
func (c Covariate) String() string { return filepath.Base(c.File) }

// Notes returns clauses that a person should know about the file before the mission.
func (c Covariate) Notes() (notes []string) {
	if c.LeftOut != "" {
		notes = append(notes, fmt.Sprintf("in %s %s", c, c.LeftOut))
	}
	if c.Covered > 0 && c.Covered < wholeField {
		notes = append(notes, fmt.Sprintf("%s has values on only %.2g %% of the field: elsewhere it says nothing", c, 100*c.Covered))
	}
	if c.Zeros > 0 {
		notes = append(notes, fmt.Sprintf("%s of the values of %s on and beside the field are exactly 0, and hardly any are close to 0: if 0 means that there is no value, run: gdal_edit.py -a_nodata 0 %q",
			wholePercent(c.Zeros), c, c.File))
	}
	return notes
}

// wholeField is the share of the field from which a raster covers it: along the edge, cells may be missing.
const wholeField = 0.995

// Explained says how much a raster explains, in a sentence; "" before there are samples.
func (m *Mission) Explained(i int) string {
	if len(m.Hyper) == 0 {
		return ""
	}
	c := m.Covariates[i]
	return fmt.Sprintf("%s explains %s of the field's variance (± %s).", c, wholePercent(c.Share), wholePercent(c.ShareStdDev))
}

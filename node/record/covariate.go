// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"fmt"
	"path/filepath"
)

// Covariate is a raster that the field may go with, and what the samples say of that.
type Covariate struct {
	File         string  `json:"file"`               // absolute; the column of a table stands behind #
	SHA256       string  `json:"sha256"`             // of the file
	LeftOut      string  `json:"left_out,omitempty"` // how many rows of a table have no value, in a clause
	Weight       float64 `json:"weight"`             // by how much the value rises with a standard deviation of the raster over the field, model units
	WeightStdDev float64 `json:"weight_stddev"`      // model units
	Share        float64 `json:"share"`              // of the field's variance that the raster explains, in [0, 1]
	ShareStdDev  float64 `json:"share_stddev"`
}

// String returns the file's name.
func (c Covariate) String() string { return filepath.Base(c.File) }

// Explained says how much a raster explains, in a sentence; "" before there are samples.
func (m *Mission) Explained(i int) string {
	if len(m.Hyper) == 0 {
		return ""
	}
	c := m.Covariates[i]
	return fmt.Sprintf("%s explains %s of the field's variance (± %s).", c, wholePercent(c.Share), wholePercent(c.ShareStdDev))
}

package record

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Covariate is a raster that the field may go with, and what the samples say of that.
type Covariate struct {
	File         string  `json:"file"`          // absolute
	SHA256       string  `json:"sha256"`        // of the file
	Weight       float64 `json:"weight"`        // by how much the value rises with a standard deviation of the raster over the field, model units
	WeightStdDev float64 `json:"weight_stddev"` // model units
	Share        float64 `json:"share"`         // of the field's variance that the raster explains, in [0, 1]
	ShareStdDev  float64 `json:"share_stddev"`
}

// String returns the file's name.
func (c Covariate) String() string { return filepath.Base(c.File) }

// Explained says how much each raster explains, a sentence each; "" without rasters or samples.
func (m *Mission) Explained() string {
	var text strings.Builder
	for _, c := range m.Covariates {
		if len(m.Hyper) > 0 {
			fmt.Fprintf(&text, " %s explains %s of the field's variance (± %s).", c, wholePercent(c.Share), wholePercent(c.ShareStdDev))
		}
	}
	return strings.TrimPrefix(text.String(), " ")
}

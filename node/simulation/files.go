// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"

	"ugp_explorer/node/convert"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/field"
)

// WriteFiles writes the files that the five nodes need as separate processes to the folder
// dir: the parameters of all nodes and, unless they are files already, the outline of the
// field and rasters. The simulated clock runs speed times as fast as the wall clock. c must be the
// configuration of a started simulation, so that the nodes agree.
func (c *Config) WriteFiles(dir string, speed float64) (parameters string, err error) {
	own := *c
	own.Fieldsim.Speed = speed
	var files []record.File
	if own.Explorer.Field.File == "" {
		own.Explorer.Field.File = filepath.Join(dir, "field.geojson")
		datum, err := convert.Datum("field.datum", own.Explorer.Field.Datum)
		if err != nil {
			return "", err
		}
		var outline bytes.Buffer
		if err := field.WriteField(&outline, own.Explorer.Outline, datum); err != nil {
			return "", fmt.Errorf("%s: %w", own.Explorer.Field.File, err)
		}
		files = append(files, record.File{Name: "field.geojson", Data: outline.Bytes()})
	}
	own.Explorer.Covariates = slices.Clone(own.Explorer.Covariates)
	for i, file := range own.Explorer.Covariates {
		if table, ok := own.Explorer.Drawn[file]; ok {
			own.Explorer.Covariates[i] = filepath.Join(dir, filepath.Base(file))
			files = append(files, record.File{Name: filepath.Base(file), Data: table})
		}
	}
	if own.Guard.File == "" {
		own.Guard.File, own.Guard.FieldDatum = own.Explorer.Field.File, own.Explorer.Field.Datum
	}
	text := "/**:\n  ros__parameters:\n    use_sim_time: true\n"
	for _, p := range own.Parameters() {
		text += p.Set.YAML(p.Node)
	}
	files = append(files, record.File{Name: "params.yaml", Data: []byte(text)})
	return filepath.Join(dir, "params.yaml"), record.WriteFiles(dir, files)
}

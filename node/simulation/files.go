package simulation

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ugp_explorer/planner/field"
)

// WriteFiles writes the files that the five nodes need as separate processes to the folder
// dir: the parameters of all nodes and, unless it is a file already, the outline of the
// field. The simulated clock runs speed times as fast as the wall clock. c must be the
// configuration of a started simulation, so that the nodes agree.
func (c *Config) WriteFiles(dir string, speed float64) (parameters string, err error) {
	own := *c
	own.Fieldsim.Speed = speed
	if own.Explorer.Field.File == "" {
		own.Explorer.Field.File = filepath.Join(dir, "field.geojson")
		if err := writeField(own.Explorer.Field.File, own.Explorer.Outline); err != nil {
			return "", err
		}
	}
	if own.Guard.File == "" {
		own.Guard.File, own.Guard.FieldDatum = own.Explorer.Field.File, own.Explorer.Field.Datum
	}
	var b strings.Builder
	b.WriteString("/**:\n  ros__parameters:\n    use_sim_time: true\n")
	for _, p := range own.Parameters() {
		b.WriteString(p.Set.YAML(p.Node))
	}
	parameters = filepath.Join(dir, "params.yaml")
	return parameters, os.WriteFile(parameters, []byte(b.String()), 0o666)
}

func writeField(path string, f field.Field) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := errors.Join(field.WriteField(file, f, nil), file.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

package simulation

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ugp_explorer/planner/field"
)

// Names of the files that WriteFiles writes.
const (
	ParametersFile = "params.yaml"
	OutlineFile    = "field.geojson"
)

// WriteFiles writes what the four nodes need as processes of their own into the
// folder dir: the parameters of all of them, and the outline of the field unless
// it is a file already. The world's clock is speed times as fast as the wall's.
// c is that of a simulation that was started, so that the nodes agree.
func (c *Config) WriteFiles(dir string, speed float64) (parameters string, err error) {
	own := *c
	own.Fieldsim.Speed = speed
	if own.Explorer.Field.File == "" {
		own.Explorer.Field.File = filepath.Join(dir, OutlineFile)
		if err := writeField(own.Explorer.Field.File, own.Explorer.Outline); err != nil {
			return "", err
		}
	}
	var b strings.Builder
	b.WriteString("/**:\n  ros__parameters:\n    use_sim_time: true\n")
	for _, p := range own.Parameters() {
		b.WriteString(p.Set.YAML(p.Node))
	}
	parameters = filepath.Join(dir, ParametersFile)
	return parameters, os.WriteFile(parameters, []byte(b.String()), 0o666)
}

func writeField(path string, f field.Field) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := errors.Join(field.WriteField(file, f), file.Close()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

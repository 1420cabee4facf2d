package explorer

import (
	"errors"
	"fmt"

	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/ground"
)

// newGround returns where the robot may be, by the outline of the configuration, and its
// size. It gives a value to each parameter that follows the size.
func (c *Config) newGround() (*ground.Ground, Size, error) {
	outline, name := c.Outline, "the field"
	if c.OutlineName != "" {
		name = c.OutlineName
	}
	var err error
	if c.Field.File != "" {
		if outline, err = convert.ReadBoundary(c.Field.File, c.Field.Datum); err != nil {
			return nil, Size{}, fmt.Errorf("explorer: field.file: %w", err)
		}
		name = "field.file: " + c.Field.File
	}
	if len(outline.Boundary) == 0 {
		return nil, Size{}, errors.New("explorer: field.file is empty: give a GeoJSON file with the outline of the field")
	}
	region, size, err := c.region(outline)
	if err != nil {
		return nil, size, fmt.Errorf("explorer: %s: %w", name, err)
	}
	g, err := ground.New(ground.Config{
		Outline: outline, Region: region, Inscribed: size.Inscribed, Radius: size.Radius, Sigmas: c.Field.Sigmas,
		Probe: c.Matcher.Probe, HomeTolerance: c.Mission.HomeTolerance, Cell: c.KeepoutCell,
	})
	if err != nil {
		return nil, size, fmt.Errorf("explorer: %w", err)
	}
	return g, size, nil
}

// trackSpacing returns the least distance between two points of a recorded path, m.
func (s Size) trackSpacing() float64 { return min(1, s.Inscribed/50) }

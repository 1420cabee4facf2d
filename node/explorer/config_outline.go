package explorer

import (
	"fmt"
	"os"

	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner/field/outline"
)

// OutlineConfig says how an outline is recorded, and to which file. Package host records it.
type OutlineConfig struct {
	File string // GeoJSON of the recorded field; empty: nothing is recorded
	outline.Config
}

func (c *OutlineConfig) declare(set *param.Set) {
	set.String(&c.File, "outline.file",
		param.Describe("GeoJSON file for the outline of a field that a person records by driving the robot along its edge, on the page or by the services ~/record/…; it is the field when field.file is empty, and until it exists the explorer waits for the recording and drives nowhere; empty: no outline can be recorded"))
	set.Float64(&c.Offset, "outline.offset", param.Unit("m"), param.Range(-100, 100),
		param.Describe("distance of the recorded edge beside the robot's base, positive to its left, negative to its right; 0: the robot drives on the edge"))
	set.Float64(&c.MaxStdDev, "outline.max_stddev", param.Unit("m"), param.Range(0.001, 100),
		param.Describe("largest standard deviation of a point of the edge; while the position is less certain, nothing is recorded"))
}

func (c *OutlineConfig) validate() error {
	if info, err := os.Stat(c.File); err == nil && info.IsDir() {
		return fmt.Errorf("outline.file is %s, a folder: want the name of a file", c.File)
	}
	return nil
}

// On reports whether an outline can be recorded.
func (c *OutlineConfig) On() bool { return c.File != "" }

// Recorded reports whether there is a recorded field.
func (c *OutlineConfig) Recorded() bool {
	_, err := os.Stat(c.File)
	return err == nil
}

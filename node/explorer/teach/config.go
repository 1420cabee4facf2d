package teach

import (
	"fmt"
	"os"

	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner/field/outline"
)

// Config says how an outline is recorded, and to which file.
type Config struct {
	File      string // GeoJSON of the recorded field; empty: nothing is recorded
	Offset    float64
	MaxStdDev float64
}

// DefaultConfig records nothing.
func DefaultConfig() Config {
	o := outline.DefaultConfig()
	return Config{Offset: o.Offset, MaxStdDev: o.MaxStdDev}
}

// Declare binds the parameters to c.
func (c *Config) Declare(set *param.Set) {
	set.String(&c.File, "outline.file",
		param.Describe("GeoJSON file for the outline of a field that a person records by driving the robot along its edge, on the page or by the services ~/record/…; it is the field when field.file is empty, and until it exists the explorer waits for the recording and drives nowhere; empty: no outline can be recorded"))
	set.Float64(&c.Offset, "outline.offset", param.Unit("m"), param.Range(-100, 100),
		param.Describe("distance of the recorded edge beside the robot's base, positive to its left, negative to its right; 0: the robot drives on the edge"))
	set.Float64(&c.MaxStdDev, "outline.max_stddev", param.Unit("m"), param.Range(0.001, 100),
		param.Describe("largest standard deviation of a point of the edge; while the position is less certain, nothing is recorded"))
}

// Validate returns an error that names the first parameter that cannot be used.
func (c *Config) Validate() error {
	if c.File == "" {
		return nil
	}
	if info, err := os.Stat(c.File); err == nil && info.IsDir() {
		return fmt.Errorf("outline.file is %s, a folder: want the name of a file", c.File)
	}
	return nil
}

// On reports whether an outline can be recorded.
func (c *Config) On() bool { return c.File != "" }

// Recorded reports whether there is a recorded field.
func (c *Config) Recorded() bool {
	if c.File == "" {
		return false
	}
	_, err := os.Stat(c.File)
	return err == nil
}

func (c *Config) rules() outline.Config {
	r := outline.DefaultConfig()
	r.Offset, r.MaxStdDev = c.Offset, c.MaxStdDev
	return r
}

package explorer

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/ground"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
)

// draws reports whether a report is written.
func (c *Config) draws() bool { return c.Report && c.Draw != nil }

// Values of goal.interface.
const (
	goalTopic  = "topic"
	goalAction = "navigate_to_pose"
)

// GoalAction returns the name of the action by which goals are sent, "" if they go to a topic.
func (c *Config) GoalAction() string {
	if c.Interface == goalAction {
		return goalAction
	}
	return ""
}

// limited reports whether a budget sets the price of distance, on a field with the area of a
// square of this side, m. Passive missions have none, and the samples of a mission that
// samples while it drives cost no stop. The samples alone set one on fields of the size for
// which that was measured. On a smaller field driving takes little, and on a larger one 16
// samples on 25 km² were in 5 of its 9 squares, and 10 of them in one.
func (c *Config) limited(side float64) bool {
	b := c.Mission.Budget
	return !c.Passive && (b.Distance > 0 || b.Duration > 0 || b.Samples > 0 && !c.continuous() && side >= smallestPaced && side <= largestPaced)
}

// The sides of the smallest and the largest field on which the samples alone set the price, m.
const smallestPaced, largestPaced = 400, 1000

// continuous reports whether the mission samples while the robot drives, and does not stop
// at its targets.
func (c *Config) continuous() bool { return !c.Passive && !c.Reading.AtStops }

// pieces returns the number of observations that a mission without stops makes of all its
// way, 0 if that is not limited.
func (c *Config) pieces() float64 {
	b := c.Mission.Budget
	way := math.Inf(1)
	if b.Distance > 0 {
		way = b.Distance
	}
	if b.Duration > 0 {
		way = min(way, c.Mission.Speed*b.Duration)
	}
	piece := math.Inf(1)
	if c.Path.Length > 0 {
		piece = c.Path.Length
	}
	if c.Path.Time > 0 {
		piece = min(piece, c.Mission.Speed*c.Path.Time)
	}
	if math.IsInf(way, 1) || math.IsInf(piece, 1) {
		return 0
	}
	return way / piece
}

// mission returns the mission's rules.
func (c *Config) mission() mission.Config {
	rules := c.Mission
	if c.continuous() {
		rules.Continuous, rules.Budget.Samples, rules.SampleTime = true, 0, 0
	}
	return rules
}

// CheckBudget returns the error, with the numbers, with which a mission would refuse to start whose
// path home is so many metres long: its budgets do not cover that path, or leave no time for a
// sample. A passive mission has no budgets. New must have given a value to the parameters that
// follow the size of the field.
func (c *Config) CheckBudget(home float64) error {
	if c.Passive {
		return nil
	}
	return c.mission().Check(home)
}

// ErrNoField is returned by New if no field is given.
var ErrNoField = errors.New("explorer: field.file is empty: give a GeoJSON file with the outline of the field, or in outline.file the name of one that is recorded by driving")

// CheckField returns an error if no mission is possible on a field: if too little of it is left
// inside the margin, for example.
func (c *Config) CheckField(f field.Field) error {
	own := *c
	_, _, err := own.fitTo(f)
	return err
}

// newGround returns where the robot may be, by the outline of the configuration, and its
// size. It gives a value to each parameter that follows the size.
func (c *Config) newGround() (*ground.Ground, Size, error) {
	outline, name := c.Outline, "the field"
	if c.OutlineName != "" {
		name = c.OutlineName
	}
	var err error
	if c.Field.File == "" && len(outline.Boundary) == 0 && c.Teach.Recorded() {
		c.Field.File = c.Teach.File
	}
	if c.Field.File != "" {
		if outline, err = convert.ReadBoundary(c.Field.File, c.Field.Datum); err != nil {
			return nil, Size{}, fmt.Errorf("explorer: field.file: %w", err)
		}
		name = "field.file: " + c.Field.File
		if c.Field.Name == "" {
			c.Field.Name = strings.TrimSuffix(filepath.Base(c.Field.File), filepath.Ext(c.Field.File))
		}
	}
	if len(outline.Boundary) == 0 {
		return nil, Size{}, ErrNoField
	}
	region, size, err := c.fitTo(outline)
	if err != nil {
		return nil, size, fmt.Errorf("explorer: %s: %w", name, err)
	}
	g, err := ground.New(ground.Config{
		Outline: outline, Region: region, Inscribed: size.Inscribed, Radius: size.Radius, Sigmas: c.Field.Sigmas,
		Probe: c.Matcher.Probe, HomeTolerance: c.Mission.HomeTolerance, Cell: c.KeepoutCell,
		Nav2: c.Interface == goalAction && !c.Passive,
	})
	if err != nil {
		return nil, size, fmt.Errorf("explorer: %w", err)
	}
	return g, size, nil
}

// trackSpacing returns the least distance between two points of a recorded path, m.
func (s Size) trackSpacing() float64 { return min(1, s.Inscribed/50) }

package explorer

import (
	"fmt"

	"github.com/paulmach/orb"

	"ugp_explorer/node/convert"
	"ugp_explorer/node/export/samples"
	"ugp_explorer/node/record"
	"ugp_explorer/node/record/journal"
)

// handheld is the standard deviation of a place of which the file states none, m: that of a
// hand-held satellite receiver.
const handheld = 3

// readEarlier reads the samples from before the mission. Places farther from the field than
// the field is large are refused: they are in other coordinates.
func (c *Config) readEarlier(outline orb.Polygon) ([]record.Observation, error) {
	if c.Earlier == "" {
		return nil, nil
	}
	datum, err := convert.Datum("field.datum", c.Field.Datum)
	if err != nil {
		return nil, fmt.Errorf("explorer: %w", err)
	}
	near := outline.Bound()
	rules := samples.Rules{
		Datum: datum, Units: c.Units, Transform: record.Transform(c.Reading.Transform),
		StdDev: c.Reading.StdDev, PlaceStdDev: handheld,
		Near: near.Pad(max(near.Max[0]-near.Min[0], near.Max[1]-near.Min[1])),
	}
	list, err := samples.Read(c.Earlier, rules)
	if err != nil {
		return nil, fmt.Errorf("explorer: earlier.file: %w", err)
	}
	return list, nil
}

// startKnowing reads the samples from before a mission that begins now.
func (c *core) startKnowing() error {
	list, err := c.cfg.readEarlier(c.ground.Outline().Boundary)
	if err != nil {
		return err
	}
	if len(list) > 0 {
		c.node.Logger().Info("the model knows samples from before the mission", "file", c.cfg.Earlier, "samples", len(list))
	}
	return c.learnEarlier(list)
}

// keepKnowing takes the samples from before a mission that is resumed from its journal: the
// file may have changed since, or be gone.
func (c *core) keepKnowing(found *journal.State) error {
	list := found.Begin.Earlier
	if n := len(found.Runs); n > 0 {
		if was := found.Runs[n-1].Settings[c.node.Name()]["earlier.file"]; was != nil && was != c.cfg.Earlier {
			c.node.Logger().Warn("earlier.file is read at the start of a mission only; the resumed mission keeps the earlier samples that it began with",
				"was", was, "is", c.cfg.Earlier, "samples", len(list))
		}
	}
	return c.learnEarlier(list)
}

// learnEarlier adds samples from before the mission to the model and to the record. The
// model must have no others yet.
func (c *core) learnEarlier(list []record.Observation) error {
	for i := range list {
		s := foreign(&list[i])
		if err := c.optimizer.Check(s); err != nil {
			return fmt.Errorf("explorer: earlier.file: sample %d: %w", list[i].Sequence, err)
		}
		c.optimizer.Add(s)
	}
	c.memory.record.Earlier = list
	return nil
}

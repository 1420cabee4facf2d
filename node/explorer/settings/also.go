// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ugp_explorer/node/record"
	"ugp_explorer/node/ros/names"
	"ugp_explorer/node/sense"
)

// Also is an entry of the parameter also: another quantity that is measured at the stops of the samples.
type Also struct {
	record.Quantity
	Type string // of the readings, one of sense.ReadingNames
}

// MostAlso is the largest number of other quantities.
const MostAlso = 16

// Others returns the other quantities. The error names an entry that is not valid, and what is allowed.
func (c *Config) Others() ([]Also, error) {
	var all []Also
	for _, entry := range c.Also {
		fail := func(format string, args ...any) ([]Also, error) {
			return nil, fmt.Errorf("also: %q "+format, append([]any{entry}, args...)...)
		}
		parts := strings.SplitN(entry, ":", 4)
		if len(parts) != 4 {
			return fail("has %d of 4 parts, want topic:type:quantity:unit, such as phosphorus:Float64:P:mg/l; the unit may be empty", len(parts))
		}
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		a := Also{record.Quantity{Topic: parts[0], Quantity: parts[2], Units: parts[3]}, parts[1]}
		full, err := names.Remaps(nil).Resolve(a.Topic, "/", "explorer")
		same := slices.IndexFunc(all, func(other Also) bool { return other.Column() == a.Column() })
		switch {
		case err != nil || strings.HasPrefix(a.Topic, "~"):
			return fail("has the topic %q, want the name of one, such as phosphorus or /probe/phosphorus", a.Topic)
		case full == "/reading" || full == "/secondary":
			return fail("has the topic %s, which has its own parameters: want another topic", a.Topic)
		case same >= 0:
			return fail("has the same name in files as %q, %s: want one entry for each topic, and topics that differ by more than / and _", c.Also[same], a.Column())
		case !slices.Contains(sense.ReadingNames(), a.Type):
			return fail("has the type %q, want one of %s", a.Type, strings.Join(sense.ReadingNames(), ", "))
		case a.Quantity.Quantity == "":
			return fail("names no quantity, want topic:type:quantity:unit, such as phosphorus:Float64:P:mg/l")
		}
		all = append(all, a)
	}
	if len(all) > 0 && (c.continuous() || c.Passive && !c.Alone) { // a replay observes the stops of a mission
		why := "sample.stop is false"
		if c.Passive {
			why = "passive is true"
		}
		return nil, errors.New("also names other quantities of the samples, which are measured at stops, and " + why + ": set sample.stop true and passive false, or leave also out")
	}
	return all, nil
}

// alsoReadings returns the rules for readings of the other quantities, given those of the sought one.
func (c *Config) alsoReadings(r sense.Readings) (all []sense.Readings) {
	others, _ := c.Others() // Validate has checked it
	for _, a := range others {
		of := ofAnother(r, a.Topic, "a reading of "+a.Quantity.Quantity, a.Type, "the type "+a.Type)
		of.Unknown = true
		all = append(all, of)
	}
	return all
}

// OtherQuantities returns the other quantities in the form of the record.
func (c *Config) OtherQuantities() (all []record.Quantity) {
	others, _ := c.Others()
	for _, a := range others {
		all = append(all, a.Quantity)
	}
	return all
}

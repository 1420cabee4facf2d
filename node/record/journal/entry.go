// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package journal

import (
	"reflect"

	"ugp_explorer/node/record"
	"ugp_explorer/planner/field/localizability"
	"ugp_explorer/planner/mission"
)

// FileName is the journal's name in the mission's folder.
const FileName = "journal.jsonl"

// Version is the version of the journal's layout that this package writes. It also reads version 1, in which
// a status has neither the amounts added to the budget, which are in entries [More], nor the kind of a fault: a person resumes from each.
const Version = 2

// The entries of a journal. An [Entry] is a line with one of them.
type (
	// Begin is the first entry: the properties that do not change during the mission.
	Begin struct {
		Version   int              `json:"version"`
		Program   string           `json:"program"`
		Passive   bool             `json:"passive"` // somebody else drives the robot
		Frame     string           `json:"frame_id"`
		Quantity  string           `json:"quantity"`
		Units     string           `json:"units"`
		Transform record.Transform `json:"transform"`
		Reading   string           `json:"reading_type"`
		Field     record.Field     `json:"field"`

		Covariates []record.Covariate `json:"covariates,omitempty"`
		Secondary  *Secondary         `json:"secondary,omitempty"` // nil: there is no second sensor
		Also       []string           `json:"also,omitempty"`      // other quantities of the samples, as the parameter also has them

		Earlier []record.Observation `json:"earlier"` // samples from before the mission, as they were read at its start
	}
	// Secondary is the second sensor of a mission.
	Secondary struct {
		Reading  string `json:"reading_type"`
		Quantity string `json:"quantity"`
		Units    string `json:"units"`
	}
	// Run is a run of the explorer: the first one and each that resumed the mission.
	Run struct {
		Stamp    int64           `json:"stamp_ns"` // by the node's clock, like all stamps
		Wall     int64           `json:"wall_ns"`  // by the computer's clock
		Settings record.Settings `json:"settings"` // all parameters of the explorer and of the nodes that it knows
	}
	// Bag is the start of a bag. Name is the name of its folder.
	Bag struct {
		Stamp int64  `json:"stamp_ns"`
		Name  string `json:"name"`
	}
	// Start is the start of the mission.
	Start struct {
		Stamp        int64        `json:"stamp_ns"`
		Wall         int64        `json:"wall_ns"`
		Home         record.Place `json:"home_m"`
		HomeDistance float64      `json:"home_distance_m"` // distance from the robot's place at the start
	}
	// More says that the mission continues, from its way home or its end, with larger limits.
	More struct {
		Stamp int64          `json:"stamp_ns"`
		Added mission.Budget `json:"added"` // to the limits that the parameters give, in all
	}
	// Status is a change of the mission's state, with the numbers of dropped or rejected
	// data until then. Text says it to people who read the file.
	Status struct {
		Mission mission.Status   `json:"mission"`
		Text    string           `json:"text"`
		Counts  map[string]int64 `json:"counts"`
	}
	// Progress is the time and the distance that the mission has used.
	Progress struct {
		Stamp        int64          `json:"stamp_ns"`
		Elapsed      int64          `json:"elapsed_ns"`
		Driving      int64          `json:"driving_ns"`
		Distance     float64        `json:"used_distance_m"`
		HomeDistance float64        `json:"home_distance_m"`
		Track        []record.Place `json:"track_m"` // points of the path since the previous entry

		// StdDev is the standard deviation of the position at each point, m.
		StdDev []float64 `json:"track_stddev_m"`
	}
	// Decision is the choice of a target. Number counts from 1.
	Decision struct {
		Number int              `json:"number"`
		Choice *record.Decision `json:"choice"` // nil: no target was found, or no path to it
	}
	// Learnt is the result of learning from the samples so far.
	Learnt struct {
		Hyper       *record.HyperAt      `json:"hyper_parameters"` // nil: unchanged
		Recommended record.RecommendedAt `json:"recommended"`
	}
	// Skipped is a target that was given up and is avoided until the stamp Until.
	Skipped struct {
		Target record.Place `json:"target_m"`
		Reason string       `json:"reason"`
		Stamp  int64        `json:"stamp_ns"`
		Until  int64        `json:"until_ns"`

		ByPerson bool `json:"by_person,omitempty"`
	}
	// Stuck is a disc that paths avoid until the stamp Until, because the robot was stuck before it.
	Stuck struct {
		Centre record.Place `json:"centre_m"`
		Radius float64      `json:"radius_m"`
		Stamp  int64        `json:"stamp_ns"`
		Until  int64        `json:"until_ns"`
	}
	// Localised is how well the robot has known its place since the entry before, where targets
	// are judged by that.
	Localised struct {
		Stamp int64                 `json:"stamp_ns"`
		Seen  []localizability.Seen `json:"seen"`
	}
	// Struck says that a sample does not count any more, or that it counts again.
	Struck struct {
		Stamp  int64         `json:"stamp_ns"`
		Sample int           `json:"sample"` // its sequence
		Why    record.Struck `json:"why"`    // empty: it counts
	}
	// Goal is a goal that was sent to an action server, which continues with it if the explorer
	// is killed.
	Goal struct {
		Stamp int64  `json:"stamp_ns"`
		ID    string `json:"id"` // 32 hexadecimal digits
	}
	// Saved says that the mission is over and its record and report are written.
	Saved struct {
		Stamp int64 `json:"stamp_ns"`
	}
)

// lineEntry is a line of the journal. Exactly one of the pointers is not nil.
type lineEntry struct {
	Number      int                 `json:"n"`
	Begin       *Begin              `json:"begin"`
	Run         *Run                `json:"run"`
	Bag         *Bag                `json:"bag"`
	Start       *Start              `json:"start"`
	More        *More               `json:"more"`
	Status      *Status             `json:"status"`
	Progress    *Progress           `json:"progress"`
	Decision    *Decision           `json:"decision"`
	Learnt      *Learnt             `json:"learnt"`
	Skipped     *Skipped            `json:"skipped"`
	Stuck       *Stuck              `json:"stuck"`
	Localised   *Localised          `json:"localised"`
	Struck      *Struck             `json:"struck"`
	Goal        *Goal               `json:"goal"`
	Observation *record.Observation `json:"observation"`
	Heard       *record.Heard       `json:"heard"` // a value of the second sensor
	Saved       *Saved              `json:"saved"`
}

// names are the names of entries by their types.
var names = func() map[reflect.Type]string {
	names := map[reflect.Type]string{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[lineEntry]()) {
		if f.Type.Kind() == reflect.Pointer {
			names[f.Type.Elem()] = f.Tag.Get("json")
		}
	}
	return names
}()

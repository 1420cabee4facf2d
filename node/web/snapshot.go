// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"ugp_explorer/node/painter"
	"ugp_explorer/node/record"
)

// Explorer is what a Server asks. Its methods are called on the executor of the mission.
type Explorer interface {
	// Snapshot returns the present state. Nothing in it is changed any more, except that its
	// lists of samples and of the track may grow beyond their length.
	Snapshot() *Snapshot
	// Order carries out a command in words and says whether it was done, and what the mission
	// does now or why it was not done. The error says that there is no such command.
	Order(words string) (done bool, text string, err error)
	// Refuses says why the command goto with a place, m, would be refused now, "" if it would not, and
	// whether the place is inside the field.
	Refuses(at record.Place) (why string, inside bool)
	// Edit changes a ring of the field that a person records by the commands "record outline" and
	// the like. It says what was done, or why it was not.
	Edit(Edit) (done bool, text string)
	// Steer drives a simulated robot for a moment while a field is recorded. It says why it does not.
	Steer(Steer) (done bool, text string)
}

// Snapshot is the state of a mission at one moment. Lengths are in metres, angles in radians,
// values in the user's units.
type Snapshot struct {
	Now    int64  // the mission's clock, ns
	Scene  *Scene // a new one whenever anything in it has changed
	Robot  *Robot // nil: there is no pose yet
	Status Status
	Usage  Usage
	Checks []Check
	Plan   []record.Place // being driven; nil: none
	Track  []record.Place // estimated path driven
	Own    []record.Observation
	Team   []record.TeamSample
	Maps   *Maps    // nil: none yet; a new one whenever they have changed
	Regret []Regret // nil: unknown
	Folder string   // of the mission, when it is over and written; "" before, and without one

	Run       int        // another number when another explorer has taken the place of the one before
	Recording *Recording // of a field; nil: none can be recorded
}

// Scene is what hardly ever changes.
type Scene struct {
	painter.Scene
	Free  [][2]record.Place `json:"free,omitempty"`  // pieces of the edge of the places that may be targets
	Stale float64           `json:"pose_timeout_s"`  // age from which on a pose is too old to drive by
	Datum *[2]float64       `json:"datum,omitempty"` // longitude and latitude of the origin, degrees
}

// Robot is the believed pose.
type Robot struct {
	Stamp      int64 // ns
	X, Y, Yaw  float64
	XX, XY, YY float64 // covariance of the position, m²
	Speed      float64 // m/s
}

// Status is what the mission is doing.
type Status struct {
	State   string         `json:"state"`
	Text    string         `json:"text"`                 // the state in a sentence, with what is wrong
	Offers  []string       `json:"offers,omitempty"`     // the commands that a person can give now, as words of Order
	Waiting string         `json:"waiting,omitempty"`    // what a mission waits for that has not begun, or why the robot stands on its way
	Stopped string         `json:"stopped_by,omitempty"` // who keeps the robot from driving, as in a MissionStatus; "": nobody
	Answer  *record.Answer `json:"answer,omitempty"`     // so far
	Target  *record.Place  `json:"target,omitempty"`
	Best    *Best          `json:"best,omitempty"`
	Battery *Battery       `json:"battery,omitempty"`
	Over    bool           `json:"over,omitempty"`  // the mission is over and its record written, if it is written
	Files   bool           `json:"files,omitempty"` // the mission's folder can be read
}

// Usage is what changes while the robot drives.
type Usage struct {
	Samples  Used    `json:"samples"`
	Distance Used    `json:"distance_m"`
	Time     Used    `json:"time_s"`
	ToHome   float64 `json:"to_home_m"`
	Left     *Left   `json:"left,omitempty"` // nil: no budget ends the mission
}

// Left is what the rest of the mission is expected to take, the way home included.
type Left struct {
	Distance float64 `json:"distance_m"`
	Time     float64 `json:"time_s"`
	Done     float64 `json:"done"` // share of the mission
}

// Used is what was used of a budget; Limit is 0 without a limit.
type Used struct {
	Used  float64 `json:"used"`
	Limit float64 `json:"limit,omitempty"`
}

// Best is the recommended place.
type Best struct {
	At record.Place `json:"at"`
}

// Battery is the state of the robot's battery.
type Battery struct {
	Percent  *float64 `json:"percent,omitempty"` // 0 to 100
	Voltage  *float64 `json:"voltage,omitempty"` // V
	Charging bool     `json:"charging,omitempty"`
	Age      float64  `json:"age_s"` // since it was heard of, rounded to 10 s
}

// Levels of a Check, as in diagnostic_msgs/DiagnosticStatus.
const (
	levelOK    = 0
	LevelWarn  = 1
	levelError = 2
)

// Check is one thing that the explorer watches, as on /diagnostics.
type Check struct {
	Name  string `json:"name"`
	Level int    `json:"level"`
	Text  string `json:"text,omitempty"` // what is wrong, or should be known; "": nothing
}

// Regret is the true value that is lost by going to the place that was recommended after a
// number of samples.
type Regret struct {
	Samples int     `json:"n"`
	Regret  float64 `json:"r"`
}

// Maps are maps of the field, and the model that they were computed from.
type Maps struct {
	Samples   int // that the model knows
	Data      *record.Maps
	Transform record.Transform
	Variance  float64 // of the values before any sample, model units
	// Predict returns what the model expects at a place, and the limits of its 2σ interval, in the user's
	// units. nil: there is no model. It is for one goroutine.
	Predict func(at record.Place) (median, low, high float64, err error)
}

// line is a line of the explorer's log.
type line struct {
	Stamp float64 `json:"t"` // s
	Level int     `json:"level"`
	Text  string  `json:"text"`
}

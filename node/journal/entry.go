package journal

import (
	"ugp_explorer/node/report"
	"ugp_explorer/planner/mission"
)

// FileName is the journal's name in the mission's folder.
const FileName = "journal.jsonl"

// Version is the layout of the journal that this package writes and reads.
const Version = 1

// The entries of a journal: what an [Entry] may hold.
type (
	// Begin is the first of a journal: what stays as it is for the whole mission.
	Begin struct {
		Version   int              `json:"version"`
		Program   string           `json:"program"`
		Passive   bool             `json:"passive"` // the explorer moved nothing
		Frame     string           `json:"frame_id"`
		Quantity  string           `json:"quantity"`
		Units     string           `json:"units"`
		Transform report.Transform `json:"transform"`
		Reading   string           `json:"reading_type"`
		Field     report.Field     `json:"field"`
	}
	// Run is a run of the explorer: the first, and each that took the mission up.
	Run struct {
		Stamp    int64           `json:"stamp_ns"` // by the node's clock, as all stamps
		Wall     int64           `json:"wall_ns"`  // by the machine's
		Settings report.Settings `json:"settings"` // all parameters, its own and those of nodes that it was told of
	}
	// Bag is a bag that was begun, by the name of its folder.
	Bag struct {
		Stamp int64  `json:"stamp_ns"`
		Name  string `json:"name"`
	}
	// Start is the mission's start.
	Start struct {
		Stamp        int64        `json:"stamp_ns"`
		Wall         int64        `json:"wall_ns"`
		Home         report.Place `json:"home_m"`
		HomeDistance float64      `json:"home_distance_m"` // from where the robot started
	}
	// Status is a change of the mission's state, with what was dropped or refused
	// until then.
	Status struct {
		Mission mission.Status   `json:"mission"`
		Counts  map[string]int64 `json:"counts"`
	}
	// Progress is what driving has used since the entry before.
	Progress struct {
		Stamp        int64          `json:"stamp_ns"`
		Elapsed      int64          `json:"elapsed_ns"`
		Distance     float64        `json:"used_distance_m"`
		HomeDistance float64        `json:"home_distance_m"`
		Track        []report.Place `json:"track_m"` // points of the way since then
	}
	// Decision is one choice of a target, by its number from 1.
	Decision struct {
		Number int              `json:"number"`
		Choice *report.Decision `json:"choice"` // nil: there was none to choose, or no way to it
	}
	// Learnt is what the samples so far have taught.
	Learnt struct {
		Hyper       *report.HyperAt      `json:"hyper_parameters"` // nil: as before
		Recommended report.RecommendedAt `json:"recommended"`
	}
	// Skipped is a target given up, to be avoided until a stamp.
	Skipped struct {
		Target report.Place `json:"target_m"`
		Reason string       `json:"reason"`
		Stamp  int64        `json:"stamp_ns"`
		Until  int64        `json:"until_ns"`
	}
	// Saved says that record and report of a mission that is over are written.
	Saved struct {
		Stamp int64 `json:"stamp_ns"`
	}
)

// Entry is a line of the journal. One of the pointers is not nil.
type Entry struct {
	Number      int                 `json:"n"`
	Begin       *Begin              `json:"begin"`
	Run         *Run                `json:"run"`
	Bag         *Bag                `json:"bag"`
	Start       *Start              `json:"start"`
	Status      *Status             `json:"status"`
	Progress    *Progress           `json:"progress"`
	Decision    *Decision           `json:"decision"`
	Learnt      *Learnt             `json:"learnt"`
	Skipped     *Skipped            `json:"skipped"`
	Observation *report.Observation `json:"observation"`
	Saved       *Saved              `json:"saved"`
}

// name returns what an entry is called in its line.
func name(entry any) string {
	switch entry.(type) {
	case Begin:
		return "begin"
	case Run:
		return "run"
	case Bag:
		return "bag"
	case Start:
		return "start"
	case Status:
		return "status"
	case Progress:
		return "progress"
	case Decision:
		return "decision"
	case Learnt:
		return "learnt"
	case Skipped:
		return "skipped"
	case report.Observation:
		return "observation"
	case Saved:
		return "saved"
	}
	panic("journal: not an entry")
}

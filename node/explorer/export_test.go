package explorer

import (
	"strings"

	"ugp_explorer/node/record"
)

// GiveUp adds so many targets to the record that were given up, each for a reason of 4096 characters.
func (e *Explorer) GiveUp(targets int) {
	reason := strings.Repeat("x", 4096)
	for range targets {
		e.memory.record.Skipped = append(e.memory.record.Skipped, record.Skipped{Reason: reason})
	}
}

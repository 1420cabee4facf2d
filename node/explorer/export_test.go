package explorer

import "ugp_explorer/node/record"

// GiveUp adds so many targets to the record that were given up.
func (e *Explorer) GiveUp(targets int) {
	e.memory.record.Skipped = append(e.memory.record.Skipped, make([]record.Skipped, targets)...)
}

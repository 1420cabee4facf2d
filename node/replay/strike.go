// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"math"
	"path/filepath"

	"ugp_explorer/node/record/journal"
)

// sameSample is the greatest difference of the stamps of a sample in a mission and in its replay, s.
const sameSample = 0.5

// strike strikes the same samples as the mission that recorded the bag, by the journal in its folder.
func (r *Replay) strike() {
	found, err := journal.Read(r.src.Path)
	if err != nil {
		found, err = journal.Read(filepath.Dir(r.src.Path))
	}
	if err != nil { // another recording, or a bag without its mission
		return
	}
	for _, was := range found.Observations {
		if was.Struck == "" && !was.Kept {
			continue
		}
		for _, o := range r.explorer.Record().Observations {
			if math.Abs(o.Stamp-was.Stamp) > sameSample || o.Struck == was.Struck {
				continue
			}
			if text, err := r.explorer.Strike(o.Sequence, was.Struck); err == nil {
				r.note("as in the mission, %s", text)
			}
		}
	}
}

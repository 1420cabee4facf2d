// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package parts

import (
	"os"
	"reflect"
	"time"

	"ugp_explorer/node/convert"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/field"
)

// edited returns a check that names the file of the field while it has another outline than the explorer has read. The guard obeys the new
// one, and would stop the robot for a reason that nobody sees.
func edited(file string, datum []float64, read field.Field) func() string {
	name, _ := record.SplitName(file)
	var changed time.Time
	sentence := ""
	return func() string {
		info, err := os.Stat(name)
		if err != nil || info.ModTime().Equal(changed) {
			return sentence
		}
		changed, sentence = info.ModTime(), ""
		if now, err := convert.ReadBoundary(file, datum); err == nil && !reflect.DeepEqual(now, read) {
			sentence = "field.file " + file + " was edited after the explorer had read it, and the guard obeys the new outline at once: undo that, or start the explorer again"
		}
		return sentence
	}
}

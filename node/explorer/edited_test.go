// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/convert"
	"ugp_explorer/planner/field"
)

// The guard obeys an edited outline at once, and the explorer does not: it says so while the two differ.
func TestEditedField(t *testing.T) {
	cfg := small()
	cfg.Outline, cfg.Field.File = field.Field{}, filepath.Join(t.TempDir(), "field.geojson")
	changed := time.Now()
	write := func(edge float64) {
		_, err := convert.WriteBoundary(cfg.Field.File, square(edge), nil)
		must.OK(t, err)
		changed = changed.Add(time.Second) // some file systems have no finer times
		must.OK(t, os.Chtimes(cfg.Field.File, changed, changed))
	}
	write(fieldEdge)
	w := newWorld(t, cfg)
	w.start()
	for _, c := range []struct {
		edge float64
		want string
	}{{fieldEdge, ""}, {60, cfg.Field.File + " was edited after the explorer had read it"}, {fieldEdge, ""}} {
		write(c.edge)
		w.run(10 * time.Second)
		if text := w.told("field.file").Message; c.want != "" && !strings.Contains(text, c.want) || c.want == "" && strings.Contains(text, "edited") {
			t.Errorf("with an edge of %g m: %q", c.edge, text)
		}
	}
	must.OK(t, os.Remove(cfg.Field.File))
	if w.run(10 * time.Second); strings.Contains(w.told("field.file").Message, "edited") {
		t.Error("a file that is gone, which the guard names, is said to be edited")
	}
	w.finish()
}

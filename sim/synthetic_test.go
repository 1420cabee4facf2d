// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"testing"

	"ugp_explorer/internal/testkit/must"
)

func TestNewSynthetic(t *testing.T) {
	cfg := DefaultSyntheticConfig()
	cfg.Spacing = 20
	f, err := NewSynthetic(cfg, 3)
	must.OK(t, err)
	again, err := NewSynthetic(cfg, 3)
	must.OK(t, err)
	other, err := NewSynthetic(cfg, 4)
	must.OK(t, err)
	if f.Value(333, 444) != again.Value(333, 444) {
		t.Error("the same seed gave two fields")
	}
	if f.Value(333, 444) == other.Value(333, 444) {
		t.Error("two seeds gave the same field")
	}
	g, o := f.Grid(), cfg.Outline.Bound()
	if x, y := g.Node(g.NX-1, g.NY-1); o.Min[0]-g.X0 < cfg.Margin || o.Min[1]-g.Y0 < cfg.Margin || x-o.Max[0] < cfg.Margin || y-o.Max[1] < cfg.Margin {
		t.Errorf("the field covers %+v", g)
	}
	cfg.Outline = nil
	_, err = NewSynthetic(cfg, 3)
	wantError(t, err, "Outline")
	cfg = DefaultSyntheticConfig()
	cfg.Spacing = 0
	_, err = NewSynthetic(cfg, 3)
	wantError(t, err, "spacing")
}

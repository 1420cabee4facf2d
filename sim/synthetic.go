// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"fmt"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/surface"
)

// SyntheticConfig describes a synthetic field.
type SyntheticConfig struct {
	Variogram   Variogram
	Mean        float64
	Name, Units string
	Outline     orb.Polygon // m
	Spacing     float64     // of the grid, m
	Margin      float64     // distance by which the grid extends beyond the outline, m
}

// DefaultSyntheticConfig returns a farm of about 70 ha whose log10 K varies as
// it does at Broom's Barn.
func DefaultSyntheticConfig() SyntheticConfig {
	return SyntheticConfig{
		Variogram: BroomsBarnVariogram(), Mean: broomsBarnMean, Name: "log10 K", Units: "log10(mg/l)",
		Outline: DefaultOutline(), Spacing: 5, Margin: 25,
	}
}

// NewSynthetic draws the field of the given seed.
func NewSynthetic(cfg SyntheticConfig, seed uint64) (*surface.GridField, error) {
	if len(cfg.Outline) == 0 || len(cfg.Outline[0]) < 3 {
		return nil, fmt.Errorf("sim: SyntheticConfig.Outline has fewer than 3 corners")
	}
	g, err := surface.GridOver(cfg.Outline.Bound(), cfg.Spacing, cfg.Margin)
	if err != nil {
		return nil, err
	}
	return Simulate(g, cfg.Variogram, cfg.Mean, cfg.Name, cfg.Units, Stream(seed, "field"))
}

// The synthetic farm, which is not a real place.
var (
	farmOutline = []orb.Point{
		{62, 18}, {148, 0}, {262, 34}, {371, 27}, {408, 88}, {520, 71}, {640, 112}, {702, 205},
		{676, 322}, {716, 431}, {698, 560}, {640, 628}, {655, 704}, {720, 762}, {709, 893}, {664, 1010},
		{690, 1118}, {611, 1206}, {488, 1240}, {371, 1212}, {342, 1118}, {228, 1135}, {150, 1198}, {51, 1169},
		{14, 1052}, {39, 941}, {128, 880}, {137, 801}, {61, 742}, {22, 628}, {0, 497}, {47, 391},
		{31, 268}, {75, 163},
	}
	farmPond = []orb.Point{
		{248, 402}, {275, 391}, {301, 401}, {313, 427}, {302, 455}, {276, 466}, {249, 457}, {237, 431},
	}
	farmCopse = []orb.Point{
		{452, 838}, {505, 822}, {553, 846}, {561, 893}, {528, 931}, {476, 925}, {441, 886},
	}
)

// DefaultOutline returns the outline of the synthetic farm: one concave ring in
// metres, counter-clockwise. The caller may change it.
func DefaultOutline() orb.Polygon { return orb.Polygon{closed(farmOutline)} }

// DefaultKeepOuts returns the areas of the synthetic farm that no robot may enter:
// a pond and a copse. The caller may change them.
func DefaultKeepOuts() []orb.Polygon {
	return []orb.Polygon{{closed(farmPond)}, {closed(farmCopse)}}
}

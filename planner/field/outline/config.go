// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package outline

import "math"

// Config says which poses are collected as points of an edge.
type Config struct {
	Spacing   float64 // distance of the edge after which a point is collected while driving, m
	Turn      float64 // change of heading after which a point is collected sooner, rad
	Offset    float64 // distance of the edge beside the robot's base, m; positive to its left, negative to its right
	MaxStdDev float64 // largest standard deviation of a point along its least certain direction, m
	MaxGap    float64 // longest straight line that may replace a stretch of the drive without usable poses, m
}

// DefaultConfig suits a robot of about a metre with a position known to decimetres.
func DefaultConfig() Config {
	return Config{Spacing: 0.5, Turn: 10 * math.Pi / 180, MaxStdDev: 1, MaxGap: 5}
}

// least is the share of the spacing below which a turn collects no point.
const least = 0.2

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package sim simulates the world of the explorer: fields of a soil property, the robot
// that drives over them, and its sensors.
//
// Fields are either drawn from a variogram (Gaussian random fields, exact to their model at the nodes of a grid) or kriged from point data.
// Every field has two surfaces: Value, which includes variation over distances too short to map (the nugget), and Smooth, the structured
// part alone.
//
// Units are metres, seconds and radians; x is east or forward, y is north or
// left, angles are counter-clockwise. Time stamps are int64 nanoseconds.
//
// The plant and the sensors share no model code with the estimators tested against them,
// so that an error in one cannot hide an error in the other.
//
// Nothing in this package reads a clock or a global random source. Every
// component takes its own *rand.Rand, preferably made by Stream, so that a change in one
// component does not change the random numbers of the others.
package sim

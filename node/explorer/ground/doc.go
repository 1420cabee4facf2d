// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package ground is where a robot may be: the field, the robot's home and the paths to both,
// which places are left out for a while, and the field as the cells of ~/keepout. It
// knows neither messages nor the mission. All places are x, y in the map frame, m.
package ground

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package ground describes where a robot may be: the field, the home, the paths to both, places that are avoided for a while, and the field
// as cells of ~/keepout. It uses neither messages nor the mission. All places are x, y in the map frame, m.
package ground

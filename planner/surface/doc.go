// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package surface has quantities that are known over the plane: a field on a grid, its mean over
// the places where a robot ends up, and the place where it is highest. A simulated mission is judged by
// them. Lengths are in metres.
package surface

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package surface has quantities that are known everywhere in the plane: a field on a grid, its mean over the places where a robot ends up,
// and the place of its maximum. They are used to judge simulated missions. Lengths are in metres.
package surface

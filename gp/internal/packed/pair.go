// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package packed

// lanes is the number of columns that solvePair takes.
const lanes = 16

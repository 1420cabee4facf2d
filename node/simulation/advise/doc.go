// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package advise predicts what a mission will find with a budget, by simulated missions on fields that may resemble the user's. The fields
// are drawn from the prior of the explorer's model or, given earlier samples, from its posterior. Explorer, mission and budgets are the
// code that runs on a robot; the simulated robot is that of package ideal.
package advise

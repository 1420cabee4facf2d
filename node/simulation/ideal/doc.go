// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package ideal runs missions of one or several explorers in simulated time, with robots that
// drive exactly along their paths. Explorer, mission, budgets and team are the code of a
// robot. Wheel slip, filter and path follower are left out, so that a mission takes seconds of
// a processor. The same input gives the same mission.
package ideal

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package pursuit makes a robot follow a path or drive to a goal. The robot drives forwards
// and turns on the spot, or in arcs back and forth if it steers as a car does. The method is regulated pure pursuit after
//
//	R. C. Coulter: Implementation of the Pure Pursuit Path Tracking Algorithm. CMU-RI-TR-92-01, 1992;
//	S. Macenski, S. Singh, F. Martín, J. Ginés: Regulated pure pursuit for robot path tracking. Autonomous Robots 47, 2023.
//
// A [Follower] takes a path once and a [Pose] at every step, and returns a velocity
// [Command]. The package uses no clock and no messages. Points of the path are [orb.Point],
// in m.
package pursuit

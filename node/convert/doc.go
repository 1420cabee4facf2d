// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package convert holds pairs of conversions between ROS messages and the types of the
// algorithm packages.
//
// Frames follow REP-103 and REP-105: metres and radians, x forward,
// counter-clockwise positive, poses in the map frame.
package convert

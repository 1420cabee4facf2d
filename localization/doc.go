// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package localization turns a robot's pose and sensor messages into planar
// Gaussian beliefs. It checks covariances, buffers poses by time, matches each
// reading to the pose at the reading's own stamp, and combines the readings of one
// stop into one observation. The folder filter estimates poses.
//
// # Conventions
//
// SI units and radians. Frames are those of REP-103 and REP-105: map is the
// fixed frame of the field (x east, y north, yaw counter-clockwise from x),
// base is the robot (x forward, y left). A Pose is map from base; a Lever is a
// point of the robot in base. Covariances are in map, in the order x, y, yaw.
// A stamp is int64 nanoseconds of the message's own clock; nothing here reads
// a wall clock. A variance of zero in a Reading means that the sensor does not
// state one, as in sensor_msgs/Temperature. A covariance of zeros means that the
// sender does not state one; CovarianceConfig.ZeroPositionStdDev says how it is handled.
//
// No type of this package is safe for concurrent use: one goroutine owns a
// matcher and a stop, and other goroutines send it requests.
package localization

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package drive sends a robot along paths, by the topics goal_pose and plan, which are
// repeated while it drives, or by the goals of Nav2's action navigate_to_pose.
//
// A Driver knows nothing about targets and samples. It gets a path, the time and the robot's poses, and tells the mission when a drive is
// done, has failed, or is impossible because Nav2 does not work.
//
// With the action, it is not enough to send the end of the path. Nav2 does not know the field and its keep-outs, so it is led past them in
// legs. An inactive Nav2 rejects every goal, and one with a small costmap aborts far goals; neither says anything about the target. A goal
// left by a killed run is canceled before the next one is sent.
package drive

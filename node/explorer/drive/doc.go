// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package drive sends a robot along paths, by the topics goal_pose and plan, which are
// repeated while it drives, or by the goals of Nav2's action navigate_to_pose.
//
// A Driver knows nothing of targets and samples. It is told a path, the time and that the
// robot has moved; it tells the mission when a drive is done, has failed, or cannot be made
// because Nav2 does not work.
//
// Beside the action there is more to do than to send the end of the path: a Nav2 that knows
// neither the field nor its keep-outs is led past them in legs; one that is not active
// rejects every goal, and one whose costmap is small aborts far ones, which says nothing
// about the target; a goal that a killed run has left is canceled before the next.
package drive

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package outline records the outline of a field, and its keep-outs, from the poses of a robot
// that is driven along them.
//
// A [Recorder] takes poses with covariance, one ring after another. It collects points while the
// robot drives ([Recorder.Drive]), or one by one at corners ([Recorder.Corner]), and refuses poses
// that are too uncertain. [Recorder.Close] makes a ring of the points: it drops the overlap where
// the drive comes round to its start, cuts small loops, simplifies the path within the poses'
// uncertainty, and refuses a ring that crosses itself. A person may then move, delete and insert
// corners ([Recorder.Edit]). [Recorder.Field] returns the field with
// the standard deviation of its edges.
//
// Coordinates and distances are metres in the map frame, angles are radians, and stamps are
// nanoseconds.
package outline

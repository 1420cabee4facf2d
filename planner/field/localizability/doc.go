// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package localizability maps how well a robot knows its place over a field: the expected variance of its position, from the covariances of
// the poses along its path, from zones with a stated value, and from places where the pose was lost.
//
// A [Map] takes poses as they come and forgets them over time, since fixes may become better or worse. An [Expectation] is a snapshot of
// the map for every place of the field, by which targets are judged.
//
// Lengths are metres, variances m², stamps ns.
package localizability

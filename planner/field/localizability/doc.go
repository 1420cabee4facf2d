// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package localizability maps how well a robot knows its place over a field: the expected
// variance of its position, from the covariances of the poses along all of its path, from
// zones in which somebody states it, and from places where the pose was lost.
//
// A [Map] takes up poses as they come and forgets them with time, since fixes may become
// better or worse. An [Expectation] is what the map says at one moment about every place of
// the field. Decisions judge targets by it.
//
// Lengths are metres, variances m², stamps ns.
package localizability

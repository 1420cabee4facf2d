// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package execution describes where a robot ends up that is sent to a target, and learns it
// from arrivals.
//
//   - The noise is the distribution of the true place x̃ ~ N(x + b, Σ̂) of a sample with target
//     x. [LearnNoise] estimates it from [Arrival]s, with a prior ([Config]) that needs few of
//     them.
//   - [Noise] is the noise of a decision, with what is expected of the localisation
//     ([ugp_explorer/planner/field/localizability]): a bias, Σ̂ and, where Σ̂ depends on the
//     target, [Noise.Placing]. [NoiseConfig] says which parts are learnt.
//
// Lengths are metres, covariances m². Nothing here is safe for concurrent use unless it is
// only read.
package execution

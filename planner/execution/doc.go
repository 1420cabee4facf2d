// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package execution describes where a robot ends up when it is sent to a target, and learns this from arrivals.
//
//   - The noise is the distribution of the true place x̃ ~ N(x + b, Σ̂) of a sample with target x. [LearnNoise] estimates it from
//     [Arrival]s, with a prior ([Config]), so that few of them are needed.
//   - [Noise] is the noise used for a decision, including the expected localisation ([ugp_explorer/planner/field/localizability]): a bias,
//     Σ̂ and, if Σ̂ depends on the target, [Noise.Placing]. [NoiseConfig] says which parts are learnt.
//
// Lengths are metres, covariances m². Nothing here is safe for concurrent use, except for reading.
package execution

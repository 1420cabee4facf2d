// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package acquire maximises acquisition functions over a space.
//
//   - [Acquisition] is what a sample with a given target promises. [UCB] is the upper
//     confidence bound of uGP-UCB, or a bound for another objective, [PlacedUCB] the same
//     where the distribution of the sample depends on the target, [Variance] the reduction
//     of variance for a map, [Average] a weighted mean over hyper-parameters.
//   - [Searcher] finds the maximum: it screens quasi-random starts and refines the best by
//     gradient ascent. A [Query] subtracts the cost of travel.
//   - [Reach] limits the targets to places that the robot can afford to visit. A [Filter]
//     applies it, and its [NoTargetError] counts why places were rejected.
//
// Alg. 1 and the equations are those of Oliveira, Ott and Ramos, "Bayesian optimisation
// under uncertain inputs", AISTATS 2019. The same queries and random numbers give the same
// results. Values have the unit of the observations, lengths are metres.
package acquire

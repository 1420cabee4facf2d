// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package planner decides where a robot samples next.
//
// The method is uGP-UCB (Oliveira, Ott and Ramos, "Bayesian optimisation under uncertain
// inputs", AISTATS 2019). Equations, theorems and Alg. 1 in the comments are those of the
// paper. A target x is judged by P̂_x = N(x, Σ̂), the distribution of the place that the
// robot reaches when it is sent to x:
//
//	x_t = argmax over the space of μ̂(P̂_x) + β_t σ̂(P̂_x) - w·ℓ(x)
//
// where β_t multiplies the standard deviation, ℓ(x) is the length of the path to x, and w is the cost of a metre.
//
// One decision runs through these types:
//
//  1. A [Sample] enters the [Optimizer], in the [SampleForm] of the method.
//  2. [Optimizer.Job] takes a snapshot. [Job.Run] learns the hyper-parameters and the
//     execution noise ([execution.LearnNoise]) and computes the posterior, by which targets are
//     chosen, and the [fit.Mixture] of models, over which recommendations and maps are averaged.
//  3. The job asks the [Strategy] of the [Method] with a [Request].
//  4. The strategy builds an [acquire.Acquisition]: [acquire.UCB] with β from a [Schedule], one for another [Objective], or that of an
//     [AcquisitionMethod].
//  5. An [acquire.Searcher] finds its maximum among the places of the [field.Space] that
//     the [acquire.Reach] allows.
//  6. The result is a [Target]. [Optimizer.Adopt] keeps what the job has learnt, and
//     [Optimizer.Decide] counts the decision once it is carried out.
//
// The job also recommends the best place so far, one of the past targets or any place
// ([Recommend]). A [Catalogue] lists the methods by name; [Robot] returns those for
// use on a robot.
//
// The packages below hold the parts: field the places and the paths between them, acquire
// the acquisition functions and the search, execution the noise of reaching a target,
// mission the state machine of a mission, and pursuit the path follower.
//
// Lengths are metres. Angles are radians, longitude and latitude degrees. x points east, y
// north. No package here reads a clock, uses a random source that it was not given, or
// logs. The same inputs give the same results.
package planner

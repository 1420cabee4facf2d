// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package paper has the methods with which the paper compares uGP-UCB, and its theory (Oliveira, Ott and Ramos, "Bayesian optimisation
// under uncertain inputs", AISTATS 2019). Equations, theorems and propositions are those of the paper.
//
//   - [Catalogue] adds the rival methods to the robot's own, for a [planner.Optimizer]: expected
//     improvement, and the same over the unscented transform ([UnscentedPosterior]). The other rivals are upper
//     confidence bounds like uGP-UCB, with other data in their model.
//   - [Theorem] is the exploration weight β of the regret bounds, [MaximumGain] the information
//     gain γ_n in it.
//   - [Mismatch] bounds the error that a wrong Σ̂ causes.
//
// Every experiment can select these methods by name, including that with the robot. A robot in a field should use [planner.Robot] instead.
package paper

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package experiment compares methods of choosing samples. It repeats the paper's first
// two experiments, the optimisation of functions that are in the kernel's own space (rkhs)
// and of one that is not (michalewicz).
//
//   - A [Study] is an experiment: it lists the jobs, runs those that its log lacks, writes their figures and compares the methods. All
//     experiments use it, including that with the simulated robot.
//   - A [Plan] makes the study of a [Problem].
//   - A trial drives a [planner.Optimizer], the robot's own.
//   - The random numbers of a trial depend only on the seed and the trial's number: every method gets the same function, noise and first
//     target.
//
// The functions and their expected values share no code with the models under test. README.md has the results.
package experiment

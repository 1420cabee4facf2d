// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package fit learns the hyper-parameters of a Gaussian process, see package gp, from observations. [Hyper] returns those that maximise the
// restricted likelihood, in which the mean is integrated out, times the priors of a [Config]; it also estimates the mean and its
// uncertainty. [Average] returns several weighted sets of hyper-parameters, which represent their uncertainty, and [NewMixture] makes a
// model of each. The variance of a [Mixture] is that within its models plus that between them.
//
// "R&W" is Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006.
package fit

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package fit learns the hyper-parameters of a Gaussian process, see package gp, from
// observations. [Hyper] returns the ones that maximise the restricted likelihood, in which the
// mean is integrated out, times the priors of a [Config], with the mean and its uncertainty. [Average] returns several, with
// weights, that represent what the observations leave uncertain, and [NewMixture] makes a
// model of each. A [Mixture] predicts with the variance within its models and between them.
//
// "R&W" is Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006.
package fit

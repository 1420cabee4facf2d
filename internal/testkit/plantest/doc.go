// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package plantest holds fields, models and data for the tests of the planner and of the
// packages that build on it.
package plantest

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Code generated from package.xml. DO NOT EDIT.

package version

// Number is the version of all programs.
const Number = "1.0.0"

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record

// What the tests of package record_test see of this one.

const MostFile = mostFile

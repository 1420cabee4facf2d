// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package surface

// What the tests of package surface_test see of this one.

var ErrNoPlace = errNoPlace

type Place = Peak

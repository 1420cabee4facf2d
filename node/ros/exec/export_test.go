// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package exec

// What the tests of package exec_test see of this one.

var ErrShutDown = errShutDown

type PanicError = panicError

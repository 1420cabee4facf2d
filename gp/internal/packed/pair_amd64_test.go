// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package packed

import "testing"

// A processor without AVX solves the same.
func TestWithoutAVX(t *testing.T) {
	was := hasPair
	hasPair = false
	defer func() { hasPair = was }()
	t.Run("triangle", TestTriangle)
	t.Run("solves of parts", TestSolvesOfParts)
	t.Run("products", TestGramPair)
}

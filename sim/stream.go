// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"hash/fnv"
	"math/rand/v2"
)

// Stream returns a random source for one named component of a run. The same
// seed and name give the same numbers on every machine; different names give
// unrelated ones, so that a component that draws more or fewer numbers than before does
// not change the numbers of the others.
func Stream(seed uint64, component string) *rand.Rand { return rand.New(Source(seed, component)) }

// Source returns the source of a Stream. A copy of it gives the same further numbers.
func Source(seed uint64, component string) *rand.PCG {
	h := fnv.New64a()
	h.Write([]byte(component)) // a hash never returns an error
	return rand.NewPCG(seed, h.Sum64())
}

// split derives a further independent source from rng. A component uses it for processes
// whose numbers must not change when another process is switched on or off.
func split(rng *rand.Rand) *rand.Rand {
	return rand.New(rand.NewPCG(rng.Uint64(), rng.Uint64()))
}

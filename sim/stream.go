package sim

import (
	"hash/fnv"
	"math/rand/v2"
)

// Stream returns a random source for one named component of a run. The same
// seed and name give the same numbers on every machine; different names give
// unrelated ones, so that a component that draws more or fewer numbers than
// before does not disturb its neighbours.
func Stream(seed uint64, component string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(component)) // a hash never returns an error
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// split takes a further independent source off rng. Used inside a component
// for processes that are to stay put when another one is switched on or off.
func split(rng *rand.Rand) *rand.Rand {
	return rand.New(rand.NewPCG(rng.Uint64(), rng.Uint64()))
}

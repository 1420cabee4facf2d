package field

import (
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmv"
	"gonum.org/v1/gonum/stat/samplemv"
)

// Halton returns n points of the unit cube of dimension d, one a row, from a
// Halton sequence with randomly permuted digits (Owen, arXiv:1706.02808). Any
// first part of the rows is itself evenly spread.
func Halton(n, d int, rng *rand.Rand) *mat.Dense {
	batch := mat.NewDense(n, d, nil)
	samplemv.Halton{Kind: samplemv.Owen, Q: distmv.NewUnitUniform(d, nil), Src: rng}.Sample(batch)
	return batch
}

package gp_test

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
)

// Three samples of a field, in metres. Of the last one it is not known well where
// it was taken: a standard deviation of 30 m to the east.
func Example() {
	g, err := gp.New(gp.Hyper{
		SignalVariance: 1,
		LengthScales:   []float64{50, 50},
		NoiseVariance:  0.01,
		Mean:           10,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = g.AddAll([]gp.Observation{
		{Belief: gp.Point(0, 0), Value: 9},
		{Belief: gp.Point(100, 0), Value: 11},
		{Belief: gp.Belief{Mean: []float64{200, 0}, Cov: mat.NewSymDense(2, []float64{900, 0, 0, 1})}, Value: 11},
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	// Targets are judged by where a robot sent there would probably end up.
	p, err := g.NewPredictor(mat.NewSymDense(2, []float64{25, 0, 0, 25}))
	if err != nil {
		fmt.Println(err)
		return
	}
	targets := mat.NewDense(4, 2, []float64{0, 0, 50, 0, 100, 0, 200, 0})
	for _, c := range p.TopUCB(make([]gp.Candidate, 4), targets, 1, nil) {
		x := targets.RawRowView(c.Row)
		fmt.Printf("(%3.0f, %3.0f): mean %5.2f, variance %.2f\n", x[0], x[1], c.Mean, c.Variance)
	}
	// Output:
	// (200,   0): mean 11.03, variance 0.04
	// (100,   0): mean 10.98, variance 0.01
	// ( 50,   0): mean  9.92, variance 0.34
	// (  0,   0): mean  9.02, variance 0.01
}

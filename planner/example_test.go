package planner_test

import (
	"fmt"
	"log"
	"math/rand/v2"
	"strings"

	"github.com/paulmach/orb"
	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/planner"
	"ugp_explorer/planner/acquire"
	"ugp_explorer/planner/field"
)

// A field with a pond is read, and after two samples uGP-UCB says where to go.
func Example() {
	const file = `{"type": "FeatureCollection", "features": [
		{"type": "Feature", "geometry": {"type": "Polygon",
			"coordinates": [[[0, 0], [60, 0], [60, 40], [0, 40], [0, 0]]]}},
		{"type": "Feature", "properties": {"keep_out": true}, "geometry": {"type": "Polygon",
			"coordinates": [[[25, 15], [35, 15], [35, 25], [25, 25], [25, 15]]]}}]}`
	outline, err := field.ReadField(strings.NewReader(file), nil)
	if err != nil {
		log.Fatal(err)
	}
	region, err := field.NewRegion(outline, 2)
	if err != nil {
		log.Fatal(err)
	}
	model, err := gp.New(gp.Hyper{SignalVariance: 1, LengthScales: []float64{10, 10}, NoiseVariance: 0.01})
	if err != nil {
		log.Fatal(err)
	}
	noise := mat.NewSymDense(2, []float64{1, 0, 0, 1})
	err = model.AddAll([]gp.Observation{
		{Belief: gp.Belief{Mean: []float64{10, 30}, Cov: noise}, Value: -0.5},
		{Belief: gp.Belief{Mean: []float64{50, 10}, Cov: noise}, Value: 1.2},
	})
	if err != nil {
		log.Fatal(err)
	}

	rng := rand.New(rand.NewPCG(1, 2))
	method, err := planner.Robot().Method("ugp-ucb")
	if err != nil {
		log.Fatal(err)
	}
	strategy, err := method.NewStrategy(region, planner.DefaultStrategyConfig(), rng)
	if err != nil {
		log.Fatal(err)
	}
	robot := orb.Point{10, 30}
	target, err := strategy.Next(planner.Request{
		Model: model, Execution: noise, Robot: robot[:], Reach: acquire.Anywhere(), Rng: rng,
	})
	if err != nil {
		log.Fatal(err)
	}
	_, length, err := region.Path(robot, orb.Point(target.X))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("to (%.0f, %.0f), expecting %.1f ± %.1f, %.0f m away\n", target.X[0], target.X[1], target.Mean, target.StdDev, length)
	// Output: to (54, 21), expecting 0.6 ± 0.8, 45 m away
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package advise

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"ugp_explorer/gp"
	"ugp_explorer/internal/num"
	"ugp_explorer/sim/experiment"
)

// muchWithin is the share of the field's variance within the belief about one place (gp.Kernel.Spread) from which it
// shows in simulated missions and maps that places are uncertain (BENCHMARKS.md, "With real receivers").
const muchWithin = 0.1

// places says whether the field needs a model of uncertain places, or a better receiver; "" where it is not known
// how well the robot knows its place.
func (a *StudyAnswer) places() string {
	if a.plan.cfg.PlaceStdDev == 0 {
		return ""
	}
	return "\n" + placeText(a.plan.cfg.PlaceStdDev, num.Median(experiment.Figures(a.of(a.main().setting), func(o Outcome) float64 { return o.Length })))
}

// placeText is that for a robot that knows its place to a standard deviation in x and in y, in a field of
// some length-scale, both in m.
func placeText(stdDev, length float64) string {
	v := stdDev * stdDev
	place := gp.Belief{Mean: []float64{0, 0}, Cov: mat.NewSymDense(2, []float64{v, 0, 0, v})}
	within := gp.Kernel{Variance: 1, LengthScales: []float64{length, length}}.Spread(place)
	means := "Neither a model of uncertain places nor a better receiver is needed: a plain Gaussian process finds an equally good place."
	if within >= muchWithin {
		means = "A better receiver improves the result more than another model. Without one, keep method: ugp-ucb: a plain Gaussian process finds an equally good place, but its map understates its uncertainty."
	}
	return fmt.Sprintf("With a standard deviation of the position of %s m, in a field with a correlation length of %s m, %s %% of the field's variance lies within the uncertain place of a sample. %s",
		num.Significant(stdDev, 2), num.Significant(length, 2), num.Significant(100*within, 2), means)
}

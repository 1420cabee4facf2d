package localization_test

import (
	"fmt"

	"ugp_explorer/localization"
)

// A reading between two poses becomes an observation at the probe's position, half a
// metre ahead of the robot.
func Example() {
	cfg := localization.DefaultMatcherConfig()
	cfg.Probe = localization.Lever{X: 0.5}
	matcher, stop := localization.NewMatcher(cfg), localization.NewStop(0.3)
	cov := [3][3]float64{{0.04, 0, 0}, {0, 0.04, 0}, {0, 0, 0.01}}
	var matched []localization.Observation
	matched = matcher.AddPose(matched, localization.Pose{Stamp: 0, X: 10, Cov: cov})
	matched = matcher.AddReading(matched, localization.Reading{Stamp: 50e6, Value: 26.4, Variance: 0.09}, 60e6)
	fmt.Println(len(matched), "matched before the next pose")
	matched = matcher.AddPose(matched, localization.Pose{Stamp: 100e6, X: 10.2, Cov: cov})
	for _, m := range matched {
		stop.Add(m)
	}
	o := stop.Combine()
	fmt.Printf("%.1f (variance %.2f) at x = %.2f, y = %.2f m\n", o.Value, o.Variance, o.Belief.X, o.Belief.Y)
	fmt.Printf("variances %.4f and %.4f m²\n", o.Belief.XX, o.Belief.YY)
	// Output:
	// 0 matched before the next pose
	// 26.4 (variance 0.09) at x = 10.60, y = 0.00 m
	// variances 0.0400 and 0.0425 m²
}

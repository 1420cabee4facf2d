package simulation

import (
	"math"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/msgs/nav_msgs"
	"ugp_explorer/sim/rig/must"
)

// With fixes of 1 m that fail for 20 s each minute, a robot stays in its field but for the tails
// of the errors, and takes all its samples. Without field.margin_sigmas it strays by 5 to 12 m
// with these seeds.
func TestRobotStaysInTheField(t *testing.T) {
	for _, seed := range []int64{20, 25, 29, 30} {
		cfg := DefaultConfig(seed)
		cfg.Fieldsim.Field.Boundary = outlineFile(t, rectangle(100, 100))
		cfg.Explorer.Model.Fit, cfg.Explorer.Search.Starts = false, 150
		s := begin(t, &cfg, Options{Parameters: parameters(t, `
/**/fieldsim: {ros__parameters: {fix.outage_gap: 60.0, fix.outage_length: 20.0}}
`)})
		least, region := math.Inf(1), s.Explorer().Region()
		listen(t, s, "spectator", "ground_truth/odom", func(m *nav_msgs.Odometry) {
			least = min(least, region.SignedDistance(orb.Point{m.Pose.Pose.Position.X, m.Pose.Pose.Position.Y}))
		})
		must.OK(t, s.Run(t.Context()))
		m := s.Explorer().Record()
		t.Logf("seed %d: %.2f m from the edge, %d samples, %.0f s", seed, least, len(m.Observations), m.SimulatedTime)
		if least < -1 || len(m.Observations) != 30 {
			t.Errorf("seed %d: %.2f m from the edge, %d samples: %s", seed, least, len(m.Observations), m.Outcome)
		}
	}
}

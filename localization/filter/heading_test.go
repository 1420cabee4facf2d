package filter

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"ugp_explorer/localization"
)

// A robot without a gyroscope drives straight, turns on the spot by less than its wheels tell, and
// drives on; fixes with a standard deviation of 0.1 m come ten times a second. From the way after the
// turn the filter learns by how much the robot really turned. The way before the turn, which was
// carried through it by what the wheels told, must not replace that heading.
func TestWayBeforeATurnDoesNotReplaceTheHeading(t *testing.T) {
	const (
		dt = 50 * time.Millisecond
		sd = 0.1 // of a fix, m
	)
	for _, fraction := range []float64{0.65, 0.75, 0.9} { // of the turn that the wheels tell; the filter expects 0.9 ± 0.2
		turned, far := uint64(0), 0
		for seed := range uint64(50) {
			rng := rand.New(rand.NewPCG(seed, 8))
			cfg := DefaultConfig()
			cfg.HeadingGiven, cfg.InitialYaw = true, 0.4
			cfg.FixCorrelationTime = 0
			f := New(cfg)
			truth, stamp := localization.Pose{Yaw: 0.4}, int64(time.Second)
			move := func(seconds, speed, rate float64) {
				for k := range int(seconds / dt.Seconds()) {
					sin, cos := math.Sincos(truth.Yaw)
					truth.X, truth.Y = truth.X+speed*dt.Seconds()*cos, truth.Y+speed*dt.Seconds()*sin
					truth.Yaw += fraction * rate * dt.Seconds()
					stamp += int64(dt)
					if err := f.PredictTwist(stamp, Twist{X: speed, Yaw: rate}); err != nil {
						t.Fatal(err)
					}
					if k%2 == 0 {
						fix := Fix{Stamp: stamp, X: truth.X + sd*rng.NormFloat64(), Y: truth.Y + sd*rng.NormFloat64(), Cov: diag2(sd*sd, sd*sd)}
						if _, err := f.FusePosition(fix); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			move(8, 1, 0)
			move(4, 0, 1)
			move(6, 1, 0)
			p, err := f.Pose()
			if err != nil {
				t.Fatal(err)
			}
			turned += f.Counts().Turned
			if off := math.Abs(wrapAngle(p.Yaw - truth.Yaw)); off > 4*math.Sqrt(p.Cov[2][2]) {
				far++
			}
		}
		t.Logf("the robot turns %g of what its wheels tell: the heading was replaced %d times, and is off by more than 4 standard deviations in %d of 50", fraction, turned, far)
		if turned > 0 || far > 0 {
			t.Errorf("want neither")
		}
	}
}

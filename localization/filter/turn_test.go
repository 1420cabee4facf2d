package filter

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"ugp_explorer/localization"
)

// A robot drives a curve at 1 m/s and 0.05 rad/s; fixes with a standard deviation of
// 0.5 m come each second. A filter that starts with a wrong heading finds the right
// one while driving, with a correct standard deviation. Fixes that jump and wheels
// that spin do not turn the heading.
func TestWrongHeadingIsFound(t *testing.T) {
	const (
		dt     = int64(50 * time.Millisecond)
		sd     = 0.5
		speed  = 1.0
		rate   = 0.05
		length = 60 // s
	)
	for name, c := range map[string]struct {
		told  float64 // error of the given heading, rad
		jump  float64 // of the fixes after 20 s, m
		spins bool    // whether the wheels spin after 20 s
		turns bool
	}{
		"right":            {},
		"a little off":     {told: 0.2},
		"across":           {told: 1.6, turns: true},
		"backwards":        {told: -3, turns: true},
		"fixes that jump":  {jump: 40},
		"wheels that spin": {spins: true},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(20) {
				rng := rand.New(rand.NewPCG(seed, 7))
				cfg := DefaultConfig()
				cfg.HeadingGiven, cfg.InitialYaw = true, 0.4+c.told
				cfg.Antenna = localization.Lever{X: 0.3, Y: -0.1}
				cfg.FixCorrelationTime = 0
				f := New(cfg)
				var x, y float64
				yaw := 0.4
				stamp := int64(time.Second)
				for k := range length * 20 {
					stuck := c.spins && k >= 400
					if !stuck && k > 0 {
						x, y = x+speed*0.05*math.Cos(yaw), y+speed*0.05*math.Sin(yaw)
						yaw += rate * 0.05
					}
					if err := f.PredictTwist(stamp, Twist{X: speed, Yaw: rate}); err != nil {
						t.Fatal(err)
					}
					if k%20 == 0 {
						sin, cos := math.Sincos(yaw)
						fix := Fix{Stamp: stamp, Cov: diag2(sd*sd, sd*sd)}
						fix.X = x + cos*cfg.Antenna.X - sin*cfg.Antenna.Y + sd*rng.NormFloat64()
						fix.Y = y + sin*cfg.Antenna.X + cos*cfg.Antenna.Y + sd*rng.NormFloat64()
						if k >= 400 {
							fix.X += c.jump
						}
						if _, err := f.FusePosition(fix); err != nil {
							t.Fatal(err)
						}
					}
					stamp += dt
				}
				counts := f.Counts()
				if (counts.Turned > 0) != c.turns {
					t.Errorf("seed %d: the heading was found anew %d times", seed, counts.Turned)
				}
				if c.spins || c.jump != 0 {
					continue
				}
				p, err := f.Pose()
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				off := math.Abs(wrapAngle(p.Yaw - yaw))
				if deviation := math.Sqrt(p.Cov[2][2]); off > 0.4 || off > 4*deviation {
					t.Errorf("seed %d: the heading is off by %.2f rad, with a standard deviation of %.2f", seed, off, deviation)
				}
				if away := math.Hypot(p.X-x, p.Y-y); away > 2 {
					t.Errorf("seed %d: the robot is %.1f m from where it is believed", seed, away)
				}
			}
		})
	}
}

package filter

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"ugp_explorer/localization"
)

// world is a small simulator that shares no code with the filter. It integrates the
// robot's true motion in steps of 5 ms from the motion that its wheels report and
// from errors drawn as the documentation of MotionNoise says.
type world struct {
	rng          *rand.Rand
	x, y, yaw    float64
	speed, turn  float64 // slip
	drift, crab  float64
	slipSD       [4]float64
	slipLength   float64
	along        [2]float64 // per metre, per radian
	across, veer [2]float64
}

func newWorld(rng *rand.Rand) *world {
	w := &world{
		rng: rng, slipSD: [4]float64{0.04, 0.1, 0.01, 0.02}, slipLength: 40,
		along: [2]float64{0.03, 0.01}, across: [2]float64{0.02, 0.03}, veer: [2]float64{0.02, 0.03},
	}
	w.speed, w.turn = 1+0.04*rng.NormFloat64(), 1+0.1*rng.NormFloat64()
	w.drift, w.crab = 0.01*rng.NormFloat64(), 0.02*rng.NormFloat64()
	return w
}

// filterConfig returns the configuration that matches the world.
func (w *world) filterConfig() Config {
	cfg := DefaultConfig()
	cfg.Motion = MotionNoise{
		AlongPerMetre: w.along[0], AlongPerRadian: w.along[1], AcrossPerMetre: w.across[0], AcrossPerRadian: w.across[1],
		YawPerMetre: w.veer[0], YawPerRadian: w.veer[1],
		SlipStdDev: Slip{w.slipSD[0], w.slipSD[1], w.slipSD[2], w.slipSD[3]}, SlipLength: w.slipLength, Turn: 1,
	}
	cfg.Antenna = localization.Lever{X: 0.3, Y: -0.2}
	cfg.GateProbability = 1 // a gate would hide large innovations
	return cfg
}

// drive moves the robot for 50 ms while its wheels report v and omega.
func (w *world) drive(v, omega float64) {
	const dt = 0.005
	for range 10 {
		way, arc := math.Abs(v)*dt, math.Abs(omega)*dt
		draw := func(a [2]float64) float64 { return math.Sqrt(a[0]*a[0]*way+a[1]*a[1]*arc) * w.rng.NormFloat64() }
		f := w.speed*v*dt + draw(w.along)
		l := w.speed*w.crab*v*dt + draw(w.across)
		a := w.turn*omega*dt + w.drift*v*dt + draw(w.veer)
		sin, cos := math.Sincos(w.yaw + a/2)
		w.x, w.y, w.yaw = w.x+f*cos-l*sin, w.y+f*sin+l*cos, w.yaw+a
		if way+arc > 0 {
			keep := math.Exp(-(way + arc) / w.slipLength)
			fresh := math.Sqrt(1 - keep*keep)
			w.speed = 1 + keep*(w.speed-1) + fresh*w.slipSD[0]*w.rng.NormFloat64()
			w.turn = 1 + keep*(w.turn-1) + fresh*w.slipSD[1]*w.rng.NormFloat64()
			w.drift = keep*w.drift + fresh*w.slipSD[2]*w.rng.NormFloat64()
			w.crab = keep*w.crab + fresh*w.slipSD[3]*w.rng.NormFloat64()
		}
	}
}

// command returns the velocities of a mission: legs of 8 s, turns on the spot, stops
// for samples.
func command(step int64) (v, omega float64) {
	const leg = 240 // 12 s
	sign := 1.0
	if step/leg%4 >= 2 {
		sign = -1
	}
	switch k := step % leg; {
	case k < 160:
		return 1, 0.1 * sign
	case k < 200:
		return 0, 0.7 * sign
	}
	return 0, 0
}

const (
	consistencyRuns    = 50
	consistencySeconds = 120
)

// consistency runs the filter against the world and returns, once a second, the
// NEES of the pose and the NIS of the fixes, averaged over the runs. The factors
// make the filter's configuration and the fixes' claimed variance wrong.
func consistency(t *testing.T, fromDrive, gyro bool, qFactor, rFactor float64) (nees, nis []float64) {
	t.Helper()
	nees, nis = make([]float64, consistencySeconds), make([]float64, consistencySeconds)
	neesN, nisN := make([]float64, consistencySeconds), make([]float64, consistencySeconds)
	const fixVar, density, biasStdDev, biasWalk, dt = 0.8 * 0.8, 0.004, 0.02, 3e-4, 0.05
	for run := range consistencyRuns {
		rng := rand.New(rand.NewPCG(uint64(run), 2026))
		w := newWorld(rng)
		cfg := w.filterConfig()
		m := &cfg.Motion
		cfg.Gyro = GyroNoise{Density: density, BiasStdDev: biasStdDev, BiasWalk: biasWalk}
		for _, v := range []*float64{
			&m.AlongPerMetre, &m.AlongPerRadian, &m.AcrossPerMetre, &m.AcrossPerRadian, &m.YawPerMetre, &m.YawPerRadian,
			&m.SlipStdDev.Speed, &m.SlipStdDev.Turn, &m.SlipStdDev.Drift, &m.SlipStdDev.Crab, &cfg.Gyro.Density, &cfg.Gyro.BiasStdDev,
		} {
			*v *= math.Sqrt(qFactor)
		}
		f := New(cfg)
		w.x, w.y, w.yaw = 100, 200, 7*rng.Float64()
		if !fromDrive {
			start := localization.Pose{X: w.x + 0.5*rng.NormFloat64(), Y: w.y + 0.5*rng.NormFloat64(), Yaw: w.yaw + 0.1*rng.NormFloat64(), Cov: diag(0.25, 0.25, 0.01)}
			if err := f.Initialise(start); err != nil {
				t.Fatal(err)
			}
		} else if err := f.PredictTwist(0, Twist{}); err != nil {
			t.Fatal(err)
		}
		bias := biasStdDev * rng.NormFloat64()
		for step := range int64(consistencySeconds * 20) {
			v, omega := command(step)
			before := w.yaw
			w.drive(v, omega)
			stamp := (step + 1) * 50 * ms
			if gyro { // the mean rate over the interval, at its begin and at its end
				bias += biasWalk * math.Sqrt(dt) * rng.NormFloat64()
				rate := (w.yaw-before)/dt + bias + density/math.Sqrt(dt)*rng.NormFloat64()
				for _, at := range []int64{stamp - 50*ms + 1, stamp - 1} {
					if err := f.PredictGyro(at, rate, 0); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := f.PredictTwist(stamp, Twist{X: v, Yaw: omega}); err != nil {
				t.Fatal(err)
			}
			if (step+1)%20 != 0 {
				continue
			}
			second := step / 20
			// Measure the error before the fix in one half of the seconds, after it in the other.
			if second%2 == 0 {
				addNEES(t, f, w, &nees[second], &neesN[second])
			}
			sin, cos := math.Sincos(w.yaw)
			in, err := f.FusePosition(Fix{
				Stamp: stamp,
				X:     w.x + cos*0.3 + sin*0.2 + math.Sqrt(fixVar)*rng.NormFloat64(),
				Y:     w.y + sin*0.3 - cos*0.2 + math.Sqrt(fixVar)*rng.NormFloat64(),
				Cov:   diag2(rFactor*fixVar, rFactor*fixVar),
			})
			if err != nil {
				t.Fatal(err)
			}
			if in.Status == fixAccepted {
				nis[second] += in.NIS
				nisN[second]++
			}
			if second%2 == 1 {
				addNEES(t, f, w, &nees[second], &neesN[second])
			}
		}
	}
	mean := func(sum, n []float64) (out []float64) {
		for i := range sum {
			if n[i] == consistencyRuns {
				out = append(out, sum[i]/n[i])
			}
		}
		return out
	}
	return mean(nees, neesN), mean(nis, nisN)
}

// addNEES adds the normalised error squared of the pose.
func addNEES(t *testing.T, f *EKF, w *world, sum, n *float64) {
	t.Helper()
	p, err := f.Pose()
	if err != nil {
		return
	}
	*sum += normalised(t, []float64{p.X - w.x, p.Y - w.y, math.Remainder(p.Yaw-w.yaw, 2*math.Pi)}, &p.Cov)
	*n++
}

// shareInside returns the share of averages of consistencyRuns values of χ²
// with dof degrees inside the two-sided 95 % band (Bar-Shalom et al. 2001,
// Eq. 5.4.2-8 and -9).
func shareInside(v []float64, dof float64) float64 {
	chi2 := distuv.ChiSquared{K: consistencyRuns * dof}
	lo, hi := chi2.Quantile(0.025)/consistencyRuns, chi2.Quantile(0.975)/consistencyRuns
	inside := 0.0
	for _, x := range v {
		if x >= lo && x <= hi {
			inside++
		}
	}
	return inside / float64(len(v))
}

// The normalised estimation error squared of 50 runs and the normalised innovation
// squared are inside their 95 % bands as often as they should be. They are not when
// the configured process or measurement noise is four times too small or too large,
// so the test can fail.
//
// 95 % of independent moments are expected inside. Errors last for some ten seconds,
// so 120 moments are worth some 12 independent ones, and the standard deviation of
// their share is √(0.05·0.95/12) = 0.06. Innovations are independent; theirs is
// √(0.05·0.95/120) = 0.02. A consistent filter stays above 0.90.
func TestFilterIsConsistent(t *testing.T) {
	for _, c := range []struct {
		name            string
		fromDrive, gyro bool
		q, r            float64
		honest          bool
	}{
		{"given pose", false, false, 1, 1, true},
		{"heading from drive", true, false, 1, 1, true},
		{"gyroscope", false, true, 1, 1, true},
		{"process noise a quarter", false, false, 0.25, 1, false},
		{"process noise fourfold", false, false, 4, 1, false},
		{"measurement noise a quarter", false, false, 1, 0.25, false},
		{"measurement noise fourfold", false, false, 1, 4, false},
		{"gyroscope's noise a tenth", false, true, 0.1, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			nees, nis := consistency(t, c.fromDrive, c.gyro, c.q, c.r)
			if len(nees) < consistencySeconds/2 {
				t.Fatalf("all runs had a pose at only %d moments", len(nees))
			}
			inNEES, inNIS := shareInside(nees, 3), shareInside(nis, 2)
			t.Logf("inside the band: NEES %.3f, NIS %.3f of %d and %d moments; mean NEES %.3f, NIS %.3f",
				inNEES, inNIS, len(nees), len(nis), stat.Mean(nees, nil), stat.Mean(nis, nil))
			if c.honest && (inNEES < 0.90 || inNIS < 0.90) {
				t.Errorf("inside the 95 %% band: NEES %v, NIS %v", inNEES, inNIS)
			}
			if !c.honest && inNEES > 0.6 {
				t.Errorf("a wrong filter has NEES inside the 95 %% band in %v of the moments: the test would not notice", inNEES)
			}
		})
	}
}

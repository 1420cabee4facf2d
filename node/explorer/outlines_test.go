// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/planner/field"
)

// star returns a closed ring around a centre, with corners at random distances from least
// to most of the size.
func star(rng *rand.Rand, centre orb.Point, corners int, least, most float64) orb.Ring {
	var ring orb.Ring
	for k := range corners {
		angle := 2 * math.Pi * (float64(k) + 0.6*rng.Float64()) / float64(corners)
		r := least + (most-least)*rng.Float64()
		ring = append(ring, orb.Point{centre[0] + r*math.Cos(angle), centre[1] + r*math.Sin(angle)})
	}
	return append(ring, ring[0])
}

// randomField returns a field with an extent of about size metres, up to two holes and up
// to two keep-outs, which may touch each other and the boundary.
func randomField(rng *rand.Rand, size float64) field.Field {
	f := field.Field{Boundary: orb.Polygon{star(rng, orb.Point{0, 0}, 5+rng.IntN(10), 0.2*size, 0.5*size)}}
	if n := rng.IntN(3); n > 0 { // inside the circle of 0.2·size, and apart
		for k := range n {
			at := orb.Point{0.08 * size * float64(2*k-1), 0.05 * size * (rng.Float64() - 0.5)}
			f.Boundary = append(f.Boundary, star(rng, at, 3+rng.IntN(4), 0.02*size, 0.06*size))
		}
	}
	for range rng.IntN(3) {
		at := orb.Point{0.6 * size * (rng.Float64() - 0.5), 0.6 * size * (rng.Float64() - 0.5)}
		f.KeepOuts = append(f.KeepOuts, orb.Polygon{star(rng, at, 3+rng.IntN(5), 0.02*size, 0.1*size)})
	}
	return f
}

// Fields of any outline from 5 m to 5 km are explored by the defaults: each is refused
// because the robot does not fit in, or all samples are taken, though the first target
// cannot be reached.
func TestRandomOutlines(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const fields = 24
	refused := 0
	for i := range fields {
		size := 5 * math.Pow(1000, float64(i)/(fields-1))
		f := randomField(rng, size)
		cfg := small()
		own := settings.DefaultConfig()
		cfg.SkipRadius, cfg.MapCell, cfg.Travel, cfg.Mission.Speed = own.SkipRadius, own.MapCell, own.Travel, size/20
		cfg.Seed, cfg.Outline = int64(i), f
		if size < 30 {
			cfg.Radius = 0.2
		}
		margin, err := cfg.Margin(f)
		var start []float64
		if err == nil {
			var r *field.Region
			if r, err = field.NewRegion(f, margin); err == nil {
				start = r.Points(1, rng).RawRowView(0)
			}
		}
		if err != nil {
			refused++
			var empty *field.EmptyRegionError
			refusal := starts(t, cfg)
			if !errors.As(err, &empty) || refusal == nil || !strings.Contains(refusal.Error(), "robot.radius") {
				t.Errorf("a field of %.3g m: %v; refused with %v", size, err, refusal)
			}
			continue
		}
		t.Run(fmt.Sprintf("%.3g m", size), func(t *testing.T) {
			w := openWorldAt(t, cfg, true, epoch, start[0], start[1])
			w.corners = true
			w.speed, w.cov = cfg.Mission.Speed, [3][3]float64{{size * size / 1e6, 0, 0}, {0, size * size / 1e6, 0}, {0, 0, 0.0025}}
			w.stuck = true
			w.estimate = func(p *localization.Pose) { p.Yaw = float64(p.Stamp%1e10) / 5e9 } // it turns on the spot, and comes no nearer
			w.start()
			w.until("the first target to be given up", func() bool { return len(w.explorer.Record().Skipped) > 0 || w.explorer.Finished() })
			w.stuck, w.estimate = false, nil
			m := w.finish()
			if len(m.Skipped) != 1 || len(m.Observations) != 4 || m.Outcome != "the budget of 4 samples is used" {
				t.Errorf("%d skipped, %d samples: %s\n%s", len(m.Skipped), len(m.Observations), m.Outcome, w.log.String())
			}
			// A sample is a 100th of the region's side from earlier ones, where those were
			// probably taken; targets were missed by a little.
			least := 0.7 * math.Sqrt(w.explorer.Region().Area()) / 100
			for i, o := range m.Observations {
				for _, p := range m.Observations[:i] {
					if d := math.Hypot(o.Target[0]-p.Target[0], o.Target[1]-p.Target[1]); d < least {
						t.Errorf("samples %d and %d of a field of %.3g m have targets %.2g m apart", p.Sequence, o.Sequence, size, d)
					}
				}
			}
		})
	}
	if refused > fields/6 {
		t.Errorf("%d of %d fields were refused", refused, fields)
	}
}

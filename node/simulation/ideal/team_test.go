// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ideal_test

import (
	"flag"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"gonum.org/v1/gonum/stat"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/record"
	"ugp_explorer/node/simulation/ideal"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
	"ugp_explorer/planner/surface"
	"ugp_explorer/sim"
)

var (
	teamSeeds    = flag.Int("team.seeds", 2, "number of fields on which teams are compared; above 3 also teams of three")
	teamDistance = flag.Float64("team.distance", 1500, "distance that the robots of a team share, m")
)

// near is the distance within which a sample covers the ground of another, m: a third of the
// length-scale that a Matérn kernel learns on the farm, about 150 m.
const near = 50

// crew is a number of robots that share a distance.
type crew struct {
	robots int
	silent bool // they do not talk
}

func (c crew) String() string {
	text := fmt.Sprintf("%d robots", c.robots)
	if c.robots == 1 {
		return "1 robot"
	}
	if c.silent {
		text += " that do not talk"
	}
	return text
}

// haul is what a crew comes to on one field.
type haul struct {
	regret, driven, duration, samples float64
	overlap                           float64 // share of the samples that lie near an earlier one of another robot
}

// corner is where the first robot of a crew starts; the others start beside it.
var corner = orb.Point{70, 30}

// run has a crew share a distance on the farm's field of a seed.
func (c crew) run(t *testing.T, seed uint64, distance float64) haul {
	t.Helper()
	truth, err := sim.NewSynthetic(sim.DefaultSyntheticConfig(), seed)
	must.OK(t, err)
	v := sim.BroomsBarnVariogram()
	w := ideal.World{Field: truth.Smooth, Nugget: math.Sqrt(v.Nugget), Noise: 0.02, Random: sim.Stream(seed, "team")}
	name := func(i int) string { return fmt.Sprintf("/robot%d", i+1) }
	var robots []ideal.Robot
	for i := range c.robots {
		r := robot(field.Field{Boundary: sim.DefaultOutline(), KeepOuts: sim.DefaultKeepOuts()}, mission.Budget{Distance: distance / float64(c.robots)})
		r.Start = corner
		r.Config.Seed = int64(seed)
		r.Namespace = name(i)
		r.Start[0] += 3 * float64(i)
		for k := range c.robots {
			if k != i && !c.silent {
				r.Config.Team = append(r.Config.Team, name(k)+"/"+explorer.DefaultName)
			}
		}
		robots = append(robots, r)
	}
	flights, err := ideal.Fly(t.Context(), w, robots)
	must.OK(t, err)
	var h haul
	best, at := math.Inf(-1), record.Place{}
	type taken struct {
		robot int
		record.Observation
	}
	var all []taken
	for i, f := range flights {
		h.driven += f.Record.Distance
		h.duration = max(h.duration, f.Record.SimulatedTime)
		for _, o := range f.Record.Observations {
			all = append(all, taken{i, o})
		}
		// The robot that knows most, or of those that do not talk the one that expects most.
		worth := f.Record.SimulatedTime
		if r := f.Record.Recommendation; c.silent {
			worth = r.Mean
		}
		if worth > best {
			best, at = worth, f.Record.Recommendation.Target
		}
	}
	highest := top(t, truth, flights[0])
	slices.SortFunc(all, func(a, b taken) int { return int(math.Copysign(1, a.Stamp-b.Stamp)) })
	for i, o := range all {
		for _, e := range all[:i] {
			if e.robot != o.robot && math.Hypot(e.Belief.X-o.Belief.X, e.Belief.Y-o.Belief.Y) < near {
				h.overlap += 1 / float64(len(all))
				break
			}
		}
	}
	h.samples = float64(len(all))
	h.regret = highest - truth.Smooth(at[0], at[1])
	return h
}

// top returns the largest value of the field.
func top(t *testing.T, truth *surface.GridField, f ideal.Flight) float64 {
	lo, hi := f.Region.Bounds()
	inside := func(x, y float64) bool { return f.Region.Contains([]float64{x, y}) }
	p, err := surface.MaxExpected(truth.Smooth, orb.Bound{Min: orb.Point(lo), Max: orb.Point(hi)}, truth.Resolution(), inside, [2][2]float64{})
	must.OK(t, err)
	return p.Value
}

// Robots that talk take fewer samples near earlier ones of another robot than robots that do
// not, and each keeps its own budget. What the README of launch says about teams is from this
// test with -team.seeds 10 -team.distance 4000.
func TestTeams(t *testing.T) {
	crews := []crew{{robots: 1}, {robots: 2}, {robots: 2, silent: true}, {robots: 3}, {robots: 3, silent: true}}
	if *teamSeeds <= 3 {
		crews = crews[:3]
	}
	hauls := make([][]haul, len(crews))
	for seed := range *teamSeeds {
		for i, c := range crews {
			hauls[i] = append(hauls[i], c.run(t, uint64(seed+1), *teamDistance))
		}
	}
	mean := func(i int, of func(haul) float64) float64 {
		sum := 0.0
		for _, h := range hauls[i] {
			sum += of(h) / float64(len(hauls[i]))
		}
		return sum
	}
	overlap := func(h haul) float64 { return h.overlap }
	for i, c := range crews {
		more := make([]float64, len(hauls[i])) // regret than that of one robot
		for k, h := range hauls[i] {
			more[k] = h.regret - hauls[0][k].regret
		}
		difference, deviation := stat.MeanStdDev(more, nil)
		t.Logf("%v: regret %.3f, that of 1 robot and %+.3f ± %.3f; samples near an earlier one of another robot %.2f; %.1f samples, %.2f km, %.0f min", c,
			mean(i, func(h haul) float64 { return h.regret }), difference, stat.StdErr(deviation, float64(len(more))), mean(i, overlap),
			mean(i, func(h haul) float64 { return h.samples }), mean(i, func(h haul) float64 { return h.driven })/1000, mean(i, func(h haul) float64 { return h.duration })/60)
	}
	for i := 1; i < len(crews); i += 2 {
		if talking, silent := mean(i, overlap), mean(i+1, overlap); talking >= silent {
			t.Errorf("%v: %.2f of the samples lie near an earlier one of another robot, of robots that do not talk %.2f", crews[i], talking, silent)
		}
	}
}

package advise

import (
	"flag"
	"math"
	"path/filepath"
	"testing"

	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/node/simulation/ideal"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
	"ugp_explorer/sim"
)

var (
	farmMissions = flag.Int("advise.missions", 10, "number of missions on drawn fields, and of missions on the farm")
	farmDistance = flag.Float64("advise.distance", 1000, "distance that each of them may drive, m")
	farmLength   = flag.Float64("advise.length", 150, "length-scale that is known, m; 0: none")
)

// The limit that is stated for the outline of the synthetic farm holds there, although the
// farm's fields have another variogram, a spherical one: of 9 missions in 10, from 7 to 10 stay below it. A limit of 60 missions with 3 km was 2.0,
// and 55 of 60 on the farm were below it.
func TestFarm(t *testing.T) {
	file := filepath.Join(t.TempDir(), "farm.geojson")
	farm := field.Field{Boundary: sim.DefaultOutline(), KeepOuts: sim.DefaultKeepOuts()}
	if _, err := convert.WriteBoundary(file, farm, nil); err != nil {
		t.Fatal(err)
	}
	budget := mission.Budget{Distance: *farmDistance}
	p, err := New(Config{
		Parameters: func() (*param.Overrides, error) {
			o := &param.Overrides{}
			return o, o.AddAssignment(explorer.DefaultName + ":field.file:=" + file)
		},
		Known: knownGround{Length: *farmLength}, Budget: budget, Missions: max(*farmMissions, leastMissions), Seed: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	var regret, found []float64
	config := sim.DefaultSyntheticConfig()
	deviation := math.Sqrt(config.Variogram.Structured)
	for i := range *farmMissions {
		o, err := p.flyBudget(t.Context(), trial{budget, i + 1})
		if err != nil {
			t.Fatal(err)
		}
		regret = append(regret, o.Regret)

		truth, err := sim.NewSynthetic(config, uint64(i+1))
		if err != nil {
			t.Fatal(err)
		}
		robot, err := p.robot(budget, i+1)
		if err != nil {
			t.Fatal(err)
		}
		flights, err := ideal.Fly(t.Context(), ideal.World{
			Field: truth.Smooth, Nugget: math.Sqrt(config.Variogram.Nugget), Noise: readingShare * deviation, Random: sim.Stream(uint64(i), "farm"),
		}, []ideal.Robot{robot})
		if err != nil {
			t.Fatal(err)
		}
		best := math.Inf(-1)
		for _, k := range p.drawer.fine.inside {
			at := p.drawer.fine.place(k)
			best = max(best, truth.Smooth(at[0], at[1]))
		}
		m := flights[0].Record
		at := m.Recommendation.Target
		found = append(found, (best-truth.Smooth(at[0], at[1]))/deviation)
	}
	stated, there, below := limitOf(regret), limitOf(found), 0.0
	for _, r := range found {
		if r <= stated.Value {
			below += 1 / float64(len(found))
		}
	}
	t.Logf("%g m, length-scale %g m: stated %.2f (%s), middle %.2f; on the farm %.2f of %d below it, where the limit is %.2f (%s), middle %.2f",
		*farmDistance, *farmLength, stated.Value, stated.bounds(), median(regret), below, len(found), there.Value, there.bounds(), median(found))
	if below < 0.7 {
		t.Errorf("%.2f of the missions on the farm stay below the limit that is stated for 0.9", below)
	}
}

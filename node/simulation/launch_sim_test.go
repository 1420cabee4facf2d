package simulation

import (
	"fmt"
	"os"
	"reflect"
	"testing"

	"go.yaml.in/yaml/v3"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros/param"
)

// fieldParameters are what the launch file of the simulation gives the nodes
// besides the parameter files.
var fieldParameters = []string{explorer.DefaultName + ":field.file", fieldsim.DefaultName + ":field.boundary_file"}

// simOverrides returns what the launch file of the simulation has the nodes read.
func simOverrides(t *testing.T) *param.Overrides {
	t.Helper()
	var paths []string
	for node, file := range referenceFiles {
		if node != fieldsim.DefaultName { // sim.yaml alone has what differs from its defaults
			paths = append(paths, file)
		}
	}
	o := parameterFiles(t, append(paths, simFile)...)
	for _, p := range fieldParameters {
		if err := o.AddAssignment(fmt.Sprintf("%s:=%q", p, farmFile)); err != nil {
			t.Fatal(err)
		}
	}
	return o
}

// TestSimulationParameterFile has the nodes as processes know of one another
// what those of a simulation in one process do.
func TestSimulationParameterFile(t *testing.T) {
	want, got := DefaultConfig(1), ownDefaults()
	if _, err := want.openField(); err != nil {
		t.Fatal(err)
	}
	apply(t, simOverrides(t), got.Parameters()...)
	compareParameters(t, simFile, &got, &want, fieldParameters...)
}

// TestSimulationParameterFileIsShort has nothing in the file that is so anyway.
func TestSimulationParameterFileIsShort(t *testing.T) {
	data, err := os.ReadFile(simFile)
	if err != nil {
		t.Fatal(err)
	}
	var sections map[string]struct {
		Parameters map[string]any `yaml:"ros__parameters"`
	}
	if err := yaml.Unmarshal(data, &sections); err != nil {
		t.Fatal(err)
	}
	def, got := ownDefaults(), ownDefaults()
	apply(t, &param.Overrides{}, def.Parameters()...)
	apply(t, simOverrides(t), got.Parameters()...)
	defaults := def.Parameters()
	for i, p := range got.Parameters() {
		for name := range sections["/**/"+p.Node].Parameters {
			d, _ := defaults[i].Set.Get(name)
			if v, _ := p.Set.Get(name); v.String() == d.String() {
				t.Errorf("%s: %s of %s is %v, which it is by default", simFile, name, p.Node, v)
			}
		}
	}
}

// TestSimulationParameterFileMission has a mission on the parameter files be,
// sample for sample, the one that the demonstration makes.
func TestSimulationParameterFileMission(t *testing.T) {
	run := func(cfg Config, o *param.Overrides) *record.Mission {
		if err := o.AddAssignment(explorer.DefaultName + ":budget.samples:=3"); err != nil {
			t.Fatal(err)
		}
		s := begin(t, &cfg, Options{Parameters: o})
		if err := s.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		return s.Explorer().Record()
	}
	want, got := run(DefaultConfig(1), &param.Overrides{}), run(ownDefaults(), simOverrides(t))
	if len(want.Observations) != 3 || !reflect.DeepEqual(got.Observations, want.Observations) {
		t.Errorf("the samples are\n%+v\nwant three, as in the demonstration:\n%+v", got.Observations, want.Observations)
	}
}

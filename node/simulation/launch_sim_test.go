package simulation

import (
	"fmt"
	"testing"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/fieldsim"
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

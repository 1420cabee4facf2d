// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization"
	"ugp_explorer/node/sense"
)

// The simulated probe publishes what the explorer is told to expect, whatever the type.
func TestReadingsOfAUsersType(t *testing.T) {
	outline := outlineFile(t, rectangle(100, 100))
	for _, typ := range sense.ReadingNames() {
		t.Run(typ, func(t *testing.T) {
			t.Parallel()
			cfg := DefaultConfig(3)
			cfg.Fieldsim.Field.Boundary = outline
			s := begin(t, &cfg, Options{Parameters: parameters(t, "/**/ugp_explorer: {ros__parameters: {reading.type: "+typ+", reading.stddev: 0.07, budget.samples: 1}}")})
			must.OK(t, s.Run(t.Context()))
			m := s.Explorer().Record()
			if len(m.Observations) != 1 {
				t.Fatal(m.Outcome)
			}
			noise := 0.02 // fieldsim's, which the messages state
			if !sense.StatesVariance(typ) {
				noise = 0.07
			}
			o := m.Observations[0]
			truth, _ := s.world.Field()
			if want := truth.Value(o.TruePlace[0], o.TruePlace[1]); math.Abs(o.Value-want) > 5*noise {
				t.Errorf("the sample is %g, and the field there %g", o.Value, want)
			}
			if got, mean := math.Sqrt(o.Variance), noise/math.Sqrt(float64(cfg.Explorer.Reading.Count)); got < mean || got > noise {
				t.Errorf("its standard deviation is %g, want %g to %g", got, mean, noise)
			}
		})
	}
}

// The launch file offers each type.
func TestLaunchOffersEveryReading(t *testing.T) {
	file, err := os.ReadFile(launchFolder + "explore.launch.py")
	must.OK(t, err)
	_, list, _ := strings.Cut(string(file), "\nREADINGS = [")
	list, _, _ = strings.Cut(list, "]")
	offered := strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune("', \n", r) })
	if names := sense.ReadingNames(); !slices.Equal(slices.Sorted(slices.Values(offered)), names) {
		t.Errorf("READINGS has %v, and the types are %v", offered, names)
	}
}

// Probe, antenna and topics of the simulated robot are those of the user's file, and its fixes have the origin of the filter's
// map, unless the file has something else for fieldsim.
func TestRobotOfAUsersFile(t *testing.T) {
	cfg := DefaultConfig(1)
	begin(t, &cfg, Options{Parameters: parameters(t, `
/**:
  ros__parameters: {antenna.x: 0.25, antenna.y: -0.1, cmd_vel_stamped: true}
/**/ugp_explorer:
  ros__parameters: {probe.x: 0.6, probe.y: 0.2}
`)})
	robot := cfg.Fieldsim
	if robot.AntennaX != 0.25 || robot.AntennaY != -0.1 || robot.Probe.Forward != 0.6 || robot.Probe.Left != 0.2 || !robot.Stamped {
		t.Errorf("the robot has %+v", robot)
	}
	cfg = DefaultConfig(1)
	begin(t, &cfg, Options{Parameters: parameters(t, "ugp_explorer: {ros__parameters: {probe.x: 0.6, reading.stddev: 0.5}}\nfieldsim: {ros__parameters: {probe.x: 0.5, fix.antenna_x: 1.0}}\n")})
	if robot := cfg.Fieldsim; robot.Probe.Forward != 0.5 || robot.AntennaX != 1 || robot.Probe.StdDev != 0.02 {
		t.Errorf("the robot has %+v, and its own parameters say something else", robot)
	}
	if probe := cfg.Explorer.Matcher.Probe; probe != (localization.Lever{X: 0.6}) {
		t.Errorf("the explorer has the probe at %v", probe)
	}
}

// What the simulated robot has not is told with its cause.
func TestCausesOfNoMission(t *testing.T) {
	for yaml, want := range map[string][]string{
		"ugp_explorer: {ros__parameters: {frame_id: odom}}":                   {"waits for a pose", `it is in the frame "map", want "odom"`},
		"ekf: {ros__parameters: {map_frame: world}}":                          {"waits for a pose", `/fieldsim publishes is refused: it is in the frame "map", want "world"`},
		"ugp_explorer: {ros__parameters: {goal.interface: navigate_to_pose}}": {"nothing serves the goal on the action /navigate_to_pose"},
		"ugp_explorer: {ros__parameters: {passive: true}}":                    {"passive is true", "nothing drives"},
	} {
		cfg := DefaultConfig(1)
		s := begin(t, &cfg, Options{Parameters: parameters(t, yaml)})
		s.patience = 5 * time.Minute // what is missing is known long before
		err := s.Run(t.Context())
		if err == nil || slices.ContainsFunc(want, func(part string) bool { return !strings.Contains(err.Error(), part) }) {
			t.Errorf("%s: %v, want %q", yaml, err, want)
		}
	}
}

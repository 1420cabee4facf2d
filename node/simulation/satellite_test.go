// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/msgs/diagnostic_msgs"
	"ugp_explorer/node/ekf"
	"ugp_explorer/planner/mission"
	"ugp_explorer/sim"
)

// A robot with wheel odometry, a satellite receiver and an IMU, on a field in degrees:
// the filter gets nothing else, and the mission is as good as one whose fixes are in metres.
func TestSatelliteMission(t *testing.T) {
	datum := sim.Geodetic{Lon: 8.0471, Lat: 52.2726}
	file := filepath.Join(t.TempDir(), "field.geojson")
	const side = 150.0
	var ring [][2]float64
	for _, at := range [][2]float64{{0, 0}, {side, 0}, {side, side}, {0, side}, {0, 0}} {
		g := datum.At(at[0], at[1])
		ring = append(ring, [2]float64{g.Lon, g.Lat})
	}
	text, err := json.Marshal(map[string]any{"type": "Polygon", "coordinates": [][][2]float64{ring}})
	must.OK(t, err)
	must.OK(t, os.WriteFile(file, text, 0o666))
	const seeds, samples = 3, 4
	squared, n, errors := 0.0, 0, 0.0
	for seed := range int64(seeds) {
		cfg := DefaultConfig(seed + 1)
		origin := []float64{datum.Lon, datum.Lat}
		cfg.Explorer.Field.File, cfg.Explorer.Field.Datum = file, origin
		cfg.Explorer.Mission.Budget.Samples = samples
		cfg.EKF.Datum = origin
		s := begin(t, &cfg, Options{Parameters: parameters(t, fmt.Sprintf(
			"fieldsim: {ros__parameters: {field.boundary_file: %q, field.datum: [%v, %v], fix.datum: [%[2]v, %[3]v], imu.publish: true}}", file, datum.Lon, datum.Lat))})
		rates := 0
		listen(t, s, "spectator", "/diagnostics", func(m *diagnostic_msgs.DiagnosticArray) {
			if m.Status[0].Name != ekf.DefaultName+": localisation" {
				return
			}
			for _, kv := range m.Status[0].Values {
				if kv.Key == "yaw rates used" {
					rates, _ = strconv.Atoi(kv.Value)
				}
			}
		})
		if err := s.Run(t.Context()); err != nil {
			t.Fatalf("seed %d: %v", seed+1, err)
		}
		m := s.Explorer().Record()
		if len(m.Observations) != samples || s.Explorer().State() != mission.StateDone || rates < 1000 {
			t.Errorf("seed %d: %d samples, %s: %s; %d yaw rates used", seed+1, len(m.Observations), s.Explorer().State(), m.Outcome, rates)
		}
		for _, o := range m.Observations {
			squared += o.Belief.SquaredDistance(*o.TruePlace)
			errors += square(o.Belief.X-o.TruePlace[0]) + square(o.Belief.Y-o.TruePlace[1])
			n++
		}
	}
	// The sum of the squared Mahalanobis distances is χ² with two degrees of freedom a sample.
	chi := distuv.ChiSquared{K: float64(2 * n)}
	t.Logf("NEES %.2f (2 is consistent), error %.2f m rms over %d samples", squared/float64(n), math.Sqrt(errors/float64(n)), n)
	if lo, hi := chi.Quantile(1e-4), chi.Quantile(1-1e-4); squared < lo || squared > hi {
		t.Errorf("the squared Mahalanobis distances of %d samples sum up to %.1f, want %.1f to %.1f", n, squared, lo, hi)
	}
}

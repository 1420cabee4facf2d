// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/convert"
)

const (
	worldsFolder = launchFolder + "worlds/"
	modelFile    = launchFolder + "models/sampler/model.sdf"
)

// worldFiles are the worlds for Gazebo: a field with relief, whose ground is the mesh in field.obj, and the same on
// flat ground. What stands there is in field.geojson, too.
var worldFiles = []string{worldsFolder + "field.sdf", worldsFolder + "field_flat.sdf"}

// worldDatum returns the origin of the frame map in the worldsFolder, longitude and latitude.
func worldDatum(t *testing.T) []float64 {
	t.Helper()
	c := readSDF(t, worldFiles[0]).World.Spherical
	return []float64{c.Lon, c.Lat}
}

// pluginsOf returns plugins by the last word of their names.
func pluginsOf(all []sdfPlugin) map[string]sdfPlugin {
	named := map[string]sdfPlugin{}
	for _, p := range all {
		named[p.Name[strings.LastIndex(p.Name, ":")+1:]] = p
	}
	return named
}

// With libsdformat's own tool: what Fortress and Harmonic refuse to load is found here. On
// Debian it is in the packages ignition-tools and libsdformat-dev.
func TestLibsdformatAccepts(t *testing.T) {
	var check []string
	for _, tool := range []string{"gz", "ign"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			continue
		}
		if out, err := exec.Command(path, "sdf", "--versions").CombinedOutput(); err == nil && strings.Contains(string(out), ".") {
			check = []string{path, "sdf", "--check"}
			break
		}
	}
	if check == nil {
		t.Skip("there is no command `gz sdf` or `ign sdf`")
	}
	for _, file := range append(slices.Clone(worldFiles), modelFile) {
		out, err := exec.Command(check[0], append(check[1:], file)...).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "Valid.") || strings.Contains(string(out), "Warning") {
			t.Errorf("%s of %s: %v\n%.2000s", strings.Join(check, " "), file, err, out)
		}
	}
}

// From Gazebo Ionic on the names of Fortress are not known any more.
func TestPluginNames(t *testing.T) {
	for _, file := range append(slices.Clone(worldFiles), modelFile) {
		raw, err := os.ReadFile(file)
		must.OK(t, err)
		text := string(raw)
		if all, ours := strings.Count(text, "<plugin "), strings.Count(text, `<plugin filename="gz-sim-`); all < 2 || ours != all || strings.Count(text, `name="gz::sim::systems::`) != all {
			t.Errorf("%s: %d plugins, of which %d have a name of today's Gazebo", file, all, ours)
		}
	}
}

// footprint returns the corners of a model's collision box in the world.
func footprint(t *testing.T, m sdfModel) orb.Ring {
	t.Helper()
	c := m.Links[0].Collisions[0]
	if len(c.Geometry.Box) != 3 || m.Pose.at(3) != 0 || m.Pose.at(4) != 0 || c.Pose.at(0) != 0 || c.Pose.at(1) != 0 || c.Pose.at(5) != 0 {
		t.Fatalf("%s is no upright box in the middle of its model: %+v", m.Name, c)
	}
	sin, cos := math.Sincos(m.Pose.at(5))
	var ring orb.Ring
	for _, k := range [][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}} {
		along, across := k[0]*c.Geometry.Box[0]/2, k[1]*c.Geometry.Box[1]/2
		ring = append(ring, orb.Point{m.Pose.at(0) + cos*along - sin*across, m.Pose.at(1) + sin*along + cos*across})
	}
	return ring
}

const (
	// agreement is the largest distance between the world and the GeoJSON, m.
	agreement = 0.05
	// trunkDistance is how far inside the edge of the wood the trunks are at least, m.
	trunkDistance = 1.5
)

// The field that the explorer reads is the one in which the robot drives: with the datum of
// the world's spherical coordinates each keep-out is where the world has its shed, hedge or
// wood.
func TestWorldAgreesWithGeoJSON(t *testing.T) {
	for _, file := range worldFiles {
		w := readSDF(t, file).World
		f, err := convert.ReadBoundary(worldsFolder+"field.geojson", []float64{w.Spherical.Lon, w.Spherical.Lat})
		must.OK(t, err)
		// match takes the keep-out whose corners are those of want.
		match := func(what string, want orb.Ring) {
			t.Helper()
			for i, k := range f.KeepOuts {
				if len(k[0]) == len(want) && far(k[0], want) < agreement {
					f.KeepOuts = slices.Delete(f.KeepOuts, i, i+1)
					return
				}
			}
			t.Errorf("%s: the GeoJSON has no keep-out at the %s %v", file, what, want)
		}
		for _, name := range []string{"shed", "hedge_west", "hedge_east"} {
			match(name, footprint(t, w.model(t, name)))
		}
		if len(f.KeepOuts) != 1 {
			t.Fatalf("%s: the GeoJSON has %d keep-outs that are no box, want that of the wood", file, len(f.KeepOuts))
		}
		wood, trunks := f.KeepOuts[0], 0
		for _, c := range w.model(t, "wood").Links[0].Collisions {
			at := orb.Point{c.Pose.at(0), c.Pose.at(1)}
			if !planar.PolygonContains(wood, at) || planar.DistanceFrom(orb.LineString(wood[0]), at) < trunkDistance+c.Geometry.Cylinder.Radius-agreement {
				t.Errorf("%s: %s at %v is not well inside the keep-out of the wood", file, c.Name, at)
			}
			trunks++
		}
		if trunks < 30 {
			t.Errorf("%s: the wood has %d trunks", file, trunks)
		}
		posts := orb.LineString(f.Boundary[0])
		for _, p := range w.model(t, "posts").Links[0].Visuals {
			if d := planar.DistanceFrom(posts, orb.Point{p.Pose.at(0), p.Pose.at(1)}); d > agreement {
				t.Errorf("%s: %s is %g m off the outline in the GeoJSON", file, p.Name, d)
			}
		}
	}
}

// far returns the largest distance of the corners of a ring to those of another, wherever
// the rings begin.
func far(a, b orb.Ring) (most float64) {
	for _, p := range a {
		nearest := math.Inf(1)
		for _, q := range b {
			nearest = min(nearest, planar.Distance(p, q))
		}
		most = max(most, nearest)
	}
	return most
}

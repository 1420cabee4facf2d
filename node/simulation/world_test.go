package simulation

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/node/convert"
	"ugp_explorer/planner/field"
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

// systems are the plugins that a world or model may have, by the names of Fortress, with
// their files.
var systems = map[string]string{
	"ignition::gazebo::systems::Physics":           "ignition-gazebo-physics-system",
	"ignition::gazebo::systems::UserCommands":      "ignition-gazebo-user-commands-system",
	"ignition::gazebo::systems::SceneBroadcaster":  "ignition-gazebo-scene-broadcaster-system",
	"ignition::gazebo::systems::Imu":               "ignition-gazebo-imu-system",
	"ignition::gazebo::systems::NavSat":            "ignition-gazebo-navsat-system",
	"ignition::gazebo::systems::DiffDrive":         "ignition-gazebo-diff-drive-system",
	"ignition::gazebo::systems::OdometryPublisher": "ignition-gazebo-odometry-publisher-system",
}

// pluginsOf checks the plugins and returns them by the last word of their names.
func pluginsOf(t *testing.T, file string, all []sdfPlugin) map[string]sdfPlugin {
	t.Helper()
	named := map[string]sdfPlugin{}
	for _, p := range all {
		if want, ok := systems[p.Name]; !ok || p.File != want {
			t.Errorf("%s: plugin %s is in the file %s, want %q", file, p.Name, p.File, want)
		}
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

// A world has the systems that a robot with IMU and NavSat needs, steps of 5 ms, and no name
// twice.
func TestWorldSystems(t *testing.T) {
	for _, file := range worldFiles {
		checkNames(t, file)
		s := readSDF(t, file)
		if s.Version != "1.9" || s.World.Name != "field" || s.World.Step != 0.005 {
			t.Errorf("%s: SDF %s, world %s, steps of %g s; want 1.9, field, 0.005", file, s.Version, s.World.Name, s.World.Step)
		}
		named := pluginsOf(t, file, s.World.Plugins)
		for _, want := range []string{"Physics", "UserCommands", "SceneBroadcaster", "Imu", "NavSat"} {
			if _, ok := named[want]; !ok {
				t.Errorf("%s has no system %s", file, want)
			}
		}
		if c := s.World.Spherical; c.Surface != "EARTH_WGS84" || c.Orientation != "ENU" || c.Heading != 0 {
			t.Errorf("%s: spherical coordinates %+v, want EARTH_WGS84, ENU, heading 0", file, c)
		}
		for _, m := range s.World.Models {
			if !m.Static {
				t.Errorf("%s: %s is not static", file, m.Name)
			}
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
		if err != nil {
			t.Fatal(err)
		}
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

// The field has room for a mission around what stands in it.
func TestWorldIsOneRegion(t *testing.T) {
	f, err := convert.ReadBoundary(worldsFolder+"field.geojson", worldDatum(t))
	if err != nil {
		t.Fatal(err)
	}
	region, err := field.NewRegion(f, 2)
	if err != nil {
		t.Fatal(err)
	}
	if area := planar.Area(f.Boundary); area < 7e4 || area > 9e4 || region.Parts() != 1 {
		t.Errorf("the field has %g m² in %d parts, want about 8 ha in one", area, region.Parts())
	}
	if !region.Contains([]float64{4, 1}) {
		t.Error("the robot's start is not in the field")
	}
	if bound := f.Boundary.Bound(); max(-bound.Left(), -bound.Bottom(), bound.Right(), bound.Top()) > groundSize/2-20 {
		t.Errorf("the outline %v comes closer than 20 m to the edge of the ground", bound)
	}
}

// groundSize is the length of a side of the ground, a square about the datum, m.
const groundSize = 352.0

// readOBJ returns the nodes of the mesh, from the file.
func readOBJ(t *testing.T) (nodes [][3]float64, faces [][3]int) {
	t.Helper()
	file, err := os.Open(worldsFolder + "field.obj")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		switch line := lines.Text(); {
		case strings.HasPrefix(line, "v "):
			var p [3]float64
			if _, err := fmt.Sscanf(line, "v %g %g %g", &p[0], &p[1], &p[2]); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			nodes = append(nodes, p)
		case strings.HasPrefix(line, "f "):
			var f [3]int
			for i, word := range strings.Fields(line)[1:] {
				if _, err := fmt.Sscanf(word, "%d", &f[i]); err != nil {
					t.Fatalf("%s: %v", line, err)
				}
			}
			faces = append(faces, f)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return nodes, faces
}

// The mesh faces up, is gently sloped, and covers the ground.
func TestGroundMesh(t *testing.T) {
	nodes, faces := readOBJ(t)
	area, steepest := 0.0, 0.0
	for _, f := range faces {
		a, b, c := nodes[f[0]-1], nodes[f[1]-1], nodes[f[2]-1]
		u, v := [3]float64{b[0] - a[0], b[1] - a[1], b[2] - a[2]}, [3]float64{c[0] - a[0], c[1] - a[1], c[2] - a[2]}
		n := [3]float64{u[1]*v[2] - u[2]*v[1], u[2]*v[0] - u[0]*v[2], u[0]*v[1] - u[1]*v[0]}
		if n[2] <= 0 {
			t.Fatalf("face %v faces down", f)
		}
		area += n[2] / 2
		steepest = max(steepest, math.Hypot(n[0], n[1])/n[2])
	}
	if want := groundSize * groundSize; math.Abs(area-want) > 1e-6 || steepest > 0.08 || steepest < 0.03 {
		t.Errorf("the mesh covers %g m², want %g, and its steepest slope is %g; want gentle relief", area, want, steepest)
	}
}

// relief returns the height of the ground of field.sdf at a place, m: that of the triangle of the mesh there.
func relief(t *testing.T) func(x, y float64) float64 {
	nodes, faces := readOBJ(t)
	return func(x, y float64) float64 {
		for _, f := range faces {
			a, b, c := nodes[f[0]-1], nodes[f[1]-1], nodes[f[2]-1]
			whole := (b[0]-a[0])*(c[1]-a[1]) - (c[0]-a[0])*(b[1]-a[1])
			u := ((x-a[0])*(c[1]-a[1]) - (c[0]-a[0])*(y-a[1])) / whole
			v := ((b[0]-a[0])*(y-a[1]) - (x-a[0])*(b[1]-a[1])) / whole
			if u >= 0 && v >= 0 && u+v <= 1 {
				return a[2] + u*(b[2]-a[2]) + v*(c[2]-a[2])
			}
		}
		t.Fatalf("(%g, %g) is not on the ground", x, y)
		return 0
	}
}

// What stands in the field neither floats nor lies in the ground.
func TestThingsStandOnTheGround(t *testing.T) {
	for i, height := range []func(x, y float64) float64{relief(t), func(float64, float64) float64 { return 0 }} {
		file := worldFiles[i]
		w := readSDF(t, file).World
		ground := w.model(t, "ground").Links[0]
		for _, s := range []sdfShape{ground.Collisions[0], ground.Visuals[0]} {
			if i == 0 && s.Geometry.Mesh != "field.obj" || i == 1 && s.Geometry.Plane.at(0) != groundSize {
				t.Errorf("%s: the ground is %+v", file, s.Geometry)
			}
		}
		if _, err := os.Stat(filepath.Join(worldsFolder, ground.Visuals[0].Albedo)); err != nil || ground.Visuals[0].Albedo == "" {
			t.Errorf("%s: the ground's texture: %v", file, err)
		}
		check := func(what string, at orb.Point, bottom, top, tall float64) {
			t.Helper()
			if h := height(at[0], at[1]); bottom > h-0.2 || top < h+tall {
				t.Errorf("%s: %s at %v reaches from %g to %g m, the ground is at %g m", file, what, at, bottom, top, h)
			}
		}
		for _, name := range []string{"shed", "hedge_west", "hedge_east"} {
			m := w.model(t, name)
			c := m.Links[0].Collisions[0]
			middle, tall := m.Pose.at(2)+c.Pose.at(2), c.Geometry.Box.at(2)
			for _, corner := range footprint(t, m) {
				check(name, corner, middle-tall/2, middle+tall/2, 0.5)
			}
		}
		for _, c := range w.model(t, "wood").Links[0].Collisions {
			length := c.Geometry.Cylinder.Length
			check(c.Name, orb.Point{c.Pose.at(0), c.Pose.at(1)}, c.Pose.at(2)-length/2, c.Pose.at(2)+length/2, 3)
		}
	}
}

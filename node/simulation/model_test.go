package simulation

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"ugp_explorer/sim"
)

// The robot turns and drives as its odometry says, which needs its plugin to know its wheels.
func TestSamplerWheels(t *testing.T) {
	checkNames(t, modelFile)
	s := readSDF(t, modelFile)
	m := s.Model
	if s.Version != "1.9" || m.Name != "sampler" || m.Static || len(m.Pose) != 0 {
		t.Errorf("SDF %s, model %s; want 1.9, sampler that moves", s.Version, m.Name)
	}
	links := map[string]sdfLink{}
	for _, l := range m.Links {
		links[l.Name] = l
		i := l.Inertial.Inertia
		if l.Inertial.Mass <= 0 || i.XX <= 0 || i.XX+i.YY < i.ZZ || i.YY+i.ZZ < i.XX || i.ZZ+i.XX < i.YY {
			t.Errorf("%s: mass %g kg, inertia %+v is that of no body", l.Name, l.Inertial.Mass, i)
		}
	}
	if len(m.Links[0].Pose) != 0 || m.Links[0].Name != "base_link" {
		t.Errorf("the first link is %s at %v, want base_link at the model's frame", m.Links[0].Name, m.Links[0].Pose)
	}
	drive := pluginsOf(t, modelFile, m.Plugins)["DiffDrive"]
	number := func(name string) float64 {
		t.Helper()
		v, err := strconv.ParseFloat(drive.one(t, name), 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	radius, separation := number("wheel_radius"), number("wheel_separation")
	left, right := drive.all("left_joint"), drive.all("right_joint")
	if len(left) != 2 || len(right) != 2 || len(m.Joints) != 4 {
		t.Fatalf("%d left and %d right joints of %d, want two each", len(left), len(right), len(m.Joints))
	}
	for _, j := range m.Joints {
		if j.Type != "revolute" || j.Parent != "base_link" || j.Lower != -1e16 || j.Upper != 1e16 || !slices.Equal(j.Axis, sdfNumbers{0, 0, 1}) {
			t.Errorf("joint %+v, want one of base_link about z that turns for ever", j)
		}
		wheel, ok := links[j.Child]
		if !ok {
			t.Fatalf("joint %s has no link %s", j.Name, j.Child)
		}
		side := 1.0
		if slices.Contains(right, j.Name) {
			side = -1
		} else if !slices.Contains(left, j.Name) {
			t.Errorf("nobody drives %s", j.Name)
		}
		tyre := wheel.Collisions[0]
		c := tyre.Geometry.Cylinder
		// Rolled by -π/2 about x the wheel's z axis points to the left, so that it rolls forward.
		if math.Abs(wheel.Pose.at(3)+math.Pi/2) > 1e-9 || c.Radius != radius || math.Abs(wheel.Pose.at(2)-radius) > 1e-9 {
			t.Errorf("%s at %v with radius %g, want one that stands on the ground with radius %g", wheel.Name, wheel.Pose, c.Radius, radius)
		}
		if want := side * (separation - c.Length) / 2; math.Abs(wheel.Pose.at(1)-want) > 1e-9 {
			t.Errorf("%s is at y %g, want %g: the separation is the track and a wheel's width", wheel.Name, wheel.Pose.at(1), want)
		}
		// With 0.8 and more along the axle the robot hardly turns.
		if f := tyre.Friction; f.Mu != 0.3 || f.Mu2 != 1 || !slices.Equal(f.Dir, sdfNumbers{0, 0, 1}) {
			t.Errorf("%s has the friction %+v", wheel.Name, f)
		}
	}
	if want := sim.DefaultPlantConfig().Track; math.Abs(separation-0.12-want) > 1e-9 {
		t.Errorf("the track is %g m, that of package sim's robot %g", separation-0.12, want)
	}
}

// The frames of what the bridge carries are those of the nodes.
func TestSamplerFrames(t *testing.T) {
	m := readSDF(t, modelFile).Model
	named := pluginsOf(t, modelFile, m.Plugins)
	for plugin, elements := range map[string]map[string]string{
		"DiffDrive":         {"frame_id": "odom", "child_frame_id": "base_link"},
		"OdometryPublisher": {"odom_frame": "map", "robot_base_frame": "base_link", "dimensions": "3"},
	} {
		for name, want := range elements {
			if got := named[plugin].one(t, name); got != want {
				t.Errorf("%s of %s is %s, want %s", name, plugin, got, want)
			}
		}
	}
	if a, b := named["DiffDrive"].one(t, "odom_topic"), named["OdometryPublisher"].one(t, "odom_topic"); a == b {
		t.Errorf("wheel odometry and truth are both on %s", a)
	}
}

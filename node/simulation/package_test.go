// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package simulation

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

const repository = "../../"

// packageXML is what of package.xml a test can know.
type packageXML struct {
	Format  string       `xml:"format,attr"`
	Name    string       `xml:"name"`
	Licence string       `xml:"license"`
	Depend  []dependency `xml:"depend"`
	Exec    []dependency `xml:"exec_depend"`
	Tools   []string     `xml:"buildtool_depend"`
	Groups  []string     `xml:"member_of_group"`
	Build   string       `xml:"export>build_type"`
}

type dependency struct {
	Name      string `xml:",chardata"`
	Condition string `xml:"condition,attr"`
}

// names returns the names of the dependencies that only the transport rclgo has, or
// of the others, sorted.
func names(all []dependency, rclgo bool) (names []string) {
	for _, d := range all {
		if strings.Contains(d.Condition, "== rclgo") == rclgo {
			names = append(names, d.Name)
		}
	}
	slices.Sort(names)
	return names
}

func readPackage(t *testing.T) (p packageXML) {
	t.Helper()
	must.OK(t, xml.Unmarshal([]byte(readText(t, repository+"package.xml")), &p))
	return p
}

func readText(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	must.OK(t, err)
	return string(data)
}

// named returns the bases of the paths that a pattern matches, without ext at their ends.
func named(t *testing.T, pattern, ext string) (names []string) {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no %s: %v", pattern, err)
	}
	for _, p := range paths {
		names = append(names, filepath.Base(strings.TrimSuffix(filepath.ToSlash(p), ext)))
	}
	return names
}

// found returns what the first group of a pattern matches in a text, each once
// and sorted.
func found(pattern, text string) (all []string) {
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// TestPackageBuildsAll has colcon make every interface and every program.
func TestPackageBuildsAll(t *testing.T) {
	cmake := readText(t, repository+"CMakeLists.txt")
	for list, want := range map[string][]string{
		"interfaces": named(t, repository+"msgs/msg/*.msg", ".msg"),
		"programs":   named(t, repository+"node/cmd/*/main.go", "/main.go"),
	} {
		m := regexp.MustCompile(`(?m)^set\(` + list + ` (.*)\)$`).FindStringSubmatch(cmake)
		if m == nil {
			t.Fatalf("CMakeLists.txt does not set %s", list)
		}
		got := strings.Fields(m[1])
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("CMakeLists.txt has the %s %q, want %q", list, got, want)
		}
	}
	if p := readPackage(t); !strings.Contains(cmake, "project("+p.Name+" ") || p.Name != "ugp_explorer" {
		t.Errorf("package.xml is of %q, CMakeLists.txt of another", p.Name)
	}
}

// TestPackageDependencies has package.xml name what the package uses, and no
// more.
func TestPackageDependencies(t *testing.T) {
	p := readPackage(t)
	if p.Format != "3" || p.Build != "ament_cmake" || p.Licence != "Apache-2.0" {
		t.Errorf("format %s, build type %s, licence %s; want 3, ament_cmake, Apache-2.0", p.Format, p.Build, p.Licence)
	}
	if want := []string{"rosidl_interface_packages"}; !slices.Equal(p.Groups, want) {
		t.Errorf("the package is of the groups %q, want %q", p.Groups, want)
	}

	var definitions strings.Builder
	for _, name := range named(t, repository+"msgs/msg/*.msg", "") {
		definitions.WriteString(readText(t, repository+"msgs/msg/"+name))
	}
	want := append(found(`(?m)^([a-z_]+)/`, definitions.String()), "fastcdr", "fastdds", "fastrtps")
	slices.Sort(want)
	if got := names(p.Depend, false); !slices.Equal(got, want) {
		t.Errorf("package.xml has depend %q, want %q", got, want)
	}

	var launch strings.Builder
	for _, file := range append(slices.Clone(launchFiles), "ugp_support.py") {
		launch.WriteString(readText(t, launchFolder+file))
	}
	want = append(found(`(?m)^from (ament[a-z0-9_]+|launch[a-z0-9_]*)`, launch.String()), "ros2launch", "rosidl_default_runtime")
	slices.Sort(want)
	if got := names(p.Exec, false); !slices.Equal(got, want) {
		t.Errorf("package.xml has exec_depend %q, want %q", got, want)
	}
	// rosdep would bring the simulator to robots. The README says how to install it.
	readme := readText(t, launchFolder+"README.md")
	for _, name := range []string{"ros_gz_sim", "ros_gz_bridge", "robot_localization"} {
		if apt := "ros-$ROS_DISTRO-" + strings.ReplaceAll(name, "_", "-"); !strings.Contains(launch.String(), "'"+name+"'") || !strings.Contains(readme, apt) {
			t.Errorf("no launch file needs %s, or launch/README.md does not have %s", name, apt)
		}
	}
	if want := []string{"ament_cmake", "golang-go", "rosidl_default_generators"}; !slices.Equal(slices.Sorted(slices.Values(p.Tools)), want) {
		t.Errorf("package.xml has buildtool_depend %q, want %q", p.Tools, want)
	}
}

// TestRclgoDependencies has package.xml name what the transport rclgo needs beside:
// what CMake looks for, and the packages of the messages that the nodes have.
func TestRclgoDependencies(t *testing.T) {
	p := readPackage(t)
	list := regexp.MustCompile(`(?s)foreach\(package ([^)]*)\)`).FindStringSubmatch(readText(t, repository+"CMakeLists.txt"))
	if list == nil {
		t.Fatal("CMakeLists.txt has no list of packages")
	}
	built := strings.Fields(list[1])
	slices.Sort(built)
	if got := names(p.Depend, true); !slices.Equal(got, built) {
		t.Errorf("package.xml has depend %q for rclgo, want %q as in CMakeLists.txt", got, built)
	}
	var code strings.Builder
	for _, files := range []string{"node/*/*.go", "node/explorer/*/*.go"} {
		list, err := filepath.Glob(repository + files)
		must.OK(t, err)
		for _, file := range list {
			if !strings.HasSuffix(file, "_test.go") {
				code.WriteString(readText(t, file))
			}
		}
	}
	want := found(`"ugp_explorer/msgs/([a-z0-9_]+_msgs|[a-z_]+_interfaces|std_srvs)"`, code.String())
	want = slices.DeleteFunc(want, func(name string) bool {
		return name == "ugp_explorer_msgs" || name == "nav2_msgs" || // who sends goals to Nav2 has it
			slices.Contains(built, name) || slices.Contains(names(p.Depend, false), name)
	})
	if got := names(p.Exec, true); !slices.Equal(got, want) {
		t.Errorf("package.xml has exec_depend %q for rclgo, want %q", got, want)
	}
}

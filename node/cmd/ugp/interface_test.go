// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"ugp_explorer/internal/testkit/generated"
	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/nodetest"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/process"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/inproc"
)

const repository = "../../../"

// TestGeneratedInterface keeps node/interface.txt equal to what others can build on, as the code declares it and as a
// mission writes it. README.md beside it says what is promised of it.
func TestGeneratedInterface(t *testing.T) {
	command := generated.Command("./node/cmd/ugp", "Generated")
	list := []string{
		"What others can build on; node/README.md says what is promised. A change of a line is a change for somebody.",
		"This file is generated: " + command,
	}
	for _, section := range []func(t *testing.T) []string{programs, launchArguments, parameters, endpoints, words, messages, missionFiles, recordKeys} {
		list = append(list, "")
		list = append(list, section(t)...)
	}
	generated.Check(t, repository+"node/interface.txt", strings.Join(list, "\n")+"\n", command)
}

// programs lists flags, arguments and exit codes.
func programs(t *testing.T) []string {
	list := []string{"[programs: arguments]"}
	var visit func(n *kong.Node)
	visit = func(n *kong.Node) {
		for _, flag := range n.Flags {
			if flag.Name != "help" || n.Type == kong.ApplicationNode {
				list = append(list, n.FullPath()+" "+flag.String())
			}
		}
		for _, argument := range n.Positional {
			list = append(list, n.FullPath()+" "+argument.Summary())
		}
		for _, child := range n.Children {
			visit(child)
		}
	}
	visit(grammar(terminal{}, func(int) {}).Model.Node)
	nodes, err := filepath.Glob("../*/main.go")
	must.OK(t, err)
	for _, file := range nodes {
		if name := filepath.Base(filepath.Dir(file)); name != "ugp" {
			for _, flag := range process.Flags() {
				list = append(list, name+" "+flag)
			}
			list = append(list, name+" --ros-args ARGUMENTS")
		}
	}
	return append(list, "", "[programs: exit codes]", "all: 0 success",
		fmt.Sprintf("ugp: %d failed, or doctor says no", exitFailed),
		fmt.Sprintf("ugp: %d the input cannot be used", exitBadInput),
		fmt.Sprintf("ugp: %d interrupted", exitInterrupted),
		fmt.Sprintf("nodes: %d failed while running", process.ExitFailed),
		fmt.Sprintf("nodes: %d could not start", process.ExitNotStarted))
}

// launchArguments lists the arguments that launch files declare.
func launchArguments(t *testing.T) []string {
	list := []string{"[launch files: arguments]"}
	files, err := filepath.Glob(repository + "launch/*.launch.py")
	must.OK(t, err)
	shared, own := regexp.MustCompile(`(?s)\*shared\(([^)]*)\)`), regexp.MustCompile(`DeclareLaunchArgument\(\s*'([a-z0-9_]+)'`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		must.OK(t, err)
		var names []string
		for _, m := range shared.FindAllStringSubmatch(string(text), -1) {
			names = append(names, strings.FieldsFunc(m[1], func(r rune) bool { return strings.ContainsRune("', \n", r) })...)
		}
		for _, m := range own.FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
		if len(names) < 10 || len(own.FindAllString(string(text), -1)) != strings.Count(string(text), "DeclareLaunchArgument(") {
			t.Fatalf("of the arguments of %s only %q were found", file, names)
		}
		slices.Sort(names)
		for _, name := range names {
			list = append(list, filepath.Base(file)+" "+name+":=")
		}
	}
	return list
}

// parameters lists those of each node with type, unit and range. Their defaults are in launch/params.
func parameters(*testing.T) []string {
	list := []string{"[parameters: node, name, type, unit, range]"}
	for _, n := range nodetest.Nodes(repository) {
		for _, r := range n.Parameters().Rows() {
			line := n.Name + " " + r.Name + ": " + r.Type
			for _, more := range []string{r.Unit, r.Range} {
				if more != "" {
					line += ", " + more
				}
			}
			if !r.ReadOnly {
				line += ", may be set while the node runs"
			}
			list = append(list, line)
		}
	}
	return list
}

// endpoints lists topics and services with type and quality of service, those of actions included.
func endpoints(t *testing.T) []string {
	list := []string{"[topics, services and actions: node, kind, name, type, quality of service]"}
	for _, n := range nodetest.Nodes(repository) {
		var found []string
		known := map[string]bool{}
		for _, variant := range n.Variants {
			graph := inproc.New()
			node, err := n.Open(graph, "/", variant)
			must.OK(t, err)
			for _, e := range graph.Endpoints("") {
				name := strings.Replace(e.Name, "/"+n.Name+"/", "~/", 1)
				known[strings.TrimPrefix(name, "/")] = true
				found = append(found, fmt.Sprintf("%s %v %s %s%s", n.Name, e.Kind, name, e.Type, quality(e)))
			}
			must.OK(t, node.Close())
		}
		for _, name := range slices.Concat(n.Subscribe, n.Request) {
			if !known[strings.TrimPrefix(name, "/")] {
				found = append(found, fmt.Sprintf("%s opens /%s when it finds it in the graph", n.Name, strings.TrimPrefix(name, "/")))
			}
		}
		slices.Sort(found)
		list = append(list, slices.Compact(found)...)
	}
	return list
}

// quality describes the quality of service of a topic's end; "" for services, which have that of ROS 2.
func quality(e ros.EndpointInfo) string {
	if e.Kind == ros.ServerEnd || e.Kind == ros.ClientEnd {
		return ""
	}
	text := ", reliable"
	if e.QoS.BestEffort {
		text = ", best effort"
	}
	if e.QoS.TransientLocal {
		text += ", transient local"
	}
	text += fmt.Sprintf(", depth %d", e.QoS.Depth)
	if e.QoS.Lifespan > 0 {
		text += fmt.Sprintf(", lifespan %v", e.QoS.Lifespan)
	}
	return text
}

// words lists what may be said on ~/command.
func words(*testing.T) []string {
	list := []string{"[commands on ~/command; the services record/NAME are the commands \"record NAME\"]"}
	return append(list, strings.Split(explorer.Words(), ", ")...)
}

// messages lists the fields of the package's own messages.
func messages(t *testing.T) []string {
	list := []string{"[messages: fields and constants]"}
	files, err := filepath.Glob(repository + "msgs/msg/*.msg")
	must.OK(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		must.OK(t, err)
		for line := range strings.Lines(string(text)) {
			code, _, _ := strings.Cut(line, "#")
			if code = strings.Join(strings.Fields(code), " "); code != "" {
				list = append(list, strings.TrimSuffix(filepath.Base(file), ".msg")+" "+code)
			}
		}
	}
	return list
}

// missionFiles lists the files that a mission leaves, and the columns and properties of tables and layers. The mission
// has what an export can be of: a raster, a second sensor, another quantity, logarithms, a datum, a threshold, and bags.
func missionFiles(t *testing.T) []string {
	dir := filepath.Join(t.TempDir(), "mission")
	field := write(t, "field.geojson", `{"type":"Polygon","coordinates":[[[8,52],[8.004,52],[8.004,52.003],[8,52.003],[8,52]]]}`)
	points := "lon,lat,value\n"
	for i := range 16 {
		points += fmt.Sprintf("%g,%g,%d\n", 8+0.001*float64(i%4), 52+0.0007*float64(i/4), i%4+i%5)
	}
	raster := write(t, "raster.csv", points)
	config := write(t, "mine.yaml", "/**/ugp_explorer: {ros__parameters: {record.topics: mission}}\n")
	succeeds(t, "demo", "--field", field, "--datum", "8.001,52.001", "--covariate", raster, "--secondary=0.6", "--samples", "6", "--config", config, "--out", dir)
	var all []string
	must.OK(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			name, err := filepath.Rel(dir, path)
			must.OK(t, err)
			all = append(all, name)
			all = append(all, contents(t, path, name)...)
		}
		return err
	}))
	m, err := record.ReadMission(filepath.Join(dir, record.MissionFile))
	must.OK(t, err)
	h := m.Hyper[0].Hyper
	h.Weights, h.Correlation = nil, 0
	m.Also = []record.Quantity{{Topic: "phosphorus", Quantity: "P", Units: "mg/l", Models: []record.Model{{Weight: 1, Hyper: h}}}}
	for i := range m.Observations {
		m.Observations[i].Also = []*record.Value{{Value: float64(i), Variance: 1, Readings: 3}}
	}
	must.OK(t, m.WriteJSON(filepath.Join(dir, record.MissionFile)))
	local := filepath.Join(t.TempDir(), "local")
	succeeds(t, "export", dir, "--crs", "local", "--threshold", "20", "--out", local)
	for _, name := range names(t, local) {
		all = append(append(all, "export/"+name), contents(t, filepath.Join(local, name), "export/"+name)...)
	}
	slices.Sort(all)
	return append([]string{"[files of a mission, with columns (CSV) and properties (GeoJSON)]"}, slices.Compact(all)...)
}

// contents returns a line for each column of a table, and for each property of a layer.
func contents(t *testing.T, path, name string) (lines []string) {
	text, err := os.ReadFile(path)
	must.OK(t, err)
	columns := map[string]bool{}
	switch filepath.Ext(name) {
	case ".csv":
		header, err := csv.NewReader(strings.NewReader(string(text))).Read()
		must.OK(t, err)
		for _, column := range header {
			columns[column] = true
		}
	case ".geojson":
		var layer struct {
			Features []struct{ Properties map[string]any }
		}
		must.OK(t, json.Unmarshal(text, &layer))
		for _, f := range layer.Features {
			for property := range f.Properties {
				columns[property] = true
			}
		}
	}
	for _, column := range slices.Sorted(maps.Keys(columns)) {
		lines = append(lines, name+": "+column)
	}
	return lines
}

// recordKeys lists the keys of mission.json, each with the type of its value.
func recordKeys(*testing.T) []string {
	list := []string{fmt.Sprintf("[mission.json, version %d: keys]", record.Version)}
	shown := map[reflect.Type]string{}
	var visit func(path string, typ reflect.Type)
	visit = func(path string, typ reflect.Type) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice {
			if typ.Kind() == reflect.Slice {
				path += "[]"
			}
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct {
			list = append(list, path+": "+typ.Kind().String())
			return
		}
		if first := shown[typ]; first != "" {
			list = append(list, path+": the keys of "+first)
			return
		}
		shown[typ] = path
		for i := range typ.NumField() {
			field := typ.Field(i)
			key, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if key == "-" {
				continue
			}
			if field.Anonymous && key == "" {
				visit(path, field.Type)
				continue
			}
			visit(strings.TrimPrefix(path+"."+cmp.Or(key, field.Name), "."), field.Type)
		}
	}
	visit("", reflect.TypeFor[record.Mission]())
	return list
}

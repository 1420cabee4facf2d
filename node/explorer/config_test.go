// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package explorer_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner/field"
	"ugp_explorer/sim"
)

// starts returns the error with which a node with these parameters starts.
func starts(t *testing.T, cfg settings.Config, overrides ...string) error {
	t.Helper()
	ex, graph := exec.NewSimulated(epoch), inproc.New()
	set := &param.Overrides{}
	for _, rule := range overrides {
		must.OK(t, set.AddAssignment(rule))
	}
	node, err := ros.NewNode(graph, ex, explorer.DefaultName, ros.NodeOptions{Parameters: cfg.Parameters(), Overrides: set})
	if err != nil {
		return err
	}
	t.Cleanup(func() { node.Close() })
	_, err = explorer.New(node, &cfg)
	return err
}

func polygon(points ...orb.Point) field.Field {
	return field.Field{Boundary: orb.Polygon{append(points, points[0])}}
}

// Every parameter that is wrong is named, with what was given.
func TestBadConfiguration(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "no.geojson")
	degrees := filepath.Join(t.TempDir(), "degrees.geojson")
	must.OK(t, os.WriteFile(degrees, []byte(`{"type":"Polygon","coordinates":[[[0.37,51.81],[0.38,51.81],[0.38,51.82],[0.37,51.82],[0.37,51.81]]]}`), 0o666))
	narrow := filepath.Join(t.TempDir(), "narrow.geojson")
	must.OK(t, os.WriteFile(narrow, []byte(`{"type":"Polygon","coordinates":[[[0,0],[400,0],[400,3],[0,3],[0,0]]]}`), 0o666))
	for _, c := range []struct {
		name  string
		rules []string
		edit  func(*settings.Config)
		want  []string
	}{
		{"method", []string{"method:=best"}, nil, []string{"method", "best", "ugp-ucb", "gp-ucb"}},
		{"method in the configuration", nil, func(c *settings.Config) { c.Method = "best" }, []string{"best", "ugp-ucb"}},
		{"reading type", []string{"reading.type:=Image"}, nil, []string{"reading.type", "Image", "FieldReading"}},
		{"reading type in the configuration", nil, func(c *settings.Config) { c.Reading.Type = "Image" }, []string{"reading.type", "Image", "FieldReading"}},
		{"no deviation", []string{"reading.type:=Float64"}, nil, []string{"reading.stddev", "Float64"}},
		{"transform", []string{"reading.transform:=sqrt"}, nil, []string{"reading.transform", "sqrt", "log10"}},
		{"home of one number", []string{"home:=[4.0]"}, nil, []string{"home", "1 number"}},
		{"home of three numbers", []string{"home:=[4.0, 5.0, 6.0]"}, nil, []string{"home", "6"}},
		{"datum of one number", []string{"field.datum:=[4.0]"}, nil, []string{"field.datum", "1 number"}},
		{"negative budget", []string{"budget.samples:=-3"}, nil, []string{"budget.samples", "-3"}},
		{"a budget that is no number", []string{"budget.distance:=.nan"}, nil, []string{"budget.distance", "nan"}},
		{"lines without an end", []string{"method:=lines", "budget.samples:=0"}, nil, []string{"method is lines", "budget.samples is 0"}},
		{"grid without an end", []string{"method:=grid", "budget.samples:=0", "budget.time:=600.0"}, nil, []string{"method is grid", "budget.samples is 0", "1 to 100000"}},
		{"no stops and samples", []string{"sample.stop:=false"}, nil, []string{"sample.stop", "budget.samples is 4", "budget.distance"}},
		{"no threshold", []string{"objective:=threshold"}, nil, []string{"objective is threshold, but threshold is not given", "in the unit of the page", "maximum, minimum or map"}},
		{"weight", []string{"beta.fixed:=.nan"}, nil, []string{"beta.fixed"}},
		{"type", []string{"budget.samples:=many"}, nil, []string{"budget.samples", "many"}},
		{"name", []string{"budget.sample:=3"}, nil, []string{"budget.sample", "budget.samples"}},
		{"zeros as more than is accepted", []string{"pose.zero_stddev:=60.0"}, nil, []string{"ZeroPositionStdDev = 60", "within [0, 50]"}},
		{"no field", nil, func(c *settings.Config) { c.Outline = field.Field{} }, []string{"field.file", "empty"}},
		{"no such file", []string{"field.file:=" + missing}, nil, []string{"field.file", missing}},
		{"degrees without a datum", []string{"field.file:=" + degrees}, nil, []string{"field.file", degrees, "datum"}},
		{"crossing", nil, func(c *settings.Config) {
			c.Outline = polygon(orb.Point{0, 0}, orb.Point{100, 100}, orb.Point{100, 0}, orb.Point{0, 100})
		}, []string{"field", "boundary crosses", "(0, 0)–(100, 100)"}},
		{"two corners", nil, func(c *settings.Config) { c.Outline = polygon(orb.Point{0, 0}, orb.Point{100, 100}) }, []string{"field", "boundary"}},
		{"file of a field too narrow", []string{"field.file:=" + narrow, "field.margin:=2.0"}, nil, []string{"field.file", narrow, "margin of 2 m", "1.5 m"}},
		{"field too narrow for the robot", []string{"field.file:=" + narrow, "robot.radius:=1.5"}, nil, []string{"field.file", narrow, "margin of 2.35 m", "1.5 m", "1.5 × robot.radius + 0.1 m, and robot.radius is 1.5 m", "true size"}},
		{"outline with a name", nil, func(c *settings.Config) { c.Outline, c.OutlineName = square(1.7), "the yard" }, []string{"the yard", "margin of 1.3 m", "robot.radius is 0.8 m"}},
		{"no size of the robot", []string{"robot.radius:=0.0"}, nil, []string{"robot.radius", "0.0", "0.01"}},
		{"cells too many", nil, func(c *settings.Config) { c.MapCell = 0.09 }, []string{"cells of the maps", "0.09", "1.24e+06", "1000000"}},
		{"grid of the keep-outs", nil, func(c *settings.Config) { c.KeepoutCell = 0.01 }, []string{"keepout.cell is 0.01 m: the grid would have 1e+08 cells, at most 16000000 are allowed"}},
		{"name of a mate", nil, func(c *settings.Config) { c.Team = []string{"robot2"} }, []string{`team: "robot2"`}},
		{"a mate twice", nil, func(c *settings.Config) { c.Team = []string{"/robot2/ugp_explorer", "/robot2/ugp_explorer"} }, []string{"/robot2/ugp_explorer is listed twice"}},
		{"itself as a mate", nil, func(c *settings.Config) { c.Team = []string{"/ugp_explorer"} }, []string{"this explorer's own name"}},
		{"home in degrees", []string{"field.datum:=[8.0471, 52.2726]", "home:=[8.0472, 52.2727]"}, nil, []string{"home is [8.0472, 52.2727]", "close to field.datum", "metres"}},
		{"length-scale in kilometres", []string{"model.length_scale:=0.05"}, nil, []string{"model.length_scale is 0.05 m", "from 0.096 to 9.6e+03 m"}},
		{"length-scale in millimetres", []string{"model.length_scale:=15000.0"}, nil, []string{"model.length_scale is 15000 m", "from 0.096 to 9.6e+03 m"}},
		{"tolerance larger than the field", []string{"goal.tolerance:=60.0"}, nil, []string{"goal.tolerance is 60 m", "a radius of 50 m", "or auto"}},
		{"margin that leaves nothing", []string{"field.margin:=50.5"}, nil, []string{"margin", "50.5", "50"}},
	} {
		cfg := small()
		if c.edit != nil {
			c.edit(&cfg)
		}
		err := starts(t, cfg, c.rules...)
		if err == nil {
			t.Errorf("%s: no error", c.name)
			continue
		}
		for _, part := range c.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: error %q does not say %q", c.name, err, part)
			}
		}
	}
}

// On the farm of the demonstration the automatic values are the largest.
func TestAutomaticOnTheFarm(t *testing.T) {
	cfg := settings.DefaultConfig()
	cfg.Outline = field.Field{Boundary: sim.DefaultOutline(), KeepOuts: sim.DefaultKeepOuts()}
	set := cfg.Parameters()
	if v, _ := set.Get("field.margin"); v.String() != "auto" {
		t.Errorf("field.margin is %v before there is a field", v)
	}
	w := openWorldAt(t, cfg, true, epoch, 300, 300)
	for name, want := range map[string]float64{
		"field.margin": 2, "goal.tolerance": 2, "execution.stddev": 1,
		"budget.speed": 1, "path.length": 10,
	} {
		if v, _ := w.cfg.Parameters().Get(name); v.Any() != want {
			t.Errorf("%s is %v, want %g", name, v, want)
		}
	}
	if c := w.cfg; c.MapCell != 10 || c.Covariance.MaxPositionStdDev != 50 || c.Mission.HomeTolerance != 2 || c.SkipRadius != 10 || c.Mission.ReserveDistance != 2 || c.Travel != 1.2 || c.Reading.Wait != 20 || c.Mission.SampleTimeout != 60 {
		t.Errorf("cells of %g m, poses up to %g m, home tolerance %g m, skip radius %g m, reserve %g m, price %g per km, wait %g s, timeout %g s; want 10, 50, 2, 10, 2, 1.2, 20, 60",
			c.MapCell, c.Covariance.MaxPositionStdDev,
			c.Mission.HomeTolerance, c.SkipRadius, c.Mission.ReserveDistance, c.Travel, c.Reading.Wait, c.Mission.SampleTimeout)
	}
	if log := w.log.String(); strings.Contains(log, "WARN") || strings.Count(log, "parameters that follow the size of the field and the robot") != 1 {
		t.Errorf("the log has\n%s", log)
	}
}

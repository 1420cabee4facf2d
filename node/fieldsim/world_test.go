// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package fieldsim_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/internal/testkit/rostest"
	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/earth"
	"ugp_explorer/planner/field"
)

// A late subscriber gets a cloud that equals the field, node by node.
func TestGroundTruthField(t *testing.T) {
	r := newRig(t, nil)
	r.run(5 * time.Second)
	var got []sensor_msgs.PointCloud2
	late := rostest.Node(t, r.graph, r.ex, "late", ros.NodeOptions{})
	rostest.Hear(r.t, late, "ground_truth/field", ros.Latched(), func(m *sensor_msgs.PointCloud2) {
		c := *m
		c.Data, c.Fields = bytes.Clone(m.Data), append([]sensor_msgs.PointField(nil), m.Fields...)
		got = append(got, c)
	})
	r.run(time.Second)
	if len(got) != 1 {
		t.Fatalf("%d clouds, want one", len(got))
	}
	m := &got[0]
	if m.Header.FrameID != "map" || ros.TimeNs(m.Header.Stamp) != epoch {
		t.Errorf("cloud in %q with stamp %v, want map at the start", m.Header.FrameID, m.Header.Stamp)
	}
	grid, columns, err := convert.CloudColumns(m, "value", "smooth")
	r.must(err)
	field, _ := r.sim.Field()
	if g := field.Grid(); got[0].Width != uint32(g.NX) || grid.NY != g.NY || math.Abs(grid.X0-g.X0)+math.Abs(grid.Y0-g.Y0)+math.Abs(grid.DX-g.DX) > 1e-3 {
		t.Fatalf("cloud over %+v, the field is over %+v", grid, g) // in single precision
	}
	for k := range columns[0] {
		if value, smooth := field.At(k%grid.NX, k/grid.NX); columns[0][k] != value || columns[1][k] != smooth {
			t.Fatalf("node %d has %g and %g, the field %g and %g", k, columns[0][k], columns[1][k], value, smooth)
		}
	}
}

// clearance returns how far p is inside the field, negative when it is not.
func clearance(f field.Field, p orb.Point) float64 {
	edge := math.Inf(1)
	inside := planar.PolygonContains(f.Boundary, p)
	for _, ring := range f.Boundary {
		edge = min(edge, planar.DistanceFrom(orb.LineString(ring), p))
	}
	for _, k := range f.KeepOuts {
		inside = inside && !planar.PolygonContains(k, p)
		edge = min(edge, planar.DistanceFrom(orb.LineString(k[0]), p))
	}
	if !inside {
		return -edge
	}
	return edge
}

// pose returns the robot's first pose.
func (r *rig) pose() (at orb.Point, yaw float64) {
	r.t.Helper()
	r.run(time.Duration(tick))
	p := r.truth[0].m.Pose.Pose
	yaw, err := convert.Yaw(p.Orientation)
	r.must(err)
	return orb.Point{p.Position.X, p.Position.Y}, yaw
}

func TestStart(t *testing.T) {
	t.Run("default", func(t *testing.T) {
		r := newRig(t, nil)
		at, yaw := r.pose()
		_, outline := r.sim.Field()
		if d := clearance(outline, at); d < 9.9 || d > 30 {
			t.Errorf("starts %g m inside the field, want 10 or a little more", d)
		}
		b := outline.Boundary.Bound()
		if at[0] > b.Center()[0] || at[1] > b.Center()[1] {
			t.Errorf("starts at %v, which is not in the south-west of %v", at, b)
		}
		sin, cos := math.Sincos(yaw)
		if ahead := (orb.Point{at[0] + 100*cos, at[1] + 100*sin}); clearance(outline, ahead) < 10 {
			t.Errorf("looks out of the field: %v is ahead", ahead)
		}
	})
	t.Run("narrow field", func(t *testing.T) {
		file := write(t, "narrow.geojson", `{"type": "Polygon", "coordinates": [[[0, 0], [60, 0], [60, 15], [0, 15], [0, 0]]]}`)
		r := newRig(t, func(c *fieldsim.Config) { c.Field.Boundary = file })
		_, outline := r.sim.Field()
		if at, _ := r.pose(); clearance(outline, at) < 3 {
			t.Errorf("starts at %v, %g m inside a field of 15 m", at, clearance(outline, at))
		}
	})
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	must.OK(t, os.WriteFile(file, []byte(text), 0o666))
	return file
}

// survey writes point data at a spacing of 25 m, with a datum in degrees, and returns them.
func survey(t *testing.T, datum *earth.Datum) (file string, places []orb.Point, values []float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString(map[bool]string{true: "x,y,depth,ph\n", false: "Longitude,Latitude,depth,ph\n"}[datum == nil])
	for i := range 12 {
		for j := range 10 {
			x, y := 25*float64(i), 25*float64(j)
			v := 6 + math.Sin(x/60)*math.Cos(y/50) + 0.1*rng.NormFloat64()
			places, values = append(places, orb.Point{x, y}), append(values, math.Round(v*1e6)/1e6)
			if datum != nil {
				x, y = datum.LonLat(x, y)
			}
			fmt.Fprintf(&text, "%.12g,%.12g,30,%.6f\n", x, y, v)
		}
	}
	return write(t, "survey.csv", text.String()), places, values
}

// A field kriged from point data passes through the data. Its outline contains all of
// them, and the robot starts inside. Its places are in metres or in degrees.
func TestFieldFromCSV(t *testing.T) {
	t.Run("metres", func(t *testing.T) { testFieldFromCSV(t, nil) })
	t.Run("degrees", func(t *testing.T) { testFieldFromCSV(t, &earth.Datum{Lon: -56.9, Lat: -33.51}) })
}

func testFieldFromCSV(t *testing.T, datum *earth.Datum) {
	file, places, values := survey(t, datum)
	r := newRig(t, func(c *fieldsim.Config) {
		c.Field.File, c.Field.Column = file, "ph"
		if datum != nil {
			c.Field.Datum = []float64{datum.Lon, datum.Lat}
		}
	})
	field, outline := r.sim.Field()
	if field.Name() != "ph" {
		t.Errorf("the quantity is %q, want ph", field.Name())
	}
	for k, p := range places {
		if got := field.Value(p[0], p[1]); math.Abs(got-values[k]) > 2e-6 {
			t.Fatalf("field is %g at %v, the datum there %g", got, p, values[k])
		}
		if !planar.PolygonContains(outline.Boundary, p) {
			t.Fatalf("%v is outside of the outline", p)
		}
	}
	at, _ := r.pose()
	if d := clearance(outline, at); d < 9.9 {
		t.Errorf("starts %g m inside the field", d)
	}
}

// New returns errors of the field that name the file or the parameter.
func TestErrors(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "nowhere")
	degrees := write(t, "degrees.geojson", `{"type": "Polygon", "coordinates": [[[8.1, 52.3], [8.105, 52.3], [8.105, 52.303], [8.1, 52.3]]]}`)
	covered := write(t, "covered.geojson", `{"type": "FeatureCollection", "features": [
		{"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [50, 0], [50, 50], [0, 50], [0, 0]]]}},
		{"type": "Feature", "properties": {"keep_out": true}, "geometry": {"type": "Polygon", "coordinates": [[[-1, -1], [51, -1], [51, 51], [-1, 51], [-1, -1]]]}}]}`)
	block := write(t, "block.geojson", `{"type": "Polygon", "coordinates": [[[0, 0], [50, 0], [50, 50], [0, 50], [0, 0]]]}`)
	var rows strings.Builder
	for i := range 20 {
		fmt.Fprintf(&rows, "%d,%d,%d\n", 5000+i%5*10, i/5*10, i)
	}
	elsewhere := write(t, "elsewhere.csv", "x,y,clay\n"+rows.String())
	for _, c := range []struct {
		name   string
		change func(*fieldsim.Config)
		want   []string
	}{
		{"no data file", func(c *fieldsim.Config) { c.Field.File = missing }, []string{missing}},
		{"a survey of another place", func(c *fieldsim.Config) { c.Field.Boundary, c.Field.File = block, elsewhere },
			[]string{elsewhere, "0 of its 20 points lie on the field", "from (5000, 0) to (5040, 30) m", "from (0, 0) to (50, 50) m"}},
		{"no room to start", func(c *fieldsim.Config) { c.Field.Boundary = covered }, []string{"fieldsim", "no free place"}},
		{"start of two numbers", func(c *fieldsim.Config) { c.Start = []float64{1, 2} }, []string{"start", "2 numbers", "x, y, yaw"}},
		{"half a datum", func(c *fieldsim.Config) { c.Field.Boundary, c.Field.Datum = degrees, []float64{8} }, []string{"field.datum", "1 numbers"}},
		{"half a datum of the fixes", func(c *fieldsim.Config) { c.Datum = []float64{8} }, []string{"fix.datum", "1 numbers"}},
		{"half a corner", func(c *fieldsim.Config) { c.Shadow = []float64{1, 2, 3} }, []string{"fix.shadow", "3 numbers"}},
		{"late readings", func(c *fieldsim.Config) { c.Probe.Period = 0.1 }, []string{"probe.jitter is 0.1 s", "probe.period, 0.1 s"}},
		{"two corners", func(c *fieldsim.Config) { c.Shadow = []float64{1, 2, 3, 4} }, []string{"fix.shadow", "4 numbers"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := start(t, c.change)
			if err == nil {
				t.Fatal("no error")
			}
			for _, word := range c.want {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("error %q does not contain %q", err, word)
				}
			}
		})
	}
}

// A field whose outline was changed reaches as far as that, is published again, and is what the probe measures.
func TestReopen(t *testing.T) {
	file := filepath.Join(t.TempDir(), "field.geojson")
	write := func(width int) {
		t.Helper()
		text := fmt.Sprintf(`{"type":"Polygon","coordinates":[[[0,0],[%[1]d,0],[%[1]d,60],[0,60],[0,0]]]}`, width)
		must.OK(t, os.WriteFile(file, []byte(text), 0o666))
	}
	write(80)
	r := newRig(t, func(c *fieldsim.Config) { c.Field.Boundary, c.Probe.StdDev = file, 0 })
	var widths []uint32
	rostest.Hear(r.t, r.test, "ground_truth/field", ros.Latched(), func(m *sensor_msgs.PointCloud2) { widths = append(widths, m.Width*m.Height) })
	r.run(10 * time.Second)
	first, _ := r.sim.Field()
	write(300)
	must.OK(t, r.sim.Reopen())
	r.run(10 * time.Second)
	second, outline := r.sim.Field()
	if len(widths) != 2 || widths[0] == widths[1] || outline.Boundary.Bound().Right() != 300 || first == second {
		t.Errorf("the fields have %d points, the outline is %v", widths, outline.Boundary)
	}
	at, n := r.truth[len(r.truth)-1].m.Pose.Pose.Position, len(r.reading)-1
	if got := r.reading[n].m.Value; n < 1 || got == r.reading[0].m.Value && second.Value(at.X, at.Y) != first.Value(at.X, at.Y) {
		t.Errorf("the probe measures %g at (%g, %g), as before", got, at.X, at.Y)
	}
	write(0)
	if err := r.sim.Reopen(); err == nil {
		t.Error("a field without an area is taken")
	}
}

package export

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/node/export/crs"
	"ugp_explorer/node/export/samples"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/field/geojson"
)

// Folder is the name of the folder of the results in the mission's folder.
const Folder = "export"

// Options says how results are written.
type Options struct {
	CRS       crs.Kind       // coordinate reference system; empty: WGS84 with a datum, else Local
	Datum     *field.Datum   // of the map; nil: unknown
	Track     []record.Place // the robot's path; empty: unknown
	Cell      float64        // edge length of the maps' cells, m, above 0
	Zones     int            // number of zones of equal area, at least 2; without effect if Threshold is not nil
	Threshold *float64       // value between two zones, user's units; nil: there is none
}

// DefaultOptions returns the options for a mission: its datum and threshold, four zones, and cells of
// which about 100 make up the longer side of the field.
func DefaultOptions(m *record.Mission) Options {
	o := Options{Datum: m.Datum(), Cell: 1, Zones: 4, Threshold: m.Threshold}
	if len(m.Field.Boundary) > 0 {
		bound := polygon(m.Field.Boundary).Bound()
		o.Cell = max(bound.Max[0]-bound.Min[0], bound.Max[1]-bound.Min[1]) / 100
	}
	return o
}

// Results are what Write has written.
type Results struct {
	Names  []string // of the files, as they are listed
	Zones  []Zone
	Limits []orb.LineString // lines between the zones
}

// Write writes the results of a mission into a folder, which it creates if necessary. surface is
// the posterior at its end; see [Posterior] and [Relearn].
//
// The files appear together when all are complete. The same arguments give the same bytes. Files of
// an earlier export that this one does not have are removed. The errors name the folder, the file,
// or the option that cannot be used.
func Write(dir string, m *record.Mission, surface Surface, o Options) (Results, error) {
	files, r, err := results(m, surface, &o)
	if err != nil {
		return Results{}, err
	}
	for _, a := range about {
		if slices.ContainsFunc(files, func(f record.File) bool { return f.Name == a.name }) {
			r.Names = append(r.Names, a.name)
		}
	}
	stale := slices.DeleteFunc(listed(dir), func(name string) bool { return slices.Contains(r.Names, name) })
	return r, record.WriteFiles(dir, files, stale...)
}

// ListFile is the name of the file that says what the others are.
const ListFile = "about.txt"

// about says what each file is, in the order in which they are listed.
var about = []struct{ name, what string }{
	{ListFile, "the answer, and this list"},
	{"samples.csv", "all samples, with the uncertainty of value and place"},
	{"samples.geojson", "the same as a layer"},
	{"recommended.csv", "the recommended place, and what to expect there"},
	{"recommended.geojson", "the same as a layer"},
	{"field.geojson", "outline and keep-outs"},
	{"path.geojson", "where the robot drove"},
	{"contours.geojson", "lines of equal mean"},
	{"zones.geojson", "zones of the mean"},
	{"zones.qml", "their colours in QGIS"},
	{"zones.csv", "the zones as a table, with an empty column for what to apply"},
	{"mean.tif", "map of the mean, GeoTIFF"},
	{"mean.qml", "its colours in QGIS"},
	{"stddev.tif", "map of the standard deviation, GeoTIFF"},
	{"stddev.qml", "its colours in QGIS"},
	{"mission.kml", "all layers for Google Earth and phones"},
}

// About says what a file of an export is.
func About(name string) string {
	for _, f := range about {
		if f.name == name {
			return f.what
		}
	}
	return ""
}

// listed returns the names of the files of the export in a folder.
func listed(dir string) (names []string) {
	text, _ := os.ReadFile(filepath.Join(dir, ListFile)) // without one there is no export
	for line := range strings.Lines(string(text)) {
		for _, f := range about {
			if strings.HasPrefix(line, f.name+" ") && strings.TrimSpace(line[len(f.name):]) == f.what {
				names = append(names, f.name)
			}
		}
	}
	return names
}

// Foreign returns the name of a file that Write would replace, and that no export has written. It
// returns "" if there is none.
func Foreign(dir string) string {
	own := listed(dir)
	for _, f := range about {
		if _, err := os.Lstat(filepath.Join(dir, f.name)); err == nil && !slices.Contains(own, f.name) {
			return f.name
		}
	}
	return ""
}

// layer is a layer of features in the map frame.
type layer struct {
	name     string
	features []geojson.Feature
}

// results returns what Write writes.
func results(m *record.Mission, surface Surface, o *Options) (files []record.File, r Results, err error) {
	fail := func(err error) ([]record.File, Results, error) { return nil, r, err }
	if o.Datum != nil && m.Datum() == nil { // it was given for the export
		m = new(*m)
		m.Settings = record.Settings{"export": {"field.datum": []float64{o.Datum.Lon, o.Datum.Lat}}}
	}
	system, err := crs.New(o.CRS, o.Datum)
	if err != nil {
		return fail(err)
	}
	a, err := newArea(m.Field)
	if err != nil {
		return fail(err)
	}
	tables := []samples.Table{samples.Samples(m, units(m))}
	if m.Recommendation != nil {
		tables = append(tables, samples.Recommended(m, units(m)))
	}
	var layers []layer
	for _, t := range tables {
		csv, err := t.CSV(system)
		if err != nil {
			return fail(fmt.Errorf("export: %s.csv: %w", t.Name, err))
		}
		files = append(files, record.File{Name: t.Name + ".csv", Data: csv})
		layers = append(layers, layer{t.Name, t.Features()})
	}
	layers = append(layers, layer{"field", fieldFeatures(m.Field)})
	if len(o.Track) > 1 {
		track := orb.LineString(o.Track)
		layers = append(layers, layer{"path", []geojson.Feature{geojson.NewFeature(track, geojson.Properties{"length_m": math.Round(planar.Length(track))})}})
	}
	maps, err := mapFiles(m, a, surface, system, o.Cell)
	if err != nil {
		return fail(err)
	}
	// Each time on another grid: package geom refuses rare coincidences of its lines.
	const attempts = 4
	var g *gridded
	var lines, limits []geojson.Feature
	for i := range attempts {
		g = newGridded(m, a, surface, o.Cell*(1+0.017*float64(i)))
		if lines, limits, r.Zones, err = g.shapes(o); err == nil {
			break
		}
	}
	if err != nil {
		return fail(err)
	}
	for _, l := range limits {
		r.Limits = append(r.Limits, l.Geometry.Coordinates.(orb.MultiLineString)...)
	}
	layers = append(layers, layer{"contours", lines}, layer{"zones", g.features(r.Zones)})
	for _, l := range layers {
		data, err := system.Layer(l.name, l.features)
		if err != nil {
			return fail(fmt.Errorf("export: %s.geojson: %w", l.name, err))
		}
		files = append(files, record.File{Name: l.name + ".geojson", Data: data})
	}
	answer := m.Answer(g.maps)
	files = append(append(files, maps...), zoneStyle(m, r.Zones), zoneTable(m, r.Zones))
	if o.Datum != nil {
		degrees, err := crs.New(crs.WGS84, o.Datum)
		if err != nil {
			return fail(err)
		}
		files = append(files, kml(m, degrees, layers, answer))
	}
	return append([]record.File{list(answer, system, files)}, files...), r, nil
}

// list returns the file that says what the others are.
func list(answer record.Answer, system *crs.System, files []record.File) record.File {
	var text bytes.Buffer
	text.WriteString(answer.Lines())
	if answer.Note != "" {
		fmt.Fprintf(&text, "%s\n", answer.Note)
	}
	fmt.Fprintf(&text, "\nCoordinates are %s.\n\n", system.Name)
	for _, f := range about {
		if f.name == ListFile || slices.ContainsFunc(files, func(w record.File) bool { return w.Name == f.name }) {
			fmt.Fprintf(&text, "%-20s %s\n", f.name, f.what)
		}
	}
	return record.File{Name: ListFile, Data: text.Bytes()}
}

// fieldFeatures returns outline and keep-outs, as package field reads them.
func fieldFeatures(f record.Field) (features []geojson.Feature) {
	for i, p := range append([][][]record.Place{f.Boundary}, f.KeepOuts...) {
		role := map[bool]string{true: "boundary", false: "keep_out"}[i == 0]
		for _, closed := range polygons(shape(orb.MultiPolygon{polygon(p)})) {
			features = append(features, geojson.NewFeature(closed, geojson.Properties{"role": role, "area_ha": significant(planar.Area(closed) / 1e4)}))
		}
	}
	return features
}

// units returns the units of the values in the files.
func units(m *record.Mission) string {
	if m.Transform.Known() {
		return m.Units
	}
	return "model units"
}

// mapFiles returns the GeoTIFF files.
func mapFiles(m *record.Mission, a *area, surface Surface, system *crs.System, cell float64) ([]record.File, error) {
	r, err := newRaster(a, system, cell)
	if err != nil {
		return nil, err
	}
	places, cells, err := r.places(a)
	if err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	mean, stdDev := surface(places)
	for i, v := range mean {
		mean[i], stdDev[i] = m.Transform.Inverse(v), m.Transform.Spread(v, stdDev[i])
	}
	name := "posterior mean of "
	if m.Transform != "" && m.Transform != record.TransformNone && m.Transform.Known() {
		name = "posterior median of "
	}
	return []record.File{
		{Name: "mean.tif", Data: r.geotiff(mean, cells, name+m.Quantity, units(m))}, mapStyle("mean", viridis, mean),
		{Name: "stddev.tif", Data: r.geotiff(stdDev, cells, "posterior standard deviation of "+m.Quantity, units(m))}, mapStyle("stddev", cividis, stdDev),
	}, nil
}

// shapes returns the contour lines, those between the zones, and the zones on the grid.
func (g *gridded) shapes(o *Options) (lines, between []geojson.Feature, zones []Zone, err error) {
	var values, levels []float64
	for _, k := range g.inside {
		values = append(values, g.mean[k])
	}
	if len(values) > 0 {
		levels = contourLevels(slices.Min(values), slices.Max(values))
	}
	limits, kind := quantiles(values, o.Zones), "quantile"
	if t := o.Threshold; t != nil {
		if !slices.Contains(levels, *t) {
			levels = append(levels, *t)
			slices.Sort(levels)
		}
		limits, kind = []float64{*t}, "threshold"
	}
	if lines, err = g.contours(levels, o.Threshold); err != nil {
		return nil, nil, nil, err
	}
	if between, err = g.contours(limits, nil); err != nil {
		return nil, nil, nil, err
	}
	zones, err = g.zones(limits, kind)
	return lines, between, zones, err
}

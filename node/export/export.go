// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/node/export/samples"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/earth"
	"ugp_explorer/planner/field/geojson"
)

// Folder is the name of the folder of the results in the mission's folder.
const Folder = "export"

// Options says how results are written.
type Options struct {
	CRS       earth.Kind     // coordinate reference system; empty: WGS84 with a datum, else Local
	Datum     *earth.Datum   // of the map; nil: unknown
	Track     []record.Place // the robot's path; empty: unknown
	Cell      float64        // edge length of the maps' cells, m, above 0
	Zones     int            // number of zones of equal area, at least 2; without effect if Threshold is not nil
	Threshold *float64       // value between two zones, in the units that people see; nil: there is none

	Beside Beside // other quantities and rasters of which a map is written
}

// DefaultOptions returns the options for a mission: its datum and threshold, four zones, and cells of
// which about 100 make up the longer side of the field.
func DefaultOptions(m *record.Mission) Options {
	o := Options{Datum: m.Datum(), Cell: 1, Zones: 4}
	if m.Threshold != nil {
		s := m.Scale()
		threshold := s.Reading(*m.Threshold)
		o.Threshold = &threshold
	}
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
	Note   string           // about the zones; empty: none
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
	r.Names = inOrder(files)
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
	{"heard.csv", "values of the second sensor, as in samples.csv"},
	{"heard.geojson", "the same as a layer"},
	{"field.geojson", "outline and keep-outs"},
	{"path.geojson", "where the robot drove"},
	{"contours.geojson", "lines of equal mean"},
	{"zones.geojson", "zones of equal area by the mean"},
	{"zones.qml", "their colours in QGIS"},
	{"zones.csv", "the zones as a table, with an empty column for the rate to apply"},
	{"mean.tif", "map of the mean, GeoTIFF"},
	{"mean.qml", "its colours in QGIS"},
	{"low.tif", "map of the lower limit of the interval of 95 %, GeoTIFF"},
	{"low.qml", "its colours in QGIS"},
	{"high.tif", "map of its upper limit, GeoTIFF"},
	{"high.qml", "its colours in QGIS"},
	{"stddev.tif", "map of the standard deviation, GeoTIFF"},
	{"stddev.qml", "its colours in QGIS"},
	{"mean_N.tif", "map of the mean of the logarithm, GeoTIFF"},
	{"mean_N.qml", "its colours in QGIS"},
	{"stddev_N.tif", "map of the standard deviation of the logarithm, GeoTIFF"},
	{"stddev_N.qml", "its colours in QGIS"},
	{"secondary.tif", "map of the values of the second sensor, GeoTIFF"},
	{"secondary.qml", "its colours in QGIS"},
	{"also_N.tif", "map of another quantity of the samples, GeoTIFF"},
	{"also_N.qml", "its colours in QGIS"},
	{"raster_N.tif", "a covariate raster, GeoTIFF"},
	{"raster_N.qml", "its colours in QGIS"},
	{"mission.kml", "all layers for Google Earth and phones"},
}

// numbered matches files that a mission may have several of: rasters by number, other quantities by their topic, and maps of a
// logarithm by its name.
var numbered = regexp.MustCompile(`^(raster_)\d+\b|^(also_)\w+|^((?:mean|stddev)_)(?:log10|ln)(?:_log10|_ln)?\b`)

// kind returns the place of a file in about, -1 of a file that is none of an export.
func kind(name string) int {
	name = numbered.ReplaceAllString(name, "${1}${2}${3}N")
	return slices.IndexFunc(about, func(f struct{ name, what string }) bool { return f.name == name })
}

// About says what a file of an export is, "" if it is none.
func About(name string) string {
	if k := kind(name); k >= 0 {
		return about[k].what
	}
	return ""
}

// inOrder returns the names of an export's files in the order in which they are listed, the list first.
func inOrder(files []record.File) []string {
	names := []string{ListFile}
	for _, f := range files {
		if f.Name != ListFile {
			names = append(names, f.Name)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return kind(a) - kind(b) })
	return names
}

// listed returns the names of the files of the export in a folder.
func listed(dir string) (names []string) {
	text, _ := os.ReadFile(filepath.Join(dir, ListFile)) // without one there is no export
	for line := range strings.Lines(string(text)) {
		name, what, _ := strings.Cut(line, " ")
		if what = strings.TrimSpace(what); what != "" && what == About(name) {
			names = append(names, name)
		}
	}
	return names
}

// Foreign returns the name of a file that Write would replace, and that no export has written. It
// returns "" if there is none.
func Foreign(dir string) string {
	own := listed(dir)
	there, _ := os.ReadDir(dir) // without a folder there is none
	for _, f := range there {
		if About(f.Name()) != "" && !slices.Contains(own, f.Name()) {
			return f.Name()
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
	system, err := earth.New(o.CRS, o.Datum)
	if err != nil {
		return fail(err)
	}
	a, err := newArea(m.Field)
	if err != nil {
		return fail(err)
	}
	tables := []samples.Table{samples.Samples(m)}
	if m.Recommendation != nil {
		tables = append(tables, samples.Recommended(m))
	}
	if m.Secondary != nil {
		tables = append(tables, samples.Heard(m.Secondary))
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
	maps, err := mapFiles(m, a, surface, system, o)
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
	r.Note = g.besides(o.Threshold)
	files = append(append(files, maps...), zoneStyle(g.scale.Units, r.Zones), zoneTable(g.scale, r.Zones))
	if o.Datum != nil {
		degrees, err := earth.New(earth.WGS84, o.Datum)
		if err != nil {
			return fail(err)
		}
		files = append(files, kml(m, degrees, layers, answer))
	}
	return append([]record.File{list(answer, r.Note, system, files)}, files...), r, nil
}

// list returns the file that says what the others are.
func list(answer record.Answer, zones string, system *earth.System, files []record.File) record.File {
	var text bytes.Buffer
	text.WriteString(answer.Lines())
	for _, note := range []string{answer.Note, zones} {
		if note != "" {
			fmt.Fprintf(&text, "%s\n", note)
		}
	}
	fmt.Fprintf(&text, "\nCoordinates are %s.\n\n", system.Name)
	for _, name := range inOrder(files) {
		fmt.Fprintf(&text, "%-20s %s\n", name, About(name))
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

// mapFiles returns the GeoTIFF files.
func mapFiles(m *record.Mission, a *area, surface Surface, system *earth.System, o *Options) (files []record.File, err error) {
	r, err := newRaster(a, system, o.Cell)
	if err != nil {
		return nil, err
	}
	places, cells, err := r.places(a)
	if err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	scale := m.Scale()
	add := func(file string, values []float64, description, unit string, colours [6]string) {
		files = append(files, record.File{Name: file + ".tif", Data: r.geotiff(values, cells, description, unit)}, mapStyle(file, colours, values))
	}
	mean, stdDev := surface(places)
	if scale.Log == "" {
		add("mean", mean, "posterior mean of "+scale.Quantity, scale.Units, viridis)
		add("stddev", stdDev, "posterior standard deviation of "+scale.Quantity, scale.Units, cividis)
	} else {
		shown := make([]float64, len(places))
		for _, k := range []struct {
			file, description string
			of                func(mean, stdDev float64) float64
			colours           [6]string
		}{
			{"mean", "posterior median of %s: the true value is as likely to be above as below", func(mean, _ float64) float64 { return scale.Value(mean) }, viridis},
			{"low", "lower limit of the interval in which %s lies with a probability of 95 %%", func(mean, stdDev float64) float64 { return scale.Value(mean - 2*stdDev) }, viridis},
			{"high", "upper limit of the interval in which %s lies with a probability of 95 %%", func(mean, stdDev float64) float64 { return scale.Value(mean + 2*stdDev) }, viridis},
			{"stddev", "posterior standard deviation of %s: half the width of the interval of 68 %%", scale.Spread, cividis},
		} {
			for i, v := range mean {
				shown[i] = k.of(v, stdDev[i])
			}
			add(k.file, shown, fmt.Sprintf(k.description, scale.Quantity), scale.Units, k.colours)
		}
		add("mean_"+scale.Log, mean, "posterior mean of "+scale.Log+" "+scale.Quantity, scale.Model, viridis)
		add("stddev_"+scale.Log, stdDev, "posterior standard deviation of "+scale.Log+" "+scale.Quantity, scale.Model, cividis)
	}
	layers, err := o.Beside.Layers(m, places)
	if err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	for _, l := range layers {
		file, description := string(l.Kind), "posterior mean of "+l.Name
		switch l.Kind {
		case record.LayerAlso:
			file = m.Also[l.Index].Column()
		case record.LayerRaster:
			file, description = fmt.Sprintf("raster_%d", l.Index+1), "raster "+l.Name
		}
		add(file, l.Values, description, l.Units, cividis)
	}
	return files, nil
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

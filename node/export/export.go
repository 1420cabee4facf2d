package export

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"ugp_explorer/node/export/crs"
	"ugp_explorer/node/export/samples"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/field"
)

// Folder is the name of the folder of the results in the mission's folder.
const Folder = "export"

// Options says how results are written.
type Options struct {
	CRS       crs.Kind     // coordinate reference system; empty: WGS84 with a datum, else Local
	Datum     *field.Datum // of the map; nil: unknown
	Cell      float64      // edge length of the maps' cells, m, above 0
	Zones     int          // number of zones of equal area, at least 2; without effect if Threshold is not nil
	Threshold *float64     // value between two zones, user's units; nil: there is none
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

// Write writes the results of a mission into a folder, which it creates if necessary, and
// returns the names of the files. surface is the posterior at its end; see [Posterior] and
// [Relearn].
//
// The files appear together when all are complete. The same arguments give the same bytes.
// The errors name the folder, the file, or the option that cannot be used.
func Write(dir string, m *record.Mission, surface Surface, o Options) (names []string, err error) {
	files, err := results(m, surface, o)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		names = append(names, f.Name)
	}
	stale := slices.DeleteFunc(slices.Clone(recommendedFiles), func(name string) bool { return slices.Contains(names, name) })
	return names, record.WriteFiles(dir, files, stale...)
}

// The files that each mission has, and those that one without a recommendation does not have.
var (
	alwaysFiles      = []string{"samples.csv", "samples.geojson", "mean.tif", "stddev.tif", "contours.geojson", "zones.geojson"}
	recommendedFiles = []string{"recommended.csv", "recommended.geojson"}
)

// Foreign returns the name of a file that Write would replace or remove, and that is not of an
// export: the folder does not have all files that each export has. It returns "" if there is none.
func Foreign(dir string) string {
	lacks := func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err != nil
	}
	there := slices.DeleteFunc(slices.Concat(alwaysFiles, recommendedFiles), lacks)
	if len(there) > 0 && slices.ContainsFunc(alwaysFiles, lacks) {
		return there[0]
	}
	return ""
}

// results returns what Write writes.
func results(m *record.Mission, surface Surface, o Options) (files []record.File, err error) {
	system, err := crs.New(o.CRS, o.Datum)
	if err != nil {
		return nil, err
	}
	a, err := newArea(m.Field)
	if err != nil {
		return nil, err
	}
	tables := []samples.Table{samples.Samples(m, units(m))}
	if m.Recommendation != nil {
		tables = append(tables, samples.Recommended(m, units(m)))
	}
	for _, t := range tables {
		csv, err := t.CSV(system)
		if err != nil {
			return nil, fmt.Errorf("export: %s.csv: %w", t.Name, err)
		}
		layer, err := t.GeoJSON(system)
		if err != nil {
			return nil, fmt.Errorf("export: %s.geojson: %w", t.Name, err)
		}
		files = append(files, record.File{Name: t.Name + ".csv", Data: csv}, record.File{Name: t.Name + ".geojson", Data: layer})
	}
	maps, err := mapFiles(m, a, surface, system, o.Cell)
	if err != nil {
		return nil, err
	}
	// Each time on another grid: package geom refuses rare coincidences of its lines.
	const attempts = 4
	var shapes []record.File
	for i := range attempts {
		g := newGridded(m, a, surface, o.Cell*(1+0.017*float64(i)))
		if shapes, err = g.files(system, &o); err == nil {
			break
		}
	}
	return slices.Concat(files, maps, shapes), err
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
		{Name: "mean.tif", Data: r.geotiff(mean, cells, name+m.Quantity, units(m))},
		{Name: "stddev.tif", Data: r.geotiff(stdDev, cells, "posterior standard deviation of "+m.Quantity, units(m))},
	}, nil
}

// files returns the files of the contour lines and zones on the grid.
func (g *gridded) files(system *crs.System, o *Options) ([]record.File, error) {
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
	lines, err := g.contours(levels, o.Threshold)
	if err != nil {
		return nil, err
	}
	zones, err := g.zones(limits, kind)
	if err != nil {
		return nil, err
	}
	lineFile, err := system.Layer("contours", lines)
	if err != nil {
		return nil, fmt.Errorf("export: contours.geojson: %w", err)
	}
	zoneFile, err := system.Layer("zones", zones)
	if err != nil {
		return nil, fmt.Errorf("export: zones.geojson: %w", err)
	}
	return []record.File{{Name: "contours.geojson", Data: lineFile}, {Name: "zones.geojson", Data: zoneFile}}, nil
}

package export

import (
	"fmt"
	"math"
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
	Zones     int          // number of zones of equal area, 2 to 100; without effect if Threshold is not nil
	Threshold *float64     // value between two zones, user's units; nil: there is none
}

// defaultZones is the number of zones of a mission without a threshold.
const defaultZones = 4

// DefaultOptions returns the options for a mission: its datum and threshold, and cells that suit its field.
func DefaultOptions(m *record.Mission) Options {
	return Options{Datum: Datum(m), Cell: defaultCell(m.Field), Zones: defaultZones, Threshold: m.Threshold}
}

// defaultCell returns the edge of cells of which about 100 make up the longer side of a field.
func defaultCell(f record.Field) float64 {
	if len(f.Boundary) == 0 || len(f.Boundary[0]) == 0 {
		return 1
	}
	bound := polygon(f.Boundary).Bound()
	return max(bound.Max[0]-bound.Min[0], bound.Max[1]-bound.Min[1]) / 100
}

// Validate returns an error that names the first option outside its range.
func (o *Options) Validate() error {
	if !(o.Cell > 0) || math.IsInf(o.Cell, 1) {
		return fmt.Errorf("export: the cells of the maps measure %g m, want a finite number above 0", o.Cell)
	}
	if o.Zones < 2 || o.Zones > 100 {
		return fmt.Errorf("export: the number of zones is %d, want 2 to 100", o.Zones)
	}
	if t := o.Threshold; t != nil && (math.IsNaN(*t) || math.IsInf(*t, 0)) {
		return fmt.Errorf("export: the threshold is %g, want a finite number", *t)
	}
	_, err := crs.New(o.CRS, o.Datum)
	return err
}

// Write writes the results of a mission into a folder, which it creates if necessary, and
// returns the names of the files. surface is the posterior at its end; see [Posterior] and
// [Relearn].
//
// The files appear together when all are complete. The same arguments give the same bytes.
// The errors name the folder, the file, or the option that cannot be used.
func Write(dir string, m *record.Mission, surface Surface, o Options) ([]string, error) {
	files, err := Files(m, surface, o)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Name
	}
	stale := slices.DeleteFunc(slices.Clone(recommendedFiles), func(name string) bool { return slices.Contains(names, name) })
	return names, record.WriteFiles(dir, files, stale...)
}

// Foreign returns the name of a file that Write would replace or remove, and that is not of an
// export: the folder does not have all files that each export has. It returns "" if there is none.
func Foreign(dir string) string {
	exists := func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	}
	lacks := func(name string) bool { return !exists(name) }
	all := slices.Concat(alwaysFiles, recommendedFiles)
	if i := slices.IndexFunc(all, exists); i >= 0 && slices.ContainsFunc(alwaysFiles, lacks) {
		return all[i]
	}
	return ""
}

// Files returns what Write writes.
func Files(m *record.Mission, surface Surface, o Options) (files []record.File, err error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	system, err := crs.New(o.CRS, o.Datum)
	if err != nil {
		return nil, err
	}
	a, err := newArea(m.Field)
	if err != nil {
		return nil, err
	}
	for _, part := range []func(*record.Mission, *area, Surface, *crs.System, *Options) ([]record.File, error){
		pointFiles, mapFiles, shapeFiles,
	} {
		list, err := part(m, a, surface, &system, &o)
		if err != nil {
			return nil, err
		}
		files = append(files, list...)
	}
	return files, nil
}

// alwaysFiles are the files that each mission has.
var alwaysFiles = []string{"samples.csv", "samples.geojson", "mean.tif", "stddev.tif", "contours.geojson", "zones.geojson"}

// recommendedFiles are the files that a mission without a recommendation does not have.
var recommendedFiles = []string{"recommended.csv", "recommended.geojson"}

// units returns the units of the values in the files.
func units(m *record.Mission) string {
	if m.Transform.Known() {
		return m.Units
	}
	return "model units"
}

// pointFiles returns the files of the samples and of the recommended place.
func pointFiles(m *record.Mission, _ *area, _ Surface, system *crs.System, _ *Options) ([]record.File, error) {
	list := samples.Of(m)
	files, err := both("samples", samples.NewTable(list, m.Quantity, units(m)), system)
	if err != nil || m.Recommendation == nil {
		return files, err
	}
	more, err := both("recommended", recommended(m), system)
	return append(files, more...), err
}

func both(name string, t samples.Table, system *crs.System) ([]record.File, error) {
	table, err := t.CSV(system)
	if err != nil {
		return nil, fmt.Errorf("export: %s.csv: %w", name, err)
	}
	layer, err := t.GeoJSON(system)
	if err != nil {
		return nil, fmt.Errorf("export: %s.geojson: %w", name, err)
	}
	return []record.File{{Name: name + ".csv", Data: table}, {Name: name + ".geojson", Data: layer}}, nil
}

// recommended returns the table of the recommended place. The uncertainty of the place is
// that of where a robot arrives that is sent there.
func recommended(m *record.Mission) samples.Table {
	r, u := m.Recommendation, units(m)
	t := samples.Table{Name: "recommended", Rows: 1, Place: func(int) record.Place { return r.Target }}
	add := func(name, property string, v any) {
		t.Columns = append(t.Columns, samples.Column{Name: name, Property: property, Value: func(int) any { return v }})
	}
	t.AddEllipses(func(int) *record.Covariance { return m.Noise })
	add(samples.WithUnits("value", u), "value", r.Value)
	add(samples.WithUnits("stddev", u), "stddev", m.Transform.Spread(r.Mean, r.StdDev))
	add(samples.WithUnits("low", u), "low", r.Low)
	add(samples.WithUnits("high", u), "high", r.High)
	add("after_samples", "after_samples", r.AfterSamples)
	add("after_team_samples", "after_team_samples", r.AfterTeam)
	t.AddProperties(m.Quantity, u)
	return t
}

// mapFiles returns the GeoTIFF files.
func mapFiles(m *record.Mission, a *area, surface Surface, system *crs.System, o *Options) ([]record.File, error) {
	r, err := newRaster(a, system, o.Cell)
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
	meanFile, err := r.file(mean, cells, name+m.Quantity, units(m))
	if err != nil {
		return nil, err
	}
	stdDevFile, err := r.file(stdDev, cells, "posterior standard deviation of "+m.Quantity, units(m))
	return []record.File{{Name: "mean.tif", Data: meanFile}, {Name: "stddev.tif", Data: stdDevFile}}, err
}

// attempts is how often contour lines and zones are clipped to the field, each time on
// another grid, before that counts as failed: package geom refuses rare coincidences of its
// lines.
const attempts = 4

// shapeFiles returns the files of the contour lines and zones.
func shapeFiles(m *record.Mission, a *area, surface Surface, system *crs.System, o *Options) (files []record.File, err error) {
	for i := range attempts {
		g := newGridded(m, a, surface, o.Cell*(1+0.017*float64(i)))
		if files, err = g.files(system, o); err == nil {
			break
		}
	}
	return files, err
}

// files returns the files of the contour lines and zones on the grid.
func (g *gridded) files(system *crs.System, o *Options) ([]record.File, error) {
	values := g.insideValues()
	var levels []float64
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

package field

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/field/geojson"
	"ugp_explorer/planner/internal/valid"
)

// errGeoJSON is wrapped by every error about a file that is not a field.
var errGeoJSON = errors.New("planner: invalid field file")

// DegreesError reports coordinates in degrees without a datum.
type DegreesError struct {
	Datum Datum // that of the file or, to a millionth of a degree, the middle of its places
	why   string
}

// NewDegreesError returns the error about places in degrees, and why they are taken for that.
func NewDegreesError(places orb.Bound, why string) *DegreesError {
	middle := places.Center()
	return &DegreesError{Datum{Lon: math.Round(middle[0]*1e6) / 1e6, Lat: math.Round(middle[1]*1e6) / 1e6}, why}
}

func (e *DegreesError) Error() string {
	return "planner: degrees without a datum: " + e.why + "; give the datum, which is the longitude and latitude of the map's origin, or convert the file to metres"
}

// maxFieldFile is the largest field file, bytes. A field of [maxCorners] takes a hundredth of it;
// the rest is for properties.
const maxFieldFile = 8 << 20

// ReadField reads a field from GeoJSON: a FeatureCollection, a Feature or a
// geometry. The boundary is its only Polygon, or MultiPolygon with one part, with
// holes. Polygons and MultiPolygons whose feature has the property
// "keep_out": true, or 1, or "yes", or "role": "keep_out", are keep-outs. The property "stddev" is the
// standard deviation of a feature's edge in metres; the field's is the largest of them.
// Polygons with the "role": "localization" are zones, not edges: their "stddev" is the
// standard deviation of the robot's position there. Anything else in the file is an error, so that nothing is overlooked, and so is
// a keep-out or a zone that lies more than [maxBeside] metres outside the boundary.
//
// Coordinates are metres, x to the east and y to the north, unless a datum is
// given. Then they are longitude and latitude in degrees, and are converted to the
// datum's plane. A third coordinate is ignored. [NewRegion] checks the rings.
//
// The error wraps [ErrDatum] if the datum, or a coordinate that is read by it, is not one. It is a [*DegreesError] if
// a datum is missing. Errors have the file's own coordinates.
func ReadField(r io.Reader, datum *Datum) (Field, error) {
	if datum != nil {
		if err := datum.Validate(); err != nil {
			return Field{}, err
		}
	}
	data, err := io.ReadAll(io.LimitReader(r, maxFieldFile+1))
	if err != nil {
		return Field{}, fmt.Errorf("%w: %w", errGeoJSON, err)
	}
	if len(data) > maxFieldFile {
		return Field{}, fmt.Errorf("%w: larger than %d MiB, which no outline needs", errGeoJSON, maxFieldFile>>20)
	}
	var top geojson.Object
	if err := geojson.Read(data, &top); err != nil {
		return Field{}, fmt.Errorf("%w: not GeoJSON: %w", errGeoJSON, err)
	}
	var f Field
	if err := f.collect(&top, "the file"); err != nil {
		return Field{}, err
	}
	if f.Boundary == nil {
		return Field{}, fmt.Errorf("%w: no boundary: want one Polygon that is not a keep-out", errGeoJSON)
	}
	degrees := datum != nil
	wrong := f.checkUnits(degrees, top.CRS.Properties.Name)
	var own []float64
	if missing := new(DegreesError); errors.As(wrong, &missing) && json.Unmarshal(top.Datum, &own) == nil && len(own) == 2 {
		missing.Datum = Datum{Lon: own[0], Lat: own[1]}
	}
	if err := cmp.Or(wrong, f.checkSize(degrees), new(Region).addField(f)); err != nil {
		return Field{}, fmt.Errorf("%w: %w", errGeoJSON, err)
	}
	if degrees {
		if err := f.each(func(p *orb.Point) (err error) {
			if p[0], p[1], err = datum.Plane(p[0], p[1]); err != nil {
				err = fmt.Errorf("%w; if the coordinates are metres, give no datum", err)
			}
			return err
		}); err != nil {
			return Field{}, err
		}
	}
	return f, cmp.Or(f.checkReach(), f.checkBeside())
}

// collect adds the polygons of g, which is called name in errors.
func (f *Field) collect(g *geojson.Object, name string) error {
	switch g.Type {
	case "FeatureCollection":
		if len(g.Features) == 0 {
			return fmt.Errorf("%w: the FeatureCollection is empty", errGeoJSON)
		}
		for i, text := range g.Features {
			var feature geojson.Object
			name := fmt.Sprintf("feature %d", i+1)
			if err := geojson.Read(text, &feature); err != nil {
				return fmt.Errorf("%w: not GeoJSON: %s: %w", errGeoJSON, name, err)
			}
			if feature.Type != "Feature" {
				return fmt.Errorf("%w: %s has type %q, want Feature", errGeoJSON, name, feature.Type)
			}
			if err := f.collect(&feature, name); err != nil {
				return err
			}
		}
		return nil
	case "Feature":
		if g.Geometry == nil {
			return fmt.Errorf("%w: %s has no geometry", errGeoJSON, name)
		}
		var p properties
		if err := g.ReadProperties(&p); err != nil {
			return fmt.Errorf("%w: not GeoJSON: properties of %s: %w", errGeoJSON, name, err)
		}
		role, stdDev, err := p.meaning()
		if err != nil {
			return fmt.Errorf("%w: %s %w", errGeoJSON, name, err)
		}
		if role != roleLocalization {
			f.StdDev = max(f.StdDev, stdDev)
		}
		return f.addPolygons(g.Geometry, name, role, stdDev)
	}
	return f.addPolygons(g, name, "", 0)
}

// properties are those of a feature that are read. QGIS and shapefiles have no fields of true and false, and write numbers as text.
type properties struct {
	KeepOut property `json:"keep_out"`
	Role    property `json:"role"`
	StdDev  property `json:"stddev"`
}

// Values of the property "role".
const (
	roleBoundary     = "boundary"
	roleKeepOut      = "keep_out"
	roleLocalization = "localization"
)

// meaning returns what the polygons of a feature are, and the standard deviation that it states, m: of its edge, 0 if it
// states none, or of the robot's position in a zone of localisation, which must state one.
func (p *properties) meaning() (role string, stdDev float64, err error) {
	keepOut, ok := yes[p.KeepOut.text()]
	if !ok {
		return "", 0, fmt.Errorf("has the keep_out %.60s, want true, 1, \"true\" or \"yes\" for a place to avoid, and false, 0, \"false\", \"no\" or null for others", p.KeepOut)
	}
	if role = p.Role.text(); keepOut && role == "" {
		role = roleKeepOut
	}
	stated := p.StdDev.text() != ""
	if stated {
		stdDev, err = strconv.ParseFloat(p.StdDev.text(), 64)
	}
	switch {
	case !slices.Contains([]string{"", roleBoundary, roleKeepOut, roleLocalization}, role):
		err = fmt.Errorf("has the role %.60s, want \"boundary\", \"keep_out\" or \"localization\"", p.Role)
	case keepOut && role != roleKeepOut:
		err = fmt.Errorf("has the role %q and keep_out is true", role)
	case err != nil || !(stdDev >= 0) || math.IsInf(stdDev, 1):
		err = fmt.Errorf("has the stddev %.60s, want a number of metres from 0", p.StdDev)
	case !stated && role == roleLocalization:
		err = errors.New("has the role \"localization\" and no stddev, want the standard deviation of the robot's position there in metres")
	}
	return role, stdDev, err
}

// yes has the values of a property that says yes or no.
var yes = map[string]bool{
	"true": true, "yes": true, "t": true, "y": true, "1": true, "1.0": true,
	"false": false, "no": false, "f": false, "n": false, "0": false, "0.0": false, "": false,
}

// property is the value of a property as the file has it.
type property []byte

// UnmarshalJSON implements json.Unmarshaler.
func (p *property) UnmarshalJSON(data []byte) error {
	*p = append(property(nil), data...)
	return nil
}

// text returns the value in small letters, without the quotes of a text and the spaces around it; "" for null, and without a value.
func (p property) text() string {
	var s string
	if json.Unmarshal(p, &s) != nil {
		s = string(p)
	}
	return strings.ToLower(strings.TrimSpace(s))
}

// addPolygons adds the polygons of a geometry.
func (f *Field) addPolygons(g *geojson.Object, name, role string, stdDev float64) error {
	var polygons [][][][]float64
	var err error
	switch g.Type {
	case "Polygon":
		polygons = make([][][][]float64, 1)
		err = geojson.Read(g.Coordinates, &polygons[0])
	case "MultiPolygon":
		err = geojson.Read(g.Coordinates, &polygons)
	default:
		return fmt.Errorf("%w: %s is of type %q, want Polygon or MultiPolygon", errGeoJSON, name, g.Type)
	}
	if err != nil {
		return fmt.Errorf("%w: coordinates of %s: %w", errGeoJSON, name, err)
	}
	if len(polygons) == 0 {
		return fmt.Errorf("%w: %s has no polygon", errGeoJSON, name)
	}
	whole := name
	for part, rings := range polygons {
		if len(polygons) > 1 {
			name = fmt.Sprintf("part %d of %s", part+1, whole)
		}
		polygon := make(orb.Polygon, len(rings))
		for i, positions := range rings {
			polygon[i] = make(orb.Ring, len(positions))
			for j, p := range positions {
				if len(p) < 2 {
					return fmt.Errorf("%w: position %d in ring %d of %s has %d numbers, want at least 2", errGeoJSON, j+1, i+1, name, len(p))
				}
				polygon[i][j] = orb.Point{p[0], p[1]}
			}
		}
		if len(polygon) == 0 || len(polygon[0]) == 0 {
			return fmt.Errorf("%w: a polygon of %s is empty", errGeoJSON, name)
		}
		if len(polygon[0]) < 3 {
			return fmt.Errorf("%w: %s has a ring of %s, want at least 3", errGeoJSON, name, valid.Count(len(polygon[0]), "position"))
		}
		switch {
		case role == roleKeepOut:
			f.KeepOuts = append(f.KeepOuts, polygon)
		case role == roleLocalization:
			f.Localization = append(f.Localization, LocalizationZone{polygon, stdDev})
		case f.Boundary != nil:
			return fmt.Errorf("%w: %s is a second boundary; a field has one boundary, and a keep-out needs the property \"keep_out\": true", errGeoJSON, name)
		default:
			f.Boundary = polygon
		}
	}
	return nil
}

// inDegrees matches the names of coordinate systems in longitude and latitude.
var inDegrees = regexp.MustCompile(`(?i)(CRS:?84|EPSG:[0-9.]*:?(4326|4258|4269))$`)

// checkUnits returns an error if the coordinates, or the name of their system, which may be empty, say that they are in metres
// where degrees are expected, or the other way round.
func (f *Field) checkUnits(degrees bool, crs string) error {
	b := f.Boundary[0].Bound()
	w, h := b.Max[0]-b.Min[0], b.Max[1]-b.Min[1]
	switch {
	case degrees && crs != "" && !inDegrees.MatchString(crs):
		return fmt.Errorf("%w: the file is in %s, which is not longitude and latitude; if its coordinates are metres, give no datum", ErrDatum, crs)
	case degrees:
	case inDegrees.MatchString(crs):
		return NewDegreesError(b, "the file declares "+crs)
	case max(-b.Min[0], b.Max[0]) <= 180 && max(-b.Min[1], b.Max[1]) <= 90 && w < 1 && h < 1:
		return NewDegreesError(b, fmt.Sprintf("the boundary measures %.3g by %.3g at (%.6g, %.6g), which must be degrees, not metres", w, h, b.Min[0], b.Min[1]))
	}
	return nil
}

// WriteField writes a field as GeoJSON, which [ReadField] reads with the same datum: a
// FeatureCollection with the boundary first. Coordinates are metres, or with a datum degrees
// to 0.1 mm; then the member "datum" has the longitude and latitude of the origin. The property
// "stddev" is the standard deviation of the edges in metres, if it is not 0. A coordinate that is
// not finite is an error.
func WriteField(w io.Writer, f Field, datum *Datum) error {
	if err := f.each(func(p *orb.Point) error {
		if math.IsNaN(p[0]+p[1]) || math.IsInf(p[0]+p[1], 0) {
			return fmt.Errorf("%w: a point is (%g, %g)", errGeoJSON, p[0], p[1])
		}
		return nil
	}); err != nil {
		return err
	}
	var origin []float64
	if datum != nil {
		if err := datum.Validate(); err != nil {
			return err
		}
		origin = []float64{datum.Lon, datum.Lat}
		f = f.clone()
		_ = f.each(func(p *orb.Point) error {
			lon, lat := datum.LonLat(p[0], p[1])
			p[0], p[1] = math.Round(lon*1e9)/1e9, math.Round(lat*1e9)/1e9
			return nil
		})
	}
	type properties struct {
		KeepOut bool    `json:"keep_out,omitempty"`
		Role    string  `json:"role"`
		StdDev  float64 `json:"stddev,omitempty"`
	}
	features := []geojson.Feature{geojson.NewFeature(f.Boundary, properties{Role: roleBoundary, StdDev: f.StdDev})}
	for _, p := range f.KeepOuts {
		features = append(features, geojson.NewFeature(p, properties{KeepOut: true, Role: roleKeepOut, StdDev: f.StdDev}))
	}
	for _, z := range f.Localization {
		features = append(features, geojson.NewFeature(z.Polygon, properties{Role: roleLocalization, StdDev: z.StdDev}))
	}
	return json.NewEncoder(w).Encode(struct {
		Type     string            `json:"type"`
		Datum    []float64         `json:"datum,omitempty"`
		Features []geojson.Feature `json:"features"`
	}{"FeatureCollection", origin, features})
}

// clone returns a copy that shares no points with f.
func (f Field) clone() Field {
	f.Boundary = f.Boundary.Clone()
	keepOuts := make([]orb.Polygon, len(f.KeepOuts))
	for i, k := range f.KeepOuts {
		keepOuts[i] = k.Clone()
	}
	f.KeepOuts = keepOuts
	f.Localization = slices.Clone(f.Localization)
	for i := range f.Localization {
		f.Localization[i].Polygon = f.Localization[i].Polygon.Clone()
	}
	return f
}

// polygons returns all polygons: the boundary, the keep-outs and the zones.
func (f *Field) polygons() []orb.Polygon {
	list := append([]orb.Polygon{f.Boundary}, f.KeepOuts...)
	for _, z := range f.Localization {
		list = append(list, z.Polygon)
	}
	return list
}

// each calls do with every point of f and stops at the first error.
func (f *Field) each(do func(p *orb.Point) error) error {
	for _, polygon := range f.polygons() {
		for _, ring := range polygon {
			for i := range ring {
				if err := do(&ring[i]); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

package convert

import (
	"fmt"
	"os"

	"github.com/paulmach/orb"

	"ugp_explorer/node/record"
	"ugp_explorer/planner/field"
)

// ReadBoundary reads a field's outline and keep-outs from a GeoJSON file. Coordinates
// are in metres, or in degrees when datum holds the longitude and latitude of the map's
// origin. Errors name the file.
func ReadBoundary(file string, datum []float64) (field.Field, error) {
	f, err := os.Open(file)
	if err != nil {
		return field.Field{}, fmt.Errorf("boundary: %w", err)
	}
	defer f.Close()
	var origin *field.Datum
	if len(datum) == 2 {
		origin = &field.Datum{Lon: datum[0], Lat: datum[1]}
	}
	outline, err := field.ReadField(f, origin)
	if err != nil {
		return field.Field{}, fmt.Errorf("boundary %s: %w", file, err)
	}
	return outline, nil
}

// FieldRecord converts a field's outline to the form of a mission's record.
func FieldRecord(f field.Field, name string, margin float64) record.Field {
	r := record.Field{Name: name, Boundary: rings(f.Boundary), Margin: margin}
	for _, k := range f.KeepOuts {
		r.KeepOuts = append(r.KeepOuts, rings(k))
	}
	return r
}

func rings(p orb.Polygon) [][]record.Place {
	rings := make([][]record.Place, len(p))
	for i, ring := range p {
		for _, at := range ring {
			rings[i] = append(rings[i], record.Place(at))
		}
	}
	return rings
}

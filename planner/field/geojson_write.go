package field

import (
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/paulmach/orb"
)

// WriteField writes a field as GeoJSON that [ReadField] reads again without a
// datum: a FeatureCollection in metres, the boundary first. Coordinates that are
// not finite are an error.
func WriteField(w io.Writer, f Field) error {
	if err := f.each(func(p *orb.Point) error {
		if math.IsNaN(p[0]+p[1]) || math.IsInf(p[0]+p[1], 0) {
			return fmt.Errorf("%w: a point is (%g, %g)", ErrGeoJSON, p[0], p[1])
		}
		return nil
	}); err != nil {
		return err
	}
	type geometry struct {
		Type        string      `json:"type"`
		Coordinates orb.Polygon `json:"coordinates"`
	}
	type feature struct {
		Type       string            `json:"type"`
		Properties map[string]string `json:"properties"`
		Geometry   geometry          `json:"geometry"`
	}
	add := func(role string, p orb.Polygon) feature {
		return feature{"Feature", map[string]string{"role": role}, geometry{"Polygon", p}}
	}
	features := []feature{add("boundary", f.Boundary)}
	for _, p := range f.KeepOuts {
		features = append(features, add("keep_out", p))
	}
	return json.NewEncoder(w).Encode(struct {
		Type     string    `json:"type"`
		Features []feature `json:"features"`
	}{"FeatureCollection", features})
}

package gazebo

import (
	"bytes"
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/planner/field"
)

// GeoJSON returns the outline and the keep-outs of the layout in degrees, rounded to a
// millimetre.
func (l Layout) GeoJSON() (string, error) {
	f := l.Field()
	f.Boundary = f.Boundary.Clone()
	for i := range f.KeepOuts {
		f.KeepOuts[i] = f.KeepOuts[i].Clone()
	}
	for _, p := range append([]orb.Polygon{f.Boundary}, f.KeepOuts...) {
		for i, at := range p[0] {
			lon, lat, err := degrees(Datum, at)
			if err != nil {
				return "", err
			}
			p[0][i] = orb.Point{lon, lat}
		}
	}
	var b bytes.Buffer
	err := field.WriteField(&b, f, nil)
	return b.String(), err
}

// degrees returns longitude and latitude of a place in the plane of a datum, to 1e-8°.
func degrees(d field.Datum, at orb.Point) (lon, lat float64, err error) {
	const metres = 111e3 // per degree of latitude, roughly
	lon, lat = d.Lon, d.Lat
	for range 20 { // the error falls by a factor of 100 or more each time
		x, y, err := d.Plane(lon, lat)
		if err != nil {
			return 0, 0, err
		}
		lon += (at[0] - x) / (metres * math.Cos(d.Lat*math.Pi/180))
		lat += (at[1] - y) / metres
	}
	return math.Round(1e8*lon) / 1e8, math.Round(1e8*lat) / 1e8, nil
}

// Package samples writes the samples of a mission to files for other software, CSV and
// GeoJSON, and reads samples from such files, so that those of earlier missions, or taken
// by hand, enter a later one.
//
// Both forms have a place, the uncertainty of that place, a value and its standard deviation
// for each sample. Columns of CSV have a name and, where it helps, a unit: "lon_deg",
// "value [mg/l]". The properties of GeoJSON have the same names without that of the units,
// which have a property of their own.
//
//	lon_deg, lat_deg            longitude and latitude on WGS 84; GeoJSON has them in its geometry, like the next two
//	easting_m, northing_m       UTM, in the zone of the column epsg
//	x_m, y_m                    the map frame
//	sigma_major_m               standard deviation of the place along the longer axis of its ellipse
//	sigma_minor_m               the same along the shorter axis
//	sigma_azimuth_deg           direction of the longer axis, clockwise from the map's y, which is true north at the datum
//	place_stddev_m              only read, in place of those three: standard deviation in every direction
//	value, stddev               the measured value and the standard deviation of its noise
//	sample, origin, stamp_s, readings   only written: the sample's number, who took it, when, and from how many readings
package samples

import (
	"math"

	"ugp_explorer/node/record"
)

// Origins of samples; those of other robots have the name of their explorer.
const (
	OriginOwn     = "own"
	OriginEarlier = "earlier"
)

// Sample is an observation, and who made it.
type Sample struct {
	Origin string
	record.Observation
}

// Of returns all samples that a mission knew: earlier ones, its own, and those of other
// robots.
func Of(m *record.Mission) []Sample {
	var list []Sample
	for _, o := range m.Earlier {
		list = append(list, Sample{OriginEarlier, o})
	}
	for _, o := range m.Observations {
		list = append(list, Sample{OriginOwn, o})
	}
	for _, t := range m.Team {
		list = append(list, Sample{t.Robot, t.Observation})
	}
	return list
}

// Ellipse is the covariance of a place as standard deviations, m, along the axes of its
// ellipse.
type Ellipse struct {
	Major, Minor float64
	Azimuth      float64 // direction of Major, degrees clockwise from y, 0 to 180
}

// EllipseOf returns the ellipse of a covariance.
func EllipseOf(c record.Covariance) Ellipse {
	half, mean := math.Hypot((c.XX-c.YY)/2, c.XY), (c.XX+c.YY)/2
	angle := math.Atan2(c.XY, (c.XX-c.YY)/2) / 2 // counter-clockwise from x
	azimuth := math.Mod(90-angle*180/math.Pi+360, 180)
	return Ellipse{Major: math.Sqrt(mean + half), Minor: math.Sqrt(max(mean-half, 0)), Azimuth: azimuth}
}

// Covariance is the inverse of EllipseOf.
func (e Ellipse) Covariance() record.Covariance {
	sin, cos := math.Sincos((90 - e.Azimuth) * math.Pi / 180)
	major, minor := e.Major*e.Major, e.Minor*e.Minor
	return record.Covariance{
		XX: major*cos*cos + minor*sin*sin,
		XY: (major - minor) * sin * cos,
		YY: major*sin*sin + minor*cos*cos,
	}
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"slices"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/visualization_msgs"
)

// thinnestMarker is the least diameter, in metres, at which an ellipse is
// drawn: RViz refuses a scale of zero, and a point belief has no extent.
const thinnestMarker = 0.05

// dotSize is the diameter of a sample's dot as a fraction of the field's larger extent: an ellipse of a few metres is not seen on a
// map of the whole field.
const dotSize = 1.0 / 150

// SampleMarkers returns markers with the places of samples on a field, coloured by their values, one for each place: of each place the
// 2σ ellipse as a flat cylinder, and one marker with a dot at each mean.
func SampleMarkers(header std_msgs.Header, boundary orb.Polygon, places []localization.Belief, values []float64) visualization_msgs.MarkerArray {
	var m visualization_msgs.MarkerArray
	if len(places) == 0 {
		return m
	}
	lo, hi := slices.Min(values), slices.Max(values)
	dots := visualization_msgs.Marker{Header: header, Ns: "dots", Type: visualization_msgs.MarkerSphereList}
	dots.Pose.Orientation = Quaternion(0)
	dots.Scale.X = dotSize * extent(boundary)
	dots.Scale.Y, dots.Scale.Z = dots.Scale.X, thinnestMarker
	for i, b := range places {
		fraction := 1.0
		if hi > lo {
			fraction = (values[i] - lo) / (hi - lo)
		}
		major, minor, yaw := b.Covariance().Axes()
		ellipse := visualization_msgs.Marker{
			Header: header, Ns: "samples", ID: int32(i), Type: visualization_msgs.MarkerCylinder, Color: colour(fraction),
		}
		ellipse.Pose.Position = point([2]float64{b.X, b.Y})
		ellipse.Pose.Orientation = Quaternion(yaw)
		ellipse.Scale.X = max(4*major, thinnestMarker)
		ellipse.Scale.Y = max(4*minor, thinnestMarker)
		ellipse.Scale.Z = thinnestMarker
		m.Markers = append(m.Markers, ellipse)
		dots.Points, dots.Colors = append(dots.Points, ellipse.Pose.Position), append(dots.Colors, ellipse.Color)
	}
	m.Markers = append(m.Markers, dots)
	return m
}

// colour maps a fraction from 0 (blue) over green to 1 (yellow): three anchors
// of the viridis map, which colour-blind people can order too.
func colour(fraction float64) std_msgs.ColorRGBA {
	anchors := [...][3]float64{{0.267, 0.005, 0.329}, {0.128, 0.567, 0.551}, {0.993, 0.906, 0.144}}
	t := min(max(fraction, 0), 1) * float64(len(anchors)-1)
	i := min(int(t), len(anchors)-2)
	t -= float64(i)
	mix := func(c int) float32 { return float32((1-t)*anchors[i][c] + t*anchors[i+1][c]) }
	return std_msgs.ColorRGBA{R: mix(0), G: mix(1), B: mix(2), A: 0.8}
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"github.com/paulmach/orb"

	"ugp_explorer/msgs/geometry_msgs"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/visualization_msgs"
	"ugp_explorer/planner/field"
)

// lineWidth is the width of lines as a fraction of the field's larger extent.
const lineWidth = 1.0 / 1000

// FieldMarkers returns markers with the lines of a field: its boundary with the holes,
// its keep-outs, and, when there is a margin, the edge of the region in which the robot
// may be. Their stamp is zero, which means that they are valid at any time.
func FieldMarkers(frame string, f field.Field, r *field.Region) visualization_msgs.MarkerArray {
	var m visualization_msgs.MarkerArray
	width := lineWidth * extent(f.Boundary)
	add := func(ns string, typ int32, width float64, colour std_msgs.ColorRGBA, points []geometry_msgs.Point) {
		id := int32(0)
		for i := range m.Markers {
			if m.Markers[i].Ns == ns {
				id++
			}
		}
		marker := visualization_msgs.Marker{
			Header: std_msgs.Header{FrameID: frame}, Ns: ns, ID: id, Type: typ, Action: visualization_msgs.MarkerAdd,
			Color: colour, Points: points,
		}
		marker.Pose.Orientation = Quaternion(0)
		marker.Scale.X = max(width, thinnestMarker)
		m.Markers = append(m.Markers, marker)
	}
	polygon := func(ns string, colour std_msgs.ColorRGBA, p orb.Polygon) {
		for _, ring := range p {
			var points []geometry_msgs.Point
			for _, at := range ring {
				points = append(points, point(at))
			}
			if n := len(points); n > 0 && points[0] != points[n-1] {
				points = append(points, points[0])
			}
			add(ns, visualization_msgs.MarkerLineStrip, width, colour, points)
		}
	}
	polygon("boundary", std_msgs.ColorRGBA{R: 0.9, G: 0.9, B: 0.9, A: 1}, f.Boundary)
	for _, k := range f.KeepOuts {
		polygon("keep-outs", std_msgs.ColorRGBA{R: 0.9, G: 0.2, B: 0.1, A: 1}, k)
	}
	if r.Margin() > 0 {
		var points []geometry_msgs.Point
		for _, s := range r.Edge() {
			points = append(points, point(s[0]), point(s[1]))
		}
		add("margin", visualization_msgs.MarkerLineList, width/2, std_msgs.ColorRGBA{R: 0.5, G: 0.8, B: 0.5, A: 0.8}, points)
	}
	return m
}

// extent returns the larger of width and height, in metres.
func extent(p orb.Polygon) float64 {
	b := p.Bound()
	return max(b.Right()-b.Left(), b.Top()-b.Bottom())
}

func point(p [2]float64) geometry_msgs.Point { return geometry_msgs.Point{X: p[0], Y: p[1]} }

package convert

import (
	"ugp_explorer/localization"
	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/visualization_msgs"
)

// thinnestMarker is the least diameter, in metres, at which an ellipse is
// drawn: RViz refuses a scale of zero, and a point belief has no extent.
const thinnestMarker = 0.05

// EllipseMarker fills dst with the 2σ ellipse of a belief as a flat cylinder.
func EllipseMarker(dst *visualization_msgs.Marker, header std_msgs.Header, id int32, b localization.Belief, colour std_msgs.ColorRGBA) {
	major, minor, yaw := b.Covariance().Axes()
	*dst = visualization_msgs.Marker{
		Header: header,
		Ns:     "samples",
		ID:     id,
		Type:   visualization_msgs.MarkerCylinder,
		Action: visualization_msgs.MarkerAdd,
		Color:  colour,
	}
	dst.Pose.Position.X, dst.Pose.Position.Y = b.X, b.Y
	dst.Pose.Orientation = Quaternion(yaw)
	dst.Scale.X = max(4*major, thinnestMarker)
	dst.Scale.Y = max(4*minor, thinnestMarker)
	dst.Scale.Z = thinnestMarker
}

// Colour maps a fraction from 0 (blue) over green to 1 (yellow): three anchors
// of the viridis map, which colour-blind people can order too.
func Colour(fraction float64) std_msgs.ColorRGBA {
	anchors := [...][3]float64{{0.267, 0.005, 0.329}, {0.128, 0.567, 0.551}, {0.993, 0.906, 0.144}}
	t := min(max(fraction, 0), 1) * float64(len(anchors)-1)
	i := min(int(t), len(anchors)-2)
	t -= float64(i)
	mix := func(c int) float32 { return float32((1-t)*anchors[i][c] + t*anchors[i+1][c]) }
	return std_msgs.ColorRGBA{R: mix(0), G: mix(1), B: mix(2), A: 0.8}
}

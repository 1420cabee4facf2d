package localization

// planarRows are the rows of x, y and yaw in a 6×6 pose covariance in the
// order x, y, z, rotation about x, y, z (geometry_msgs/PoseWithCovariance).
var planarRows = [3]int{0, 1, 5}

// PlanarCovariance extracts the covariance of x, y, yaw from the row-major 6×6
// covariance of x, y, z and the rotations about x, y, z: entries 0, 1, 5, 6, 7, 11,
// 30, 31, 35. It neither checks nor symmetrises; the Checker does.
func PlanarCovariance(c *[36]float64) [3][3]float64 {
	var p [3][3]float64
	for i, r := range planarRows {
		for j, s := range planarRows {
			p[i][j] = c[6*r+s]
		}
	}
	return p
}

// ExpandCovariance is the inverse of PlanarCovariance: it writes the
// covariance of x, y, yaw into its nine entries of the row-major 6×6 dst and leaves
// the other entries unchanged.
func ExpandCovariance(dst *[36]float64, p *[3][3]float64) {
	for i, r := range planarRows {
		for j, s := range planarRows {
			dst[6*r+s] = p[i][j]
		}
	}
}

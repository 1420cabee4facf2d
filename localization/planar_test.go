package localization

import "testing"

// geometry_msgs/PoseWithCovariance is row-major 6×6 in the order x, y, z, rotation
// about x, y, z, so yaw is row and column 5.
func TestPlanarCovariance(t *testing.T) {
	var c [36]float64
	for i := range c {
		c[i] = float64(i)
	}
	want := [3][3]float64{{0, 1, 5}, {6, 7, 11}, {30, 31, 35}}
	if got := PlanarCovariance(&c); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	expanded := [36]float64{14: -1}
	ExpandCovariance(&expanded, &want)
	if got := PlanarCovariance(&expanded); got != want || expanded[14] != -1 || expanded[2] != 0 {
		t.Errorf("expanded %v", expanded)
	}
}

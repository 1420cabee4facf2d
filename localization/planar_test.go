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
}

func TestExpandCovariance(t *testing.T) {
	p := [3][3]float64{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}
	c := [36]float64{14: -1}
	ExpandCovariance(&c, &p)
	if got := PlanarCovariance(&c); got != p {
		t.Errorf("expanded and extracted again: %v, want %v", got, p)
	}
	if c[14] != -1 || c[2] != 0 || c[21] != 0 {
		t.Errorf("other entries changed: %v", c)
	}
}

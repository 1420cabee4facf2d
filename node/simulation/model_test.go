package simulation

import (
	"testing"
)

// The frames of what the bridge carries are those of the nodes.
func TestSamplerFrames(t *testing.T) {
	m := readSDF(t, modelFile).Model
	named := pluginsOf(m.Plugins)
	for plugin, elements := range map[string]map[string]string{
		"DiffDrive":         {"frame_id": "odom", "child_frame_id": "base_link"},
		"OdometryPublisher": {"odom_frame": "map", "robot_base_frame": "base_link", "dimensions": "3"},
	} {
		for name, want := range elements {
			if got := named[plugin].one(t, name); got != want {
				t.Errorf("%s of %s is %s, want %s", name, plugin, got, want)
			}
		}
	}
	if a, b := named["DiffDrive"].one(t, "odom_topic"), named["OdometryPublisher"].one(t, "odom_topic"); a == b {
		t.Errorf("wheel odometry and truth are both on %s", a)
	}
}

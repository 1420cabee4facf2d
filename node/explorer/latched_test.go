package explorer_test

import (
	"testing"
	"time"

	"ugp_explorer/msgs/sensor_msgs"
	"ugp_explorer/msgs/ugp_explorer_msgs"
	"ugp_explorer/msgs/visualization_msgs"
	"ugp_explorer/node/ros"
)

// Who comes after the mission gets status, all observations, samples and maps,
// whether or not someone listened before and files are written.
func TestLateSubscriber(t *testing.T) {
	w := openWorldAt(t, small(), true, epoch, 20, 10)
	w.mission()

	var status, markers, points, outlines int
	var observations []uint32
	hear(w, "ugp_explorer/status", ros.Latched(), func(*ugp_explorer_msgs.MissionStatus) { status++ })
	hear(w, "ugp_explorer/observation", ros.Latched().WithDepth(100), func(m *ugp_explorer_msgs.FieldObservation) {
		observations = append(observations, m.Sequence)
	})
	hear(w, "ugp_explorer/samples", ros.Latched(), func(m *visualization_msgs.MarkerArray) { markers = len(m.Markers) })
	hear(w, "ugp_explorer/field", ros.Latched(), func(m *visualization_msgs.MarkerArray) { outlines = len(m.Markers) })
	hear(w, "ugp_explorer/cloud", ros.Latched(), func(m *sensor_msgs.PointCloud2) { points = int(m.Width * m.Height) })
	w.run(3 * time.Second)
	if status == 0 || len(observations) != 4 || observations[3] != 3 || markers != 4 || points < 100 || outlines != 2 {
		t.Errorf("a late subscriber hears %d statuses, observations %v, %d samples, a cloud of %d points and %d outlines, want all", status, observations, markers, points, outlines)
	}
}

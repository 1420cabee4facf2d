package process

import (
	"bytes"
	"strings"
	"testing"

	"ugp_explorer/node/ros/param"
)

func TestHelp(t *testing.T) {
	speed := 1.5
	set := param.NewSet()
	set.Float64(&speed, "max_speed", param.Unit("m/s"), param.Above(0), param.Live(), param.Describe("largest forward speed"))
	var b bytes.Buffer
	Program{Name: "driver", Summary: "drives", Parameters: set}.help(&b, "bin-driver")
	for _, want := range []string{
		"driver: the ROS 2 node that drives.\n", "Usage: bin-driver [--ros-args", "  max_speed  1.5  double, m/s, above 0\n", "largest forward speed\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the help lacks %q:\n%s", want, b.String())
		}
	}
}

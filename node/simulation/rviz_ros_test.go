//go:build fastdds

package simulation

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ugp_explorer/node/launcher"
)

// rvizStandIn subscribes to what RViz would, as RViz would, and says what it has
// heard. It is a node of rclpy; %s are the messages of the displays' classes.
const rvizStandIn = `#!/usr/bin/env python3
import json, sys, yaml
import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from rosidl_runtime_py.utilities import get_message

TYPES = json.loads('''%s''')

def flatten(displays):
    for d in displays:
        if d['Class'] == 'rviz_common/Group':
            yield from flatten(d['Displays'])
        elif d['Class'] in TYPES:
            yield d

with open(sys.argv[sys.argv.index('-d') + 1], encoding='utf-8') as f:
    displays = list(flatten(yaml.safe_load(f)['Visualization Manager']['Displays']))
try:
    rclpy.init()
    node = rclpy.create_node('unnamed')
    missing = {d['Name'] for d in displays}

    def hear(name):
        if name in missing:
            missing.remove(name)
            print(f'still without a message: {sorted(missing)}', flush=True)

    for d in displays:
        t = d['Topic']
        qos = QoSProfile(depth=t['Depth'])
        qos.durability = DurabilityPolicy[t['Durability Policy'].upper().replace(' ', '_')]
        qos.reliability = ReliabilityPolicy[t['Reliability Policy'].upper().replace(' ', '_')]
        node.create_subscription(get_message(TYPES[d['Class']]), t['Value'], lambda _, n=d['Name']: hear(n), qos)
    while missing:
        rclpy.spin_once(node)
    name = node.get_namespace() + '/' + node.get_name()
    print(f'{name} has all {len(displays)} displays, use_sim_time {node.get_parameter("use_sim_time").value}', flush=True)
    rclpy.spin(node)
except (KeyboardInterrupt, ExternalShutdownException):
    pass
`

// TestSimLaunchRViz has ROS 2's own subscriptions, in RViz's place, namespace and
// QoS, get messages for every display.
func TestSimLaunchRViz(t *testing.T) {
	needLaunch(t)
	types, err := json.Marshal(rvizTypes)
	if err != nil {
		t.Fatal(err)
	}
	prefix := t.TempDir()
	writeFile(t, 0o666, "", prefix, "share", "ament_index", "resource_index", "packages", "rviz2")
	writeFile(t, 0o777, fmt.Sprintf(rvizStandIn, types), prefix, "lib", "rviz2", "rviz2")
	t.Setenv("AMENT_PREFIX_PATH", prefix+string(filepath.ListSeparator)+os.Getenv("AMENT_PREFIX_PATH"))

	dir := programs(t)
	field := filepath.Join(dir, "field.geojson")
	writeText(t, field, `{"type": "Polygon", "coordinates": [[[0, 0], [60, 0], [60, 40], [0, 40], [0, 0]]]}`)
	p, out := launch(t, dir, "sim.launch.py", "rviz:=true", "namespace:=farm", "field:="+field, "start:=10,10,0.5", "samples:=3", "speed:=5",
		"output_dir:="+filepath.Join(dir, "result"))
	want := fmt.Sprintf("/farm/rviz2 has all %d displays, use_sim_time True", countTyped(t))
	deadline := time.After(launchPatience)
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for !strings.Contains(out.String(), want) {
		select {
		case <-p.Done():
			t.Fatalf("launch has ended: %v", p.Err())
		case <-deadline:
			t.Fatalf("RViz has not said %q", want)
		case <-ticker.C:
		}
	}
	if err := launcher.Stop(launchPatience, p); err != nil {
		t.Error(err)
	}
	if n := out.unclean(); n != 0 {
		t.Errorf("%d processes did not finish cleanly", n)
	}
}

// countTyped returns how many displays have a topic.
func countTyped(t *testing.T) (n int) {
	t.Helper()
	for _, d := range flatten(readRViz(t).Manager.Displays) {
		if rvizTypes[d.Class] != "" {
			n++
		}
	}
	return n
}

func writeFile(t *testing.T, mode os.FileMode, text string, path ...string) {
	t.Helper()
	name := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

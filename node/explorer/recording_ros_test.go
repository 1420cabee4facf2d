package explorer_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// rosbag runs ros2 bag and returns what it says. The test is skipped unless a ROS 2
// with rosbag2 has been sourced.
func rosbag(t *testing.T, args ...string) string {
	t.Helper()
	if os.Getenv("AMENT_PREFIX_PATH") == "" {
		t.Skip("AMENT_PREFIX_PATH is not set: source a ROS 2 with rosbag2 to have it read what the explorer records")
	}
	run := func(args ...string) (string, error) {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, "ros2", append([]string{"bag"}, args...)...)
		cmd.Env = append(os.Environ(), "ROS_LOCALHOST_ONLY=1", "ROS_DOMAIN_ID=72", "ROS_LOG_DIR="+t.TempDir())
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run("--help"); err != nil {
		t.Skipf("there is no ros2 bag: %v: %s", err, out)
	}
	out, err := run(args...)
	if err != nil {
		t.Fatalf("ros2 bag %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return out
}

// rosbag2 lists and plays what a mission records, and, once it has made an index,
// also what is left of a bag that was cut off.
func TestROSReadsRecording(t *testing.T) {
	rosbag(t, "--help")
	w := begun(t)
	w.finish()
	dir := filepath.Join(w.cfg.OutputDir, "bag_1")
	check := func() {
		t.Helper()
		counts, _ := recorded(t, dir)
		out := rosbag(t, "info", dir)
		listed := map[string]int{}
		for line := range strings.Lines(out) {
			_, line, _ = strings.Cut(line, "Topic: ")
			var topic, of string
			var n int
			if _, err := fmt.Sscanf(line, "%s | Type: %s | Count: %d |", &topic, &of, &n); err == nil {
				listed[topic] = n
			}
		}
		if diff := cmp.Diff(counts, listed); diff != "" {
			t.Errorf("%s%s", diff, out)
		}
		if counts["/odometry/filtered"] < 50 {
			t.Errorf("%d poses", counts["/odometry/filtered"])
		}
		if out := rosbag(t, "play", "--disable-keyboard-controls", "-r", "50", dir, "--topics", "/odometry/filtered", "/plan", "/ugp_explorer/mean"); strings.Contains(out, "ERROR") {
			t.Error(out)
		}
	}
	check()
	file := filepath.Join(dir, "bag_1_0.mcap")
	info, err := os.Stat(file)
	w.must(err)
	w.must(os.Truncate(file, info.Size()-info.Size()/20))
	w.must(os.Remove(filepath.Join(dir, "metadata.yaml")))
	rosbag(t, "reindex", "-s", "mcap", dir)
	check()
}

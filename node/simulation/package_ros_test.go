//go:build fastdds

package simulation

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ugp_explorer/msgs"
	"ugp_explorer/msgs/cdr"
	"ugp_explorer/node/launcher"
	"ugp_explorer/node/record"
)

// needPackage returns where the package is installed, as colcon does. It skips the
// test where the ROS 2 that is sourced does not have the package with its
// programs; an interface package of the same name does not count.
func needPackage(t *testing.T) (prefix string) {
	t.Helper()
	needLaunch(t)
	for _, prefix := range filepath.SplitList(os.Getenv("AMENT_PREFIX_PATH")) {
		if _, err := os.Stat(filepath.Join(prefix, "share", "ament_index", "resource_index", "packages", "ugp_explorer")); err != nil {
			continue
		}
		if _, err := os.Stat(filepath.Join(prefix, "lib", "ugp_explorer", "explorer")); err == nil {
			return prefix
		}
		break // ROS 2 takes the first
	}
	t.Skip("no workspace is sourced in which colcon has built ugp_explorer")
	return ""
}

// ros2 returns what a ros2 command prints.
func ros2(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("ros2", args...)
	cmd.Env = append(os.Environ(), launchEnv(t)...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("ros2 %q: %v", args, err)
	}
	return string(out)
}

// TestPackageInterfaces has ROS 2 know our messages as our nodes do: by the same
// names, fields and comments, and by the same hash where there are hashes.
func TestPackageInterfaces(t *testing.T) {
	prefix := needPackage(t)
	listed := ros2(t, "interface", "package", "ugp_explorer")
	hash := regexp.MustCompile(`"hash_string": *"(RIHS01_[0-9a-f]{64})"`)
	for _, name := range named(t, repository+"msgs/msg/*.msg", ".msg") {
		typ := "ugp_explorer/msg/" + name
		if !strings.Contains("\n"+listed, "\n"+typ+"\n") {
			t.Errorf("ros2 interface package does not list %s:\n%s", typ, listed)
		}
		create, ok := msgs.Lookup(typ)
		if !ok {
			t.Fatalf("the nodes do not know %s", typ)
		}
		ours := create().(cdr.Described)
		var own []string // lines, without those of nested types
		for line := range strings.Lines(ros2(t, "interface", "show", typ)) {
			if !strings.HasPrefix(line, "\t") {
				own = append(own, line)
			}
		}
		if got := strings.Join(own, ""); strings.TrimSpace(got) != strings.TrimSpace(ours.OwnDefinition()) {
			t.Errorf("ros2 interface show %s prints\n%s\nwant\n%s", typ, got, ours.OwnDefinition())
		}
		// From Iron on rosidl writes the hash beside the message.
		description, err := os.ReadFile(filepath.Join(prefix, "share", "ugp_explorer", "msg", name+".json"))
		if os.IsNotExist(err) {
			continue
		}
		if m := hash.FindSubmatch(description); err != nil || m == nil || string(m[1]) != ours.TypeHash() {
			t.Errorf("%s has the hash %q by rosidl (%v), want %s", typ, m, err, ours.TypeHash())
		}
	}
}

// TestPackageMission has a mission started by the name of the package, with its
// own programs, and hears of it by the generated interfaces.
func TestPackageMission(t *testing.T) {
	needPackage(t)
	listed := ros2(t, "pkg", "executables", "ugp_explorer")
	for _, program := range named(t, repository+"node/cmd/*", "") {
		if !strings.Contains("\n"+listed, "\nugp_explorer "+program+"\n") {
			t.Errorf("ros2 pkg executables does not list %s:\n%s", program, listed)
		}
	}
	if help := ros2(t, "run", "ugp_explorer", "explorer", "--help"); !strings.Contains(help, "budget.samples") {
		t.Errorf("the explorer's help is %q", help)
	}

	dir := t.TempDir()
	field, result := filepath.Join(dir, "field.geojson"), filepath.Join(dir, "result")
	writeText(t, field, `{"type": "Polygon", "coordinates": [[[0, 0], [60, 0], [60, 40], [0, 40], [0, 0]]]}`)
	p, out := ros2Launch(t, "ugp_explorer", "sim.launch.py", "field:="+field, "start:=10,10,0.5", "samples:=2", "speed:=10", "output_dir:="+result)
	m := missionOf(t, p, filepath.Join(result, record.MissionFile))
	if len(m.Observations) != 2 {
		t.Errorf("%d samples, want 2", len(m.Observations))
	}
	status := ros2(t, "topic", "echo", "--once", "--no-daemon", "--spin-time", "10", "--qos-durability", "transient_local", "--qos-reliability", "reliable",
		"/ugp_explorer/status", "ugp_explorer/msg/MissionStatus")
	for _, want := range []string{"state: done", "samples_taken: 2", "samples_budget: 2"} {
		if !strings.Contains(status, want) {
			t.Errorf("the status has no %q:\n%s", want, status)
		}
	}
	if err := launcher.Stop(launchPatience, p); err != nil {
		t.Error(err)
	}
	if n := out.unclean(); n != 0 {
		t.Errorf("%d processes did not finish cleanly", n)
	}
}

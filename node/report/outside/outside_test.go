package outside

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ugp_explorer/node/record"
	"ugp_explorer/node/report"
	"ugp_explorer/sim/rig/recordtest"
)

// TestMain makes the test the program that draws, too.
func TestMain(m *testing.M) {
	if len(os.Args) != 3 || os.Args[1] != command {
		os.Exit(m.Run())
	}
	mission, maps, tracks, err := Read(os.Args[2], os.Stdin)
	if err == nil {
		err = report.Write(os.Args[2], mission, maps, tracks)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", program, err)
		os.Exit(1)
	}
}

// A report that is drawn outside is the same to the byte as one that is drawn here.
func TestSame(t *testing.T) {
	m, maps, tracks := recordtest.Mission(10, 60, 100)
	m.Settings["explorer"] = map[string]any{"odd": 1e21, "few": 0.00001, "whole": int64(3), "same": 2.0, "list": []any{2.0, "two"}, "numbers": []float64{1e6, 2}}
	here, there := t.TempDir(), t.TempDir()
	if err := report.Write(here, m, maps, tracks); err != nil {
		t.Fatal(err)
	}
	if err := m.WriteJSON(filepath.Join(there, record.MissionFile)); err != nil {
		t.Fatal(err)
	}
	if err := draw(os.Args[0], there, figures{*maps, *tracks}); err != nil {
		t.Fatal(err)
	}
	for _, name := range report.Files() {
		want, err := os.ReadFile(filepath.Join(here, name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(there, name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, want the %d that are drawn here: %v", name, len(got), len(want), err)
		}
	}
}

func TestErrors(t *testing.T) {
	m, maps, tracks := recordtest.Mission(3, 12, 20)
	maps.StdDev = maps.StdDev[:7]
	dir := t.TempDir()
	if err := m.WriteJSON(filepath.Join(dir, record.MissionFile)); err != nil {
		t.Fatal(err)
	}
	none := filepath.Join(dir, "none")
	for want, err := range map[string]error{
		"stddev has 7 values":     draw(os.Args[0], dir, figures{*maps, *tracks}),
		"cannot read the mission": draw(os.Args[0], none, figures{*maps, *tracks}),
		"no such file":            draw(none, dir, figures{*maps, *tracks}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("the error is %v, want %q", err, want)
		}
	}
	if names := recordtest.Names(t, dir); !slices.Equal(names, []string{record.MissionFile}) {
		t.Errorf("the folder has %q", names)
	}
	if _, err := Drawer(); err == nil || !strings.Contains(err.Error(), "not beside this one") {
		t.Errorf("without the program: %v", err)
	}
}

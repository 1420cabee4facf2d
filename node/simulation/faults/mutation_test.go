package faults

import (
	_ "embed"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The flags of the check by mutations, which takes minutes and is not part of CI:
//
//	go test ./node/simulation/faults -run TestMutations -mutations -timeout 2h -v
var (
	mutations = flag.Bool("mutations", false, "check that each of the deliberate bugs in mutations.json is found")
	hunt      = flag.Int64("hunt", 0, "number of seeds that TestHunt tries until one breaks a rule; 0: it is skipped")
)

// mutation is a deliberate bug: in a file of the module, one piece of text in place of
// another.
type mutation struct{ Bug, File, Before, After string }

//go:embed mutations.json
var mutationList []byte

func readMutations(t *testing.T) (list []mutation) {
	t.Helper()
	if err := json.Unmarshal(mutationList, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// root is the module's folder.
const root = "../../.."

// Each deliberate bug is in the code once. Code that has changed may need a new entry.
func TestMutationsFit(t *testing.T) {
	if !*mutations {
		t.Skip("give -mutations")
	}
	list := readMutations(t)
	if len(list) != 20 {
		t.Errorf("%d deliberate bugs, want 20", len(list))
	}
	for _, m := range list {
		text, err := os.ReadFile(filepath.Join(root, m.File))
		if err != nil {
			t.Error(err)
		} else if n := strings.Count(string(text), m.Before); n != 1 || m.Before == m.After {
			t.Errorf("%s: %d times in %s, want once", m.Bug, n, m.File)
		}
	}
}

// Each deliberate bug is found within 500 seeds.
func TestMutations(t *testing.T) {
	if !*mutations {
		t.Skip("give -mutations")
	}
	module, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range readMutations(t) {
		t.Run(m.Bug, func(t *testing.T) {
			folder := t.TempDir()
			path := filepath.Join(module, m.File)
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			changed, overlay, program := filepath.Join(folder, "changed.go"), filepath.Join(folder, "overlay.json"), filepath.Join(folder, "hunt.test")
			index, err := json.Marshal(map[string]any{"Replace": map[string]string{path: changed}})
			if err != nil {
				t.Fatal(err)
			}
			for name, data := range map[string][]byte{changed: []byte(strings.Replace(string(text), m.Before, m.After, 1)), overlay: index} {
				if err := os.WriteFile(name, data, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if out, err := exec.Command("go", "test", "-c", "-overlay", overlay, "-o", program, ".").CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			out, err := exec.Command(program, "-test.run", "TestHunt", "-test.v", "-test.timeout", "1h", "-hunt", "500").CombinedOutput()
			for line := range strings.Lines(string(out)) {
				if strings.Contains(line, "seed") {
					t.Log(strings.TrimSpace(line))
				}
			}
			if err == nil {
				t.Error("not found within 500 seeds")
			}
		})
	}
}

// TestHunt tries seeds until one breaks a rule.
func TestHunt(t *testing.T) {
	if *hunt == 0 {
		t.Skip("give -hunt")
	}
	for seed := int64(1); seed <= *hunt; seed++ {
		r, err := Run(t.Context(), seed, nil, nil)
		if err != nil {
			r.Violation = &Violation{Rule: "error", Text: err.Error()}
		}
		if r.Violation != nil {
			t.Fatalf("seed %d: %s", seed, r.Violation)
		}
	}
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// The flags of the check by mutations, which takes minutes and is not part of CI:
//
//	go test ./node/simulation/faults -run TestMutations -mutations -timeout 2h -v
var (
	mutations = flag.Bool("mutations", false, "check that each of the deliberate bugs in mutations.json is found")
	hunt      = flag.Int64("hunt", 0, "number of seeds that TestHunt tries until one breaks a rule; 0: it is skipped")
)

// mutation is a deliberate bug: in a file of the module, one piece of text instead of
// another, and more of them if one alone is hidden by a second guard.
type mutation struct {
	Bug string
	edit
	Also []edit
}

type edit struct{ File, Before, After string }

func (m *mutation) edits() []edit { return append([]edit{m.edit}, m.Also...) }

//go:embed mutations.json
var mutationList []byte

func readMutations(t *testing.T) (list []mutation) {
	t.Helper()
	must.OK(t, json.Unmarshal(mutationList, &list))
	return list
}

// root is the module's folder.
const root = "../../.."

// Each deliberate bug is in the code once. Code that has changed may need a new entry.
func TestMutationsFit(t *testing.T) {
	list := readMutations(t)
	if len(list) != 20 {
		t.Errorf("%d deliberate bugs, want 20", len(list))
	}
	for _, m := range list {
		for _, e := range m.edits() {
			text, err := os.ReadFile(filepath.Join(root, e.File))
			if err != nil {
				t.Error(err)
			} else if n := strings.Count(string(text), e.Before); n != 1 || e.Before == e.After {
				t.Errorf("%s: %d times in %s, want once", m.Bug, n, e.File)
			}
		}
	}
}

// Each deliberate bug is found within 500 seeds.
func TestMutations(t *testing.T) {
	if !*mutations {
		t.Skip("give -mutations")
	}
	module, err := filepath.Abs(root)
	must.OK(t, err)
	for _, m := range readMutations(t) {
		t.Run(m.Bug, func(t *testing.T) {
			folder := t.TempDir()
			write := func(name string, data []byte) string {
				path := filepath.Join(folder, name)
				must.OK(t, os.WriteFile(path, data, 0o666))
				return path
			}
			replace := map[string]string{}
			for i, e := range m.edits() {
				path := filepath.Join(module, e.File)
				text, err := os.ReadFile(path)
				must.OK(t, err)
				replace[path] = write(fmt.Sprintf("changed%d.go", i), []byte(strings.Replace(string(text), e.Before, e.After, 1)))
			}
			index, err := json.Marshal(map[string]any{"Replace": replace})
			must.OK(t, err)
			overlay, program := write("overlay.json", index), filepath.Join(folder, "hunt.test")
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

// TestHunt tries seeds until one breaks a rule. No source lies, so that a deliberate bug does it.
func TestHunt(t *testing.T) {
	if *hunt == 0 {
		t.Skip("give -hunt")
	}
	for seed := int64(1); seed <= *hunt; seed++ {
		trial := drawHonest(seed)
		r, err := run(t.Context(), trial, nil, nil)
		if err != nil {
			r.Violation = &Violation{Rule: "error", Text: err.Error()}
		}
		if r.Violation != nil && !trial.excused(r.Violation) {
			t.Fatalf("seed %d: %s", seed, r.Violation)
		}
	}
}

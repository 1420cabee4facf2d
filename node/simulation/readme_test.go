package simulation

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// updateGenerated is the environment variable with which the texts that are
// generated from the code are written anew, by updateCommand.
const (
	updateGenerated = "UPDATE_GENERATED"
	updateCommand   = "UPDATE_GENERATED=1 go test ./node/simulation -run Generated"
)

const (
	readme      = "../../README.md"
	tableBegins = "<!-- parameters: written by `" + updateCommand + "` -->\n"
	tableEnds   = "<!-- end of parameters -->\n"
)

// TestGeneratedReadme keeps the README's reference table equal to what the
// nodes declare.
func TestGeneratedReadme(t *testing.T) {
	data, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), tableBegins)
	_, after, ok2 := strings.Cut(rest, tableEnds)
	if !ok || !ok2 {
		t.Fatalf("%s has no table between %q and %q", readme, tableBegins, tableEnds)
	}
	checkGenerated(t, readme, before+tableBegins+parameterTables()+tableEnds+after)
}

// checkGenerated fails the test when a file is not what it should be, or writes
// it when it is asked to.
func checkGenerated(t *testing.T, file, want string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil && string(data) == want {
		return
	}
	if os.Getenv(updateGenerated) == "" {
		t.Fatalf("%s is not what the code declares (%v): run %s", file, err, updateCommand)
	}
	if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// parameterTables has the defaults of the nodes by themselves, and in brackets what
// the demonstration has in their place; of the simulator only the latter.
func parameterTables() string {
	var b strings.Builder
	cfg, own := DefaultConfig(1), ownDefaults()
	onRobot := own.Parameters()
	cell := func(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
	for i, p := range cfg.Parameters() {
		fmt.Fprintf(&b, "\n#### %s\n\n| parameter | type | unit | default | range | |\n|---|---|---|---|---|---|\n", p.Node)
		robot := onRobot[i].Set.Rows()
		for k, r := range p.Set.Rows() {
			value := r.Default
			if alone := robot[k].Default; robotFiles[p.Node] != "" && alone != value {
				value = fmt.Sprintf("%s (demo: %s)", alone, value)
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n",
				r.Name, r.Type, cell(r.Unit), cell(value), cell(r.Range), cell(r.Description))
		}
	}
	b.WriteString("\n")
	return b.String()
}

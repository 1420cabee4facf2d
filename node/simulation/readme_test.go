package simulation

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

const (
	readme      = "../../README.md"
	tableBegins = "<!-- parameters: written by `UPDATE_README=1 go test ./node/simulation -run Readme` -->\n"
	tableEnds   = "<!-- end of parameters -->\n"
)

// TestReadmeParameters keeps the README's reference table equal to what the
// nodes declare.
func TestReadmeParameters(t *testing.T) {
	data, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), tableBegins)
	_, after, ok2 := strings.Cut(rest, tableEnds)
	if !ok || !ok2 {
		t.Fatalf("%s has no table between %q and %q", readme, tableBegins, tableEnds)
	}
	want := before + tableBegins + parameterTables() + tableEnds + after
	if want == string(data) {
		return
	}
	if os.Getenv("UPDATE_README") == "" {
		t.Fatalf("the parameters in %s are not those that the nodes declare: run UPDATE_README=1 go test ./node/simulation -run Readme", readme)
	}
	if err := os.WriteFile(readme, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

func parameterTables() string {
	var b strings.Builder
	cfg := DefaultConfig(1)
	cell := func(text string) string { return strings.ReplaceAll(text, "|", `\|`) }
	for _, p := range cfg.Parameters() {
		fmt.Fprintf(&b, "\n#### %s\n\n| parameter | type | unit | default | range | |\n|---|---|---|---|---|---|\n", p.Node)
		for _, r := range p.Set.Rows() {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n",
				r.Name, r.Type, cell(r.Unit), cell(r.Default), cell(r.Range), cell(r.Description))
		}
	}
	b.WriteString("\n")
	return b.String()
}

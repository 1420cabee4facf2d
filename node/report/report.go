// Package report writes report.html, which shows the record of a mission to people: numbers, maps
// and curves in one file that needs no other. Maps are painted by package painter, when the file is
// opened in a browser. Package record holds the data.
//
// Values are in the user's units if the transform of the mission can be undone, and in model units
// otherwise.
package report

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"maps"
	"regexp"
	"slices"
	"strings"

	"ugp_explorer/node/painter"
	"ugp_explorer/node/record"
)

// PageFile is the name of the report in the mission's folder.
const PageFile = "report.html"

var (
	//go:embed report.html.tmpl
	pageText     string
	pageTemplate = template.Must(template.New("report").Parse(pageText))

	//go:embed report.js
	ownScript string
)

// page is the data of the HTML template.
type page struct {
	Mission  *record.Mission
	Title    string
	Facts    []fact
	Figures  []figure
	Data     data
	Tables   []table
	Settings []table
	Palette  template.CSS
	Script   template.JS
}

// fact is one of the headline numbers.
type fact struct{ Label, Value, Note string }

// table is a table of texts. Marked rows are highlighted.
type table struct {
	Title, Note string
	Head        []string
	Rows        []row
	Folded      bool // shown only after a click
}

type row struct {
	Cells  []string
	Marked bool
}

// Write writes the report of a mission into a folder, which it creates if necessary. maps, tracks
// and their fields may be nil; a figure without data is left out. An earlier report stays as it is
// if this one cannot be written. The error names the folder that cannot be written or the data that
// cannot be shown.
func Write(dir string, m *record.Mission, maps *record.Maps, tracks *record.Tracks) error {
	if maps != nil {
		if err := maps.Validate(); err != nil {
			return err
		}
	}
	page, err := html(m, maps, tracks)
	if err != nil {
		return err
	}
	return record.WriteFiles(dir, []record.File{{Name: PageFile, Data: page}})
}

// importLine is a line that brings another script: all are in one here.
var importLine = regexp.MustCompile(`(?m)^import .*\n`)

func html(m *record.Mission, layers *record.Maps, tracks *record.Tracks) ([]byte, error) {
	p := page{Mission: m, Title: question(m), Facts: facts(m)}
	p.Figures, p.Data = figures(m, layers, tracks)
	var script strings.Builder
	for _, name := range []string{"format.js", "colours.js", "painter.js"} {
		text, err := painter.Assets.ReadFile("assets/" + name)
		if err != nil {
			return nil, err
		}
		script.Write(importLine.ReplaceAll(text, nil))
	}
	p.Script = template.JS(script.String() + ownScript)
	palette, err := painter.Assets.ReadFile("assets/palette.css")
	if err != nil {
		return nil, err
	}
	p.Palette = template.CSS(palette)
	for _, t := range []table{
		sourceTable(m), truthTable(m), suggestionTable(m), observationTable(m), teamTable(m), skippedTable(m), countTable(m), hyperTable(m), decisionTable(m),
	} {
		if len(t.Rows) > 0 {
			p.Tables = append(p.Tables, t)
		}
	}
	for _, node := range slices.Sorted(maps.Keys(m.Settings)) {
		t := table{Title: node, Head: []string{"parameter", "value"}}
		for _, name := range slices.Sorted(maps.Keys(m.Settings[node])) {
			t.Rows = append(t.Rows, row{Cells: []string{name, settingText(m.Settings[node][name])}})
		}
		p.Settings = append(p.Settings, t)
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		return nil, fmt.Errorf("report: %s: %w", PageFile, err)
	}
	return b.Bytes(), nil
}

// settingText writes the value of a parameter as in mission.json.
func settingText(v any) string {
	if v, ok := v.(string); ok {
		return v
	}
	b, err := json.Marshal(v)
	if err != nil { // a number that is not finite
		return "null"
	}
	return string(b)
}

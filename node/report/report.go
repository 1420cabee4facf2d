// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package report writes report.html, which shows the record of a mission to people: numbers, maps
// and curves in one file that needs no other. Maps are painted by package painter, when the file is
// opened in a browser. Package record holds the data.
//
// Values are in the user's units if the transform of the mission is invertible, and in model units otherwise.
package report

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"regexp"
	"slices"
	"strings"

	"ugp_explorer/node/export"
	"ugp_explorer/node/painter"
	"ugp_explorer/node/record"
)

// PageFile is the name of the report in the mission's folder.
const PageFile = "report.html"

var (
	//go:embed report.css
	style string
	//go:embed report.js
	script string
)

// page is an HTML document that is being written.
type page struct{ bytes.Buffer }

// put appends markup: a format whose texts are escaped.
func (p *page) put(markup string, texts ...string) {
	escaped := make([]any, len(texts))
	for i, t := range texts {
		escaped[i] = html.EscapeString(t)
	}
	fmt.Fprintf(p, markup, escaped...)
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

func (t *table) add(cells ...string) { t.Rows = append(t.Rows, row{Cells: cells}) }

func (p *page) table(t *table) {
	p.put(`<div class="wide" tabindex="0" role="group" aria-label="%s"><table>`+"\n<thead><tr>", t.Title)
	for _, h := range t.Head {
		p.put(`<th scope="col">%s</th>`, h)
	}
	p.WriteString("</tr></thead>\n<tbody>\n")
	for _, r := range t.Rows {
		class := ""
		if r.Marked {
			class = ` class="marked"`
		}
		p.WriteString("<tr" + class + ">")
		p.put(`<th scope="row">%s</th>`, r.Cells[0])
		for _, c := range r.Cells[1:] {
			p.put("<td>%s</td>", c)
		}
		p.WriteString("</tr>\n")
	}
	p.WriteString("</tbody>\n</table></div>\n")
}

// section writes a table with its title, folded if the table is.
func (p *page) section(t *table) {
	open, end := "<section>\n<h2>%s</h2>\n", "</section>\n"
	if t.Folded {
		open, end = "<details>\n<summary>%s</summary>\n", "</details>\n"
	}
	p.put(open, t.Title)
	if t.Note != "" {
		p.put("<p class=\"note\">%s</p>\n", t.Note)
	}
	p.table(t)
	p.WriteString(end)
}

func (p *page) facts(list []fact) {
	p.WriteString("<dl class=\"facts\">\n")
	for _, f := range list {
		p.put(`<div><dt>%s</dt><dd class="value">%s</dd>`, f.Label, f.Value)
		if f.Note != "" {
			p.put(`<dd class="aside">%s</dd>`, f.Note)
		}
		p.WriteString("</div>\n")
	}
	p.WriteString("</dl>\n")
}

// figures writes those of a part.
func (p *page) figures(list []figure, of part) {
	p.WriteString("<div class=\"figures\">\n")
	for _, f := range list {
		switch {
		case f.part != of:
			continue
		case f.Chart == nil:
			p.put("<figure>\n<canvas id=\"%s\" role=\"img\" aria-label=\"%s\"></canvas>", f.Name, f.Alt)
		default:
			p.put("<figure>\n<div role=\"img\" aria-label=\"%s\">", f.Alt)
			p.Write(f.Chart)
			p.WriteString("</div>")
		}
		p.put("\n<figcaption><strong>%s</strong>%s</figcaption>\n</figure>\n", f.Title, f.Caption)
	}
	p.WriteString("</div>\n")
}

// Write writes the report of a mission into a folder, which it creates if necessary. maps, tracks
// and their fields may be nil; a figure without data is left out. results are those in the folder
// export below it, and photo lies below the map; nil: there is none. An earlier report stays as it is if this one cannot be written. The error names
// the folder that cannot be written or the data that cannot be shown.
func Write(dir string, m *record.Mission, maps *record.Maps, tracks *record.Tracks, results export.Results, photo *painter.Photo) error {
	if maps != nil {
		if err := maps.Validate(); err != nil {
			return err
		}
	}
	page, err := compose(m, maps, tracks, results, photo)
	if err != nil {
		return err
	}
	return record.WriteFiles(dir, []record.File{{Name: PageFile, Data: page}})
}

// importLine is a line that imports another script: here, all scripts are in one file.
var importLine = regexp.MustCompile(`(?m)^import .*\n`)

// compose returns the page of a mission: the results, the part for experts, and last what is known
// only in a simulation.
func compose(m *record.Mission, layers *record.Maps, tracks *record.Tracks, results export.Results, photo *painter.Photo) ([]byte, error) {
	figures, painted := figures(m, layers, tracks, results)
	if photo != nil {
		below := *photo
		below.Source = "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(photo.JPEG)
		painted.Scene.Photo = &below
		for i := range figures {
			if figures[i].Name == "mean" {
				figures[i].Caption += " The map is half transparent over the photo, which changes its colours."
			}
		}
	}
	data, err := json.Marshal(painted) // which escapes characters that would end the element around it
	if err != nil {
		return nil, fmt.Errorf("report: %s: %w", PageFile, err)
	}
	asset := func(name string) (text []byte) {
		if err == nil {
			text, err = painter.Assets.ReadFile("assets/" + name)
		}
		return importLine.ReplaceAll(text, nil)
	}
	var p page
	p.put(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>%s</title>
<style>
`, title(m))
	p.Write(asset("palette.css"))
	p.WriteString(style)
	answer := m.Answer(layers)
	p.put("</style>\n</head>\n<body>\n<main>\n<h1>%s</h1>\n<p class=\"lead\">%s</p>\n<p class=\"answer\">%s</p>\n", title(m), summary(m), answer.Text)
	if answer.Decimal != "" {
		p.put("<p class=\"place\">Latitude and longitude to copy: <code>%s</code> <a href=\"geo:%s\">Show the place on a phone's map</a></p>\n",
			answer.Decimal, strings.ReplaceAll(answer.Decimal, " ", ""))
	}
	p.put("<p class=\"note\">%s</p>\n<noscript><p class=\"note\">The maps need JavaScript.</p></noscript>\n", answer.Note)
	p.figures(figures, inFront)
	if t := zoneTable(m, results); len(t.Rows) > 0 {
		p.section(&t)
	}
	p.WriteString("<section class=\"files\">\n<h2>Files beside this report</h2>\n<ul>\n")
	for i, name := range results.Names {
		if strings.HasSuffix(name, ".qml") {
			continue // it stands with its map
		}
		p.put("<li><a href=\"%s\">%s</a> ", export.Folder+"/"+name, name)
		if i+1 < len(results.Names) && strings.HasSuffix(results.Names[i+1], ".qml") {
			p.put("and <a href=\"%s\">%s</a> ", export.Folder+"/"+results.Names[i+1], results.Names[i+1])
		}
		p.put("%s</li>\n", export.About(name))
	}
	p.put("<li><a href=\"%s\">%s</a> everything as data</li>\n</ul>\n</section>\n", record.MissionFile, record.MissionFile)
	p.WriteString("<details class=\"part\">\n<summary>For experts</summary>\n")
	p.facts(facts(m))
	p.figures(figures, forExperts)
	for _, t := range tables(m) {
		p.section(&t)
	}
	if len(m.Settings) > 0 {
		p.WriteString("<details>\n<summary>Settings</summary>\n<div class=\"settings\">\n")
		for _, node := range slices.Sorted(maps.Keys(m.Settings)) {
			t := table{Title: node, Head: []string{"parameter", "value"}}
			for _, name := range slices.Sorted(maps.Keys(m.Settings[node])) {
				t.add(name, settingText(m.Settings[node][name]))
			}
			p.put("<div class=\"wide text\"><h3>%s</h3>\n", node)
			p.table(&t)
			p.WriteString("</div>\n")
		}
		p.WriteString("</div>\n</details>\n")
	}
	p.WriteString("</details>\n")
	if t := truthTable(m); len(t.Rows) > 0 || m.Consistency != nil {
		p.WriteString("<details class=\"part\">\n<summary>Known in a simulation only</summary>\n")
		p.facts(simulated(m))
		p.figures(figures, ofSimulation)
		if len(t.Rows) > 0 {
			p.section(&t)
		}
		p.WriteString("</details>\n")
	}
	p.WriteString("</main>\n<script type=\"application/json\" id=\"data\">")
	p.Write(data)
	p.WriteString("</script>\n<script type=\"module\">\n")
	for _, name := range []string{"format.js", "colours.js", "raster.js", "painter.js"} {
		p.Write(asset(name))
	}
	p.WriteString(script + "\n</script>\n</body>\n</html>\n")
	return p.Bytes(), err
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

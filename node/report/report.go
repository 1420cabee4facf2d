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
	"html"
	"maps"
	"regexp"
	"slices"

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

// page is an HTML document under way.
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
	page, err := compose(m, maps, tracks)
	if err != nil {
		return err
	}
	return record.WriteFiles(dir, []record.File{{Name: PageFile, Data: page}})
}

// importLine is a line that brings another script: all are in one here.
var importLine = regexp.MustCompile(`(?m)^import .*\n`)

// compose returns the page of a mission.
func compose(m *record.Mission, layers *record.Maps, tracks *record.Tracks) ([]byte, error) {
	figures, painted := figures(m, layers, tracks)
	data, err := json.Marshal(painted) // which escapes what would end the element around it
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
`, question(m))
	p.Write(asset("palette.css"))
	p.WriteString(style)
	p.put("</style>\n</head>\n<body>\n<main>\n<header>\n<h1>%s</h1>\n<p class=\"lead\">", question(m))
	if m.Outcome != "" {
		p.put("%s. ", m.Outcome)
	}
	if m.Field.Name != "" {
		p.put("Field: %s. ", m.Field.Name)
	}
	p.put("%s</p>\n<dl class=\"facts\">\n", m.Program)
	for _, f := range facts(m) {
		p.put(`<div><dt>%s</dt><dd class="value">%s</dd>`, f.Label, f.Value)
		if f.Note != "" {
			p.put(`<dd class="aside">%s</dd>`, f.Note)
		}
		p.WriteString("</div>\n")
	}
	p.WriteString("</dl>\n</header>\n")
	if len(figures) > 0 {
		p.WriteString("<h2>Pictures</h2>\n<noscript><p class=\"note\">The maps need JavaScript.</p></noscript>\n<div class=\"figures\">\n")
		for _, f := range figures {
			if f.Chart == nil {
				p.put("<figure>\n<canvas role=\"img\" aria-label=\"%s\"></canvas>", f.Alt)
			} else {
				p.put("<figure>\n<div role=\"img\" aria-label=\"%s\">", f.Alt)
				p.Write(f.Chart)
				p.WriteString("</div>")
			}
			p.put("\n<figcaption><strong>%s</strong>%s</figcaption>\n</figure>\n", f.Title, f.Caption)
		}
		p.WriteString("</div>\n")
	}
	for _, t := range tables(m) {
		if t.Folded {
			p.put("<details>\n<summary>%s</summary>\n", t.Title)
		} else {
			p.put("<section>\n<h2>%s</h2>\n", t.Title)
		}
		if t.Note != "" {
			p.put("<p class=\"note\">%s</p>\n", t.Note)
		}
		p.table(&t)
		if t.Folded {
			p.WriteString("</details>\n")
		} else {
			p.WriteString("</section>\n")
		}
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
	p.WriteString("</main>\n<script type=\"application/json\" id=\"data\">")
	p.Write(data)
	p.WriteString("</script>\n<script type=\"module\">\n")
	for _, name := range []string{"format.js", "colours.js", "painter.js"} {
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

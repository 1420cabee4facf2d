// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/num"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/earth"
	"ugp_explorer/planner/field/geojson"
)

// styles has the style of each layer: KML's colours are alpha, blue, green, red.
var styles = map[string]string{
	"samples":     `<IconStyle><scale>0.6</scale></IconStyle><LabelStyle><scale>0.8</scale></LabelStyle>`,
	"heard":       `<IconStyle><color>ffb27200</color><scale>0.3</scale></IconStyle><LabelStyle><scale>0</scale></LabelStyle>`,
	"recommended": `<IconStyle><color>ff005ed5</color><scale>1.3</scale></IconStyle>`,
	"field":       `<LineStyle><color>ff000000</color><width>2</width></LineStyle><PolyStyle><fill>0</fill></PolyStyle>`,
	"path":        `<LineStyle><color>ffb27200</color><width>2</width></LineStyle>`,
	"contours":    `<LineStyle><color>ffffffff</color><width>1</width></LineStyle>`,
}

// kml returns all layers as one file of KML 2.2, whose coordinates are degrees.
func kml(m *record.Mission, degrees *earth.System, layers []layer, answer record.Answer) record.File {
	var b bytes.Buffer
	units := m.Scale().Units
	put := func(markup string, texts ...any) {
		for i, t := range texts {
			texts[i] = html.EscapeString(fmt.Sprint(t))
		}
		fmt.Fprintf(&b, markup, texts...)
	}
	put(`<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2">
<Document><name>%s</name><description>%s</description>
`, cmp.Or(m.Field.Name, "mission"), answer.Text)
	for _, l := range slices.Backward(layers) { // what comes later covers the rest
		put("<Folder><name>%s</name>\n", l.name)
		for i, f := range degrees.Project(l.features) {
			p, _ := f.Properties.(geojson.Properties)
			put("<Placemark><name>%s</name>", nameOf(l.name, p, units))
			if l.name == "recommended" {
				put("<description>%s</description>", answer.Text)
			}
			style := styles[l.name]
			if l.name == "zones" {
				c := ofZone(i, len(l.features))
				style = fmt.Sprintf("<LineStyle><width>0</width></LineStyle><PolyStyle><color>b0%02x%02x%02x</color></PolyStyle>", c[2], c[1], c[0])
			}
			b.WriteString("<Style>" + style + "</Style><ExtendedData>")
			for _, key := range slices.Sorted(maps.Keys(p)) {
				if v, ok := p[key].(float64); ok && (!num.Finite(v)) {
					continue
				}
				put(`<Data name="%s"><value>%s</value></Data>`, key, p[key])
			}
			b.WriteString("</ExtendedData>")
			putGeometry(&b, f.Geometry.Coordinates)
			b.WriteString("</Placemark>\n")
		}
		b.WriteString("</Folder>\n")
	}
	b.WriteString("</Document>\n</kml>\n")
	return record.File{Name: "mission.kml", Data: b.Bytes()}
}

// nameOf returns the name of a feature of a layer.
func nameOf(layer string, p geojson.Properties, units string) string {
	value := func(v any) string {
		f, _ := v.(float64)
		return withUnits(f, units)
	}
	switch layer {
	case "samples", "contours":
		return value(p["value"])
	case "heard":
		f, _ := p["value"].(float64)
		return fmt.Sprintf("%s: %s", p["quantity"], withUnits(f, fmt.Sprint(p["units"])))
	case "recommended":
		return "best place: " + value(p["value"])
	case "zones":
		return fmt.Sprintf("zone %d: %s", p["zone"], value(p["mean"]))
	case "field":
		return strings.ReplaceAll(fmt.Sprint(p["role"]), "_", "-")
	}
	return layer
}

func putGeometry(b *bytes.Buffer, g orb.Geometry) {
	coordinates := func(points []orb.Point) {
		b.WriteString("<coordinates>")
		for _, p := range points {
			fmt.Fprintf(b, "%.8f,%.8f ", p[0], p[1])
		}
		b.WriteString("</coordinates>")
	}
	switch g := g.(type) {
	case orb.Point:
		b.WriteString("<Point>")
		coordinates([]orb.Point{g})
		b.WriteString("</Point>")
	case orb.LineString:
		b.WriteString("<LineString><tessellate>1</tessellate>")
		coordinates(g)
		b.WriteString("</LineString>")
	case orb.MultiLineString:
		b.WriteString("<MultiGeometry>")
		for _, l := range g {
			putGeometry(b, l)
		}
		b.WriteString("</MultiGeometry>")
	case orb.Polygon:
		b.WriteString("<Polygon>")
		for i, ring := range g {
			kind := map[bool]string{true: "outerBoundaryIs", false: "innerBoundaryIs"}[i == 0]
			b.WriteString("<" + kind + "><LinearRing>")
			coordinates(ring)
			b.WriteString("</LinearRing></" + kind + ">")
		}
		b.WriteString("</Polygon>")
	case orb.MultiPolygon:
		b.WriteString("<MultiGeometry>")
		for _, p := range g {
			putGeometry(b, p)
		}
		b.WriteString("</MultiGeometry>")
	}
}

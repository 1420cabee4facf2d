// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package export

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"ugp_explorer/internal/num"
	"ugp_explorer/node/export/samples"
	"ugp_explorer/node/record"
)

// Colours of values and of standard deviations from low to high, those of package painter.
var (
	viridis = [...]string{"440154", "414487", "2a788e", "22a884", "7ad151", "fde725"}
	cividis = [...]string{"00224e", "35456c", "666970", "948e77", "c8b866", "fee838"}
)

// mix returns the colour at a share of the way from the first colour to the last.
func mix(colours [6]string, share float64) (rgb [3]int) {
	at := min(max(share, 0), 1) * float64(len(colours)-1)
	k := min(int(at), len(colours)-2)
	from, _ := strconv.ParseUint(colours[k], 16, 32) // constants
	to, _ := strconv.ParseUint(colours[k+1], 16, 32)
	for i := range rgb {
		a, b := float64(from>>(16-8*i)&255), float64(to>>(16-8*i)&255)
		rgb[i] = int(math.Round(a + (at-float64(k))*(b-a)))
	}
	return rgb
}

// Viridis returns the red, green and blue, 0 to 255, of a value at a share of the way from the lowest to the highest.
func Viridis(share float64) [3]int { return mix(viridis, share) }

// ofZone returns the colour of one of n zones.
func ofZone(i, n int) [3]int { return Viridis(float64(i) / float64(max(n-1, 1))) }

// mapStyle returns the colours of a map for QGIS, which takes them from the file beside it.
func mapStyle(name string, colours [6]string, values []float64) record.File {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if !math.IsNaN(v) { // a raster has holes
			low, high = min(low, v), max(high, v)
		}
	}
	if low > high {
		low, high = 0, 1
	}
	var items strings.Builder
	for i, c := range colours {
		v := low + (high-low)*float64(i)/float64(len(colours)-1)
		fmt.Fprintf(&items, "        <item value=\"%v\" label=\"%.4g\" color=\"#%s\" alpha=\"255\"/>\n", significant(v), v, c)
	}
	return record.File{Name: name + ".qml", Data: fmt.Appendf(nil, `<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
<qgis version="3.22.0" styleCategories="Symbology">
  <pipe>
    <rasterrenderer type="singlebandpseudocolor" band="1" opacity="1" alphaBand="-1" classificationMin="%[1]v" classificationMax="%[2]v">
      <rastershader>
        <colorrampshader colorRampType="INTERPOLATED" classificationMode="1" clip="0" minimumValue="%[1]v" maximumValue="%[2]v">
%[3]s        </colorrampshader>
      </rastershader>
    </rasterrenderer>
  </pipe>
</qgis>
`, significant(low), significant(high), items.String())}
}

// zoneStyle returns the colours of the zones for QGIS.
func zoneStyle(units string, zones []Zone) record.File {
	var categories, symbols strings.Builder
	for i, z := range zones {
		c := ofZone(i, len(zones))
		fmt.Fprintf(&categories, "      <category render=\"true\" symbol=\"%d\" value=\"%d\" label=\"%s\"/>\n", i, z.Number, html.EscapeString(z.Label(units)))
		fmt.Fprintf(&symbols, `      <symbol type="fill" name="%d" alpha="0.8">
        <layer class="SimpleFill" enabled="1" locked="0" pass="0">
          <prop k="color" v="%d,%d,%d,255"/><prop k="style" v="solid"/><prop k="outline_color" v="255,255,255,255"/><prop k="outline_style" v="solid"/><prop k="outline_width" v="0.3"/>
        </layer>
      </symbol>
`, i, c[0], c[1], c[2])
	}
	return record.File{Name: "zones.qml", Data: fmt.Appendf(nil, `<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>
<qgis version="3.22.0" styleCategories="Symbology">
  <renderer-v2 type="categorizedSymbol" attr="zone">
    <categories>
%s    </categories>
    <symbols>
%s    </symbols>
  </renderer-v2>
</qgis>
`, categories.String(), symbols.String())}
}

// Label names a zone by its limits: "above 52 mg/l".
func (z *Zone) Label(units string) string {
	switch low, high := withUnits(z.Low, units), withUnits(z.High, units); {
	case math.IsInf(z.Low, -1) && math.IsInf(z.High, 1):
		return "the whole field"
	case math.IsInf(z.Low, -1):
		return "below " + high
	case math.IsInf(z.High, 1):
		return "above " + low
	default:
		return num.Short(z.Low, 4) + " to " + high
	}
}

// zoneTable returns the zones as the table of a prescription: a person fills in the last column.
func zoneTable(s record.Scale, zones []Zone) record.File {
	column := func(name string) string { return samples.WithUnits(name, s.Units) }
	number := func(v float64) string {
		if !num.Finite(v) {
			return ""
		}
		return num.Short(v, 4)
	}
	rows := [][]string{{"zone", column("low"), column("high"), column("mean"), "area_ha", "certain_percent", "apply"}}
	for _, z := range zones {
		rows = append(rows, []string{fmt.Sprint(z.Number), number(z.Low), number(z.High), number(z.Mean), fmt.Sprintf("%.4f", z.Area/1e4), number(math.Round(100 * z.Certain)), ""})
	}
	var file bytes.Buffer
	_ = csv.NewWriter(&file).WriteAll(rows) // a buffer takes all
	return record.File{Name: "zones.csv", Data: file.Bytes()}
}

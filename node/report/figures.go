// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"ugp_explorer/internal/num"
	"ugp_explorer/node/chart"
	"ugp_explorer/node/export"
	"ugp_explorer/node/painter"
	"ugp_explorer/node/record"
	"ugp_explorer/planner/earth"
)

// figure is a picture with its texts.
type figure struct {
	Title   string
	Alt     string // the content in a sentence, for people who cannot see it
	Caption string
	Chart   []byte // curves as SVG; nil: the picture is a map
	Name    string // of its picture; empty: it is a chart
	part    part
}

// part is the part of the report in which a figure is.
type part int

const (
	forExperts part = iota
	inFront
	ofSimulation
)

// data is what report.js paints.
type data struct {
	Scene    painter.Scene    `json:"scene"`
	Datum    *earth.Datum     `json:"datum"`
	Best     *record.Place    `json:"best"`
	Samples  []painter.Sample `json:"samples"`
	Pictures []picture        `json:"pictures"` // one for each figure with a name
}

// picture is a map.
type picture struct {
	Name    string           `json:"name"`            // of the file if it is saved, and of the layer
	Layer   []byte           `json:"layer,omitempty"` // see package painter; nil: none
	Legend  string           `json:"legend"`
	Texts   []text           `json:"texts,omitempty"`
	Scene   *painter.Scene   `json:"scene,omitempty"`   // nil: that of the data
	Samples []painter.Sample `json:"samples,omitempty"` // nil: those of the data
	Lines   []line           `json:"lines,omitempty"`
	Marks   []mark           `json:"marks,omitempty"`
}

type line struct {
	Points [][]record.Place `json:"points"`         // of its pieces
	Colour string           `json:"colour"`         // a name of palette.css, or one of CSS
	Edge   string           `json:"edge,omitempty"` // of the line, the same; empty: that of all lines
	Dash   bool             `json:"dash,omitempty"`
}

type text struct {
	At   record.Place `json:"at"`
	Text string       `json:"text"`
}

type mark struct {
	At     []record.Place `json:"at"`
	Sign   string         `json:"sign"` // square or cross
	Colour string         `json:"colour"`
}

// pathColour occurs in no map and no contour.
const pathColour = "#d6278a"

// figures returns the figures for which a mission has data, and the data of the maps among them.
func figures(m *record.Mission, maps *record.Maps, tracks *record.Tracks, results export.Results) (list []figure, d data) {
	if maps == nil {
		maps = new(record.Maps)
	}
	if tracks == nil {
		tracks = new(record.Tracks)
	}
	d.Scene, d.Datum = painter.SceneOf(m), m.Datum()
	if len(results.Zones) > 0 { // their limits are drawn
		d.Scene.Threshold = nil
	}
	if m.Recommendation != nil && m.LooksForBest() {
		at := painter.Place(m.Recommendation.Target)
		d.Best = &at
	}
	var own []painter.Sample
	for origin, o := range m.Samples {
		s := painter.SampleOf(o)
		if origin == record.OriginOwn {
			own = append(own, s)
			continue
		}
		s.Robot = origin
		d.Samples = append(d.Samples, s)
	}
	d.Samples = append(d.Samples, own...)
	path := line{Points: [][]record.Place{painter.Places(tracks.Estimated)}, Colour: pathColour}
	for _, layer := range painter.Layers(maps) {
		values := painter.Values(maps, m.Transform, layer)
		if !slices.ContainsFunc(values, num.Finite) || !painter.Shown(layer, len(d.Samples)) {
			continue
		}
		low, high := painter.Limits(maps, m.Transform, layer, len(d.Samples))
		var fade []float64
		if n := len(m.Hyper); layer == "mean" && maps.StdDev != nil && n > 0 {
			fade = painter.Fade(maps, m.Hyper[n-1].SignalVariance)
		}
		f, legend := mapFigure(m, maps, layer)
		f.Name = layer
		p := picture{Name: layer, Layer: painter.Encode(maps.Grid, values, low, high, fade), Legend: legend, Lines: []line{path}}
		if layer == "mean" {
			p.Texts = zoneNumbers(results.Zones)
			limits := each(results.Limits, func(l orb.LineString) []record.Place { return painter.Places(l) })
			p.Lines = append(p.Lines, line{Points: limits, Colour: "#ffffff", Edge: "#000000"})
		}
		if beyond := share(values, func(v float64) bool { return v < low || v > high }); beyond > 0 {
			f.Caption += fmt.Sprintf(" On %s of the field, the true value is outside the range of these colours, and has the first or the last of them.", percent(beyond))
		}
		if layer == "truth" && m.Truth != nil {
			p.Marks = []mark{{At: []record.Place{painter.Place(surface(m.Truth).BestAt)}, Sign: "cross", Colour: "ink"}}
		}
		list, d.Pictures = append(list, f), append(d.Pictures, p)
	}
	if len(m.Field.Boundary) > 0 || len(m.Observations) > 0 {
		f, p := pathFigure(m, tracks, path)
		if len(list) == 0 { // there is no map
			f.part = inFront
		}
		list, d.Pictures = append(list, f), append(d.Pictures, p)
	}
	if len(m.Observations) > 0 && !m.WithoutStops() {
		f, p := offsetFigure(m, own)
		list, d.Pictures = append(list, f), append(d.Pictures, p)
	}
	return append(list, regretFigures(m)...), d
}

// share returns the share of the finite values of which something is true.
func share(values []float64, is func(v float64) bool) float64 {
	n, all := 0.0, 0.0
	for _, v := range values {
		if num.Finite(v) {
			if all++; is(v) {
				n++
			}
		}
	}
	return n / all
}

// zoneNumbers returns the number of each zone at its largest part.
func zoneNumbers(zones []export.Zone) (texts []text) {
	for _, z := range zones {
		var largest orb.Polygon
		for _, p := range z.Polygons {
			if largest == nil || planar.Area(p) > planar.Area(largest) {
				largest = p
			}
		}
		texts = append(texts, text{painter.Place(export.Inside(largest)), fmt.Sprint(z.Number)})
	}
	return texts
}

func each[T, U any](list []T, of func(T) U) []U {
	r := make([]U, len(list))
	for i, t := range list {
		r[i] = of(t)
	}
	return r
}

// mapFigure returns the texts of a layer, and the title of its legend.
func mapFigure(m *record.Mission, maps *record.Maps, layer string) (f figure, legend string) {
	const signs = " A circle is a sample in the colour of its value, with the ellipse in which its place lies with a probability of 86 %; a square is a sample of another robot or from before the mission. The star is the best place, the house the start; hatched areas must not be entered."
	scale := m.Scale()
	name, units := scale.Quantity, scale.Units
	colours := units
	_, logarithmic := scale.Factor(0)
	if logarithmic {
		colours += ", logarithmic colours"
	}
	switch layer {
	case "truth":
		what := ""
		if m.Truth != nil {
			what = ": " + surface(m.Truth).Description
		}
		legend = withUnits("true "+name, colours)
		f = figure{part: ofSimulation, Title: "Truth", Caption: "The true " + name + ", which the robot did not know" + what + ". The cross is the " + extreme(m) + " true value. The colours are those of the map above: equal colours are equal values."}
	case "mean":
		legend = withUnits(name, colours)
		what := "mean"
		if scale.Log != "" {
			what = "median" // a logarithm maps a median to a median, but not a mean to a mean
		}
		f = figure{part: inFront, Title: "Map", Caption: "The map computed from the samples: the posterior " + what + " of " + withUnits(name, units) + ", pale where it is uncertain. White lines divide the zones, whose numbers are in the table. The pink line is the robot's path." + signs}
	case "stddev":
		legend = withUnits("posterior standard deviation", units)
		f = figure{Title: "Posterior standard deviation", Caption: "Uncertainty of the map: one standard deviation of the posterior, including the uncertainty of the hyper-parameters. It is small near samples, and smallest near samples whose places are well known."}
		if scale.Log != "" {
			f.Caption = "Uncertainty of the map: half the width of the posterior's 68 % interval."
		}
		if logarithmic {
			legend = "posterior standard deviation, as a factor"
			f.Caption = "Uncertainty of the map: the value lies between the median divided by this factor and multiplied by it with a probability of 68 %."
		}
	case "acquisition":
		legend = withUnits("acquisition", m.Transform.ModelUnits(m.Units))
		f = figure{Title: "Acquisition", Caption: "The upper confidence bound at the end of the mission: the merit of the mean for the objective plus β standard deviations, both as on the maps. Where it is high, a sample is most useful. A decision leaves out the roughest model and subtracts the price of the path, so the next target is not always where it is highest."}
	default:
		own := maps.Layer(layer)
		legend = withUnits(own.Name, own.Units)
		f = figure{Title: own.Title(), Caption: layerCaption(m, own)}
		if own.Kind == record.LayerRaster {
			f.Title = "Raster " + own.Name
		}
	}
	f.Alt = "Map of the " + legend + " with the samples, the path and the recommended place."
	return f, legend
}

// layerCaption says what the layer of another quantity, or of a raster, shows.
func layerCaption(m *record.Mission, l *record.Layer) string {
	switch l.Kind {
	case record.LayerSecondary:
		return "The posterior mean of the second sensor's values, in their own unit. Far from the places where it measured, the map shows their mean. " + m.Heard()
	case record.LayerAlso:
		return fmt.Sprintf(
			"The posterior mean of %s, measured at %s, in its own unit. It influenced no target. Far from the samples, the map shows their mean.",
			l.Name, num.Count(len(m.AlsoSamples(l.Index)), "sample"))
	}
	caption := "A covariate raster, in its own units. " + m.Explained(l.Index)
	if c := m.Covariates[l.Index]; len(m.Hyper) > 0 {
		caption += fmt.Sprintf(" Where it is higher by one standard deviation of its values over the field, %s is expected to be higher by %s ± %s.",
			cmp.Or(m.Quantity, "value"), significant(c.Weight, 2), strings.TrimSpace(significant(c.WeightStdDev, 2)+" "+m.Transform.ModelUnits(m.Units)))
	}
	return caption
}

// pathFigure shows targets, paths and samples.
func pathFigure(m *record.Mission, tracks *record.Tracks, path line) (figure, picture) {
	f := figure{
		Title: "Path and samples", Name: "path", part: forExperts,
		Alt:     fmt.Sprintf("Map of the robot's path with the targets and the 2σ ellipses of %s.", num.Count(len(m.Observations), "sample")),
		Caption: "Targets (squares), samples and the robot's path.",
	}
	p := picture{Name: "path", Lines: []line{path}}
	if len(tracks.True) > 0 {
		p.Lines = slices.Insert(p.Lines, 0, line{Points: [][]record.Place{painter.Places(tracks.True)}, Colour: "#e69f00"})
		f.part = ofSimulation
		f.Caption += " The true path is orange, the estimated one pink."
	}
	targets := each(m.Decisions, func(d record.Decision) record.Place { return painter.Place(d.Target) })
	switch {
	case m.Passive:
		f.Caption = "The robot's path, which the explorer did not choose, and the goals that the method would have chosen (red squares). A dashed line connects each goal with the robot's place at that moment." + driven(m.Suggestions)
		goals := each(m.Suggestions, func(s record.Suggestion) record.Place { return painter.Place(s.Target) })
		p.Lines = append(p.Lines, line{Points: each(m.Suggestions, func(s record.Suggestion) []record.Place { return painter.Places([]record.Place{s.Robot, s.Target}) }), Colour: "stop", Dash: true})
		p.Marks = append(p.Marks, mark{At: goals, Sign: "square", Colour: "stop"})
		targets = nil
	case m.WithoutStops():
		f.Caption += " Each sample is a piece of the path, and its ellipse covers that piece."
	}
	if len(targets) > 0 {
		p.Marks = append(p.Marks, mark{At: targets, Sign: "square", Colour: "ink"})
	}
	if len(m.Skipped) > 0 {
		f.Caption += " Crosses are targets that were given up."
		p.Marks = append(p.Marks, mark{At: each(m.Skipped, func(s record.Skipped) record.Place { return painter.Place(s.Target) }), Sign: "cross", Colour: "old"})
	}
	return f, p
}

// offsetFigure shows the samples relative to their targets. These distances are too small for a map
// of the field.
func offsetFigure(m *record.Mission, samples []painter.Sample) (figure, picture) {
	f := figure{
		Title: "Samples relative to their targets", Name: "offsets", part: forExperts,
		Alt:     "Scatter of the samples' beliefs relative to their targets, in metres.",
		Caption: "Samples relative to their targets, which show the errors of driving and of localisation. A circle with its 2σ ellipse is the estimated place of a sample; the square is the target.",
	}
	p := picture{Name: "offsets", Scene: &painter.Scene{Boundary: [][]record.Place{}}, Marks: []mark{{At: []record.Place{{0, 0}}, Sign: "square", Colour: "ink"}}}
	var joined [][]record.Place
	var places []record.Place
	for _, s := range samples {
		at := painter.Place(record.Place{s.At[0] - s.Target[0], s.At[1] - s.Target[1]})
		if s.True != nil {
			place := painter.Place(record.Place{s.True[0] - s.Target[0], s.True[1] - s.Target[1]})
			joined, places = append(joined, []record.Place{at, place}), append(places, place)
		}
		s.At = at
		p.Samples = append(p.Samples, s)
	}
	if len(places) > 0 {
		f.part = ofSimulation
		f.Caption += " A cross is its true place. About 86 % of the crosses should lie inside their ellipses."
		p.Lines, p.Marks = []line{{Points: joined, Colour: "old"}}, append(p.Marks, mark{At: places, Sign: "cross", Colour: "stop"})
	}
	if m.Noise != nil {
		f.Caption += " The dashed ellipse is the planner's model of the offset, 2σ."
		p.Lines = append(p.Lines, line{Points: [][]record.Place{ellipse(*m.Noise)}, Colour: "good", Dash: true})
	}
	return f, p
}

// ellipse returns the 2σ ellipse of a covariance about the origin as a closed line.
func ellipse(c record.Covariance) (ring []record.Place) {
	const corners = 72
	major, minor, angle := c.Axes()
	sin, cos := math.Sincos(angle)
	for i := range corners + 1 {
		s, c := math.Sincos(2 * math.Pi * float64(i) / corners)
		u, v := 2*major*c, 2*minor*s
		ring = append(ring, painter.Place(record.Place{u*cos - v*sin, u*sin + v*cos}))
	}
	return ring
}

// driven returns a sentence for a caption: by how much the upper confidence bound was
// lower where the robot went than at the suggested goals.
func driven(list []record.Suggestion) string {
	n, behind := 0, 0.0
	for _, s := range list {
		if goal, went := s.Acquisition(); s.Went != nil && num.Finite(goal-went) {
			behind += goal - went
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" At the places where the robot went instead, the upper confidence bound was lower by %s on average.", significant(behind/float64(n), 3))
}

// regretFigures has the curves of the regret over the number of samples, if it is known.
func regretFigures(m *record.Mission) []figure {
	if m.Truth == nil {
		return nil
	}
	title := withUnits("regret", m.Scale().Units)
	p := chart.Panel{Title: title, Axis: "samples", Steps: true}
	for _, k := range []struct {
		label string
		of    *record.Surface
		value func(record.RegretAt) float64
	}{
		{"best place sampled so far", &m.Truth.Raw, func(r record.RegretAt) float64 { return r.Simple }},
		{"recommended place", &m.Truth.Raw, func(r record.RegretAt) float64 { return r.Recommended }},
		{"recommended, smooth field", m.Truth.Smooth, func(r record.RegretAt) float64 { return r.Smooth }},
		{"recommended, expected under execution noise", m.Truth.Expected, func(r record.RegretAt) float64 { return r.Expected }},
	} {
		l := chart.Line{Label: k.label}
		for _, r := range m.Truth.RegretOverSamples {
			if v := k.value(r); k.of != nil {
				l.X, l.Y = append(l.X, float64(r.Samples)), append(l.Y, regret(m, k.of, v))
			}
		}
		if slices.ContainsFunc(l.Y, num.Finite) {
			p.Lines = append(p.Lines, l)
		}
	}
	if len(p.Lines) == 0 {
		return nil
	}
	return []figure{{
		part: ofSimulation, Title: "Regret over the samples", Alt: "Curves of the " + title + " over the number of samples.",
		Caption: "Difference from the " + extreme(m) + " true value after each sample. Zero is perfect.",
		Chart:   chart.SVG([]chart.Panel{p}, 1, ""),
	}}
}

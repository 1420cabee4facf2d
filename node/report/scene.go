package report

import (
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// scene is what the pictures of one mission draw from.
type scene struct {
	m      *Mission
	maps   *Maps
	tracks *Tracks
	view   view
}

const xMetres, yMetres = "x (m)", "y (m)"

// hasPlaces says whether there is anything to show on a map of the path.
func (s *scene) hasPlaces() bool {
	return len(s.m.Field.Boundary) > 0 || len(s.m.Observations) > 0 || len(s.m.Skipped) > 0 ||
		s.tracks != nil && len(s.tracks.Estimated)+len(s.tracks.True) > 0
}

// quantity returns what is measured, for titles.
func (s *scene) quantity() string {
	if s.m.Quantity == "" {
		return "value"
	}
	return s.m.Quantity
}

// withUnits appends units in brackets when there are any.
func withUnits(title, units string) string {
	if units == "" {
		return title
	}
	return title + " (" + units + ")"
}

// shownMean returns the map of the posterior mean in the user's units.
func (s *scene) shownMean() []float64 {
	shown := make([]float64, len(s.maps.Mean))
	for i, v := range s.maps.Mean {
		shown[i] = s.m.Transform.Inverse(v)
	}
	return shown
}

// shownStdDev returns the map of the posterior deviation in the user's units.
func (s *scene) shownStdDev() []float64 {
	shown := make([]float64, len(s.maps.StdDev))
	for i, v := range s.maps.StdDev {
		mean := math.NaN() // without it, only a deviation in model units is known
		if s.maps.Mean != nil {
			mean = s.maps.Mean[i]
		}
		shown[i] = s.m.Transform.Spread(mean, v)
	}
	return shown
}

// values returns the scale that truth and mean share, so that equal colours
// are equal values. Under a transform that cannot be undone they have no
// common unit, and each has its own scale.
func (s *scene) values(own []float64) scale {
	if !s.m.Transform.Known() {
		return scaleOf(&viridis, own)
	}
	return scaleOf(&viridis, s.maps.Truth, s.shownMean())
}

// overlay returns what every map of the field shows on top of its colours.
func (s *scene) overlay() []layer {
	var list []layer
	if len(s.m.Field.KeepOuts) > 0 {
		list = append(list, keepOuts(s.m.Field))
	}
	if len(s.m.Field.Boundary) > 0 {
		o := outline(s.m.Field)
		o.label = "" // the field's edge needs no words where it is the map's edge
		list = append(list, o)
	}
	if s.tracks != nil && len(s.tracks.Estimated) > 1 {
		list = append(list, track("path", s.tracks.Estimated, stroke(shade, 1.5), stroke(glow, 0.7)))
	}
	if s.m.Home != nil {
		list = append(list, mark("start", []Place{*s.m.Home}, triangle))
	}
	if len(s.m.Observations) > 0 {
		list = append(list, beliefs(s.m.Observations, white, shade))
	}
	return append(list, s.team()...)
}

// recommended returns the star, when there is a recommendation.
func (s *scene) recommended() []layer {
	if s.m.Recommendation == nil {
		return nil
	}
	return []layer{mark("recommended", []Place{s.m.Recommendation.Target}, star)}
}

// level returns the line at the threshold on a map in the user's units, when the
// mission looked for it.
func (s *scene) level(values []float64) []layer {
	if s.m.Threshold == nil || !s.m.Transform.Known() {
		return nil
	}
	label := "at " + measured(*s.m.Threshold, s.m.Units)
	return []layer{contour(label, s.maps.Grid, values, *s.m.Threshold, stroke(shade, 2.4), stroke(glow, 1.2))}
}

// heat draws a map of the field as colours under the given layers.
func (s *scene) heat(values []float64, b bar, layers []layer) ([]byte, error) {
	c := newChart(s.view, &b, xMetres, yMetres, legendOf(layers))
	img, w := c.pixels()
	paint(img, w, s.maps.Grid, values, b.scale, s.m.Field)
	return c.finish(layers)
}

// finish draws the layers and returns the picture.
func (c *chart) finish(layers []layer) ([]byte, error) {
	for _, l := range layers {
		l.draw(c)
	}
	c.drawFrame()
	return c.png()
}

func legendOf(layers []layer) []entry {
	var list []entry
	for _, l := range layers {
		if l.label != "" {
			list = append(list, l.entry)
		}
	}
	return list
}

// joined draws a thin line from each place of a list to its partner.
func joined(from, to []Place, s draw.LineStyle) layer {
	return layer{entry{}, func(c *chart) {
		for i := range from {
			line(c.area, s, []vg.Point{c.at(from[i]), c.at(to[i])})
		}
	}}
}

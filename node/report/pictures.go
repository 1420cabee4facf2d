package report

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette"

	"ugp_explorer/node/record"
)

// picture is a picture of the report: its file name, its texts and how it is drawn.
type picture struct {
	File    string // name in the mission's folder
	Title   string
	Alt     string // the content in a sentence, for people who cannot see it
	Caption string
	draw    func() ([]byte, error)
}

// render returns the PNG. It returns a panic of the drawing library as an error, so that a
// picture never stops the explorer.
func (p picture) render() (data []byte, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("report: drawing %s: %v", p.File, r)
		}
	}()
	if data, err = p.draw(); err != nil {
		err = fmt.Errorf("report: drawing %s: %w", p.File, err)
	}
	return data, err
}

// pictureFiles are the names of all pictures that a report can have.
var pictureFiles = []string{
	"truth.png", "mean.png", "stddev.png", "acquisition.png",
	"path.png", "offsets.png", "regret.png", "hyperparameters.png",
}

// pictures returns the pictures for which the mission has data, in the order of
// pictureFiles.
func pictures(m *record.Mission, maps *record.Maps, tracks *record.Tracks) []picture {
	if maps == nil {
		maps = new(record.Maps)
	}
	if tracks == nil {
		tracks = new(record.Tracks)
	}
	s := &scene{m: m, maps: maps, tracks: tracks, view: viewOf(m, maps, tracks)}
	var list []picture
	for _, p := range []struct {
		has  bool
		make func() picture
	}{
		{anyFinite(s.maps.Truth), s.truth},
		{anyFinite(s.maps.Mean), s.mean},
		{anyFinite(s.shownStdDev()), s.stdDev},
		{anyFinite(s.maps.Acquisition), s.acquisition},
		{s.hasPlaces(), s.path},
		{len(m.Observations) > 0 && !m.WithoutStops(), s.offsets},
		{len(regretCurves(m)) > 0, s.regret},
		{len(m.Hyper) > 0, s.hyper},
	} {
		if p.has {
			list = append(list, p.make())
		}
	}
	return list
}

func anyFinite(values []float64) bool { return slices.ContainsFunc(values, finite) }

// scene is the data for the pictures of a mission.
type scene struct {
	m      *record.Mission
	maps   *record.Maps
	tracks *record.Tracks
	view   view
}

const xMetres, yMetres = "x (m)", "y (m)"

// hasPlaces reports whether a map of the path shows anything.
func (s *scene) hasPlaces() bool {
	return len(s.m.Field.Boundary) > 0 || len(s.m.Observations) > 0 || len(s.m.Skipped) > 0 ||
		len(s.tracks.Estimated)+len(s.tracks.True) > 0
}

// shownMean returns the map of the posterior mean in the user's units.
func (s *scene) shownMean() []float64 {
	shown := make([]float64, len(s.maps.Mean))
	for i, v := range s.maps.Mean {
		shown[i] = s.m.Transform.Inverse(v)
	}
	return shown
}

// shownStdDev returns the map of the posterior standard deviation in the user's units.
func (s *scene) shownStdDev() []float64 {
	shown := make([]float64, len(s.maps.StdDev))
	for i, v := range s.maps.StdDev {
		mean := math.NaN() // without the mean only the standard deviation in model units is known
		if s.maps.Mean != nil {
			mean = s.maps.Mean[i]
		}
		shown[i] = s.m.Transform.Spread(mean, v)
	}
	return shown
}

// values returns the colour map of truth and mean. Both have the same range of values, so
// that equal colours are equal values, unless the transform cannot be undone: then their
// units differ, and each has its own range.
func (s *scene) values(own []float64) palette.ColorMap {
	if !s.m.Transform.Known() {
		return scaled(viridis(), own)
	}
	return scaled(viridis(), s.maps.Truth, s.shownMean())
}

// overlay returns the layers that every map of the field has above its colours.
func (s *scene) overlay() []layer {
	edge := outline(s.m.Field)
	edge.label = "" // the edge of the map needs no entry in the legend
	return []layer{
		keepOuts(s.m.Field),
		edge,
		track("path", s.tracks.Estimated, stroke(shade, 1.5), stroke(glow, 0.7)),
		mark("start", some(s.m.Home), start),
		s.before(),
		beliefs(s.m.Observations, stroke(shade, 1.6), stroke(white, 0.8)),
		s.team(),
	}
}

// recommended returns the star at the recommended place.
func (s *scene) recommended() layer {
	if s.m.Recommendation == nil {
		return layer{}
	}
	return mark("recommended", []record.Place{s.m.Recommendation.Target}, recommended)
}

// before returns the layer with the samples from before the mission.
func (s *scene) before() layer {
	return mark("sample from before the mission", each(s.m.Earlier, mean), earlier)
}

// team returns the layer with the samples of other robots.
func (s *scene) team() layer {
	of := func(t record.TeamSample) record.Place { return mean(t.Observation) }
	return mark("sample of another robot", each(s.m.Team, of), teamSample)
}

// each returns one place per element of a list.
func each[T any](list []T, of func(T) record.Place) []record.Place {
	places := make([]record.Place, len(list))
	for i, t := range list {
		places[i] = of(t)
	}
	return places
}

func mean(o record.Observation) record.Place   { return record.Place{o.Belief.X, o.Belief.Y} }
func target(o record.Observation) record.Place { return o.Target }

// some returns a list of the place, empty if it is nil.
func some(p *record.Place) []record.Place {
	if p == nil {
		return nil
	}
	return []record.Place{*p}
}

// level returns the line along which a map in the user's units crosses the threshold, if the
// mission has one.
func (s *scene) level(values []float64) layer {
	if s.m.Threshold == nil || !s.m.Transform.Known() {
		return layer{}
	}
	label := "at " + measured(*s.m.Threshold, s.m.Units)
	return contour(label, raster{s.maps.Grid, values}, *s.m.Threshold, stroke(shade, 2.4), stroke(glow, 1.2))
}

// heat draws a map of the field: the colours, a line on them, the overlay and more layers.
// The colours end at the field's boundary or, without one, at the known cells.
func (s *scene) heat(values []float64, b bar, line layer, more ...layer) ([]byte, error) {
	r := raster{s.maps.Grid, values}
	cover := layer{}
	if len(s.m.Field.Boundary) > 0 {
		r, cover = r.filled(), outside(s.m.Field, s.view)
	}
	layers := append([]layer{{plotters: []plot.Plotter{r.heat(b.colours)}}, line, cover}, s.overlay()...)
	return mapPNG(s.view, &b, xMetres, yMetres, append(append(layers, more...), s.recommended()))
}

package report

import (
	"fmt"

	"gonum.org/v1/plot/vg/draw"
)

func (s *scene) truth() picture {
	title := withUnits("true "+s.quantity(), s.m.Units)
	surface := ""
	if t := s.m.Truth; t != nil {
		surface = ": " + t.shown().Description
	}
	return picture{
		File: "truth.png", Title: "Truth",
		Alt:     "Map of the " + title + " with the samples, the path and the recommended place.",
		Caption: "The true " + s.quantity() + ", which the robot did not know" + surface + ". The posterior mean has the same colours for the same values.",
		draw: func() ([]byte, error) {
			layers := s.overlay()
			if t := s.m.Truth; t != nil {
				layers = append(layers, mark(s.m.extreme()+" true value", []Place{t.shown().BestAt}, diagonal(ink, white, 4, 1.4)))
			}
			layers = append(layers, s.level(s.maps.Truth)...)
			layers = append(layers, s.recommended()...)
			return s.heat(s.maps.Truth, bar{s.values(s.maps.Truth), title}, layers)
		},
	}
}

func (s *scene) mean() picture {
	name := "posterior mean of "
	if t := s.m.Transform; t.Known() && t.modelUnits("") != "" {
		name = "posterior median of " // a monotone function keeps medians, not means
	}
	title := withUnits(name+s.quantity(), s.m.Transform.shownUnits(s.m.Units))
	return picture{
		File: "mean.png", Title: "Posterior mean",
		Alt:     "Map of the " + title + " with the samples, the path and the recommended place.",
		Caption: "What the samples say about the field: the " + name + s.quantity() + ". Each dot is where a sample was probably taken, its ellipse holds 86 % of that belief.",
		draw: func() ([]byte, error) {
			shown := s.shownMean()
			layers := append(s.overlay(), s.level(shown)...)
			return s.heat(shown, bar{s.values(shown), title}, append(layers, s.recommended()...))
		},
	}
}

func (s *scene) stdDev() picture {
	title := withUnits("posterior deviation", s.m.Transform.shownUnits(s.m.Units))
	caption := "How uncertain the map still is: one standard deviation of the posterior. It is small near samples whose places are well known, less so where they are not."
	if t := s.m.Transform; t.Known() && t.modelUnits("") != "" {
		caption = "How uncertain the map still is: half the width of the posterior's 68 % interval, in the user's units."
	}
	return picture{
		File: "stddev.png", Title: "Posterior deviation",
		Alt:     "Map of the " + title + " with the samples and the path.",
		Caption: caption,
		draw: func() ([]byte, error) {
			shown := s.shownStdDev()
			return s.heat(shown, bar{scaleOf(&magma, shown), title}, append(s.overlay(), s.recommended()...))
		},
	}
}

func (s *scene) acquisition() picture {
	title := withUnits("acquisition", s.m.Transform.modelUnits(s.m.Units))
	return picture{
		File: "acquisition.png", Title: "Acquisition",
		Alt:     "Map of the " + title + " with the samples and the path.",
		Caption: "The upper confidence bound at the end of the mission: what the mean is worth to the objective, and β deviations. A method that decides by it would go next where it is highest, less what the way costs.",
		draw: func() ([]byte, error) {
			return s.heat(s.maps.Acquisition, bar{scaleOf(&viridis, s.maps.Acquisition), title}, append(s.overlay(), s.recommended()...))
		},
	}
}

// path shows where the robot was sent, where it went and where it was.
func (s *scene) path() picture {
	caption := "Where the robot was sent, and where it took its samples. A thin line joins each target to the belief of the sample that was taken for it."
	if s.m.Passive {
		caption = "Where the robot went, driven by others, and the goals that would have been chosen, each joined with where the robot was at that moment." + driven(s.m.Suggestions)
	}
	return picture{
		File: "path.png", Title: "Path and samples",
		Alt:     fmt.Sprintf("Map of the robot's path with the targets and the 2σ ellipses of %s.", Count(len(s.m.Observations), "sample")),
		Caption: caption,
		draw: func() ([]byte, error) {
			layers := s.pathLayers()
			return newChart(s.view, nil, xMetres, yMetres, legendOf(layers)).finish(layers)
		},
	}
}

func (s *scene) pathLayers() []layer {
	var list []layer
	if len(s.m.Field.KeepOuts) > 0 {
		list = append(list, keepOuts(s.m.Field))
	}
	if len(s.m.Field.Boundary) > 0 {
		list = append(list, outline(s.m.Field))
	}
	if s.tracks != nil && len(s.tracks.True) > 1 {
		list = append(list, track("true path", s.tracks.True, stroke(orange, 1.4)))
	}
	if s.tracks != nil && len(s.tracks.Estimated) > 1 {
		list = append(list, track("estimated path", s.tracks.Estimated, stroke(blue, 0.7)))
	}
	if s.m.Home != nil {
		list = append(list, mark("start", []Place{*s.m.Home}, triangle))
	}
	var targets, means, skipped []Place
	for _, o := range s.m.Observations {
		targets = append(targets, o.Target)
		means = append(means, Place{o.Belief.X, o.Belief.Y})
	}
	for _, t := range s.m.Skipped {
		skipped = append(skipped, t.Target)
	}
	if len(targets) > 0 && !s.m.Passive {
		list = append(list, joined(targets, means, stroke(ink, 0.5)),
			mark("target", targets, square(ink, targetRadius, 0.8)))
	}
	if len(skipped) > 0 {
		list = append(list, mark("target given up", skipped, diagonal(grey, white, markRadius, 1)))
	}
	if len(targets) > 0 {
		list = append(list, beliefs(s.m.Observations, blue, nil))
	}
	list = append(list, s.team()...)
	if len(s.m.Suggestions) > 0 {
		list = append(list, suggestions(s.m.Suggestions)...)
	}
	return append(list, s.recommended()...)
}

// offsets puts every target at the origin and shows where the robot stood
// instead: metres on a picture of its own, however large the field.
func (s *scene) offsets() picture {
	caption := "Every target moved to the origin, which shows the errors of driving and of localisation however large the field. A dot and its 2σ ellipse: where the filter believed the sample to be."
	if s.trueKnown() {
		caption += " A cross: where it really was. About 86 % of the crosses should lie inside their ellipses."
	}
	return picture{
		File: "offsets.png", Title: "Samples relative to their targets",
		Alt:     "Scatter of the samples' beliefs relative to their targets, in metres.",
		Caption: caption,
		draw: func() ([]byte, error) {
			moved, places := s.moved()
			v := view{0, 0, 0, 0}
			for _, o := range moved {
				a := principal(o.Belief.Covariance())
				r := ellipseSigmas * a.Major
				v.add(Place{o.Belief.X - r, o.Belief.Y - r}, Place{o.Belief.X + r, o.Belief.Y + r})
			}
			v.add(places...)
			var layers []layer
			if len(places) > 0 {
				var from, to []Place
				for _, o := range moved {
					if o.TruePlace != nil {
						from, to = append(from, Place{o.Belief.X, o.Belief.Y}), append(to, *o.TruePlace)
					}
				}
				layers = append(layers, joined(from, to, stroke(grey, 0.5)))
			}
			layers = append(layers, beliefs(moved, faintBlue, nil))
			if len(places) > 0 {
				layers = append(layers, mark("true place", places, diagonal(vermillion, white, 2.2, 1)))
			}
			layers = append(layers, s.executionNoise()...)
			layers = append(layers, mark("target", []Place{{0, 0}}, square(ink, 1.4*targetRadius, 1.2)))
			return newChart(v.framed(), nil, "x − target (m)", "y − target (m)", legendOf(layers)).finish(layers)
		},
	}
}

// moved returns the observations and the true places relative to the targets.
func (s *scene) moved() (list []Observation, places []Place) {
	for _, o := range s.m.Observations {
		o.Belief.X -= o.Target[0]
		o.Belief.Y -= o.Target[1]
		if o.TruePlace != nil {
			p := Place{o.TruePlace[0] - o.Target[0], o.TruePlace[1] - o.Target[1]}
			o.TruePlace = &p
			places = append(places, p)
		}
		list = append(list, o)
	}
	return list, places
}

func (s *scene) trueKnown() bool {
	for _, o := range s.m.Observations {
		if o.TruePlace != nil {
			return true
		}
	}
	return false
}

// executionNoise draws the 2σ ellipse of the planner's model of where the
// robot ends up.
func (s *scene) executionNoise() []layer {
	if s.m.Noise == nil {
		return nil
	}
	n := *s.m.Noise
	model := ellipse(Belief{XX: n.XX, XY: n.XY, YY: n.YY}, ellipseSigmas)
	return []layer{track("planner's model of the offset, 2σ", model, draw.LineStyle{Color: green, Width: 1.2, Dashes: dashed})}
}

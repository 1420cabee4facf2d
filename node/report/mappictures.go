package report

import (
	"fmt"
	"image/color"
)

func (s *scene) truth() picture {
	title := withUnits("true "+quantity(s.m), s.m.Units)
	what := ""
	if t := s.m.Truth; t != nil {
		what = ": " + surface(t).Description
	}
	return picture{
		File: "truth.png", Title: "Truth",
		Alt:     "Map of the " + title + " with the samples, the path and the recommended place.",
		Caption: "The true " + quantity(s.m) + ", which the robot did not know" + what + ". The posterior mean has the same colours for the same values.",
		draw: func() ([]byte, error) {
			layers := s.overlay()
			if t := s.m.Truth; t != nil {
				layers = append(layers, mark(extreme(s.m)+" true value", []Place{surface(t).BestAt}, crossed(ink, 4.5)))
			}
			return s.heat(s.maps.Truth, bar{s.values(s.maps.Truth), title}, s.level(s.maps.Truth), append(layers, s.recommended()...))
		},
	}
}

func (s *scene) mean() picture {
	name := "posterior mean of "
	if t := s.m.Transform; nonLinear(t) {
		name = "posterior median of " // a monotone function keeps medians, not means
	}
	title := withUnits(name+quantity(s.m), shownUnits(s.m.Transform, s.m.Units))
	return picture{
		File: "mean.png", Title: "Posterior mean",
		Alt:     "Map of the " + title + " with the samples, the path and the recommended place.",
		Caption: "What the samples say about the field: the " + name + quantity(s.m) + ". Each dot is where a sample was probably taken, its ellipse holds 86 % of that belief.",
		draw: func() ([]byte, error) {
			shown := s.shownMean()
			return s.heat(shown, bar{s.values(shown), title}, s.level(shown), append(s.overlay(), s.recommended()...))
		},
	}
}

func (s *scene) stdDev() picture {
	title := withUnits("posterior standard deviation", shownUnits(s.m.Transform, s.m.Units))
	caption := "How uncertain the map still is: one standard deviation of the posterior. It is small near samples whose places are well known, less so where they are not."
	if t := s.m.Transform; nonLinear(t) {
		caption = "How uncertain the map still is: half the width of the posterior's 68 % interval, in the user's units."
	}
	return picture{
		File: "stddev.png", Title: "Posterior standard deviation",
		Alt:     "Map of the " + title + " with the samples and the path.",
		Caption: caption,
		draw: func() ([]byte, error) {
			shown := s.shownStdDev()
			return s.heat(shown, bar{scaled(magma(), shown), title}, nil, append(s.overlay(), s.recommended()...))
		},
	}
}

func (s *scene) acquisition() picture {
	title := withUnits("acquisition", modelUnits(s.m.Transform, s.m.Units))
	return picture{
		File: "acquisition.png", Title: "Acquisition",
		Alt:     "Map of the " + title + " with the samples and the path.",
		Caption: "The upper confidence bound at the end of the mission: what the mean is worth to the objective, and β standard deviations. A method that decides by it would go next where it is highest, less the cost of the path.",
		draw: func() ([]byte, error) {
			return s.heat(s.maps.Acquisition, bar{scaled(viridis(), s.maps.Acquisition), title}, nil, append(s.overlay(), s.recommended()...))
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
			return mapPNG(s.view, nil, xMetres, yMetres, s.pathLayers())
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
		list = append(list, mark("start", []Place{*s.m.Home}, start))
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
		list = append(list, joined("", targets, means, stroke(ink, 0.5)),
			mark("target", targets, open(ink, 3.6)))
	}
	if len(skipped) > 0 {
		list = append(list, mark("target given up", skipped, crossed(grey, 4)))
	}
	if len(targets) > 0 {
		list = append(list, beliefs(s.m.Observations, stroke(blue, 0.8)))
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
				layers = append(layers, joined("", from, to, stroke(grey, 0.5)))
			}
			layers = append(layers, beliefs(moved, stroke(color.NRGBA{blue.R, blue.G, blue.B, 0xA0}, 0.8)))
			if len(places) > 0 {
				layers = append(layers, mark("true place", places, crossed(vermillion, 3)))
			}
			layers = append(layers, s.executionNoise()...)
			layers = append(layers, mark("target", []Place{{0, 0}}, open(ink, 5)))
			return mapPNG(v.framed(), nil, "x − target (m)", "y − target (m)", layers)
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
	return []layer{track("planner's model of the offset, 2σ", model, stroke(green, 1.2, dashed...))}
}

// suggestions draws each goal that was suggested, joined with where the robot was
// then.
func suggestions(list []Suggestion) []layer {
	var from, to []Place
	for _, s := range list {
		from, to = append(from, s.Robot), append(to, s.Target)
	}
	return []layer{
		joined("robot at the time to its goal", from, to, stroke(vermillion, 0.5, dashed...)),
		mark("suggested goal", to, open(vermillion, 3.6)),
	}
}

// driven says how much of the suggested bound the robot's own paths had, for a
// caption.
func driven(list []Suggestion) string {
	n, behind := 0, 0.0
	for _, s := range list {
		if goal, went := s.Acquisition(); s.Went != nil && finite(goal-went) {
			behind += goal - went
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" Where the robot went instead, the bound was lower by %s in the mean.", significant(behind/float64(n), 3))
}

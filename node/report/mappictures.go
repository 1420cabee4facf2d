package report

import (
	"fmt"
	"image/color"

	"ugp_explorer/node/record"
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
		Caption: "The true " + quantity(s.m) + ", which the robot did not know" + what + ". The picture of the posterior mean has the same colours for the same values.",
		draw: func() ([]byte, error) {
			best := layer{}
			if t := s.m.Truth; t != nil {
				best = mark(extreme(s.m)+" true value", []record.Place{surface(t).BestAt}, crossed(ink, 4.5))
			}
			return s.heat(s.maps.Truth, bar{s.values(s.maps.Truth), title}, s.level(s.maps.Truth), best)
		},
	}
}

func (s *scene) mean() picture {
	name := "posterior mean of "
	if nonLinear(s.m.Transform) {
		name = "posterior median of " // see nonLinear
	}
	title := withUnits(name+quantity(s.m), shownUnits(s.m.Transform, s.m.Units))
	return picture{
		File: "mean.png", Title: "Posterior mean",
		Alt:     "Map of the " + title + " with the samples, the path and the recommended place.",
		Caption: "The map that the samples give: the " + name + quantity(s.m) + ". Each dot is the believed place of a sample; its ellipse contains 86 % of the belief.",
		draw: func() ([]byte, error) {
			shown := s.shownMean()
			return s.heat(shown, bar{s.values(shown), title}, s.level(shown))
		},
	}
}

func (s *scene) stdDev() picture {
	title := withUnits("posterior standard deviation", shownUnits(s.m.Transform, s.m.Units))
	caption := "Uncertainty of the map: one standard deviation of the posterior, with what the samples leave open about the hyper-parameters. It is small near samples and smallest where their places are well known."
	if nonLinear(s.m.Transform) {
		caption = "Uncertainty of the map: half the width of the posterior's 68 % interval."
	}
	return picture{
		File: "stddev.png", Title: "Posterior standard deviation",
		Alt:     "Map of the " + title + " with the samples and the path.",
		Caption: caption,
		draw: func() ([]byte, error) {
			shown := s.shownStdDev()
			return s.heat(shown, bar{scaled(magma(), shown), title}, layer{})
		},
	}
}

func (s *scene) acquisition() picture {
	title := withUnits("acquisition", modelUnits(s.m.Transform, s.m.Units))
	return picture{
		File: "acquisition.png", Title: "Acquisition",
		Alt:     "Map of the " + title + " with the samples and the path.",
		Caption: "The upper confidence bound at the end of the mission: the merit of the mean for the objective plus β standard deviations, both as on the maps. Where it is high, a sample promises much. A decision leaves out the roughest model, and subtracts the price of the path, so the next target need not be where it is highest.",
		draw: func() ([]byte, error) {
			return s.heat(s.maps.Acquisition, bar{scaled(viridis(), s.maps.Acquisition), title}, layer{})
		},
	}
}

// path shows targets, paths and samples.
func (s *scene) path() picture {
	caption := "Targets, samples and the robot's path. A thin line joins each target and the believed place of its sample."
	switch {
	case s.m.Passive:
		caption = "The robot's path, driven by somebody else, and the goals that the method would have chosen. A line joins each goal and the robot's place at that moment." + driven(s.m.Suggestions)
	case s.m.WithoutStops():
		caption = "Targets, samples and the robot's path. Each sample is a piece of the path, and its ellipse covers the piece."
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
	to := func(g record.Suggestion) record.Place { return g.Target }
	goals, from := each(s.m.Suggestions, to), each(s.m.Suggestions, func(g record.Suggestion) record.Place { return g.Robot })
	list := []layer{
		keepOuts(s.m.Field),
		outline(s.m.Field),
		track("true path", s.tracks.True, stroke(orange, 1.4)),
		track("estimated path", s.tracks.Estimated, stroke(blue, 0.7)),
		mark("start", some(s.m.Home), start),
	}
	switch {
	case s.m.Passive:
	case s.m.WithoutStops():
		targets := each(s.m.Decisions, func(d record.Decision) record.Place { return d.Target })
		list = append(list, mark("target", targets, open(ink, 3.6)))
	default:
		targets := each(s.m.Observations, target)
		list = append(list, joined("", targets, each(s.m.Observations, mean), stroke(ink, 0.5)), mark("target", targets, open(ink, 3.6)))
	}
	return append(list,
		mark("target given up", each(s.m.Skipped, func(t record.Skipped) record.Place { return t.Target }), crossed(grey, 4)),
		s.before(),
		beliefs(s.m.Observations, stroke(blue, 0.8)),
		s.team(),
		joined("from the robot to the suggested goal", from, goals, stroke(vermillion, 0.5, dashed...)),
		mark("suggested goal", goals, open(vermillion, 3.6)),
		s.recommended(),
	)
}

// offsets shows the samples relative to their targets. These distances are too small for a
// map of the field.
func (s *scene) offsets() picture {
	moved, from, to := s.moved()
	caption := "Samples relative to their targets, which shows the errors of driving and of localisation. A dot with its 2σ ellipse is the believed place of a sample."
	if len(to) > 0 {
		caption += " A cross is its true place. About 86 % of the crosses should lie inside their ellipses."
	}
	return picture{
		File: "offsets.png", Title: "Samples relative to their targets",
		Alt:     "Scatter of the samples' beliefs relative to their targets, in metres.",
		Caption: caption,
		draw: func() ([]byte, error) {
			v := view{0, 0, 0, 0}
			for _, o := range moved {
				r := ellipseSigmas * principal(o.Belief.Covariance()).Major
				v.add(record.Place{o.Belief.X - r, o.Belief.Y - r}, record.Place{o.Belief.X + r, o.Belief.Y + r})
			}
			v.add(to...)
			model := layer{}
			if n := s.m.Noise; n != nil {
				ring := ellipse(record.Belief{XX: n.XX, XY: n.XY, YY: n.YY}, ellipseSigmas)
				model = track("planner's model of the offset, 2σ", ring, stroke(green, 1.2, dashed...))
			}
			return mapPNG(v.framed(), nil, "x − target (m)", "y − target (m)", []layer{
				mark("target", []record.Place{{0, 0}}, open(ink, 5)),
				joined("", from, to, stroke(grey, 0.5)),
				beliefs(moved, stroke(color.NRGBA{blue.R, blue.G, blue.B, 0xA0}, 0.8)),
				mark("true place", to, crossed(vermillion, 3)),
				model,
			})
		},
	}
}

// moved returns the observations relative to their targets, and for those with a known true
// place also the mean and the true place, relative to the target too.
func (s *scene) moved() (list []record.Observation, means, places []record.Place) {
	for _, o := range s.m.Observations {
		o.Belief.X -= o.Target[0]
		o.Belief.Y -= o.Target[1]
		if p := o.TruePlace; p != nil {
			means, places = append(means, mean(o)), append(places, record.Place{p[0] - o.Target[0], p[1] - o.Target[1]})
		}
		list = append(list, o)
	}
	return list, means, places
}

// driven returns a sentence for a caption: by how much the upper confidence bound was
// lower where the robot went than at the suggested goals.
func driven(list []record.Suggestion) string {
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
	return fmt.Sprintf(" Where the robot went instead, the upper confidence bound was lower by %s on average.", significant(behind/float64(n), 3))
}

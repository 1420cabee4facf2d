package report

import (
	"fmt"
	"slices"
)

// picture is one PNG of a report: where it goes, what one sees on it, and how
// it is made.
type picture struct {
	File    string // name in the report's folder
	Title   string
	Alt     string // the content in a sentence, for those who cannot see it
	Caption string
	draw    func() ([]byte, error)
}

// render makes the PNG. A panic inside the drawing library comes back as an
// error, so that a picture never takes the record of a mission with it.
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

// pictureFiles are the names of every picture that a report may have.
var pictureFiles = []string{
	"truth.png", "mean.png", "stddev.png", "acquisition.png",
	"path.png", "offsets.png", "regret.png", "hyperparameters.png",
}

// pictures returns the pictures for which the mission has data, in the order
// of pictureFiles.
func pictures(m *Mission, maps *Maps, tracks *Tracks) []picture {
	s := &scene{m: m, maps: maps, tracks: tracks, view: viewOf(m, maps, tracks)}
	var list []picture
	for _, p := range []struct {
		has  bool
		make func() picture
	}{
		{maps != nil && anyFinite(s.maps.Truth), s.truth},
		{maps != nil && anyFinite(s.maps.Mean), s.mean},
		{maps != nil && anyFinite(s.shownStdDev()), s.stdDev},
		{maps != nil && anyFinite(s.maps.Acquisition), s.acquisition},
		{s.hasPlaces(), s.path},
		{len(m.Observations) > 0 && !m.Passive, s.offsets},
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

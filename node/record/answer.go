// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package record

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"ugp_explorer/internal/num"
	"ugp_explorer/planner/earth"
)

// Answer is what a mission has found out, in the words of the page, the report, the terminal and
// the exports.
type Answer struct {
	Text    string `json:"text"`              // a sentence
	Note    string `json:"note,omitempty"`    // what its numbers mean
	Place   string `json:"place,omitempty"`   // of the recommendation; empty: Text names no place
	Decimal string `json:"decimal,omitempty"` // latitude and longitude, degrees, as other programs read them; empty without a datum
}

// Lines returns the answer as lines of a terminal or a text file.
func (a Answer) Lines() string {
	if a.Decimal == "" {
		return a.Text + "\n"
	}
	return a.Text + "\nFor a map on a phone, latitude and longitude: " + a.Decimal + "\n"
}

// Answer returns the answer so far. maps are those of the samples so far, and nil if they are not
// known: then it says nothing about the rest of the field. Readings that are logarithms, by the
// transform or by a unit such as "log10(mg/l)", are shown as the quantity itself.
func (m *Mission) Answer(maps *Maps) Answer {
	a := m.answer(maps)
	a.Note = strings.TrimSpace(strings.TrimSpace(a.Note+" "+m.StruckText()) + " " + m.AlikeText())
	for i := range m.Covariates {
		a.Note = strings.TrimSpace(a.Note + " " + m.Explained(i))
	}
	a.Note = strings.TrimSpace(a.Note + " " + m.Heard())
	return a
}

func (m *Mission) answer(maps *Maps) Answer {
	p := m.Scale()
	if maps == nil || maps.Mean == nil || maps.StdDev == nil {
		maps = new(Maps)
	}
	switch {
	case len(m.Observations) == 0:
		return Answer{Text: "There is no answer yet: no sample has been taken."}
	case m.Objective == ObjectiveMap:
		return p.overField(maps)
	case m.Objective == ObjectiveThreshold && m.Threshold != nil:
		return p.sides(maps.Survey(m.Transform, m.Threshold), *m.Threshold)
	case m.Recommendation == nil:
		return Answer{Text: "There is no best place: the same " + p.Quantity + " is expected everywhere."}
	}
	r := m.Recommendation
	extreme, other, sign := "Highest", "higher", 1.0
	if m.Objective == ObjectiveMinimum {
		extreme, other, sign = "Lowest", "lower", -1
	}
	i := p.interval(r.Mean, r.StdDev, p.Value)
	a := Answer{Note: fmt.Sprintf("The %s there lies between %s and %s with a probability of 95 %%; it is as likely to be above as below %s.",
		p.Quantity, withUnits(i.low, i.units), withUnits(i.high, i.units), withUnits(i.middle, i.units))}
	a.Place, a.Decimal = m.PlaceText(r.Target)
	a.Text = fmt.Sprintf("%s %s: about %s at %s", extreme, p.Quantity, i, a.Place)
	if m.Home != nil {
		a.Text += fmt.Sprintf(", %.0f m from home", math.Hypot(r.Target[0]-m.Home[0], r.Target[1]-m.Home[1]))
	}
	cells, better := 0, 0
	for i, mean := range maps.Mean {
		if !math.IsNaN(mean) {
			cells++
			if sign*mean+2*maps.StdDev[i] > sign*r.Mean {
				better++
			}
		}
	}
	switch share := float64(better) / float64(cells); {
	case better > 0:
		a.Text += fmt.Sprintf("; a %s value is still possible on %s of the field", other, wholePercent(share))
		a.Note += fmt.Sprintf(" A %s value counts as possible where its probability is more than 2 %%.", other)
	case cells > 0:
		a.Text += fmt.Sprintf("; a %s value is unlikely elsewhere", other)
	}
	a.Text += "."
	return a
}

// LooksForBest reports whether the mission looks for a best place, and not for a map or a line.
func (m *Mission) LooksForBest() bool {
	return m.Objective != ObjectiveMap && m.Objective != ObjectiveThreshold
}

// text writes a value with its units.
func (s *Scale) text(v float64, decimals int) string {
	return withUnits(number(v, decimals), s.Units)
}

// overField is the answer of a mission that makes a map.
func (s *Scale) overField(maps *Maps) Answer {
	low, high, spread, stdDev, cells := math.Inf(1), math.Inf(-1), 0.0, 0.0, 0.0
	for i, mean := range maps.Mean {
		if v := s.Value(mean); !math.IsNaN(v) {
			low, high = min(low, v), max(high, v)
			spread += s.Spread(mean, maps.StdDev[i])
			stdDev += maps.StdDev[i]
			cells++
		}
	}
	if cells == 0 {
		return Answer{Text: "There is no map of the " + s.Quantity + " yet."}
	}
	spread /= cells
	digits := decimals(2 * spread)
	if s.Log != "" { // the value is as far below as above by a factor
		factor := s.Value(stdDev/cells) / s.Value(0)
		return Answer{
			Text: fmt.Sprintf("The %s is expected between %s and %s over the field, known within a factor of %s on average.",
				s.Quantity, number(low, digits), s.text(high, digits), number(factor, decimals(factor-1))),
			Note: "The factor is that of a standard deviation, averaged over the field.",
		}
	}
	return Answer{
		Text: fmt.Sprintf("The %s is expected between %s and %s over the field, known to ± %s on average.",
			s.Quantity, number(low, digits), s.text(high, digits), s.text(spread, digits)),
		Note: "The number behind ± is the standard deviation, averaged over the field.",
	}
}

// sides is the answer of a mission that looks for the line of a threshold, user's units.
func (s *Scale) sides(survey *Survey, threshold float64) Answer {
	level := strings.TrimSpace(strconv.FormatFloat(s.Reading(threshold), 'g', 4, 64) + " " + s.Units)
	if survey == nil {
		return Answer{Text: fmt.Sprintf("It is not yet known where the %s is above %s.", s.Quantity, level)}
	}
	return Answer{
		Text: fmt.Sprintf("The %s is above %s on %s of the field and below it on %s; %s is undecided.",
			s.Quantity, level, wholePercent(survey.Above), wholePercent(survey.Below), wholePercent(max(0, 1-survey.Above-survey.Below))),
		Note: "The field is undecided where the other side of the threshold has a probability of more than 2 %.",
	}
}

// Datum returns the longitude and latitude of the map's origin: the explorer's field.datum or, for an
// outline in metres, the datum of a filter whose parameters are in the record; nil: it is unknown.
func (m *Mission) Datum() *earth.Datum {
	for _, name := range []string{"field.datum", "datum"} {
		for _, parameters := range m.Settings {
			text, _ := json.Marshal(parameters[name]) // a list, whether of a mission under way or of a record that was read
			var list []float64
			if err := json.Unmarshal(text, &list); err == nil && len(list) == 2 {
				return &earth.Datum{Lon: list[0], Lat: list[1]}
			}
		}
	}
	return nil
}

// PlaceText writes a place for people, and as decimal latitude and longitude for other programs.
// Without a datum the place is in metres of the map, and decimal is empty.
func (m *Mission) PlaceText(p Place) (text, decimal string) {
	d := m.Datum()
	if d == nil {
		return fmt.Sprintf("(%.1f, %.1f) m on the map", p[0], p[1]), ""
	}
	lon, lat := d.LonLat(p[0], p[1])
	return DegreesText(lon, lat), fmt.Sprintf("%.6f, %.6f", lat, lon)
}

// DegreesText writes a longitude and latitude for people, to about a metre.
func DegreesText(lon, lat float64) string {
	side := func(v float64, positive, negative string) string {
		if v < 0 {
			positive = negative
		}
		return fmt.Sprintf("%.5f° %s", math.Abs(v), positive)
	}
	return side(lat, "N", "S") + ", " + side(lon, "E", "W")
}

// decimals returns the number of decimals, which may be negative, with which values are written that
// are known to lie in an interval of this width.
func decimals(width float64) int {
	if !(width > 0) || math.IsInf(width, 0) {
		return 3
	}
	e := math.Floor(math.Log10(width / 2))
	if width/2 < 2*math.Pow(10, e) {
		e--
	}
	return int(-e)
}

// number writes a value with a number of decimals, but no more than six significant digits.
func number(v float64, decimals int) string {
	most := 5
	if v != 0 && num.Finite(v) {
		most -= int(math.Floor(math.Log10(math.Abs(v))))
	}
	decimals = min(decimals, most)
	if decimals > 9 || math.Abs(v) >= 1e9 || !num.Finite(v) {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	unit := math.Pow10(decimals)
	return strconv.FormatFloat(math.Round(v*unit)/unit+0, 'f', max(decimals, 0), 64) // +0: never "-0"
}

// wholePercent writes a share of the field.
func wholePercent(share float64) string {
	switch {
	case share > 0 && share < 0.005:
		return "less than 1 %"
	case share < 1 && share > 0.995:
		return "more than 99 %"
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}

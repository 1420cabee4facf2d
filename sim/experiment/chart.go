// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package experiment

import "gonum.org/v1/gonum/stat"

// Chart is the content of a picture: curves over the samples or, where the series have places,
// over the quantity that Axis names.
type Chart struct {
	Name   string // of its file, without an extension
	Title  string // of the vertical axis
	Axis   string
	Series []Series
	Spread string // what the series' Deviation is
}

// Series is a method's mean over the trials and its spread at each place.
type Series struct {
	Label           string
	Mean, Deviation []float64
	At              []float64 // places on the horizontal axis; nil: the samples
}

// Lines returns c with a curve over the samples for each method under a setting, the mean and the
// deviation over the trials; nothing where no trial has all methods.
func (s *Study[S, J, R]) Lines(c Chart, results []R, curve func(R) []float64, setting S) []Chart {
	groups := s.Groups(results, setting)
	if len(groups[0].Results) == 0 {
		return nil
	}
	for _, g := range groups {
		series, values := Series{Label: g.Method}, make([][]float64, len(g.Results))
		for i, r := range g.Results {
			values[i] = curve(r)
		}
		for n := range values[0] {
			figures := make([]float64, len(values))
			for i, v := range values {
				figures[i] = v[n]
			}
			mean, stdDev := figures[0], 0.0
			if len(figures) > 1 {
				mean, stdDev = stat.MeanStdDev(figures, nil)
			}
			series.Mean, series.Deviation = append(series.Mean, mean), append(series.Deviation, stdDev)
		}
		c.Series = append(c.Series, series)
	}
	return []Chart{c}
}

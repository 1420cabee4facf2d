// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package experiment

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// Curve is a figure after each sample of a result, by which methods are compared: less is better.
type Curve[R any] struct {
	Name string
	Of   func(R) []float64
}

// Column is a figure of a result that a table shows beside the curves.
type Column[R any] struct {
	Name, Format string
	Of           func(R) float64
}

// Comparison is the layout of a table that compares methods.
type Comparison[R any] struct {
	Before, After []Column[R] // means over the trials, to the left and right of the curves
	Curves        []Curve[R]  // after the last sample
}

// Compare writes a Markdown table with a row for each group: mean and standard error of
// each curve's last value, and the paired difference to the first group.
func (c *Comparison[R]) Compare(b *strings.Builder, groups []Group[R]) {
	n := len(c.Before) + len(c.After)
	b.WriteString("| method |")
	for _, column := range c.Before {
		fmt.Fprintf(b, " %s |", column.Name)
	}
	for _, curve := range c.Curves {
		fmt.Fprintf(b, " %s | behind |", curve.Name)
		n += 2
	}
	for _, column := range c.After {
		fmt.Fprintf(b, " %s |", column.Name)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", n) + "\n")
	for i, g := range groups {
		fmt.Fprintf(b, "| %s |", g.Method)
		means(b, c.Before, g.Results)
		for _, curve := range c.Curves {
			figures := last(g.Results, curve.Of)
			mean, se := MeanError(figures)
			fmt.Fprintf(b, " %.4f ± %.4f |", mean, se)
			if i == 0 {
				b.WriteString(" |")
			} else {
				fmt.Fprintf(b, " %v |", Compare(last(groups[0].Results, curve.Of), figures))
			}
		}
		means(b, c.After, g.Results)
		b.WriteString("\n")
	}
}

func means[R any](b *strings.Builder, columns []Column[R], results []R) {
	for _, c := range columns {
		fmt.Fprintf(b, " "+c.Format+" |", stat.Mean(Figures(results, c.Of), nil))
	}
}

// Figures returns a figure of each result.
func Figures[R any](results []R, of func(R) float64) []float64 {
	list := make([]float64, len(results))
	for i, r := range results {
		list[i] = of(r)
	}
	return list
}

// sections writes a table for each setting under a heading that title begins.
func (s *Study[S, J, R]) sections(b *strings.Builder, results []R, title func(S) string) {
	for _, setting := range s.Settings {
		groups := s.Groups(results, setting)
		n := len(groups[0].Results)
		fmt.Fprintf(b, "\n%s: %d of %d trials\n\n", title(setting), n, s.Trials)
		if n == 0 {
			b.WriteString("No trial has all methods yet.\n")
			continue
		}
		s.Compare(b, groups)
	}
}

// last returns the last value of a curve for each result, NaN where the curve is empty.
func last[R any](results []R, curve func(R) []float64) []float64 {
	return Figures(results, func(r R) float64 {
		if c := curve(r); len(c) > 0 {
			return c[len(c)-1]
		}
		return math.NaN()
	})
}

// MeanError returns the mean of x and its standard error.
func MeanError(x []float64) (mean, standardError float64) {
	mean, deviation := stat.MeanStdDev(x, nil)
	return mean, stat.StdErr(deviation, float64(len(x)))
}

// Paired is the comparison of one method with another on the same trials.
type Paired struct {
	Difference, StandardError float64 // of the other's figures less the first's
	Wins                      int     // trials on which the first's figure was the smaller
}

// Compare compares the other's figures with the first's, trial by trial. It
// panics when their numbers differ.
func Compare(first, other []float64) Paired {
	if len(first) != len(other) {
		panic("experiment: figures that are not paired")
	}
	behind, wins := make([]float64, len(first)), 0
	for i := range first {
		behind[i] = other[i] - first[i]
		if behind[i] > 0 {
			wins++
		}
	}
	mean, se := MeanError(behind)
	return Paired{mean, se, wins}
}

// String writes a cell of a table.
func (p Paired) String() string {
	return fmt.Sprintf("%.4f ± %.4f (%d)", p.Difference, p.StandardError, p.Wins)
}

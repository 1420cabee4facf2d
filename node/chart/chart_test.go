// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package chart

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi, least float64
		most          int
		want          string
	}{
		{0, 100, 0, 6, "0 20 40 60 80 100"},
		{-24.8, 1264.8, 0, 8, "0 200 400 600 800 1000 1200"},
		{-0.3, 0.31, 0, 5, "-0.2 0.0 0.2"},
		{1.079, 1.982, 0, 6, "1.2 1.4 1.6 1.8"},
		{651000, 651720, 0, 4, "651000 651500"},
		{0, 3e-7, 0, 4, "0 1e-07 2e-07 3e-07"},
		{0, 2, 1, 6, "0 1 2"},
	} {
		var got []string
		for v, label := range (interval{c.lo, c.hi}).ticks(c.most, c.least) {
			if got = append(got, label); v < c.lo-1e-9 || v > c.hi+1e-9 {
				t.Errorf("%g to %g: tick at %g", c.lo, c.hi, v)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%g to %g: %q, want %q", c.lo, c.hi, got, c.want)
		}
	}
	n := 0
	for range (interval{1e17, 1e17 + 64}).ticks(6, 0) { // the step is below the spacing of floats
		n++
	}
	if n > 6 {
		t.Errorf("%d ticks, want at most 6", n)
	}
}

func TestRanges(t *testing.T) {
	inf := math.Inf(1)
	for name, c := range map[string]struct {
		p    Panel
		want interval
	}{
		"from zero":  {Panel{Lines: []Line{{X: []float64{1, 2}, Y: []float64{3, 2}}}}, interval{0, 3}},
		"below zero": {Panel{Lines: []Line{{X: []float64{1, 2}, Y: []float64{3, -2}}}}, interval{-2, 3}},
		"all zero":   {Panel{Lines: []Line{{X: []float64{1}, Y: []float64{0}}}}, interval{-1e-3, 1e-3}},
		"no points":  {Panel{}, interval{-1e-3, 1e-3}},
		"bounds":     {Panel{Lines: []Line{{X: []float64{1, 2, 3}, Y: []float64{2, 3, math.NaN()}, Low: []float64{1, -inf, 0}, High: []float64{inf, 7, 9}}}}, interval{0, 7}},
	} {
		if _, y := c.p.ranges(); math.Abs(y.low-c.want.low) > 1e-9 || math.Abs(y.high-c.want.high) > 1e-9 {
			t.Errorf("%s: from %g to %g, want %g to %g", name, y.low, y.high, c.want.low, c.want.high)
		}
	}
}

// A picture is XML whose lines go through their points, at the scale of the axes.
func TestSVG(t *testing.T) {
	lines := []Line{
		{Label: "a < b", X: []float64{0, 5, 10}, Y: []float64{0, 4, math.NaN()}, Low: []float64{0, 3, 0}, High: []float64{0, 5, 0}},
		{Label: "c", X: []float64{0, 10}, Y: []float64{2, 1}},
	}
	for len(lines) < 9 {
		lines = append(lines, Line{Label: fmt.Sprint("method ", len(lines))})
	}
	svg := string(SVG([]Panel{{Title: "regret", Axis: "samples", Lines: lines}, {Lines: lines[:1]}, {Steps: true, Lines: lines[:2]}}, 2, "bounds"))
	texts := map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok {
			texts[string(text)]++
		}
	}
	for _, want := range []string{"a < b", "c", "regret", "samples", "bounds", "method 8"} {
		if texts[want] != 1 {
			t.Errorf("%q is there %d times, want once", want, texts[want])
		}
	}
	numbers := func(path string) (list []float64) {
		for _, n := range regexp.MustCompile(`[\d.]+`).FindAllString(path, -1) {
			v, _ := strconv.ParseFloat(n, 64)
			list = append(list, v)
		}
		return list
	}
	path := regexp.MustCompile(`d="(M[\d. MLHV]+)" fill="none" stroke="(#\w+)"`)
	found := path.FindAllStringSubmatch(svg, -1)
	a, c := numbers(found[0][1]), numbers(found[1][1])
	if found[0][2] == found[1][2] {
		t.Error("two lines have the same colour")
	}
	// a goes from (0, 0) to (5, 4), c from (0, 2) to (10, 1): y grows upwards, and x twice as far.
	if len(a) != 4 || len(c) != 4 || math.Abs((c[2]-c[0])-2*(a[2]-a[0])) > 0.2 || math.Abs((a[1]-a[3])-4*(c[3]-c[1])) > 0.5 || a[1] <= a[3] {
		t.Errorf("lines %v and %v", a, c)
	}
	if !slices.ContainsFunc(found, func(f []string) bool { return strings.Contains(f[1], "H") && strings.Contains(f[1], "V") }) {
		t.Error("there are no steps")
	}
	styles := map[string]bool{}
	for i := range lines {
		styles[stroke(i)] = true
	}
	if len(styles) != len(lines) {
		t.Errorf("%d lines have %d styles", len(lines), len(styles))
	}
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package field

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/plantest"
)

// circle returns a ring of n corners.
func circle(n int) orb.Ring {
	ring := make(orb.Ring, n)
	for i := range ring {
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		ring[i] = orb.Point{1000 * c, 1000 * s}
	}
	return ring
}

// repeat is a reader of a text and its repetitions, without the memory.
type repeat struct {
	text string
	at   int
	read int64
}

func (r *repeat) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = r.text[r.at]
		r.at = (r.at + 1) % len(r.text)
	}
	r.read += int64(len(b))
	return len(b), nil
}

func TestLargeFieldFile(t *testing.T) {
	endless := &repeat{text: "[0,0],"} // as a file of many GB
	if _, err := ReadField(endless, Source{}); !errors.Is(err, errGeoJSON) || !strings.Contains(err.Error(), "larger than 8 MiB") {
		t.Errorf("the error of an endless file is %v", err)
	}
	if endless.read > 2*maxFieldFile {
		t.Errorf("%d bytes were read, want little more than %d", endless.read, maxFieldFile)
	}
	for name, c := range map[string]struct{ text, want string }{
		"many corners": {`{"type":"Polygon","coordinates":[[` + strings.Repeat("[1,1],", 1<<16) + `[0,0]]]}`, "65537 corners in 1 rings, at most 2000 are allowed: simplify"},
		"many keep-outs": {`{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Polygon","coordinates":` + squareJSON + `}},
			{"type":"Feature","properties":{"keep_out":true},"geometry":{"type":"MultiPolygon","coordinates":[` + strings.Repeat(squareJSON+",", 9999) + squareJSON + `]}}]}`,
			"40004 corners in 10001 rings, at most 2000"},
		"deep":            {strings.Repeat(`{"type":"FeatureCollection","features":[`, 100_000), "exceeded max depth"},
		"deep geometries": {strings.Repeat(`{"type":"Feature","geometry":`, 5000) + "null" + strings.Repeat("}", 5000), `is of type "Feature", want Polygon`},
		"deep positions":  {`{"type":"Polygon","coordinates":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + "}", "array in place of a finite number"},
		"far":             {`{"type":"Polygon","coordinates":[[[1e9,0],[1.00001e9,0],[1e9,1000]]]}`, "a corner is at (1e+09, 0) m"},
		"large":           {`{"type":"Polygon","coordinates":[[[0,0],[9e7,0],[9e7,200],[0,200]]]}`, "measures 9e+07 by 200 m, at most 60000 m are allowed"},
		"millimetres":     {`{"type":"Polygon","coordinates":[[[0,0],[150000,0],[150000,150000],[0,150000]]]}`, "measures 150000 by 150000 m, at most 60000 m are allowed: its coordinates may be millimetres"},
	} {
		if _, err := ReadField(strings.NewReader(c.text), Source{}); !errors.Is(err, errGeoJSON) || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 400 {
			t.Errorf("%s: the error is %.300v, want it to contain %q", name, err, c.want)
		}
	}
}

// The largest number of corners is allowed, open or closed; one more is not.
func TestMostCorners(t *testing.T) {
	ring := circle(maxCorners)
	for name, f := range map[string]Field{"open": {Boundary: orb.Polygon{ring}}, "closed": {Boundary: orb.Polygon{append(ring, ring[0])}}} {
		if _, err := NewRegion(f, 1); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	more := Field{Boundary: orb.Polygon{circle(maxCorners - 3)}, KeepOuts: []orb.Polygon{{plantest.Rect(0, 0, 1, 1)}}}
	want := fmt.Sprintf("%d corners in 2 rings, at most %d", maxCorners+1, maxCorners)
	for name, check := range map[string]func() error{
		"NewRegion": func() error { _, err := NewRegion(more, 1); return err },
		"Inscribed": func() error { _, err := Inscribed(more); return err },
	} {
		if err := check(); !errors.Is(err, errPolygon) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the error is %v, want it to contain %q", name, err, want)
		}
	}
}

// Few corners can still make a graph that takes gigabytes, if paths bend sharply round them.
func TestMostBends(t *testing.T) {
	f := Field{Boundary: orb.Polygon{plantest.Rect(0, 0, 1000, 1000)}}
	for i := range 600 { // triangles, round each corner of which a path turns by up to 150°
		x, y := 20+float64(i%30)*30, 20+float64(i/30)*40
		f.KeepOuts = append(f.KeepOuts, orb.Polygon{{{x, y}, {x + 10, y}, {x, y + 1}}})
	}
	_, err := NewRegion(f, 1)
	if !errors.Is(err, errPolygon) || !strings.Contains(err.Error(), "at most 4096 are allowed") {
		t.Errorf("the error is %v", err)
	}
}

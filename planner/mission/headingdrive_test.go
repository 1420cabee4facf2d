// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/must"
	"ugp_explorer/localization"
)

func headingDrive() HeadingDriveConfig {
	return HeadingDriveConfig{Distance: 4, Speed: 0.3, Margin: 2, FixTimeout: 2}
}

// The disc that must be free is 4 m of driving, 0.3 m to stop, 2 m margin and 2σ.
func TestHeadingDriveNeedsRoom(t *testing.T) {
	for _, c := range []struct {
		name   string
		stdDev float64
		room   float64
		want   string // in the error; "" for none
	}{
		{"enough", 0.5, 7.3, ""},
		{"an exact position", 0, 6.3, ""},
		{"the edge", 0.5, 7.29, "7.3 m from the edge of the field or a keep-out, and needs 7.3 m to drive 4 m"},
		{"near the edge", 1, 3, "3.0 m from the edge of the field or a keep-out, and needs 8.3 m to drive 4 m in an unknown direction (2 m margin, 2.0 m for twice"},
		{"outside", 0, -3, "outside the field or in a keep-out, and needs 6.3 m"},
		{"no number", 0, math.NaN(), "needs 6.3 m"},
	} {
		d, err := BeginHeadingDrive(headingDrive(), 0, Position{At: orb.Point{10, 20}, StdDev: c.stdDev}, c.room)
		if (err == nil) != (c.want == "") || err != nil && (d != nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// Where there is no room for the longest drive, a shorter one that suffices for such a position is made, as long as the room allows.
func TestHeadingDriveIsAsLongAsThereIsRoom(t *testing.T) {
	cfg := headingDrive()
	cfg.Distance = 12
	for _, c := range []struct {
		stdDev, room, want float64 // m; want is 0 for none
	}{{0.02, 20, 12}, {0.02, 14.34, 12}, {0.02, 10, 7.66}, {0.02, 7.34, 5}, {0.02, 7.33, 0}, {1, 15.3, 11}, {1, 15.29, 0}} {
		d, err := BeginHeadingDrive(cfg, 0, Position{StdDev: c.stdDev}, c.room)
		if c.want == 0 {
			if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("to drive %g m in an unknown direction", localization.HeadingDistance(c.stdDev, cfg.Speed))) {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		must.OK(t, err)
		if want := fmt.Sprintf("0.0 of %.3g m", c.want); !strings.Contains(d.String(), want) {
			t.Errorf("%+v: %s, want %s", c, d, want)
		}
	}
}

func TestHeadingDriveEnds(t *testing.T) {
	const step = int64(100 * time.Millisecond)
	for _, c := range []struct {
		name string
		// change alters what is told to a step: i counts from 1, driven is what was commanded.
		change func(i int, now *int64, p *Position, room *float64)
		driven float64 // m, at least, before it ends
		within float64 // m, at most
		want   string
	}{
		{"no heading", func(int, *int64, *Position, *float64) {}, 3.9, 4, "the heading is still unknown after 4 m"},
		{"no fixes from 1 s on", func(i int, _ *int64, p *Position, _ *float64) {
			if i > 10 {
				p.At = orb.Point{10 + 0.3, 20}
			}
		}, 0.8, 0.95, "no new position for 2 s"},
		{"an edge comes near", func(i int, _ *int64, _ *Position, room *float64) { *room = 8 - 0.03*float64(i) - 2 }, 2.7, 3.0, "less than the margin of 2 m"},
		{"an uncertain position", func(i int, _ *int64, p *Position, _ *float64) {
			if i > 20 {
				p.StdDev = 4.1
			}
		}, 0.5, 0.7, "for twice the standard deviation"},
		{"faster than told", func(i int, _ *int64, p *Position, _ *float64) { p.At[0] = 10 + 0.15*float64(i) }, 1, 1.6, "farther than 4 m and the uncertainty of its position allow"},
		{"no position", func(i int, _ *int64, p *Position, _ *float64) {
			if i > 10 {
				p.At[0] = math.NaN()
			}
		}, 0.2, 0.4, "farther than"},
		{"time goes back", func(i int, now *int64, _ *Position, _ *float64) {
			if i > 10 {
				*now -= int64(time.Minute)
			}
		}, 0.2, 0.4, "at once"},
		{"time jumps", func(i int, now *int64, _ *Position, _ *float64) {
			if i > 10 {
				*now += int64(time.Minute)
			}
		}, 0.2, 0.4, "at once"},
	} {
		t.Run(c.name, func(t *testing.T) {
			begin := int64(time.Hour)
			d, err := BeginHeadingDrive(headingDrive(), begin, Position{At: orb.Point{10, 20}, StdDev: 0.5}, 10)
			must.OK(t, err)
			driven := 0.0
			for i := 1; ; i++ {
				if i > 1000 {
					t.Fatalf("it does not end: %v", d)
				}
				now, p, room := begin+int64(i)*step, Position{At: orb.Point{10 + 0.03*float64(i), 20}, StdDev: 0.5}, 10.0
				c.change(i, &now, &p, &room)
				speed, err := d.Step(now, p, room)
				if err != nil {
					if speed != 0 || !strings.Contains(err.Error(), c.want) {
						t.Errorf("%g m/s, %v; want %q", speed, err, c.want)
					}
					break
				}
				if speed != 0 && speed != 0.3 {
					t.Fatalf("%g m/s", speed)
				}
				driven += speed * 0.1
			}
			if driven < c.driven || driven > c.within {
				t.Errorf("%.2f m were driven, want %g to %g", driven, c.driven, c.within)
			}
		})
	}
}

// Where a position needs more than was driven, the error says so.
func TestTooShortAHeadingDrive(t *testing.T) {
	d, err := BeginHeadingDrive(headingDrive(), 0, Position{StdDev: 1}, 100)
	for i := 1; err == nil; i++ {
		_, err = d.Step(int64(i)*1e8, Position{At: orb.Point{float64(i) * 0.03, 0}, StdDev: 1}, 100)
		if got, want := d.String(), "finding the heading: 1.2 of 4 m"; i == 40 && got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if want := "the heading is still unknown after 4 m: a position with a standard deviation of 1.0 m needs about 11 m"; err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

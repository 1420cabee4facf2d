// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"errors"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/num"
	"ugp_explorer/localization"
)

// HeadingDriveConfig limits a drive that finds a heading.
type HeadingDriveConfig struct {
	Distance   float64 // m, longest drive, measured as speed × time
	Speed      float64 // m/s
	Margin     float64 // m, kept from the edge of the field and from keep-outs
	FixTimeout float64 // s without a new position after which the drive ends; also the time to wait for a heading after the drive
}

// overrun is the time, s, for which a robot may continue to drive after a stop: until the follower misses the message, and while it slows
// down.
const overrun = 1.0

// Position is a robot's position without a heading.
type Position struct {
	At     orb.Point // m
	StdDev float64   // m, in the direction in which it is largest
}

// ErrNoPositions is wrapped by the error of a drive during which positions ceased.
var ErrNoPositions = errors.New("no new position")

// HeadingDrive is a short drive straight ahead, by which a localisation finds the heading of
// a robot whose position it knows. The robot may head anywhere, so all places that it can
// reach must be free: a disc around its position. It has no clock; create it with
// [BeginHeadingDrive]. It is not safe for concurrent use.
type HeadingDrive struct {
	cfg     HeadingDriveConfig
	from    Position
	newest  Position
	now     int64 // ns, of the latest step
	fixAt   int64 // ns, when the position last changed
	driven  float64
	endedAt int64 // ns, when the whole distance was driven; 0: it is not
}

// BeginHeadingDrive begins a drive at the time now, ns. room is the distance from the position to the nearest edge of the field or of a
// keep-out, m, negative outside. With less room than the longest drive needs, the drive is as long as the room allows, if that suffices
// to find the heading. The error says that the longest drive is probably too short for such a position, or that there is not enough room,
// with the numbers: a disc must be free whose radius is the sum of the distance, the overrun, the margin, and twice the standard deviation.
func BeginHeadingDrive(cfg HeadingDriveConfig, now int64, p Position, room float64) (*HeadingDrive, error) {
	enough := localization.HeadingDistance(p.StdDev, cfg.Speed)
	if cfg.Distance < localization.LeastHeadingDistance(p.StdDev, cfg.Speed) {
		return nil, fmt.Errorf("a drive of at most %g m is too short: with a standard deviation of the position of %.1f m, about %g m are needed", cfg.Distance, p.StdDev, enough)
	}
	beside := overrun*cfg.Speed + cfg.Margin + 2*p.StdDev
	least := min(cfg.Distance, enough)
	if need := least + beside; !(room >= need) {
		where := fmt.Sprintf("%.1f m from the edge of the field or a keep-out", room)
		if room < 0 {
			where = "outside the field or in a keep-out"
		}
		return nil, fmt.Errorf("the robot is at (%.1f, %.1f) m, %s, and needs %.1f m to drive %g m in an unknown direction "+
			"(%g m margin, %.1f m for twice the standard deviation of its position, %.1f m to stop)",
			p.At[0], p.At[1], where, need, least, cfg.Margin, 2*p.StdDev, overrun*cfg.Speed)
	}
	cfg.Distance = min(cfg.Distance, room-beside)
	return &HeadingDrive{cfg: cfg, from: p, newest: p, now: now, fixAt: now}, nil
}

// Step returns the speed for the time now, ns, with the newest position and its room. The error says why the drive must end: no new
// position has come for the fix timeout, the robot may be closer to an edge than the margin, it is farther from the start than it can have
// driven, the clock was set, or the whole distance has not given a heading. The caller ends the drive when the heading is known.
func (d *HeadingDrive) Step(now int64, p Position, room float64) (speed float64, err error) {
	dt := num.Seconds(now - d.now)
	d.now = now
	if p.At != d.newest.At {
		d.fixAt = now
	}
	d.newest = p
	off := math.Hypot(p.At[0]-d.from.At[0], p.At[1]-d.from.At[1])
	reach := d.cfg.Distance + overrun*d.cfg.Speed + 2*d.from.StdDev + 2*p.StdDev
	switch {
	case !(dt >= 0 && dt <= overrun):
		return 0, fmt.Errorf("time advanced by %.3g s at once", dt)
	case num.Seconds(now-d.fixAt) > d.cfg.FixTimeout:
		return 0, fmt.Errorf("%w for %g s", ErrNoPositions, d.cfg.FixTimeout)
	case !(room-2*p.StdDev >= d.cfg.Margin):
		return 0, fmt.Errorf("the robot is %.1f m from the edge of the field or a keep-out, less than the margin of %g m and %.1f m for twice the standard deviation of its position",
			room, d.cfg.Margin, 2*p.StdDev)
	case !(off <= reach):
		return 0, fmt.Errorf("the robot is %.1f m from where it began, farther than %.3g m and the uncertainty of its position allow", off, d.cfg.Distance)
	case d.endedAt != 0 && num.Seconds(now-d.endedAt) > d.cfg.FixTimeout:
		err = fmt.Errorf("the heading is still unknown after %.3g m", d.cfg.Distance)
		if need := localization.HeadingDistance(d.from.StdDev, d.cfg.Speed); need > d.cfg.Distance {
			err = fmt.Errorf("%w: a position with a standard deviation of %.1f m needs about %g m", err, d.from.StdDev, need)
		}
		return 0, err
	case d.endedAt != 0:
		return 0, nil
	}
	if d.driven += d.cfg.Speed * dt; d.driven >= d.cfg.Distance {
		d.driven, d.endedAt = d.cfg.Distance, now
		return 0, nil
	}
	return d.cfg.Speed, nil
}

// String returns the progress as a line for people.
func (d *HeadingDrive) String() string {
	return fmt.Sprintf("finding the heading: %.1f of %.3g m", d.driven, d.cfg.Distance)
}

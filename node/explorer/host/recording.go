// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/localization"
	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/web"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/field/outline"
)

// recording is a recording of a field. It moves nothing.
type recording struct {
	cfg *settings.Config
	rec *outline.Recorder

	file      string // what is recorded, for a later run
	begun     []byte // JSON of begun
	written   int64  // stamp of the pose with which the file was written last, ns
	unwritten error  // why the newest is not in the file

	driving  bool // poses are collected while the robot drives, not at corners only
	restored bool // from an earlier run, and no person has continued it yet
	newest   *localization.Pose

	edge      []orb.Point // of the open ring
	cut       int         // how often points were taken back or begun again
	version   int         // of the closed rings
	crossings []orb.Point // of the last refusal
	problem   string      // why there is no field yet
}

// newRecording returns a recording without rings.
func newRecording(cfg *settings.Config) *recording {
	r := &recording{cfg: cfg, rec: outline.New(cfg.Teach.Config), file: cfg.Teach.File + recordingSuffix}
	r.begun, _ = json.Marshal(begun{cfg.Teach.Config, cfg.Frame, cfg.Field.Datum}) // of numbers and strings
	r.changed()
	return r
}

// openRecording returns the recording of an earlier run, or one without rings.
func openRecording(cfg *settings.Config) (*recording, error) {
	r := newRecording(cfg)
	err := r.read()
	r.restored = !r.empty()
	r.changed()
	return r, err
}

// empty reports whether nothing is recorded.
func (r *recording) empty() bool {
	_, _, open := r.rec.Open()
	return !open && len(r.rec.Rings()) == 0
}

// changed brings what is derived from the recorder up to date.
func (r *recording) changed() {
	_, r.edge, _ = r.rec.Open()
	r.cut++
	r.version++
	r.problem = ""
	if _, err := r.rec.Field(); err != nil {
		r.problem = words(err)
	}
}

// load begins with the rings of a field, to edit them.
func (r *recording) load(f field.Field) error {
	if err := r.rec.Load(f); err != nil {
		return errors.New(words(err))
	}
	r.changed()
	r.write()
	return nil
}

// writePeriod is the driving time after which the file is written: the part that a crash would lose
// is shorter than an allowed gap.
const writePeriod = 2 * time.Second

// pose takes the robot's newest pose.
func (r *recording) pose(p localization.Pose) {
	r.newest = &p
	if _, _, open := r.rec.Open(); !open || !r.driving {
		return
	}
	collected, err := r.rec.Drive(p)
	if err != nil && !errors.As(err, new(*outline.PoseError)) {
		r.driving = false // it has the largest number of points
		return
	}
	if collected {
		_, r.edge, _ = r.rec.Open()
	}
	if age := p.Stamp - r.written; age < 0 || age > int64(writePeriod) {
		r.written = p.Stamp
		r.write()
	}
}

// do carries out a command at a time, ns, except those that end the recording. It says what was
// done, or why it was not.
func (r *recording) do(word string, now int64) (done bool, text string) {
	text, err := r.command(word, now)
	return r.answer(text, err)
}

func (r *recording) command(word string, now int64) (string, error) {
	kind, _, open := r.rec.Open()
	before := len(r.edge)
	switch word {
	case "outline", "keepout":
		kind = outline.Boundary
		if word == "keepout" {
			kind = outline.KeepOut
		}
		if err := r.rec.Begin(kind); err != nil {
			return "", err
		}
		r.driving = true
		r.changed()
		if r.newest != nil {
			r.pose(*r.newest)
		}
		return fmt.Sprintf("the recording of the %v has begun: drive along its edge, and close it where you began", kind), nil
	case "corner":
		if why := r.trouble(now); why != "" {
			return "", errors.New(why)
		}
		if err := r.rec.Corner(*r.newest); err != nil {
			return "", err
		}
		_, r.edge, _ = r.rec.Open()
		at := r.edge[len(r.edge)-1]
		return fmt.Sprintf("corner %d at (%.2f, %.2f) m", len(r.edge), at[0], at[1]), nil
	case "drive", "hold":
		if !open {
			return "", fmt.Errorf("%w: begin an outline or a keep-out first", outline.ErrNotOpen)
		}
		if r.driving = word == "drive"; r.driving {
			return fmt.Sprintf("points of the %v are collected while the robot drives", kind), nil
		}
		return "no points are collected while the robot drives; add corners one by one", nil
	case "undo":
		if err := r.rec.Undo(); err != nil {
			return "", err
		}
		r.driving = false // or the next pose would collect the point again
		r.changed()
		after, _, stays := r.rec.Open()
		switch {
		case open && stays:
			return fmt.Sprintf("%d of %d points are left; no points are collected while the robot drives until you select it again", len(r.edge), before), nil
		case open:
			return fmt.Sprintf("the %v without points is dropped", kind), nil
		case stays:
			return fmt.Sprintf("the %v is open again, with %d points", after, len(r.edge)), nil
		}
		return "the last edit is undone", nil
	case "close":
		ring, err := r.rec.Close()
		if err != nil {
			return "", err
		}
		r.driving = false
		r.changed()
		return fmt.Sprintf("the %v is closed: %v", ring.Kind, ring), nil
	}
	return "", errors.New("there is no such command")
}

// answer returns what do and edit return after a command or an edit, and keeps where the ring
// crosses itself that was refused.
func (r *recording) answer(text string, err error) (done bool, told string) {
	r.crossings = nil
	if err != nil {
		var crossed *outline.CrossingsError
		if errors.As(err, &crossed) {
			for _, c := range crossed.Crossings {
				r.crossings = append(r.crossings, c.At)
			}
		}
		return false, words(err)
	}
	r.restored = false
	if r.write(); r.unwritten != nil {
		text += "; it is NOT saved on the disk and would be lost in a restart: " + r.unwritten.Error()
	}
	return true, text
}

// edit changes a closed ring.
func (r *recording) edit(c web.Edit) (done bool, text string) {
	text, err := r.change(c)
	if err == nil {
		r.changed()
		if r.problem != "" {
			text += "; it cannot be saved in this state: " + r.problem
		}
	}
	return r.answer(text, err)
}

func (r *recording) change(c web.Edit) (text string, err error) {
	rings := r.rec.Rings()
	switch {
	case c.Version != r.version:
		return "", errors.New("the rings have changed in the meantime: look at them and try again")
	case c.Ring < 0 || c.Ring >= len(rings) || rings[c.Ring].Points == nil:
		return "", fmt.Errorf("there is no ring %d", c.Ring+1)
	}
	kind, ring := rings[c.Ring].Kind, rings[c.Ring].Points
	corners := slices.Clone(ring[:len(ring)-1])
	if c.Op == "remove" {
		return fmt.Sprintf("the %v is removed", kind), r.rec.Remove(c.Ring)
	}
	if c.Corner < 0 || c.Corner >= len(corners) {
		return "", fmt.Errorf("the %v has no corner %d", kind, c.Corner+1)
	}
	switch c.Op {
	case "move":
		corners[c.Corner] = c.At
		text = fmt.Sprintf("corner %d is moved to (%.2f, %.2f) m", c.Corner+1, c.At[0], c.At[1])
	case "insert":
		corners = slices.Insert(corners, c.Corner+1, c.At)
		text = fmt.Sprintf("corner %d is inserted at (%.2f, %.2f) m", c.Corner+2, c.At[0], c.At[1])
	case "delete":
		corners = slices.Delete(corners, c.Corner, c.Corner+1)
		text = fmt.Sprintf("corner %d is deleted", c.Corner+1)
	default:
		return "", errors.New("op must be move, insert, delete or remove")
	}
	_, err = r.rec.Edit(c.Ring, corners)
	return text, err
}

// field returns the recorded field.
func (r *recording) field() (field.Field, error) {
	f, err := r.rec.Field()
	if err != nil {
		return f, errors.New(words(err))
	}
	return f, nil
}

// save writes the recorded field to the file of the configuration and ends the recording. A file that
// is replaced is kept as backup, "" if there was none.
func (r *recording) save(f field.Field) (backup string, err error) {
	datum, err := convert.Datum("field.datum", r.cfg.Field.Datum)
	if err != nil {
		return "", err
	}
	if backup, err = convert.WriteBoundary(r.cfg.Teach.File, f, datum); err != nil {
		return "", err
	}
	_, err = r.end("")
	return backup, err
}

// discard ends the recording without a field. kept is the name of the file with it, "" if there is none.
func (r *recording) discard() (kept string, err error) {
	kept = r.cfg.Teach.File + discardedSuffix
	if was, err := r.end(kept); err != nil || !was {
		return "", err
	}
	return kept, nil
}

// words returns an error without the name of the package that made it.
func words(err error) string {
	return strings.NewReplacer("outline: ", "", "planner: ", "").Replace(err.Error())
}

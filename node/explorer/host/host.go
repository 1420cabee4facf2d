// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package host

import (
	"errors"
	"fmt"
	"time"

	"ugp_explorer/node/convert"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/sense"
)

// Host runs an explorer for people. Use it only on the goroutine of its node's executor.
type Host struct {
	node  *ros.Node
	cfg   *settings.Config // of the parameters
	given settings.Config  // before an explorer has derived values from the field

	explorer  *explorer.Explorer // nil: a field is recorded
	recording *recording         // nil: there is an explorer
	listener  *listener          // of the recording
	part      *ros.Node          // with all that the explorer, or the listener, has opened
	run       int                // of explorers and recordings
	pace      pace               // of commands by ~/command and services
	steerable time.Time          // time from which a person can steer, by the wall clock
}

// New starts an explorer on a node whose parameters are bound to cfg, or the recording of its field if there is none, with its commands and
// page.
func New(node *ros.Node, cfg *settings.Config) (*Host, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	h := &Host{node: node, cfg: cfg}
	page := cfg.Web
	cfg.Web.Token = "" // nobody else keeps it
	hasPage := cfg.HasPage(node)
	if page.On() && !hasPage && !cfg.Alone {
		node.Logger().Warn("web.address has no effect: simulated time passes too fast for a page", "web.address", page.Address)
	}
	h.given = *cfg
	node.OnShutdown(func() {
		if h.recording == nil || h.recording.empty() {
			return
		}
		if h.recording.write(); h.recording.unwritten != nil {
			node.Logger().Error("the recording of the field could not be written", "error", h.recording.unwritten.Error())
		}
	})
	if err := sense.WithOrigin(node, &h.given.Field.Datum, h.begin); err != nil {
		return nil, err
	}
	if err := h.serveCommands(); err != nil {
		return nil, err
	}
	if hasPage {
		if err := h.servePage(page); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// begin continues with the recording of an earlier run, or makes the explorer, or begins with the
// recording.
func (h *Host) begin() error {
	if !h.cfg.Teach.On() {
		return h.explore()
	}
	r, err := openRecording(h.cfg)
	if err != nil {
		return err
	}
	if r.restored {
		h.node.Logger().Warn("the recording of an earlier run is continued; if the localisation was restarted without a datum, its old and new positions do not fit together: discard it then", "file", r.file)
		return h.listen(r)
	}
	err = h.explore()
	if errors.Is(err, settings.ErrNoField) {
		h.node.Logger().Info("there is no field: record its outline on the page or by the services ~/record/…", "outline.file", h.cfg.Teach.File)
		return h.listen(r)
	}
	return err
}

// explore makes the explorer.
func (h *Host) explore() error {
	*h.cfg = h.given
	part := h.node.Part()
	e, err := explorer.New(part, h.cfg)
	if err != nil {
		return errors.Join(err, part.Close())
	}
	h.part, h.explorer, h.recording, h.listener = part, e, nil, nil
	h.run++
	return nil
}

// listen begins to listen for a recording. There must be no explorer.
func (h *Host) listen(r *recording) error {
	part := h.node.Part()
	l, err := listen(part, h.cfg, r, func() { h.run++ })
	if err != nil {
		return errors.Join(err, part.Close())
	}
	h.part, h.explorer, h.recording, h.listener = part, nil, r, l
	h.run++
	return nil
}

// Finished reports whether the mission is over and its record written.
func (h *Host) Finished() bool { return h.explorer != nil && h.explorer.Finished() }

// WriteReport calls that of the explorer; without an explorer there is nothing to write.
func (h *Host) WriteReport() error {
	if h.explorer == nil {
		return nil
	}
	return h.explorer.WriteReport()
}

// Explorer returns the explorer, nil while a field is recorded.
func (h *Host) Explorer() *explorer.Explorer { return h.explorer }

// record carries out a command of the recording.
func (h *Host) record(word string) (done bool, text string) {
	if h.explorer != nil {
		switch word {
		case "outline", "keepout", "edit":
			if why := h.explorer.Busy(); why != "" {
				return false, "no field can be recorded now: " + why
			}
			return h.stopExploring(word)
		}
		return false, "no field is being recorded: begin with record outline, or with record edit to change the field"
	}
	var err error
	switch word {
	case "edit":
		return false, "a field is being recorded already: edit its rings when they are closed"
	case "save":
		text, err = h.save()
	case "discard":
		text, err = h.discard()
	default:
		return h.recording.do(word, h.node.Now())
	}
	if err != nil {
		return false, err.Error()
	}
	return true, text
}

// stopExploring ends an explorer whose mission has not begun, for a recording that begins with a
// command.
func (h *Host) stopExploring(word string) (done bool, text string) {
	r := newRecording(h.cfg)
	if word == "edit" {
		// A recorded file is in the same place as the one that it replaces.
		f, err := h.cfg.Outline, error(nil)
		if h.cfg.Field.File != "" {
			f, err = convert.ReadBoundary(h.cfg.Field.File, h.cfg.Field.Datum)
		}
		if err == nil {
			err = r.load(f)
		}
		if err != nil {
			return false, err.Error()
		}
	}
	err := h.part.Close()
	h.explorer = nil
	if err = errors.Join(err, h.listen(r)); err != nil {
		h.node.Logger().Error("the recording of a field cannot begin", "error", err.Error())
		return false, err.Error()
	}
	if word == "edit" {
		return true, "the field can be edited; no mission drives the robot until it is saved or the changes are discarded"
	}
	return r.do(word, h.node.Now())
}

// save writes the recorded field and makes an explorer for it.
func (h *Host) save() (text string, err error) {
	f, err := h.recording.field()
	if err != nil {
		return "", err
	}
	if err := h.given.CheckField(f); err != nil {
		return "", fmt.Errorf("no mission is possible on this field: %w", err)
	}
	backup, err := h.recording.save(f)
	if err != nil {
		return "", err
	}
	h.given.Field.File = h.cfg.Teach.File
	if err := h.goBack(); err != nil {
		return "", fmt.Errorf("the field is saved in %s, but no explorer can be made for it: %w", h.cfg.Teach.File, err)
	}
	text = "the field is saved in " + h.cfg.Teach.File
	if backup != "" {
		text += ", and the one before in " + backup
	}
	if f.StdDev > 0 {
		text += fmt.Sprintf("; the robot keeps %.2g m farther from its edge than field.margin, twice the standard deviation of the edge", 2*f.StdDev)
	}
	h.node.Logger().Info("a recorded field is used", "outline.file", h.cfg.Teach.File, "edge_stddev_m", f.StdDev, "backup", backup)
	return text + "; start begins the mission", nil
}

// discard ends the recording. Where there was a field, an explorer is made for it.
func (h *Host) discard() (text string, err error) {
	kept, err := h.recording.discard()
	if err != nil {
		return "", err
	}
	text = "the recording is discarded"
	if kept != "" {
		text += "; it is kept in " + kept
	}
	err = h.goBack()
	if errors.Is(err, settings.ErrNoField) {
		return text + "; there is no field yet", nil
	}
	return text, err
}

// goBack ends listening and makes an explorer. On an error a new recording begins.
func (h *Host) goBack() error {
	h.given.AutoStart = false // nobody expects the robot to set out now
	if err := h.part.Close(); err != nil {
		return err
	}
	err := h.explore()
	if err != nil {
		err = errors.Join(err, h.listen(newRecording(h.cfg)))
	}
	return err
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package host

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"ugp_explorer/msgs/std_msgs"
	"ugp_explorer/msgs/std_srvs"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/show"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/web"
)

// recordWords are the commands of a recording, behind recordPrefix.
var recordWords = []string{"outline", "keepout", "corner", "drive", "hold", "undo", "close", "edit", "discard", "save"}

const recordPrefix = "record "

// unpaced are the commands that are always accepted. Repeating them has no effect.
var unpaced = []string{"stop", "pause"}

// stopHolds is how long nobody can steer after a stop: a person who holds a button on another page must press it again.
const stopHolds = time.Second

// pace limits how often commands are accepted.
type pace struct {
	limit *rate.Limiter
	last  int64 // when a command came, ns
}

// refuses says why a command in words is refused at a node's time, ns, "" if it is not.
func (p *pace) refuses(words string, now int64) string {
	if p.limit == nil || now < p.last { // a limiter lets nothing pass while its clock is behind
		p.limit = rate.NewLimiter(web.CommandRate, web.CommandBurst)
	}
	p.last = now
	word, _, _ := strings.Cut(strings.TrimSpace(words), " ")
	if slices.Contains(unpaced, word) || p.limit.AllowN(time.Unix(0, now), 1) {
		return ""
	}
	return fmt.Sprintf("commands come too fast: at most %d per second are accepted, besides stop and pause, which always are", web.CommandRate)
}

// serveCommands takes commands in words from ~/command, and by the services of their names, ~/start,
// up to web.CommandRate.
func (h *Host) serveCommands() error {
	allowed, services := explorer.Words(), explorer.Services()
	if h.cfg.Teach.On() {
		for _, word := range recordWords {
			allowed += ", " + recordPrefix + word
			services = append(services, recordPrefix+word)
		}
	}
	warn := h.node.NewThrottle(time.Second)
	_, err := ros.Subscribe(h.node, "~/command", ros.DefaultQoS(), func(m *std_msgs.String, _ ros.MessageInfo) {
		given := strings.TrimSpace(m.Data)
		done, text, err := h.answer(given)
		switch {
		case err != nil:
			warn.Warn(err.Error(), "given", shown(given), "allowed", allowed)
		case !done:
			warn.Warn("a command is refused", "command", shown(given), "reason", text)
		}
	})
	if err != nil {
		return err
	}
	for _, service := range services {
		_, err := ros.Serve(h.node, "~/"+strings.ReplaceAll(service, " ", "/"), func(_ *std_srvs.TriggerRequest, res *std_srvs.TriggerResponse) {
			var err error
			if res.Success, res.Message, err = h.answer(service); err != nil {
				res.Message = err.Error()
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// shown returns what the log quotes of a command.
func shown(words string) string {
	const most = 40 // bytes
	return strings.ToValidUTF8(words[:min(len(words), most)], "?")
}

// answer carries out a command in words, unless too many come. If the command is refused, the text names the service that continues the
// mission.
func (h *Host) answer(words string) (done bool, text string, err error) {
	if why := h.pace.refuses(words, h.node.Now()); why != "" {
		return false, why, nil
	}
	if done, text, err = h.order(words); !done && err == nil && h.explorer != nil {
		if next := h.explorer.Next(); next != words {
			text = show.Clauses(text, show.Calls[next])
		}
	}
	return done, text, err
}

// order carries out a command in words.
func (h *Host) order(words string) (done bool, text string, err error) {
	fields := strings.Fields(words)
	if h.cfg.Teach.On() && len(fields) == 2 && fields[0]+" " == recordPrefix && slices.Contains(recordWords, fields[1]) {
		done, text = h.record(fields[1])
		return done, text, nil
	}
	if h.explorer != nil {
		return h.explorer.Order(words)
	}
	if len(fields) == 1 && slices.Contains(unpaced, fields[0]) && h.cfg.Steer != nil {
		h.steerable = h.cfg.Wall().Add(stopHolds)
		h.cfg.Steer(web.Steer{At: h.cfg.Wall()})
		return true, "the simulated robot is stopped; " + h.recording.text(h.node.Now()), nil
	}
	if len(fields) > 0 && explorer.Knows(fields[0]) {
		return false, "a field is being recorded, so no mission drives the robot: " + h.recording.text(h.node.Now()), nil
	}
	return false, "", explorer.ErrWord
}

// servePage opens the address of the page, which has the node's log, too, until the node shuts down.
func (h *Host) servePage(page web.Config) error {
	server, err := web.New(web.Options{
		Config: page, Explorer: h, Post: h.node.Executor().Post, Logger: h.node.Logger(), Terminal: h.cfg.Terminal, Wall: h.cfg.Wall,
	})
	if err != nil {
		return err
	}
	h.node.SetLogTap(server.Log)
	h.node.OnShutdown(func() {
		h.node.SetLogTap(nil)
		_ = server.Close() // nobody can do anything about it
	})
	h.node.Logger().Info("the page is served", "address", server.Addr().String())
	return nil
}

var _ web.Explorer = (*Host)(nil)

// Order implements web.Explorer.
func (h *Host) Order(words string) (done bool, text string, err error) {
	if done, text, err = h.order(words); err != nil {
		return done, text, err
	}
	if done {
		h.node.Logger().Info("on the page: " + shown(words) + ": " + text)
	} else {
		h.node.Logger().Warn("on the page: " + shown(words) + " was refused: " + text)
	}
	return done, text, nil
}

// Edit implements web.Explorer.
func (h *Host) Edit(e web.Edit) (done bool, text string) {
	switch {
	case !h.cfg.Teach.On():
		return false, "no field can be recorded: outline.file is empty"
	case h.explorer != nil:
		return false, "no field is being recorded"
	}
	return h.recording.edit(e)
}

// Steer implements web.Explorer.
func (h *Host) Steer(s web.Steer) (done bool, text string) {
	switch {
	case h.cfg.Steer == nil:
		return false, "only a simulated robot is driven from this page, with ugp demo --live --outline"
	case h.explorer != nil:
		return false, "a person drives the robot only while a field is recorded"
	case s.At.Before(h.steerable):
		return false, "the robot was just stopped: release the button, and hold it again"
	}
	h.cfg.Steer(s)
	return true, "the robot drives"
}

// Refuses implements web.Explorer.
func (h *Host) Refuses(at record.Place) (why string, inside bool) {
	if h.explorer == nil {
		return "a field is being recorded", false
	}
	return h.explorer.Refuses(at)
}

// Snapshot implements web.Explorer.
func (h *Host) Snapshot() *web.Snapshot {
	var w *web.Snapshot
	if h.explorer != nil {
		w = h.explorer.Snapshot()
		if h.cfg.Teach.On() {
			w.Recording = &web.Recording{Field: true, Refused: h.explorer.Busy()}
		}
	} else {
		w = h.listener.snapshot()
		given := &h.given // with a field to go back to?
		w.Recording.Field = given.Field.File != "" || len(given.Outline.Boundary) > 0 || given.Teach.Recorded()
	}
	w.Run = h.run
	return w
}

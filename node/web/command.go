// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"ugp_explorer/internal/num"
	"ugp_explorer/node/record"
)

// body reads a JSON object with known fields, and answers itself if it cannot.
func body(w http.ResponseWriter, r *http.Request, v any) bool {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		refuse(w, http.StatusUnsupportedMediaType, "want Content-Type: application/json")
		return false
	}
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = errors.New("there is more than one JSON object")
		}
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		refuse(w, http.StatusRequestEntityTooLarge, "the request is too large")
	case err != nil:
		refuse(w, http.StatusBadRequest, "the request is not the expected JSON object")
	}
	return err == nil
}

// login sets the cookie of a client that knows the token.
func (s *Server) login(w http.ResponseWriter, r *http.Request) {
	if err := sameOrigin(r, true, false); err != nil {
		refuse(w, http.StatusForbidden, err.Error())
		return
	}
	var given struct {
		Token string `json:"token"`
	}
	if !body(w, r, &given) {
		return
	}
	ok, looked := s.tried(w, r, strings.TrimSpace(given.Token))
	if !looked {
		return
	}
	if !ok {
		refuse(w, http.StatusUnauthorized, "the token is wrong")
		return
	}
	s.access.setCookie(w, r)
	w.WriteHeader(http.StatusNoContent)
}

// mayCommand reports whether a request comes from the page or a program that knows the token, and
// answers itself if it does not.
func (s *Server) mayCommand(w http.ResponseWriter, r *http.Request) bool {
	known, byToken := s.access.may(r)
	if err := sameOrigin(r, true, byToken); err != nil {
		refuse(w, http.StatusForbidden, err.Error())
		return false
	}
	if !known {
		refuse(w, http.StatusUnauthorized, "commands need the token: open the link that the explorer printed, or type the token")
	}
	return known
}

func tooMany(w http.ResponseWriter, what string) {
	w.Header().Set("Retry-After", "1")
	refuse(w, http.StatusTooManyRequests, "too many "+what+": wait a second")
}

// command hands a command to the explorer and returns its answer.
func (s *Server) command(w http.ResponseWriter, r *http.Request) {
	if !s.mayCommand(w, r) {
		return
	}
	var given struct {
		Command string `json:"command"`
	}
	if !body(w, r, &given) {
		return
	}
	urgent := given.Command == "stop" || given.Command == "pause"
	if !s.orders.AllowN(s.opts.Wall(), 1) && !urgent {
		tooMany(w, "commands")
		return
	}
	s.carryOut(w, r, urgent, func() (a answer) {
		a.done, a.text, a.err = s.opts.Explorer.Order(given.Command)
		return a
	})
}

// carryOut runs a person's command on the executor, and sends the answer.
func (s *Server) carryOut(w http.ResponseWriter, r *http.Request, urgent bool, do func() answer) {
	a, err := s.order(r, urgent, do)
	if err != nil {
		refuse(w, http.StatusServiceUnavailable, err.Error())
		return
	}
	if a.err != nil {
		refuse(w, http.StatusBadRequest, a.err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	writeJSON(w, map[string]any{"done": a.done, "text": a.text})
}

type answer struct {
	done bool
	text string
	err  error
}

// Whichever comes first wins: the explorer carries the command out, or the request withdraws it.
const (
	waiting int32 = iota
	taken
	withdrawn
)

// order posts a command to the executor and waits for the answer. A command that is not
// answered in time is withdrawn, so that the robot does not set out when nobody expects it any
// more; one that stops the robot stays.
func (s *Server) order(r *http.Request, urgent bool, do func() answer) (answer, error) {
	if !urgent {
		select {
		case s.busy <- struct{}{}:
			defer func() { <-s.busy }()
		default:
			return answer{}, errors.New("the explorer has not answered the commands before, so this one was not sent: wait, and try again")
		}
	}
	var state atomic.Int32
	reply := make(chan answer, 1)
	ok := s.opts.Post(func() {
		if !state.CompareAndSwap(waiting, taken) {
			return
		}
		reply <- do()
	})
	if !ok {
		return answer{}, errors.New("the explorer no longer accepts commands")
	}
	timer := time.NewTimer(answerTime)
	defer timer.Stop()
	select {
	case a := <-reply:
		return a, nil
	case <-timer.C:
	case <-s.done:
		return answer{}, errors.New("the explorer has ended")
	case <-r.Context().Done():
	}
	switch {
	case urgent:
		return answer{}, errors.New("the explorer has not answered yet; it carries the command out as soon as it can")
	case state.CompareAndSwap(waiting, withdrawn):
		return answer{}, errors.New("the explorer does not answer, so the command was withdrawn: try again")
	}
	select {
	case a := <-reply:
		return a, nil
	case <-s.done:
		return answer{}, errors.New("the explorer has ended")
	}
}

// layer sends a map.
func (s *Server) layer(w http.ResponseWriter, r *http.Request) {
	f, _ := s.newest()
	var data []byte
	if f != nil {
		data = f.layers[r.PathValue("layer")]
	}
	if data == nil {
		refuse(w, http.StatusNotFound, "there is no such map, or none yet")
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data) // the client may have gone
}

// photo sends the picture below the map.
func (s *Server) photo(w http.ResponseWriter, _ *http.Request) {
	f, _ := s.newest()
	if f == nil || f.snapshot.Scene == nil || f.snapshot.Scene.Photo == nil {
		refuse(w, http.StatusNotFound, "there is no photo")
		return
	}
	w.Header().Set("Content-Type", "image/jpeg")
	_, _ = w.Write(f.snapshot.Scene.Photo.JPEG) // the client may have gone
}

// patient is the writer of an answer. It gives a slow client time for each piece.
type patient struct{ http.ResponseWriter }

// Unwrap is for http.ResponseController.
func (p patient) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// Write implements http.ResponseWriter.
func (p patient) Write(data []byte) (n int, err error) {
	for n < len(data) && err == nil {
		_ = http.NewResponseController(p.ResponseWriter).SetWriteDeadline(time.Now().Add(patience))
		var m int
		m, err = p.ResponseWriter.Write(data[n:min(len(data), n+piece)])
		n += m
	}
	return n, err
}

// at answers what the model expects at a place.
func (s *Server) at(w http.ResponseWriter, r *http.Request) {
	if !s.questions.AllowN(s.opts.Wall(), 1) {
		tooMany(w, "questions")
		return
	}
	var p record.Place
	for i, name := range []string{"x", "y"} {
		v, err := strconv.ParseFloat(r.URL.Query().Get(name), 64)
		if err != nil || !num.Finite(v) {
			refuse(w, http.StatusBadRequest, name+" must be a number, in metres")
			return
		}
		p[i] = v
	}
	f, err := s.fresh(r.Context())
	if err != nil {
		refuse(w, http.StatusServiceUnavailable, err.Error())
		return
	}
	var reply struct {
		Mean    *float64 `json:"mean,omitempty"` // the median, user's units
		Low     *float64 `json:"low,omitempty"`  // of the 2σ interval
		High    *float64 `json:"high,omitempty"`
		Refused string   `json:"refused,omitempty"` // why the robot cannot be sent there
		Inside  bool     `json:"inside"`            // the field
	}
	told := make(chan struct{})
	if !s.opts.Post(func() {
		reply.Refused, reply.Inside = s.opts.Explorer.Refuses(p)
		close(told)
	}) {
		refuse(w, http.StatusServiceUnavailable, "the explorer has ended")
		return
	}
	select {
	case <-told:
	case <-s.done:
		return
	case <-r.Context().Done():
		return
	}
	if m := f.snapshot.Maps; m != nil && m.Predict != nil && reply.Inside {
		s.asked.Lock()
		mean, low, high, err := m.Predict(p)
		s.asked.Unlock()
		if err != nil {
			refuse(w, http.StatusServiceUnavailable, err.Error())
			return
		}
		if num.Finite(mean) && num.Finite(low) && num.Finite(high) {
			reply.Mean, reply.Low, reply.High = &mean, &low, &high
		}
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	writeJSON(w, reply)
}

func writeJSON(w io.Writer, v any) {
	_ = json.NewEncoder(w).Encode(v) // the client may have gone
}

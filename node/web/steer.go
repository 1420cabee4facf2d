// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"net/http"
	"time"
)

// Steer is how a person wants a simulated robot to drive now.
type Steer struct {
	Forward float64 `json:"forward"` // from -1, backwards, to 1
	Left    float64 `json:"left"`    // from -1, a turn to the right, to 1

	At time.Time `json:"-"` // when the wish came, of the wall clock
}

// steer hands a wish to the explorer and returns its answer. The page repeats it while a button is held.
func (s *Server) steer(w http.ResponseWriter, r *http.Request) {
	if !s.mayCommand(w, r) {
		return
	}
	given := Steer{At: s.opts.Wall()}
	if !body(w, r, &given) {
		return
	}
	if max(given.Forward, -given.Forward, given.Left, -given.Left) > 1 {
		refuse(w, http.StatusBadRequest, "forward and left must be from -1 to 1")
		return
	}
	stands := given.Forward == 0 && given.Left == 0
	if !s.steers.AllowN(given.At, 1) && !stands {
		tooMany(w, "commands")
		return
	}
	s.carryOut(w, r, stands, func() (a answer) {
		a.done, a.text = s.opts.Explorer.Steer(given)
		return a
	})
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web

import (
	"net/http"
	"strings"
)

// mostTrouble bounds what the log gets of a page's trouble, bytes.
const mostTrouble = 600

// trouble tells the explorer's log what a page could not draw, or which part of it failed.
func (s *Server) trouble(w http.ResponseWriter, r *http.Request) {
	_, byToken := s.access.may(r)
	if err := sameOrigin(r, true, byToken); err != nil {
		refuse(w, http.StatusForbidden, err.Error())
		return
	}
	var given struct {
		Part string `json:"part"`
		Text string `json:"text"`
	}
	if !body(w, r, &given) {
		return
	}
	if !s.troubles.AllowN(s.opts.Wall(), 1) {
		tooMany(w, "error reports")
		return
	}
	s.warn("a part of the page has failed in a browser", "part", cut(given.Part, 40), "error", cut(given.Text, mostTrouble), "address", address(r))
	w.WriteHeader(http.StatusNoContent)
}

// cut returns the beginning of a text, up to a number of bytes.
func cut(text string, most int) string { return strings.ToValidUTF8(text[:min(len(text), most)], "") }

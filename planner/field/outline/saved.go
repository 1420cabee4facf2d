// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package outline

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/num"
)

// saved is what a Recorder holds, as JSON.
type saved struct {
	Closed []recording
	Open   *recording
	Edits  []edit
}

// MarshalJSON implements json.Marshaler.
func (r *Recorder) MarshalJSON() ([]byte, error) {
	return json.Marshal(saved{r.closed, r.open, r.edits})
}

// UnmarshalJSON restores the state of another recorder with the same configuration, to continue with it. The error says what is not a valid
// state; nothing changes then.
func (r *Recorder) UnmarshalJSON(data []byte) error {
	var s saved
	if err := json.Unmarshal(data, &s); err != nil {
		return err
	}
	for _, o := range s.Closed {
		if err := o.Ring.check(); err != nil {
			return err
		}
	}
	for _, e := range s.Edits {
		if err := e.Before.check(); err != nil {
			return err
		}
		if e.Ring < 0 || e.Ring >= min(e.Closed, len(s.Closed)) {
			return fmt.Errorf("%w: an edit is of ring %d, and there are %d", errRing, e.Ring+1, len(s.Closed))
		}
	}
	r.closed, r.open, r.edits = s.Closed, s.Open, s.Edits
	return nil
}

// check returns an error unless a ring is closed and has places where there are fields. One that was
// removed has none.
func (r *Ring) check() error {
	n := len(r.Points)
	if r.Points == nil || n > 3 && r.Points[0] == r.Points[n-1] && !slices.ContainsFunc(r.Points, func(p orb.Point) bool { return !near(p) }) {
		return nil
	}
	return fmt.Errorf("%w: the %v with %s", errRing, r.Kind, num.Count(n, "point"))
}

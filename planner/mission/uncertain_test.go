// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"strings"
	"testing"

	"ugp_explorer/internal/testkit/must"
)

// A drive waits for a more certain position. The goal timeout of 50 s stands still meanwhile; the budget does not.
func TestUncertainPosition(t *testing.T) {
	m := newMission(t, testMission())
	feed(t, m, start, planned,
		step{pose(21, 1, 4, 6, 0.2), "", StateTravelling}, // 20 s of 50 s
		step{EventUncertain{Stamp: 121 * sec, Reason: "3 m lack"}, "H", StateTravelling},
		step{pose(22, 0, 4, 6, 0), "", StateTravelling},
		step{EventUncertain{Stamp: 123 * sec, Reason: "2 m lack"}, "", StateTravelling})
	if text := m.Text(); text != "waiting while travelling, 0 of 10 samples: 2 m lack" {
		t.Error(text)
	}
	feed(t, m,
		step{pose(41, 0, 4, 6, 0), "", StateTravelling},
		step{EventCertain{Stamp: 141 * sec}, "D", StateTravelling},
		step{pose(70.9, 1, 3, 6, 0.2), "", StateTravelling}, // 49.9 s of 50 s
		step{pose(71.1, 0, 4, 6, 0.2), "HN", StateTravelling})
	if s := m.Status(); s.Waiting != "" || s.UsedDuration != 71.1 {
		t.Errorf("%+v", s)
	}

	// After goal.timeout it is a fault that ends by itself, on the way home as well.
	m = newMission(t, testMission())
	feed(t, m, start, step{EventHome{Stamp: 100 * sec}, "HNR", StateReturning},
		step{EventUncertain{Stamp: 101 * sec, Reason: "3 m lack"}, "H", StateReturning},
		step{pose(31, 0, 0, 4, 0), "", StateReturning},
		step{pose(31.1, 0, 0, 4, 0), "HN", StateFault})
	if s := m.Status(); !strings.HasPrefix(s.Fault, "the position is too uncertain: 3 m lack; look at the robot") || !strings.HasPrefix(m.Text(), "fault while returning") {
		t.Errorf("%+v", s)
	}
	feed(t, m,
		step{pose(300, 0, 0, 4, 0), "", StateFault}, // a pose alone does not end it
		step{EventCertain{Stamp: 400 * sec}, "R", StateReturning})

	// A target at which the position does not become certain is given up after 300 s.
	m = newMission(t, testMission())
	feed(t, m, start, planned, unsure,
		step{pose(4, 0, 4, 6, 0), "", StateTravelling},
		step{pose(7, 0, 4, 6, 0), "", StateTravelling})
	for s := 8.0; s < 302; s++ {
		m.Handle(pose(s, 0, 4, 6, 0))
	}
	if m.State() != StateFault {
		t.Errorf("%s after 299 s", m.State())
	}
	feed(t, m, step{pose(302.5, 0, 4, 6, 0), "KNP", StatePlanning})

	// Without poses it is the other fault, and the next pose is judged again.
	m = newMission(t, testMission())
	feed(t, m, start, planned, unsure,
		step{tick(4.5), "HN", StateFault},
		step{pose(5, 0, 4, 6, 0), "ND", StateTravelling})
	if s := m.Status(); s.Waiting != "" {
		t.Errorf("%+v", s)
	}

	// A robot that waits within the tolerance of its target has arrived.
	m = newMission(t, testMission())
	feed(t, m, start, planned, unsure,
		step{pose(3, 0, 0.2, 6, 0), "", StateTravelling},
		step{pose(4, 0, 0.2, 6, 0), "HS", StateSampling})
	if s := m.Status(); s.Waiting != "" {
		t.Errorf("%+v", s)
	}

	// Restored, it is paused and waits for nothing.
	m = newMission(t, testMission())
	feed(t, m, start, planned, unsure)
	restored, err := restoredFrom(testMission(), m.Status())
	must.OK(t, err)
	if s := restored.Status(); s.State != StatePaused || s.Waiting != "" {
		t.Errorf("%+v", s)
	}
}

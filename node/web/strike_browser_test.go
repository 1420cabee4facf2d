// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package web_test

import (
	"slices"
	"strings"
	"testing"

	"ugp_explorer/node/record"
	"ugp_explorer/node/web"
)

// Who taps a sample may strike it, and restore one that is struck; the card says why it does not count. A team mate's is struck by its robot.
func TestStrikeInABrowser(t *testing.T) {
	needBrowser(t)
	t.Parallel()
	r := newRig(t, nil)
	sample := func(why record.Struck) record.Observation {
		o := observation(1)
		o.Belief.X, o.Belief.Y, o.Struck = 50, 50, why
		return o
	}
	of := func(why record.Struck) func(*web.Snapshot) {
		return func(s *web.Snapshot) {
			s.Robot, s.Own = nil, []record.Observation{sample(why)}
			mate := sample(record.StruckByRobot)
			mate.Belief.X, mate.Sequence = 80, 3
			s.Team = []record.TeamSample{{Robot: "/robot2/explorer", Observation: mate}}
		}
	}
	r.set(of(""))
	b := visit(t, r.url, token, 390, 844)
	b.Until("the sample", "document.querySelector('#age').innerText === 'live' && /Driving|Waiting/.test(document.querySelector('#state').innerText)")
	tap := func(x, y float64, title string) {
		b.tap(x, y)
		b.Until("the card of "+title, "document.querySelector('#card-title').innerText === '"+title+"'")
	}
	tap(50, 50, "Sample 1")
	b.Until("the button", "document.querySelector('#strike').innerText === 'Strike' && document.querySelector('#card-note').hidden")
	b.Accessible("the card of a sample")
	b.Hold("#strike")
	b.says("Strike: strike 1 was done")
	r.set(of(record.StruckFarOut))
	b.Until("that it is struck", "document.querySelector('#strike').innerText === 'Restore' && document.querySelector('#card-note').innerText.startsWith('It is far outside all others')")
	b.Shoot("struck")
	b.Hold("#strike")
	b.says("Restore: restore 1 was done")
	if got := slices.DeleteFunc(r.given(), func(s string) bool { return !strings.HasSuffix(s, " 1") }); !slices.Equal(got, []string{"strike 1", "restore 1"}) {
		t.Errorf("the orders are %q", got)
	}
	tap(80, 50, "Sample 3 of /robot2/explorer")
	b.Until("that its robot struck it", "document.querySelector('#strike').hidden && document.querySelector('#card-note').innerText.startsWith('The robot that took it')")
	b.Silent()
}

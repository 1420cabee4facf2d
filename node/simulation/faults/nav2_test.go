// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package faults

import (
	"errors"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/internal/testkit/nav2test"
	"ugp_explorer/node/ros"
	"ugp_explorer/planner/field"
)

// nav2 is the action server that drives the robot in some trials, and what it does wrong.
type nav2 struct {
	server  *nav2test.Navigator
	refuses bool // takes no goals
	aborts  bool // aborts each goal
	endless bool // never says that a goal is reached
}

// nav2Period is the time between two paths of the server.
const nav2Period = 500 * time.Millisecond

// startNav2 starts the server on a node. It plans in the whole field: that the robot keeps
// the margin is up to the goals that it gets.
func (w *world) startNav2(n *ros.Node) error {
	region, err := field.NewRegion(w.trial.field, 0.1)
	if err != nil {
		return err
	}
	if w.nav2 == nil {
		w.nav2 = &nav2{}
	}
	s, err := nav2test.NewNavigator(n, nav2Period, func(from, to orb.Point) ([]orb.Point, error) {
		if !region.Contains(to[:]) {
			return nil, errors.New("the goal is outside")
		}
		way, _, err := region.Path(from, to)
		return way, err
	})
	if err != nil {
		return err
	}
	w.nav2.serve(s)
	_, err = n.NewTimer(nav2Period, func() {
		s.Endless = w.nav2.endless
		if w.nav2.aborts {
			w.nav2.abort()
		}
	})
	return err
}

func (n *nav2) serve(s *nav2test.Navigator) {
	n.server = s
	s.Decide = func(*nav2test.Goal) bool { return !n.refuses }
}

// abort aborts the active goal, and drop ends it as if another client had canceled it.
func (n *nav2) abort() { n.end((*nav2test.Goal).Abort) }
func (n *nav2) drop()  { n.end((*nav2test.Goal).Drop) }

func (n *nav2) end(how func(*nav2test.Goal)) {
	if g := n.server.Goal(); g != nil {
		n.server.Stay()
		how(g)
	}
}

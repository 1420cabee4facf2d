// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package ideal

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/paulmach/orb"

	"ugp_explorer/gp"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/explorer/settings"
	"ugp_explorer/node/record"
	"ugp_explorer/node/ros"
	"ugp_explorer/node/ros/exec"
	"ugp_explorer/node/ros/inproc"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner/field"
	"ugp_explorer/planner/mission"
	"ugp_explorer/planner/surface"
	"ugp_explorer/sim"
)

// World is what the robots meet. Values are in model units.
type World struct {
	Field     func(x, y float64) float64 // without the variation over distances too short to map
	Nugget    float64                    // standard deviation of that variation, drawn for each sample
	Noise     float64                    // > 0, standard deviation of a reading
	Transform record.Transform           // of the explorers' readings
	Random    *rand.Rand

	// Secondary is what a second sensor of each robot measures all the way, as that of fieldsim does; nil: there is none.
	Secondary surface.Surface
}

// reading returns a value with noise in the unit of a reading, and its variance.
func (w *World) reading(v float64) (value, variance float64) {
	value = w.Transform.Inverse(v + w.Noise*w.Random.NormFloat64())
	_, scaled, err := w.Transform.Forward(value, 1)
	if err != nil {
		return value, w.Noise * w.Noise // the explorer refuses it
	}
	return value, w.Noise * w.Noise / scaled
}

// Robot is a robot and its explorer.
type Robot struct {
	Namespace  string // of its nodes; "" for a robot alone
	Config     settings.Config
	Parameters *param.Overrides // of the explorer; nil: none
	Start      orb.Point        // m
	Speed      float64          // m/s
	SampleTime float64          // s that the probe takes for a sample

	// Fix has the Receiver or the Trace whose errors the places that it believes in have, drawn by Random; without both they are true.
	Fix    sim.FixConfig
	Random *rand.Rand
}

// Flight is the mission of a robot after its end.
type Flight struct {
	Record *record.Mission
	Model  *gp.GP // nil without a sample
	Region *field.Region
}

const (
	epoch = int64(time.Second) // a stamp of zero means no stamp

	// limit is the longest simulated time of a mission.
	limit = 30 * 24 * time.Hour
)

// Open starts the explorer of a robot alone and ends it again: what New refuses is refused
// here, and the configuration has the values that follow the field.
func Open(r Robot) (e *explorer.Explorer, cfg *settings.Config, err error) {
	cfg = &r.Config
	graph := inproc.New()
	node, err := r.node(graph, exec.NewSimulated(epoch))
	if err != nil {
		return nil, nil, errors.Join(err, graph.Close())
	}
	e, err = explorer.New(node, cfg)
	return e, cfg, errors.Join(err, node.Close(), graph.Close())
}

func (r *Robot) node(graph *inproc.Transport, on exec.Executor) (*ros.Node, error) {
	r.Config.AutoStart, r.Config.Alone = true, true
	return ros.NewNode(graph, on, explorer.DefaultName, ros.NodeOptions{
		Namespace: r.Namespace, Parameters: r.Config.Parameters(), Overrides: r.Parameters, NoRosout: true,
	})
}

// Fly runs the missions of robots in one world to their ends. The error is ctx's cause when
// ctx ends before. A mission that stays in the fault state is an error.
func Fly(ctx context.Context, w World, robots []Robot) (flights []Flight, err error) {
	executor, graph := exec.NewSimulated(epoch), inproc.New()
	var nodes []*ros.Node
	defer func() {
		for i := len(nodes) - 1; i >= 0; i-- {
			err = errors.Join(err, nodes[i].Close())
		}
		err = errors.Join(err, executor.Close(), graph.Close())
	}()
	var bodies []*body
	for i := range robots {
		r := robots[i]
		node, err := r.node(graph, executor)
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, node)
		b := &body{world: &w, robot: &r, at: r.Start}
		if b.explorer, err = explorer.New(node, &r.Config); err != nil {
			return nil, err
		}
		node, err = ros.NewNode(graph, executor, "robot", ros.NodeOptions{Namespace: r.Namespace, NoRosout: true})
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, node)
		if err := b.open(node); err != nil {
			return nil, err
		}
		bodies = append(bodies, b)
	}
	over := func() bool {
		for _, b := range bodies {
			if !b.explorer.Finished() && b.explorer.State() != mission.StateFault {
				return executor.Now() > epoch+int64(limit)
			}
		}
		return true
	}
	if err := executor.Run(ctx, over); err != nil {
		return nil, err
	}
	for _, b := range bodies {
		if !b.explorer.Finished() {
			return nil, fmt.Errorf("the mission of the robot at (%.1f, %.1f) m does not end: %s", b.at[0], b.at[1], b.explorer.Status())
		}
		flights = append(flights, Flight{b.explorer.Record(), b.explorer.Model(), b.explorer.Region()})
	}
	return flights, nil
}

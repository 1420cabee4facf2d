// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner"
)

// missionFlags holds the flags of the commands that run a single mission.
type missionFlags struct {
	world   `kong:"embed,set='usual=consumer'"`
	Seed    *int64 `group:"mission" help:"Seed of the field, the robot and the search; the same seed gives the same mission (1)." from:"0" to:"2147483647" placeholder:"N"`
	Live    bool   `group:"run" help:"Serve a page on this computer, until you press Ctrl-C, on which you can watch and command the mission; its link with the token is printed. Time passes at --speed."`
	Address string `group:"run" help:"With --live: address of the page, HOST:PORT. With :8080, phones in the same network can open it with a QR code (localhost:8080: only this computer can open it)." placeholder:"ADDRESS"`
	Method  string `group:"mission" help:"Method that chooses targets (ugp-ucb): ${methodHelp}." placeholder:"NAME"`
}

// parameters returns the nodes' parameters from --config and the flags, for a mission that
// is written to the folder out. It refuses a folder whose mission would be lost.
func (c *missionFlags) parameters(out string) (*param.Overrides, error) {
	if err := c.read(); err != nil {
		return nil, err
	}
	if c.Method != "" {
		if err := method("--method", c.Method, planner.Robot()); err != nil {
			return nil, err
		}
	}
	var defaults, more given
	if c.Address != "" && !c.Live {
		return nil, badInput{errors.New("--address has no effect without --live: there is no page; add --live")}
	}
	if c.Live { // the file may say another address
		defaults.set(explorer.DefaultName, "web.address", liveAddress)
	}
	more.set(explorer.DefaultName, "web.address", c.Address)
	more.set(explorer.DefaultName, "seed", c.Seed)
	more.set(fieldsim.DefaultName, "seed", c.Seed)
	more.set(explorer.DefaultName, "method", c.Method)
	o, err := c.world.parameters(defaults, append(more, fmt.Sprintf("%s:output_dir:=%q", explorer.DefaultName, out)))
	if err != nil {
		return nil, err
	}
	if err := writable(out); err != nil {
		return nil, err
	}
	return o, unrecorded(out, simulated)
}

// liveAddress is the address of the page with --live.
const liveAddress = "localhost:8080"

// liveSpeed is how fast time passes with --live unless --speed is given: fast enough that a
// mission of hours takes minutes, and slow enough to follow the robot.
const liveSpeed = 20

package main

import (
	"fmt"
	"math"

	"ugp_explorer/node/explorer"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/ros/param"
	"ugp_explorer/planner"
)

// missionFlags holds the flags of the commands that run a single mission.
type missionFlags struct {
	world  `embed:""`
	Seed   word   `group:"mission" help:"Seed of the field, the robot and the search; the same seed gives the same mission (1)." placeholder:"N"`
	Live   bool   `group:"run" help:"Serve a page on which to watch and command the mission, on this computer (http://localhost:8080/; web.address in --config changes it), until you press Ctrl-C. Time passes at --speed."`
	Method string `group:"mission" help:"Method that chooses targets (ugp-ucb): ${methodHelp}." placeholder:"NAME"`
}

// parameters returns the nodes' parameters from --config and the flags, for a mission that
// is written to the folder out.
func (c *missionFlags) parameters(out string) (*param.Overrides, error) {
	if err := c.read(); err != nil {
		return nil, err
	}
	o := &param.Overrides{}
	if c.Live { // the file may say another address
		if err := assign(o, fmt.Sprintf("%s:web.address:=%q", explorer.DefaultName, liveAddress)); err != nil {
			return nil, err
		}
	}
	if err := c.addTo(o); err != nil {
		return nil, err
	}
	if c.Seed != "" {
		seed, err := c.Seed.number("--seed", 0, math.MaxInt32)
		if err != nil {
			return nil, err
		}
		for _, node := range []string{explorer.DefaultName, fieldsim.DefaultName} {
			if err := assign(o, fmt.Sprintf("%s:seed:=%d", node, seed)); err != nil {
				return nil, err
			}
		}
	}
	if c.Method != "" {
		if err := method("--method", c.Method, planner.Robot()); err != nil {
			return nil, err
		}
		if err := assign(o, explorer.DefaultName+":method:="+c.Method); err != nil {
			return nil, err
		}
	}
	return o, assign(o, fmt.Sprintf("%s:output_dir:=%q", explorer.DefaultName, out))
}

// liveAddress is the address of the page with --live.
const liveAddress = "localhost:8080"

// liveSpeed is how fast time passes with --live unless --speed is given: fast enough that a
// mission of hours takes minutes, and slow enough to follow the robot.
const liveSpeed = 20

// pace returns the simulated seconds per second of a mission that people watch.
func pace(speed word) (float64, error) {
	if speed == "" {
		return liveSpeed, nil
	}
	return speed.float("--speed", 0.01, 1000)
}

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import (
	"fmt"

	"github.com/paulmach/orb"
)

// Command is an instruction to the caller, returned by [Mission.Handle]. Commands must be carried out in order.
type Command interface {
	isCommand()
}

// The commands, returned by value.
type (
	// CommandPlan asks for the next target. EventPlanned or EventPlanFailed with the same number answers it. The mission
	// accepts only targets that [Ledger.Affordable] allows.
	CommandPlan struct{ Plan int }
	// CommandDrive sends the robot to a target, m in the map frame.
	CommandDrive struct{ Target orb.Point }
	// CommandDriveHome sends the robot home.
	CommandDriveHome struct{}
	// CommandHalt stops the robot and cancels a sample in progress.
	CommandHalt struct{}
	// CommandSample asks for a sample where the robot stands. EventSampled or EventSampleFailed answers it. The caller
	// discards a sample that arrives when the mission is not in StateSampling.
	CommandSample struct{}
	// CommandStuck means that the robot is stuck. The caller makes the next paths avoid the place ahead. CommandHalt follows.
	CommandStuck struct{}
	// CommandSkipped reports a target without a sample. The caller avoids it for a while.
	CommandSkipped struct {
		Target   orb.Point
		Reason   string
		ByPerson bool // a person wants the robot elsewhere
	}
	// CommandObserve begins a passive mission: everything that comes is observed from now on.
	CommandObserve struct{}
	// CommandFinish ends the mission. After it, only EventMore leads to further commands.
	CommandFinish struct{ Reason string }
	// CommandNote is a line for the log. The caller limits the rate.
	CommandNote struct{ Text string }
)

func (CommandPlan) isCommand()      {}
func (CommandDrive) isCommand()     {}
func (CommandDriveHome) isCommand() {}
func (CommandHalt) isCommand()      {}
func (CommandSample) isCommand()    {}
func (CommandStuck) isCommand()     {}
func (CommandSkipped) isCommand()   {}
func (CommandObserve) isCommand()   {}
func (CommandFinish) isCommand()    {}
func (CommandNote) isCommand()      {}

// outbox has the commands that answer an event.
type outbox struct{ out []Command }

func (o *outbox) emit(c Command) { o.out = append(o.out, c) }

func (o *outbox) note(format string, args ...any) {
	o.emit(CommandNote{Text: fmt.Sprintf(format, args...)})
}

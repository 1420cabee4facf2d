package mission

import "github.com/paulmach/orb"

// Command is something to be done, returned by Mission.Handle. Commands are carried out in their order.
type Command interface {
	isCommand()
}

// The commands, returned by value.
type (
	// CommandPlan asks for the next target: EventPlanned or EventPlanFailed with the same number answers it. Only targets for
	// which Ledger.Affordable holds will be accepted.
	CommandPlan struct{ Plan int }
	// CommandDrive sends the robot to a target, m in the map frame.
	CommandDrive struct{ Target orb.Point }
	// CommandDriveHome sends the robot home.
	CommandDriveHome struct{}
	// CommandHalt stops the robot and gives up a sample under way.
	CommandHalt struct{}
	// CommandSample asks for a sample at the place where the robot stands: EventSampled or EventSampleFailed answers it. The
	// caller keeps a sample only when the mission is in StateSampling as it comes.
	CommandSample struct{}
	// CommandSkipped tells that a target gave no sample, so that it is left out of the search for a while.
	CommandSkipped struct {
		Target orb.Point
		Reason string
	}
	// CommandFinish ends the mission; no command follows it, ever.
	CommandFinish struct{ Reason string }
	// CommandNote is a line for the log. The caller limits the rate.
	CommandNote struct{ Text string }
)

func (CommandPlan) isCommand()      {}
func (CommandDrive) isCommand()     {}
func (CommandDriveHome) isCommand() {}
func (CommandHalt) isCommand()      {}
func (CommandSample) isCommand()    {}
func (CommandSkipped) isCommand()   {}
func (CommandFinish) isCommand()    {}
func (CommandNote) isCommand()      {}

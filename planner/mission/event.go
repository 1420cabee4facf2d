package mission

import "github.com/paulmach/orb"

// Event is something that happened, told to Mission.Handle. Stamp is the time at which it is told, int64 ns of one clock for
// all events: the node's clock, which is the simulated one in a simulation and the bag's in a replay.
type Event interface {
	stamp() int64
}

// The events, passed by value.
type (
	// EventStart begins the mission; HomeDistance is the drivable way home from here, m.
	EventStart struct {
		Stamp        int64
		HomeDistance float64
	}
	// EventPause halts the robot until EventResume.
	EventPause struct{ Stamp int64 }
	// EventResume goes on with what a pause or a fault interrupted.
	EventResume struct{ Stamp int64 }
	// EventStop halts the robot and ends the mission where it stands.
	EventStop struct{ Stamp int64 }
	// EventHome ends the mission at home.
	EventHome struct{ Stamp int64 }
	// EventPlanned answers the CommandPlan with this number: a target in the map frame, the drivable way to it and the way
	// home from it, m. An answer to an earlier CommandPlan is ignored.
	EventPlanned struct {
		Stamp        int64
		Plan         int
		Target       orb.Point
		PathLength   float64
		HomeDistance float64
	}
	// EventPlanFailed answers the CommandPlan with this number when there is no target. Exhausted says that asking again will
	// not help: no place is left that is reachable and affordable. An answer to an earlier CommandPlan is ignored.
	EventPlanFailed struct {
		Stamp     int64
		Plan      int
		Reason    string
		Exhausted bool
	}
	// EventPose tells of a new pose. Odometer is the way driven since the pose before, TargetDistance the distance of the
	// probe to the target (looked at while travelling only), HomeDistance the drivable way home from here, all in m;
	// Speed in m/s, of either sign.
	EventPose struct {
		Stamp          int64
		Odometer       float64
		TargetDistance float64
		HomeDistance   float64
		Speed          float64
	}
	// EventDriveDone tells that what drives the robot takes the drive for done, where it can tell so. It is not taken for
	// arrival: that is judged by the poses, when the robot stands.
	EventDriveDone struct{ Stamp int64 }
	// EventDriveFailed tells that what drives the robot cannot bring it to where CommandDrive or CommandDriveHome sent it.
	EventDriveFailed struct {
		Stamp  int64
		Reason string
	}
	// EventSampled answers CommandSample: the sample is taken.
	EventSampled struct{ Stamp int64 }
	// EventSampleFailed answers CommandSample: there is no sample.
	EventSampleFailed struct {
		Stamp  int64
		Reason string
	}
	// EventTick lets time pass; a few each second keep the timeouts.
	EventTick struct{ Stamp int64 }
	// EventFault tells of something broken that a person has to look at.
	EventFault struct {
		Stamp  int64
		Reason string
	}
	// EventRecovered tells that what EventFault told of works again. The fault still waits for EventResume.
	EventRecovered struct{ Stamp int64 }
)

func (e EventStart) stamp() int64        { return e.Stamp }
func (e EventPause) stamp() int64        { return e.Stamp }
func (e EventResume) stamp() int64       { return e.Stamp }
func (e EventStop) stamp() int64         { return e.Stamp }
func (e EventHome) stamp() int64         { return e.Stamp }
func (e EventPlanned) stamp() int64      { return e.Stamp }
func (e EventPlanFailed) stamp() int64   { return e.Stamp }
func (e EventPose) stamp() int64         { return e.Stamp }
func (e EventDriveDone) stamp() int64    { return e.Stamp }
func (e EventDriveFailed) stamp() int64  { return e.Stamp }
func (e EventSampled) stamp() int64      { return e.Stamp }
func (e EventSampleFailed) stamp() int64 { return e.Stamp }
func (e EventTick) stamp() int64         { return e.Stamp }
func (e EventFault) stamp() int64        { return e.Stamp }
func (e EventRecovered) stamp() int64    { return e.Stamp }

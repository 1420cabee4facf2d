// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package mission

import "github.com/paulmach/orb"

// Event is something that happened, passed to [Mission.Handle]. Stamp is the time at which it is passed, int64 ns. All events
// use one clock: that of the node, which is simulated time in a simulation and the bag's time in a replay.
type Event interface {
	stamp() int64
}

// The events, passed by value.
type (
	// EventStart starts the mission. HomeDistance is the length of the path home from here, m. While the robot returns home
	// because of failures, it continues the exploration.
	EventStart struct {
		Stamp        int64
		HomeDistance float64
	}
	// EventPause halts the robot until EventResume.
	EventPause struct{ Stamp int64 }
	// EventResume continues what a pause or a fault interrupted. While the robot returns home because of failures, and after a
	// fault on that way, it continues the exploration.
	EventResume struct{ Stamp int64 }
	// EventStop halts the robot and ends the mission where it stands. Reason is the reason for the end of a passive mission.
	EventStop struct {
		Stamp  int64
		Reason string
	}
	// EventHome makes the robot return home and ends the mission there.
	EventHome struct{ Stamp int64 }
	// EventMore continues a mission that is over or returns home, and increases each limit of its budget by a share. HomeDistance is the
	// length of the path home from here, m. [Account.RefusesMore] says in advance whether the event would be ignored.
	EventMore struct {
		Stamp        int64
		Share        float64
		HomeDistance float64
	}
	// EventSkip gives up the target at a person's request.
	EventSkip struct{ Stamp int64 }
	// EventGoTo makes a place the target at a person's request. Target is in the map frame, PathLength is the length of the path to it, and
	// HomeDistance that of the path home from it, all in m. A target that [Ledger.Affordable] does not allow is ignored;
	// [Account.RefusesTarget] says so in advance.
	EventGoTo struct {
		Stamp        int64
		Target       orb.Point
		PathLength   float64
		HomeDistance float64
	}
	// EventPlanned answers the CommandPlan with the same number. Target is in the map frame, PathLength is the length of the
	// path to it, and HomeDistance that of the path home from it, all in m. An answer to an earlier CommandPlan is ignored.
	EventPlanned struct {
		Stamp        int64
		Plan         int
		Target       orb.Point
		PathLength   float64
		HomeDistance float64
	}
	// EventPlanFailed answers the CommandPlan with the same number if there is no target. Exhausted means that no reachable
	// and affordable place is left, so another attempt is useless. An answer to an earlier CommandPlan is ignored.
	EventPlanFailed struct {
		Stamp     int64
		Plan      int
		Reason    string
		Exhausted bool
	}
	// EventPose is a new pose. Odometer is the distance driven since the pose before, TargetDistance the distance from the
	// probe to the target (used only while travelling), HomeDistance the length of the path home from here, all in m. Speed
	// is in m/s, of either sign.
	EventPose struct {
		Stamp          int64
		Odometer       float64
		TargetDistance float64
		HomeDistance   float64
		Speed          float64
	}
	// EventPosition is the robot's position, passed in addition to EventPose, to detect a robot that is stuck. Position is in the map
	// frame, m, and StdDev is its standard deviation in the direction in which it is largest, m. Speed is that of the wheels, m/s, of
	// either sign. An event with an invalid number is ignored.
	EventPosition struct {
		Stamp    int64
		Position orb.Point
		StdDev   float64
		Speed    float64
	}
	// EventUncertain means that the robot may be too close to an edge, because its position is uncertain: the drive waits for EventCertain.
	// During the wait, the event updates the reason.
	EventUncertain struct {
		Stamp  int64
		Reason string
	}
	// EventCertain ends the wait that EventUncertain began.
	EventCertain struct{ Stamp int64 }
	// EventDriveDone means that the driver reports the end of the drive, if it can. The mission still judges the arrival by
	// the poses, once the robot stands.
	EventDriveDone struct{ Stamp int64 }
	// EventDriveFailed means that the driver cannot reach the destination of CommandDrive or CommandDriveHome. AtHome means that the robot
	// may already be at home, given the uncertainty of its position: the mission is then over, and not in a fault.
	EventDriveFailed struct {
		Stamp  int64
		Reason string
		Cause  FaultCause
		AtHome bool
	}
	// EventReconsider asks for the next target while the robot drives to the present one, for example because the explorer has learnt
	// enough since it chose that one. Only missions with [Mode].Ahead react.
	EventReconsider struct{ Stamp int64 }
	// EventSampled answers CommandSample: the sample has been taken. In a continuous mission it is an observation that no command has
	// requested. Again requests another sample at the same place.
	EventSampled struct {
		Stamp int64
		Again bool
	}
	// EventSampleFailed answers CommandSample: there is no sample. In a continuous mission it means that nothing was observed for too long
	// on the way to the target.
	EventSampleFailed struct {
		Stamp  int64
		Reason string
		Cause  FaultCause
	}
	// EventTick lets time pass. A few per second are enough for the timeouts. Held says why another node, such as the guard, does not let
	// the robot drive now; "": none does.
	EventTick struct {
		Stamp int64
		Held  string
	}
	// EventFault means that something is broken and a person must look at it. AtHome means that the robot may already be at home, given the
	// uncertainty of its position: a returning mission is then over, and not in a fault.
	EventFault struct {
		Stamp  int64
		Reason string
		Cause  FaultCause
		AtHome bool
	}
	// EventRecovered means that the cause of an EventFault is gone. If the cause was the guard or a pose outside the field, the mission
	// continues; otherwise it stays in the fault state until EventResume.
	EventRecovered struct {
		Stamp int64
		Cause FaultCause
	}
)

// FaultCause is the cause of a fault or of a failed sample, if the mission's behaviour depends on it.
type FaultCause string

// The causes.
const (
	CauseOther   FaultCause = ""         // a person must look at it
	CauseJournal FaultCause = "journal"  // the journal cannot be written; EventRecovered follows when it can
	CauseNav2    FaultCause = "nav2"     // Nav2 does not work; EventRecovered follows when it does
	CauseGuard   FaultCause = "guard"    // the guard stops the robot; EventRecovered follows when it lets it drive
	CauseNoGuard FaultCause = "no guard" // the guard is gone
	CauseOutside FaultCause = "outside"  // the robot leaves the field by its own pose; EventRecovered follows when the pose is back inside
	CauseReading FaultCause = "reading"  // no reading comes
)

// passes reports whether the mission continues by itself after a fault with this cause.
func (c FaultCause) passes() bool { return c == CauseGuard || c == CauseOutside }

func (e EventStart) stamp() int64        { return e.Stamp }
func (e EventPause) stamp() int64        { return e.Stamp }
func (e EventResume) stamp() int64       { return e.Stamp }
func (e EventStop) stamp() int64         { return e.Stamp }
func (e EventHome) stamp() int64         { return e.Stamp }
func (e EventMore) stamp() int64         { return e.Stamp }
func (e EventSkip) stamp() int64         { return e.Stamp }
func (e EventGoTo) stamp() int64         { return e.Stamp }
func (e EventPlanned) stamp() int64      { return e.Stamp }
func (e EventPlanFailed) stamp() int64   { return e.Stamp }
func (e EventPose) stamp() int64         { return e.Stamp }
func (e EventPosition) stamp() int64     { return e.Stamp }
func (e EventUncertain) stamp() int64    { return e.Stamp }
func (e EventCertain) stamp() int64      { return e.Stamp }
func (e EventDriveDone) stamp() int64    { return e.Stamp }
func (e EventDriveFailed) stamp() int64  { return e.Stamp }
func (e EventReconsider) stamp() int64   { return e.Stamp }
func (e EventSampled) stamp() int64      { return e.Stamp }
func (e EventSampleFailed) stamp() int64 { return e.Stamp }
func (e EventTick) stamp() int64         { return e.Stamp }
func (e EventFault) stamp() int64        { return e.Stamp }
func (e EventRecovered) stamp() int64    { return e.Stamp }

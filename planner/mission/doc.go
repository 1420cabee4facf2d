// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package mission is the state machine of an exploration: events in, commands out.
//
// A [Mission] plans a target, drives to it, takes a sample, and so on, until the [Budget] is
// used or somebody ends it; then it drives home. It has no clock, no goroutine and no
// logger. The caller passes every [Event] to [Mission.Handle] and carries out each
// [Command] that comes back. The same configuration and events give the same commands, so
// the node on the robot, the simulator and a replay use the same machine.
//
// A [Ledger] accounts for samples, metres and seconds, and reserves what the path home needs. A [Status] is a snapshot as plain data, from
// which [Mission.Restore] continues.
//
// Lengths are metres, durations seconds, and stamps int64 nanoseconds of one clock. Texts
// in notes, reasons and statuses are for people.
package mission

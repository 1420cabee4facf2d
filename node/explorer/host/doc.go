// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package host runs an explorer for people: it takes their commands by ~/command, services and the
// page, and records the field's outline if they drive the robot along it.
//
// A [Host] is in one of two states. While it explores, it has an explorer. While it records a field, there is no explorer: nothing in the
// program can drive the robot, and commands of a mission are refused. A recording begins if there is no field, or when a person asks for it
// before the mission; when the field is saved, a new explorer is made for it and waits for the start. Commands, their services and the page
// are the same in both states.
//
// A recording takes poses, commands and edits of its closed rings, see package planner/field/outline. It is written to a file next to the
// field's before each answer, and every two seconds of a drive, so that it continues there after a restart of the program.
package host

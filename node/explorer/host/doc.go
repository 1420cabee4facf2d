// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package host runs an explorer for people: it takes their commands by ~/command, services and the
// page, and records the field's outline if they drive the robot along it.
//
// A [Host] is in one of two states. While it explores, it has an explorer. While a field is
// recorded there is none: nothing that could drive the robot exists in the program, and the
// commands of a mission are refused. A recording begins when there is no field, or by a person
// before the mission has begun; when the field is saved, an explorer is made for it, which waits
// for the start. Commands, their services and the page are the same in both states.
//
// A recording takes poses, commands and the edits of its closed rings, see package
// planner/field/outline. All of it is written to a file beside the field's before an answer, and
// every two seconds of a drive, so that it continues where it was after the program was started again.
package host

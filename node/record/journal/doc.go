// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package journal writes down the events of a mission as they happen, so that a mission can be resumed after any interruption of its
// explorer.
//
// The journal is a file in the mission's folder. Each line is a JSON object with the
// line's number, one member that holds an entry, and the checksum of the line up to it:
//
//	{"n":7,"observation":{"sequence":3, …},"crc32c":"8f3a1c2b"}
//
// An observation is synced to the disk before it is published and counted; a pause, a fault and the end of the mission are synced when they
// begin. Other lines are synced within a second. The next run cuts off an incomplete line at the end, which a power failure can leave, and
// ignores a damaged line, which stays in the file; the log reports both. A journal without its first lines is refused. [State] is the state
// of the mission after all lines.
//
// An entry [Status] holds the state of a mission, from which [mission.Mission.Restore] continues. For this reason the journal imports
// planner/mission, and the record does not.
package journal

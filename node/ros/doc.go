// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package ros gives a node what rclcpp gives it: quality of service, publishers, subscriptions, services and clients, clients of actions,
// timers, time, parameters with their six services, a logger that also publishes on /rosout, and --ros-args. Packages below it hold names
// and remapping (names), executors and timers (exec), parameters (param) and reports about what a node is waiting for (watch).
//
// A [Transport] moves CDR bytes between named, typed endpoints and does not know messages.
// Package inproc is the transport inside one process, fastdds the one over DDS, rclgo the one
// through rcl.
//
// An [ActionClient] uses only service clients and subscriptions. Some of their types are not in interface packages: the services
// NavigateToPose_SendGoal and NavigateToPose_GetResult and the message NavigateToPose_FeedbackMessage. A transport that moves CDR need not
// know them; a transport with generated type support needs that of the action.
//
// An [exec.Executor] runs all callbacks of its nodes on one goroutine. Unless a comment says
// otherwise, a node and everything that belongs to it may be used only from callbacks of its
// executor, and before Run is called.
//
// Times are int64 nanoseconds since the epoch of the executor's clock.
package ros

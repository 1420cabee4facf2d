// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package faults runs whole missions while things break, in the in-process graph and in
// simulated time. A seed decides everything: field, robot, parameters and faults. Checks
// that share no code with the planner watch each message. A failing seed is shrunk to the
// few faults that matter.
//
// Faults are injected where a robot meets the world, never inside the code that decides: between a node and the transport ([port], [wire]),
// at a process and its clock ([process]), below the journal ([disk]), and at the simulated robot. README.md lists faults and checks.
package faults

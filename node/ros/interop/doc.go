// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package interop holds our nodes against a DDS that is not ours: programs in C on
// Eclipse Cyclone DDS, with types that idlc makes of cyclone/ros.idl and not a line of
// our code. There is nothing here to import. The tests need the build tag fastdds,
// cc, and Debian's cyclonedds-dev and cyclonedds-tools, and are skipped without:
//
//	apt-get install cyclonedds-dev cyclonedds-tools libfastrtps-dev gcc g++
//	CGO_ENABLED=1 go test -tags fastdds -v ./node/ros/interop
package interop

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package interop tests our nodes against a foreign DDS: programs in C on Eclipse Cyclone DDS, with types that idlc generates from
// cyclone/ros.idl and without our code. There is nothing here to import. The tests need the build tag fastdds, cc, and Debian's
// cyclonedds-dev and cyclonedds-tools; otherwise they are skipped:
//
//	apt-get install cyclonedds-dev cyclonedds-tools libfastrtps-dev gcc g++
//	CGO_ENABLED=1 go test -tags fastdds -v ./node/ros/interop
package interop

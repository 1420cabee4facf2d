// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package rclgo connects node/ros to ROS 2 Humble through ROS's own rcl and the configured
// middleware. It uses github.com/tiiuae/rclgo. All code requires the build tag rclgo;
// without the tag the package is empty and no build, vet or test needs ROS.
//
//	tr, err := rclgo.New("/") // a ros.Transport, in the root enclave
//
// # Building
//
// With ROS 2 Humble sourced, `make ros-rclgo`, or
// `colcon build --cmake-args -DUGP_TRANSPORT=rclgo`. To build by hand, give cgo the header
// folder of each package and the folder of the libraries; it finds those in
// /opt/ros/humble by itself:
//
//	export CGO_CFLAGS="$(printf -- '-I%s ' $PREFIX/include/*)"
//	export CGO_LDFLAGS="-L$PREFIX/lib -Wl,-rpath,$PREFIX/lib"
//	CGO_ENABLED=1 go build -tags rclgo ./node/cmd/...
//
// A Humble that was built with one middleware has no library rmw_implementation.
// `.ci/rmw FOLDER $PREFIX` makes one for the linker; add -LFOLDER to CGO_LDFLAGS.
//
// At run time the packages of all used message types must be sourced, including a
// workspace with ugp_explorer.
//
// # How it works
//
// Types are loaded by name from the C libraries that rosidl generated. So any topic, service
// or action whose package is sourced works, without generated bindings. Topics carry CDR
// unchanged (PublishSerialized, TakeSerializedMessage). rcl has no serialized form of
// services: rclgo gets a type support whose Go message is CDR and whose C structure is
// rosidl's; rmw_serialize and rmw_deserialize convert between the two.
//
// Each Transport has one goroutine on its own thread. It waits in rclgo's wait set, moves
// received messages to Go queues and calls listeners. All rcl objects are opened and closed
// on that thread between two waits. C keeps no Go pointer. Names are final: rcl gets no
// arguments or remappings. Nodes do not open /rosout in rcl because node/ros does. Loaded
// types stay loaded.
//
// # What it does not do
//
//   - Distributions other than Humble: rclgo builds against no other.
//   - A message carries the system time, not the stamp given to Publish. Its publisher
//     is unknown (MessageInfo.Publisher).
//   - Only losses in a node's queue are counted, not those in the middleware's own queue.
//     A lifespan is checked when a message is taken from the middleware.
//   - Send and Reply return an error for a message that is not of the service's type. The
//     middleware drops received requests that it cannot read.
//   - Matched of a service's ends counts endpoints in the graph. An endpoint may appear
//     there a moment before it can be reached, so a first request may be lost, as with
//     every middleware.
//   - With a middleware other than DDS, servers and clients are known by node only: two
//     clients of one service in one node count as one.
//   - Endpoints are listed by kind, not in the order in which they appeared.
package rclgo

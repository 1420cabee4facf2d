// Package rclgo is the transport of node/ros to ROS 2 Humble through its own rcl and
// whatever middleware is configured there, on github.com/tiiuae/rclgo. All of it is
// behind the build tag rclgo; without the tag there is nothing here but this comment,
// and no build, vet or test needs ROS.
//
//	tr, err := rclgo.New(rclgo.DefaultConfig()) // a ros.Transport
//
// # Building
//
// With ROS 2 Humble sourced, `make ros-rclgo`, or
// `colcon build --cmake-args -DUGP_TRANSPORT=rclgo`. By hand cgo wants a folder of
// headers for each package, and where the libraries are; what is in
// /opt/ros/humble it finds by itself:
//
//	export CGO_CFLAGS="$(printf -- '-I%s ' $PREFIX/include/*)"
//	export CGO_LDFLAGS="-L$PREFIX/lib -Wl,-rpath,$PREFIX/lib"
//	CGO_ENABLED=1 go build -tags rclgo ./node/cmd/...
//
// The packages of all message types in use are needed when the program runs, this
// one's own among them: a workspace with ugp_explorer must be sourced.
//
// # How it works
//
// Every type is loaded by its name out of the C libraries that rosidl generated, so
// any topic, service or action whose package is sourced works, and there are no
// bindings to generate. Topics move CDR as it is (PublishSerialized,
// TakeSerializedMessage). Services have no such form in rcl: rclgo is given a type
// support whose Go message is CDR and whose C structure is rosidl's, and
// rmw_serialize and rmw_deserialize go between the two.
//
// One goroutine of a Transport, on a thread of its own, waits in rclgo's wait set,
// takes what came into Go queues and calls listeners; everything that is opened or
// closed in rcl is so on that thread, between two waits. C keeps no Go pointer.
// Names are final: no argument or remapping reaches rcl. Nodes do not open /rosout in
// rcl, since ours do it themselves. Types, once loaded, stay.
//
// # What it does not do
//
//   - Distributions other than Humble: rclgo builds against no other.
//   - A message carries the system's time, not the stamp given to Publish; who
//     published it and its number are not known (MessageInfo.Publisher, Sequence).
//   - What the middleware's own queue loses is not counted, only what a node's does. A
//     lifespan counts until a message is taken from the middleware.
//   - A request or reply that is no message of its type is an error of Send or Reply. A
//     request that comes and cannot be read is the middleware's to drop.
//   - rclgo does not say when the graph changes: endpoints that do not match are looked
//     for once a second. Incompatible deadlines and liveliness are not reported.
//   - Matched of a service's ends counts what the graph shows, which may be there a
//     moment before it can be reached: a first request may be lost, as everywhere.
//   - With a middleware that is no DDS, servers and clients are known by node: two
//     clients of one service in one node are one.
//   - Endpoints are listed by kind, not in the order in which they appeared.
package rclgo

// Package fastdds is the transport of node/ros to a real ROS 2 graph: a
// participant of a DDS domain, on the Fast DDS of the distribution or of a sourced
// ROS 2. All of it is behind the build tag fastdds; without the tag there is
// nothing here but this comment.
//
//	cfg, err := fastdds.FromEnvironment() // ROS_DOMAIN_ID and the like
//	tr, err := fastdds.New(cfg)           // a ros.Transport
//
// # Building
//
// On Debian and Ubuntu, `apt-get install libfastrtps-dev g++` is all that
// `go build -tags fastdds` needs: it links -lfastrtps -lfastcdr. With a ROS 2 that
// is sourced, point cgo at its copy instead:
//
//	export CGO_CXXFLAGS="-I/opt/ros/$ROS_DISTRO/include -I/opt/ros/$ROS_DISTRO/include/fastrtps -I/opt/ros/$ROS_DISTRO/include/fastcdr"
//	export CGO_LDFLAGS="-L/opt/ros/$ROS_DISTRO/lib -Wl,-rpath,/opt/ros/$ROS_DISTRO/lib"
//
// Fast DDS 3 (Kilted and later) calls its library fastdds: build with
// `-tags fastdds,fastdds3` there. One source serves 2.6 to 3.6 by #if; it runs, and
// is tested, on 2.9.1 alone, and was checked for syntax against the headers of
// 2.6.10, 2.10.6, 2.14.4, 3.0.2, 3.2.2 and 3.6.1. The first build takes ten to
// twenty seconds.
//
// # What it does as ROS 2 does
//
// Names and types are mangled as rmw does; messages are CDR as they are; the
// sender's time stamp is on the wire. Nodes and their endpoints are told on
// ros_discovery_info, up to Humble with Gids of 24 bytes and from Iron on with 16:
// by Config.Distro (ROS_DISTRO), or else 16 until a participant is heard that sends
// 24. Services are in the forms of rmw_fastrtps and rmw_cyclonedds at once: a
// server answers each request in the form in which it came, a client asks in the
// form of the server that it is matched with. Where servers of both forms have one
// name, those of rmw_fastrtps are asked; the others get a request that they cannot
// read, as between ROS 2's own middlewares.
//
// It sends over UDP alone unless Config.SharedMemory, a profile with transports or
// FASTDDS_BUILTIN_TRANSPORTS asks for others: shared memory fails without a word
// between users and containers. Large messages want net.core.rmem_max to be at
// least Config.SocketBuffer; [Transport.Warnings] says when it is less.
//
// # Goroutines and memory
//
// Threads of Fast DDS queue what happens and what comes in C++ and write to an
// eventfd; one goroutine of a Transport reads it, takes what came into Go queues, and
// calls listeners. C keeps no Go pointer, nothing calls from C into Go, and no C++
// exception leaves the shim. A subscription's queue is here, in front of the
// library's, so that what it loses is counted.
//
// # What it does not do
//
//   - The endpoints of others are listed with history keep-last and depth 0: DDS does
//     not tell. Deadline and liveliness are as in ROS 2's default profiles; where
//     another's are incompatible, Listener.Trouble names the policy, not the endpoint,
//     since the library does not say which it was.
//   - A definition (type hash) that differs is reported, but DDS matches by name and
//     delivers. Endpoints of services tell no type hash.
//   - One participant cannot have one topic with two types: opening the second is an
//     error.
//   - Messages of a publisher with a Lifespan, and all with Fast DDS before 2.9, carry
//     the time of the system, not the stamp given: the library expires by it. A
//     subscription counts a lifespan from when a message came.
//   - A peer that is killed is given up after its own lease, 10 to 20 s by default.
//     Config.Lease is ours.
//   - A peer on Cyclone DDS without multicast that stops is noticed when its lease of
//     10 s ends, not at once.
//   - ROS_LOCALHOST_ONLY does not change the transports of a profile. ROS_STATIC_PEERS
//     takes IPv4. DDS security is not offered.
package fastdds

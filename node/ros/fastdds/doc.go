// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package fastdds connects node/ros to a ROS 2 graph as a participant of a DDS domain. It
// uses the Fast DDS library of the operating system or of a sourced ROS 2. All code requires
// the build tag fastdds; without the tag the package is empty.
//
//	cfg, err := fastdds.FromEnvironment() // ROS_DOMAIN_ID and the like
//	tr, err := fastdds.New(cfg)           // a ros.Transport
//
// # Building
//
// On Debian and Ubuntu, `apt-get install libfastrtps-dev g++` installs everything that
// `go build -tags fastdds` needs. It links -lfastrtps -lfastcdr. With a sourced ROS 2, point
// cgo at its copy instead:
//
//	export CGO_CXXFLAGS="-I/opt/ros/$ROS_DISTRO/include -I/opt/ros/$ROS_DISTRO/include/fastrtps -I/opt/ros/$ROS_DISTRO/include/fastcdr"
//	export CGO_LDFLAGS="-L/opt/ros/$ROS_DISTRO/lib -Wl,-rpath,/opt/ros/$ROS_DISTRO/lib"
//
// Fast DDS 3 (Debian 13, Kilted and later) has another name: build with `-tags fastdds,fastdds3` there. `make` and the colcon build choose
// the tag by the headers that they find. One source supports 2.6 to 3.6 through #if. All tests of this package ran with 2.9.1, 2.14.6,
// 3.1.2 and 3.3.0; processes on 2.9.1 and on 3.1.2 can communicate. With 3.2.2 the C++ was only compiled; with 2.6.10, 2.10.6, 3.0.2 and
// 3.6.1 an earlier version was. The first build takes ten to twenty seconds.
//
// # Compatibility with ROS 2
//
// Names and types are mangled as in rmw. Messages are sent as CDR, with the sender's time
// stamp. Nodes and their endpoints are published on ros_discovery_info. Its Gids have 24
// bytes up to Humble and 16 from Iron on; the length follows Config.Distro (ROS_DISTRO), or
// is 16 until a participant with 24 is heard. Services support the forms of rmw_fastrtps and
// rmw_cyclonedds: a server answers each request in its form, and a client uses the form of
// the server that it is matched with. If servers of both forms have the same name, requests
// go to those of rmw_fastrtps; the others receive requests that they cannot read, as between
// ROS 2's own middlewares.
//
// It sends over UDP only, unless Config.SharedMemory, a profile with transports or
// FASTDDS_BUILTIN_TRANSPORTS selects others: shared memory fails silently between users and
// between containers. Large messages need net.core.rmem_max to be at least
// 4 MiB; sockets.Warnings reports a smaller value.
//
// # Security
//
// Config.Security secures the participant as ROS 2 does (SROS 2, DDS Security 1.1): with the files of Config.Enclave in a keystore of `ros2
// security`. Package security has the rules. Without these files [New] fails if the strategy is Enforce, and otherwise returns an unsecured
// transport, which [Transport.Warnings] reports. Files that exist but cannot be used are always an error. [Transport.OnReport] reports
// participants and endpoints that are kept out, as far as the library reports them; the library must have been built with DDS Security, as
// Debian's and ROS 2's are. While a secured participant exists, messages of the plugins go to these reports instead of the terminal, unless
// Config.Profiles is set, since a profile may arrange the library's log.
//
// A UDP message that would crash the process by an assertion of the library is dropped and reported, and a part of a handshake that the
// library would lose is read first, unless the library's own default transports are used (Config.SharedMemory, FASTDDS_BUILTIN_TRANSPORTS).
//
// # Goroutines and memory
//
// Threads of Fast DDS queue events and messages in C++ and write to an eventfd. That wakes the
// node's executor if it sleeps, else a goroutine of the Transport; either moves the messages to
// Go queues and calls listeners. C keeps no Go pointer, C never calls Go, and no C++ exception
// leaves the shim. A subscription's queue is in Go, after the library's, so that its losses are
// counted. Its messages are in C's memory, and their callbacks read them there.
//
// # Limitations
//
//   - Other participants' endpoints are listed with depth 0, because DDS does not send it. If
//     a policy that ros.QoS does not have is incompatible, such as a deadline, [Transport.OnReport]
//     names it but not the endpoint, which the library does not report.
//   - A different definition (type hash) is reported, but DDS matches by name and delivers
//     the messages. The hashes of services are sent, but not compared.
//   - Fast DDS with the fix of CVE-2023-50257 (2.14.6 and 3, not 2.9.1) describes a participant only after it has proved its identity. The
//     report that a participant is kept out then has an identifier, but no address and no enclave, and there is no report if the other side
//     refuses first. With Fast DDS 3, a node without DDS Security does not learn that another uses it.
//   - Cyclone DDS sends the last message of a handshake once. If the network loses it, the
//     participant is kept out until one of the two is restarted; [Transport.OnReport] tells.
//   - Secured participants on 2.9.1 and on 3.1.2 do not accept each other: the older one does
//     not know the names of algorithms that the newer one sends.
//   - A participant cannot use a topic with two types: opening the second is an error.
//   - Messages of a publisher with a Lifespan, and all messages with Fast DDS before 2.9,
//     carry the system time instead of the given stamp, because the library expires them by
//     it. A subscription counts a lifespan from the arrival of a message.
//   - A killed peer is removed after its own lease, 10 to 20 s by default. Config.Lease is the lease of this participant. A peer that only
//     stood still for longer is removed, too; it is not notified, and is not always matched again until it is restarted.
//   - Without multicast, the end of a peer on Cyclone DDS is noticed when its lease of 10 s
//     expires, not at once.
//   - ROS_LOCALHOST_ONLY does not change the transports of a profile. ROS_STATIC_PEERS
//     supports only IPv4.
//   - ROS_SECURITY_LOG_FILE, ROS_SECURITY_LOG_PUBLISH and ROS_SECURITY_LOG_VERBOSITY have no effect: messages of the DDS Security plugins
//     are in the node's log.
package fastdds

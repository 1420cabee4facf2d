// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds

import (
	"fmt"
	"strings"
	"time"

	"ugp_explorer/node/ros/security"
)

// Range is how far a participant looks for others, as in ROS 2's
// ROS_AUTOMATIC_DISCOVERY_RANGE.
type Range uint8

const (
	subnetRange    Range = iota // all machines within reach of multicast
	localhostRange              // this machine and the static peers
	offRange                    // no other participant
	systemDefault               // as set by the library and its profile
	Loopback                    // only the interface 127.0.0.1, as ROS_LOCALHOST_ONLY=1 sets it up to Humble
)

func (r Range) String() string {
	return [...]string{"SUBNET", "LOCALHOST", "OFF", "SYSTEM_DEFAULT", "loopback only"}[r]
}

// maxDomain is the largest domain with valid UDP ports.
const maxDomain = 232

// peerRange is the number of participants per host that an announcement to a peer reaches.
const peerRange = 32

// Config sets how a participant joins the graph. [FromEnvironment] checks what it reads.
type Config struct {
	Domain      int      // 0 to maxDomain
	Range       Range    // how far to look for others
	StaticPeers []string // additional host names or IPv4 addresses to search; used with Subnet and Localhost only
	// Distro is the ROS 2 distribution of the graph ("humble"); "" detects it from other
	// participants' messages. Up to Humble, graph information has another layout.
	Distro       string
	Enclave      string // security enclave: shown to others, and looked up in the keystore
	Security     security.Settings
	Profiles     string        // Fast DDS XML file to load; "": none
	SharedMemory bool          // use the library's default transports, including shared memory, instead of UDP only
	Lease        time.Duration // time after which others remove this participant if it is killed
}

// DefaultConfig returns domain 0 on the subnet, over UDP.
func DefaultConfig() Config { return Config{Enclave: "/", Lease: 20 * time.Second} }

// peers returns the IPv4 addresses to announce to, separated by semicolons. An empty list
// means the library's default.
func (c *Config) peers() (string, error) {
	var list []string
	if c.Range == localhostRange || c.Range == Loopback {
		list = append(list, "127.0.0.1")
	}
	for _, host := range c.StaticPeers {
		address := lookup(host)
		if address == "" {
			return "", fmt.Errorf("ros/fastdds: ROS_STATIC_PEERS: this computer finds no IPv4 address for the peer %q: correct its name or address", host)
		}
		if c.usesPeers() {
			list = append(list, address)
		}
	}
	return strings.Join(list, ";"), nil
}

// usesPeers reports whether StaticPeers have an effect. As in ROS 2 (rcl_init, and the
// middlewares' discovery options), other ranges ignore them.
func (c *Config) usesPeers() bool { return c.Range == subnetRange || c.Range == localhostRange }

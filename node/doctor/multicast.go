// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"golang.org/x/net/ipv4"
)

// discoveryGroup is the multicast group by which DDS participants find each other.
var discoveryGroup = net.IPv4(239, 255, 0, 1)

// multicastPatience is the longest travel time of a datagram within the machine.
const multicastPatience = 2 * time.Second

// multicast examines whether this machine's network interfaces carry the multicast by which
// nodes find each other. Its datagrams stay on the machine, so it does not see a switch or an
// access point that drops them.
func (x *examiner) multicast() {
	const subject = "multicast"
	if r := x.getenv("ROS_AUTOMATIC_DISCOVERY_RANGE"); x.getenv("ROS_LOCALHOST_ONLY") == "1" || r == "LOCALHOST" || r == "OFF" {
		x.say(Note, subject, "discovery is restricted to this machine: nodes on other machines are not found; unset ROS_LOCALHOST_ONLY or ROS_AUTOMATIC_DISCOVERY_RANGE if there are any")
		return
	}
	interfaces, err := net.Interfaces()
	if err != nil {
		x.say(Note, subject, "the network interfaces cannot be listed: %v", err)
		return
	}
	var works, fails []string
	for _, ifi := range interfaces {
		const needed = net.FlagUp | net.FlagMulticast
		if ifi.Flags&needed != needed || ifi.Flags&net.FlagLoopback != 0 {
			continue
		}
		if err := carries(&ifi); err != nil {
			fails = append(fails, fmt.Sprintf("%s (%v)", ifi.Name, err))
		} else {
			works = append(works, ifi.Name)
		}
	}
	switch {
	case fails != nil:
		x.say(Note, subject, "it does not work on %s: nodes on other machines may not be found; allow UDP multicast to %v in the firewall, or name them in ROS_STATIC_PEERS", strings.Join(fails, ", "), discoveryGroup)
	case works == nil:
		x.say(Note, subject, "no active network interface supports it: nodes on other machines cannot be found")
	default:
		x.say(Good, subject, "works on %s within this machine; test the network with ros2 multicast receive and ros2 multicast send", strings.Join(works, ", "))
	}
}

// carries returns an error unless a datagram to the group comes back on the interface. Its
// time to live of 0 keeps it on this machine.
func carries(ifi *net.Interface) (err error) {
	conn, err := net.ListenPacket("udp4", ":0")
	if err != nil {
		return err
	}
	defer conn.Close()
	p := ipv4.NewPacketConn(conn)
	group := &net.UDPAddr{IP: discoveryGroup, Port: conn.LocalAddr().(*net.UDPAddr).Port}
	message := []byte("ugp doctor")
	err = errors.Join(p.JoinGroup(ifi, group), p.SetMulticastInterface(ifi), p.SetMulticastTTL(0), p.SetMulticastLoopback(true),
		p.SetReadDeadline(time.Now().Add(multicastPatience)))
	if err == nil {
		_, err = p.WriteTo(message, nil, group)
	}
	buffer := make([]byte, 64)
	for err == nil {
		var n int
		if n, _, _, err = p.ReadFrom(buffer); err == nil && string(buffer[:n]) == string(message) {
			return nil
		}
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return errors.New("no datagram came back")
	}
	return err
}

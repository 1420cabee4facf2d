//go:build fastdds

package fastdds

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"

	"ugp_explorer/node/ros/security"
)

// FromEnvironment returns the configuration set by ROS 2's environment variables
// ROS_DOMAIN_ID, ROS_LOCALHOST_ONLY, ROS_AUTOMATIC_DISCOVERY_RANGE,
// ROS_STATIC_PEERS, ROS_DISTRO and FASTDDS_BUILTIN_TRANSPORTS, and by those of
// package security. The library itself reads ROS_DISCOVERY_SERVER, FASTRTPS_DEFAULT_PROFILES_FILE and
// FASTDDS_DEFAULT_PROFILES_FILE and ignores invalid values of them silently, so they are
// checked here. The error names every variable with an invalid value.
//
// ROS_LOCALHOST_ONLY=1 means Loopback up to Humble and without a known ROS_DISTRO. From Iron
// on, rcl turns it into Localhost without static peers, and the middlewares announce the
// addresses of the machine's network: rmw_cyclonedds_cpp then finds no participant that is
// on 127.0.0.1 alone.
func FromEnvironment() (Config, error) {
	c := DefaultConfig()
	var errs []error
	check := func(name string, use func(value string) error) {
		if v := strings.TrimSpace(os.Getenv(name)); v != "" {
			if err := use(v); err != nil {
				errs = append(errs, fmt.Errorf("ros/fastdds: %s is %q: %w", name, v, err))
			}
		}
	}
	check("ROS_DOMAIN_ID", func(v string) (err error) {
		if c.Domain, err = strconv.Atoi(v); err != nil || c.Domain < 0 || c.Domain > maxDomain {
			return fmt.Errorf("want a number from 0 to %d", maxDomain)
		}
		return nil
	})
	check("ROS_AUTOMATIC_DISCOVERY_RANGE", func(v string) error {
		for _, r := range []Range{Subnet, Localhost, Off, SystemDefault} {
			if v == r.String() {
				c.Range = r
				return nil
			}
		}
		return errors.New("want SUBNET, LOCALHOST, OFF or SYSTEM_DEFAULT")
	})
	check("ROS_LOCALHOST_ONLY", func(v string) error {
		switch v {
		case "0":
		case "1":
			c.Range = Loopback // takes precedence, as in rcl
		default:
			return errors.New("want 0 or 1")
		}
		return nil
	})
	check("ROS_STATIC_PEERS", func(v string) error {
		for _, host := range strings.Split(v, ";") {
			if host = strings.TrimSpace(host); host == "" {
				continue
			}
			if _, err := resolve(host); err != nil {
				return err
			}
			c.StaticPeers = append(c.StaticPeers, host)
		}
		return nil
	})
	c.Distro = os.Getenv("ROS_DISTRO")
	if n, known := gidLength(c.Distro); known && n == gidIron && c.Range == Loopback {
		c.Range, c.StaticPeers = Localhost, nil
	}
	var err error
	if c.Security, err = security.FromEnvironment(os.Getenv); err != nil {
		errs = append(errs, fmt.Errorf("ros/fastdds: %w", err))
	}
	check("ROS_DISCOVERY_SERVER", discoveryServers)
	check("FASTRTPS_DEFAULT_PROFILES_FILE", func(v string) error { c.Profiles = v; return readable(v) })
	check("FASTDDS_DEFAULT_PROFILES_FILE", func(v string) error { c.Profiles = v; return readable(v) })
	check("FASTDDS_BUILTIN_TRANSPORTS", func(string) error { c.SharedMemory = true; return nil })
	return c, errors.Join(errs...)
}

// discoveryServers checks a list of "host", "host:port" or
// "TRANSPORT:[host]:port", separated by semicolons. Entries may be empty.
func discoveryServers(list string) error {
	for _, s := range strings.Split(list, ";") {
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		for _, scheme := range []string{"UDPv4:", "UDPv6:", "TCPv4:", "TCPv6:"} {
			s = strings.TrimPrefix(s, scheme)
		}
		host, port := s, ""
		if strings.Contains(s, ":") {
			var err error
			if host, port, err = net.SplitHostPort(s); err != nil {
				return err
			}
			if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
				return fmt.Errorf("%q is no port", port)
			}
		}
		if host == "" || strings.ContainsAny(host, " \t/") {
			return fmt.Errorf("%q is no address of a server", s)
		}
	}
	return nil
}

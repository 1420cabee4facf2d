// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

package fastdds

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"ugp_explorer/node/ros/security"
)

// FromEnvironment returns the configuration set by ROS 2's environment variables
// ROS_DOMAIN_ID, ROS_LOCALHOST_ONLY, ROS_AUTOMATIC_DISCOVERY_RANGE,
// ROS_STATIC_PEERS, ROS_DISTRO and FASTDDS_BUILTIN_TRANSPORTS, and by those of
// package security. The library itself reads ROS_DISCOVERY_SERVER, FASTRTPS_DEFAULT_PROFILES_FILE and
// FASTDDS_DEFAULT_PROFILES_FILE and ignores a file that does not exist silently, so that is
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
		for _, r := range []Range{subnetRange, localhostRange, offRange, systemDefault} {
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
	for host := range strings.SplitSeq(os.Getenv("ROS_STATIC_PEERS"), ";") {
		if host = strings.TrimSpace(host); host != "" {
			c.StaticPeers = append(c.StaticPeers, host)
		}
	}
	c.Distro = os.Getenv("ROS_DISTRO")
	if n, known := gidLength(c.Distro); known && n == gidIron && c.Range == Loopback {
		c.Range, c.StaticPeers = localhostRange, nil
	}
	var err error
	if c.Security, err = security.FromEnvironment(os.Getenv); err != nil {
		errs = append(errs, fmt.Errorf("ros/fastdds: %w", err))
	}
	for _, name := range []string{"FASTRTPS_DEFAULT_PROFILES_FILE", "FASTDDS_DEFAULT_PROFILES_FILE"} {
		check(name, func(file string) error { c.Profiles = file; _, err := os.Stat(file); return err })
	}
	check("FASTDDS_BUILTIN_TRANSPORTS", func(string) error { c.SharedMemory = true; return nil })
	return c, errors.Join(errs...)
}

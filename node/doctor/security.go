// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"ugp_explorer/node/ros/security"
)

// expirySoon is the remaining validity below which a certificate is noted.
const expirySoon = 30 * 24 * time.Hour

// secured examines DDS Security for the explorer's enclave: whether it is on, whether the
// keystore has all files, valid for the domain and for some time.
func (x *examiner) secured(now time.Time) {
	const subject = "security"
	s, err := security.FromEnvironment(x.getenv)
	if err != nil {
		x.say(Bad, subject, "%v", err)
		return
	}
	if !s.Enabled {
		x.say(Note, subject, "%s is not true: anybody on this network can send goals and commands to the robot; to prevent that, see launch/security/README.md", security.EnableVariable)
		return
	}
	enclave := cmp.Or(x.args.Enclave, "/")
	e, err := s.Find(enclave)
	switch {
	case err != nil && s.Enforce:
		x.say(Bad, subject, "the nodes will not start, because %s is Enforce: %v", security.StrategyVariable, err)
		return
	case err != nil:
		x.say(Note, subject, "the nodes will run without security, because %s is Permissive: %v", security.StrategyVariable, err)
		return
	}
	domain, _ := strconv.Atoi(x.getenv("ROS_DOMAIN_ID")) // the transport reports a value that is not a number
	r, err := e.Inspect(domain, now)
	is, until := fmt.Sprintf("on (%s), enclave %s in %s", s.Strategy(), e.Name, e.Folder), r.Expires.Format(time.DateOnly)
	switch {
	case err != nil:
		x.say(Bad, subject, "the files of the enclave %s cannot be used: %v", e.Name, err)
	case r.Expires.IsZero():
		x.say(Good, subject, "%s, with files that only the plugins can read", is)
	case r.Expires.Sub(now) < expirySoon:
		x.say(Note, subject, "%s, but %s expires on %s: make a new one with ros2 security", is, filepath.Base(r.Expiring), until)
	default:
		x.say(Good, subject, "%s, complete and valid until %s (%s)", is, until, filepath.Base(r.Expiring))
	}
}

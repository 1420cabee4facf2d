package doctor

import (
	"path/filepath"
	"strconv"
	"time"

	"ugp_explorer/node/ros/security"
)

// expirySoon is how long before their end certificates are noted.
const expirySoon = 30 * 24 * time.Hour

// secured examines DDS Security for the explorer's enclave: whether it is on, and whether the
// keystore has all files, valid for the domain and for some time.
func secured(getenv func(string) string, enclave string, now time.Time) Finding {
	const subject = "security"
	s, err := security.FromEnvironment(getenv)
	if err != nil {
		return bad(subject, "%v", err)
	}
	if !s.Enabled {
		return note(subject, "%s is not true: whoever reaches this network can send goals and commands to the robot; launch/security/README.md says how to prevent it", security.EnableVariable)
	}
	if enclave == "" {
		enclave = "/"
	}
	e, err := s.Find(enclave)
	switch {
	case err != nil && s.Enforce:
		return bad(subject, "the nodes will not start, because %s is Enforce: %v", security.StrategyVariable, err)
	case err != nil:
		return note(subject, "the nodes will run without security, because %s is Permissive: %v", security.StrategyVariable, err)
	}
	domain, _ := strconv.Atoi(getenv("ROS_DOMAIN_ID")) // what is no number is reported by the transport
	r, err := e.Inspect(domain, now)
	switch {
	case err != nil:
		return bad(subject, "the files of the enclave %s cannot be used: %v", e.Name, err)
	case r.Expires.IsZero():
		return good(subject, "on (%s), enclave %s in %s, with files that only the plugins can read", s.Strategy(), e.Name, e.Folder)
	case r.Expires.Sub(now) < expirySoon:
		return note(subject, "on (%s), enclave %s in %s, but %s expires on %s: make a new one with ros2 security", s.Strategy(), e.Name, e.Folder, filepath.Base(r.Expiring), r.Expires.Format(time.DateOnly))
	}
	return good(subject, "on (%s), enclave %s in %s, complete and valid until %s (%s)", s.Strategy(), e.Name, e.Folder, r.Expires.Format(time.DateOnly), filepath.Base(r.Expiring))
}

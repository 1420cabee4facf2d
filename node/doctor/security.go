package doctor

import (
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"ugp_explorer/node/ekf"
	"ugp_explorer/node/explorer"
	"ugp_explorer/node/fieldsim"
	"ugp_explorer/node/follower"
	"ugp_explorer/node/guard"
	"ugp_explorer/node/ros/security"
)

// expirySoon is how long before their end certificates are noted.
const expirySoon = 30 * 24 * time.Hour

// secured examines DDS Security for the explorer's enclave: whether it is on, whether the
// keystore has all files, valid for the domain and for some time, and which enclaves cannot be
// used with Cyclone DDS, if the other nodes use it.
func secured(getenv func(string) string, enclave string, now time.Time) []Finding {
	const subject = "security"
	s, err := security.FromEnvironment(getenv)
	if err != nil {
		return []Finding{bad(subject, "%v", err)}
	}
	if !s.Enabled {
		return []Finding{note(subject, "%s is not true: whoever reaches this network can send goals and commands to the robot; launch/security/README.md says how to prevent it", security.EnableVariable)}
	}
	if enclave == "" {
		enclave = "/"
	}
	e, err := s.Find(enclave)
	switch {
	case err != nil && s.Enforce:
		return []Finding{bad(subject, "the nodes will not start, because %s is Enforce: %v", security.StrategyVariable, err)}
	case err != nil:
		return []Finding{note(subject, "the nodes will run without security, because %s is Permissive: %v", security.StrategyVariable, err)}
	}
	domain, _ := strconv.Atoi(getenv("ROS_DOMAIN_ID")) // what is no number is reported by the transport
	r, err := e.Inspect(domain, now)
	var found []Finding
	switch {
	case err != nil:
		found = append(found, bad(subject, "the files of the enclave %s cannot be used: %v", e.Name, err))
	case r.Expires.IsZero():
		found = append(found, good(subject, "on (%s), enclave %s in %s, with files that only the plugins can read", s.Strategy(), e.Name, e.Folder))
	case r.Expires.Sub(now) < expirySoon:
		found = append(found, note(subject, "on (%s), enclave %s in %s, but %s expires on %s: make a new one with ros2 security", s.Strategy(), e.Name, e.Folder, filepath.Base(r.Expiring), r.Expires.Format(time.DateOnly)))
	default:
		found = append(found, good(subject, "on (%s), enclave %s in %s, complete and valid until %s (%s)", s.Strategy(), e.Name, e.Folder, r.Expires.Format(time.DateOnly), filepath.Base(r.Expiring)))
	}
	if getenv("RMW_IMPLEMENTATION") != "rmw_cyclonedds_cpp" {
		return found
	}
	var ours []string // the nodes of this module, each in an enclave of its name beside the explorer's, all on Fast DDS
	for _, node := range []string{explorer.DefaultName, follower.DefaultName, ekf.DefaultName, guard.DefaultName, fieldsim.DefaultName} {
		ours = append(ours, path.Join(path.Dir(enclave), node))
	}
	if kept := s.KeptOut(ours); kept != nil {
		found = append(found, note(subject, "nodes in these enclaves are kept out if they use rmw_cyclonedds_cpp and ours a Fast DDS from before 2025: %s; give them enclaves of other names, until this line is gone", strings.Join(kept, ", ")))
	}
	return found
}

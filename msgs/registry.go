package msgs

import (
	"maps"
	"slices"

	"ugp_explorer/msgs/cdr"
)

// Lookup returns a function that makes an empty message of the type with the given full name, as in "nav_msgs/msg/Odometry" or
// "std_srvs/srv/Trigger_Request". Every message that it makes is a cdr.Described. Safe for concurrent use.
func Lookup(name string) (func() cdr.Message, bool) {
	f, ok := messages[name]
	return f, ok
}

// LookupService returns the service type with the given full name, as in "std_srvs/srv/Trigger". Safe for concurrent use.
func LookupService(name string) (cdr.Service, bool) {
	s, ok := services[name]
	return s, ok
}

// Names returns the full names of all message types, services' halves among them, sorted.
func Names() []string { return slices.Sorted(maps.Keys(messages)) }

// ServiceNames returns the full names of all service types, sorted.
func ServiceNames() []string { return slices.Sorted(maps.Keys(services)) }

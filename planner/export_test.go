package planner

// What the tests of package planner_test see of this one.

const (
	StreamRough = streamRough
	FormBelief  = formBelief
)

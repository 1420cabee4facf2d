package convert

// The keys of what the explorer reads among the values of the guard's status.
const (
	// GuardNeeds is that of the distance inside the outline that a place needs for the guard to let the robot there
	// and back, m, and GuardNeedsAlways that of the same while fixes err by far more than usual.
	GuardNeeds, GuardNeedsAlways = "distance inside the outline that a target needs, m", "distance inside the outline that a target needs while fixes err far more than usual, m"
)

package convert

// GuardNeeds is the key of the distance inside the outline that a target needs for the guard to let the robot there
// and back, m, among the values of the guard's status.
const GuardNeeds = "distance inside the outline that a target needs, m"

package process

// What the tests of package process_test see of this one.

const (
	Resident = residentMemory
)

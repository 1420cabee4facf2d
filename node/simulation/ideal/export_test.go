package ideal

// What the tests of package ideal_test see of this one.

type Flight = flight

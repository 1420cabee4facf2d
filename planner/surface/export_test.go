package surface

// What the tests of package surface_test see of this one.

var ErrNoPlace = errNoPlace

type Place = Peak

package record

// What the tests of package record_test see of this one.

const MostFile = mostFile

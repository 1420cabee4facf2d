package exec

// What the tests of package exec_test see of this one.

var ErrShutDown = errShutDown

type PanicError = panicError

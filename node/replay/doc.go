// Package replay feeds recorded bags through the explorer's own handlers as fast as they
// can process them. The explorer is passive and runs on the in-process graph, whose time is
// the bag's record time. The same bag and parameters give the same record.
//
// It also lists the content of a bag ([Take]) and checks whether a bag can be replayed
// ([Check]).
package replay

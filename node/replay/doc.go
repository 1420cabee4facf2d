// Package replay feeds recorded bags through the explorer's own handlers, as fast
// as they follow: an explorer that is passive, on the in-process graph, whose time
// is the bag's record time. The same bag and parameters give the same record.
//
// It also says what a bag holds ([Take]) and whether it would do ([Check]).
package replay

// Package replay feeds recorded bags through the explorer's own handlers as fast as they
// can process them. The explorer is passive and runs on the in-process graph, whose time is
// the bag's record time. The same bag and parameters give the same record.
//
// The poses of a bag without them are those that the node ekf computes from its wheel odometry and
// position fixes. What cannot be replayed is refused with the reason and the option that helps.
package replay

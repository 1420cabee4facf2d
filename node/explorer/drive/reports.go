package drive

import (
	"time"

	"ugp_explorer/msgs/nav2_msgs"
)

// longestSilence is the time after its acceptance in which a server that reports on goals
// begins to report on a new one. It is doubled each time that a goal is sent again, since the
// computer may only be slow.
const longestSilence = 5 * time.Second

// reports is the feedback on goals.
//
// Nav2 may accept a goal and never begin it: nav2_util::SimpleActionServer puts a goal aside
// that comes while the thread of the goal before is ending, and nothing takes it up. The goal
// stays active, without feedback, until another one comes.
type reports struct {
	last  nav2_msgs.NavigateToPoseFeedback // on the active goal
	begun bool                             // there was feedback on the active goal
	ever  bool                             // there was feedback on any goal: the server reports
	tries int                              // goals in a row that were sent again
}

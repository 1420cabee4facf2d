// Package ros gives a node what rclcpp gives it: names, namespaces and
// remapping, quality of service, publishers, subscriptions, services and
// clients, clients of actions, timers, time, parameters with their six services,
// a logger that also speaks on /rosout, and --ros-args.
//
// Below the API lies [Transport], which moves CDR byte slices between named,
// typed endpoints and knows nothing of messages. [InProcess] is the transport
// inside one process.
//
// An [ActionClient] needs no more of a transport than service clients and
// subscriptions, of types that are not in the interface packages as they stand: of
// an action pkg/action/T the services pkg/action/T_SendGoal and
// pkg/action/T_GetResult and the message pkg/action/T_FeedbackMessage. A transport
// that moves CDR needs to know nothing of them; one that works with generated type
// support needs that of the action.
//
// Above it, an [Executor] runs every callback of its nodes on one goroutine:
// [Simulated] in virtual time, ordered by (time, sequence), so that a run is a
// pure function of its inputs; [RealTime] by the wall clock or by /clock.
// Unless a comment says otherwise, a node and all that belongs to it may be
// used only from callbacks of its executor, and before Run is called.
//
// A [Watch] says what a node waits for, and what the graph has instead.
//
// Times are int64 nanoseconds since the epoch of the executor's clock.
package ros

// Package msgs finds ROS 2 message and service types by name. The types themselves are in the packages below it, one a ROS package and named like it; those of
// ugp_explorer itself are in ugp_explorer_msgs, generated from msgs/msg. The others' definitions are in msgs/definitions: fields and types as ROS 2 Humble has
// them, which are those of later distributions too, with the constants and defaults that came later. Two types changed their fields: sensor_msgs/msg/Range
// is Humble's, and rmw_dds_common/msg/Gid is that of Iron and later.
//
// Every type has TypeName, AppendCDR and UnmarshalCDR (cdr.Message), OwnDefinition, Definition and TypeHash (cdr.Described), and MarshalCDR and DecodeCDR for the
// messages that contain it. Constants are called <Message><Constant>, as in MarkerLineStrip. A type whose definition has defaults other than zero, its own or
// inside of it, has a New<Type> that returns them. A service S is the variable S, its halves are SRequest and SResponse.
// An action A is the constant A; its messages are AGoal, AResult and AFeedback, and those that rosidl makes of them ASendGoalRequest, AFeedbackMessage and so on.
package msgs

//go:generate go run ./internal/gen

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

package msgs

import (
	"strings"
	"testing"

	"ugp_explorer/msgs/all"

	"github.com/google/go-cmp/cmp"
)

// Hashes that others have published.
const (
	// github.com/youtalk/swift-ros2, Tests/SwiftROS2GenTests/HashGoldenTests.swift: read off ROS 2 Jazzy (osrf/ros:jazzy-desktop, share/<pkg>/msg/<Type>.json).
	jazzy = "youtalk/swift-ros2 from Jazzy"
	// github.com/ZettaScaleLabs/hiroz, crates/hiroz-codegen/tests/hash_regression.rs: another implementation, on Jazzy's definitions, tried against rmw_zenoh_cpp.
	hiroz = "ZettaScaleLabs/hiroz hash_regression.rs"
	// The same repository, crates/hiroz/src/parameter/wire_types.rs.
	hirozWire = "ZettaScaleLabs/hiroz wire_types.rs"
	// The same repository, crates/hiroz-msgs/python.
	hirozPython = "ZettaScaleLabs/hiroz, Python messages"
	// github.com/0x53A/hiroz-web, docs/reviews/2026-09-08-action-codegen-upstream.md: read off ROS 2 Lyrical (share/action_msgs/srv/CancelGoal.json).
	lyrical = "0x53A/hiroz-web from Lyrical"
)

func TestTypeHashes(t *testing.T) {
	for _, c := range []struct{ name, hash, source string }{
		{"std_msgs/msg/Bool", "feb91e995ff9ebd09c0cb3d2aed18b11077585839fb5db80193b62d74528f6c9", jazzy},
		{"std_msgs/msg/Empty", "20b625256f32d5dbc0d04fee44f43c41e51c70d3502f84b4a08e7a9c26a96312", jazzy},
		{"std_msgs/msg/Float64", "705ba9c3d1a09df43737eb67095534de36fd426c0587779bda2bc51fe790182a", jazzy},
		{"std_msgs/msg/Int32", "b6578ded3c58c626cfe8d1a6fb6e04f706f97e9f03d2727c9ff4e74b1cef0deb", jazzy},
		{"std_msgs/msg/String", "df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18", jazzy},
		{"builtin_interfaces/msg/Time", "b106235e25a4c5ed35098aa0a61a3ee9c9b18d197f398b0e4206cea9acf9c197", jazzy},
		{"builtin_interfaces/msg/Duration", "e8d009f659816f758b75334ee1a9ca5b5c0b859843261f14c7f937349599d93b", jazzy},
		{"std_msgs/msg/Header", "f49fb3ae2cf070f793645ff749683ac6b06203e41c891e17701b1cb597ce6a01", jazzy},
		{"geometry_msgs/msg/Vector3", "cc12fe83e4c02719f1ce8070bfd14aecd40f75a96696a67a2a1f37f7dbb0765d", jazzy},
		{"geometry_msgs/msg/Quaternion", "8a765f66778c8ff7c8ab94afcc590a2ed5325a1d9a076ffff38fbce36f458684", jazzy},
		{"geometry_msgs/msg/Point", "6963084842a9b04494d6b2941d11444708d892da2f4b09843b9c43f42a7f6881", jazzy},
		{"geometry_msgs/msg/Pose", "d501954e9476cea2996984e812054b68026ae0bfae789d9a10b23daf35cc90fa", jazzy},
		{"geometry_msgs/msg/Twist", "9c45bf16fe0983d80e3cfe750d6835843d265a9a6c46bd2e609fcddde6fb8d2a", jazzy},
		{"geometry_msgs/msg/Transform", "beb83fbe698636351461f6f35d1abb20010c43d55374d81bd041f1ba2581fddc", jazzy},
		{"geometry_msgs/msg/TwistStamped", "5f0fcd4f81d5d06ad9b4c4c63e3ea51b82d6ae4d0558f1d475229b1121db6f64", hiroz},
		{"geometry_msgs/msg/PoseStamped", "10f3786d7d40fd2b54367835614bff85d4ad3b5dab62bf8bca0cc232d73b4cd8", hiroz},
		{"sensor_msgs/msg/Imu", "7d9a00ff131080897a5ec7e26e315954b8eae3353c3f995c55faf71574000b5b", hiroz},
		{"nav_msgs/msg/Odometry", "3cc97dc7fb7502f8714462c526d369e35b603cfc34d946e3f2eda2766dfec6e0", hiroz},
		{"sensor_msgs/msg/PointCloud2", "9198cabf7da3796ae6fe19c4cb3bdd3525492988c70522628af5daa124bae2b5", hirozPython},
		{"action_msgs/msg/GoalStatusArray", "6c1684b00f177d37438febe6e709fc4e2b0d4248dca4854946f9ed8b30cda83e", hirozPython},
		{"rcl_interfaces/msg/ParameterEvent", "043e627780fcad87a22d225bc2a037361dba713fca6a6b9f4b869a5aa0393204", hirozWire},
		{"action_msgs/srv/CancelGoal", "573d8b0a534451d7bc2ac8c5ffde8ac14b8593b7001175d0cd6516dcbeb8689a", lyrical},
		{"rcl_interfaces/srv/DescribeParameters", "845b484d71eb0673dae682f2e3ba3c4851a65a3dcfb97bddd82c5b57e91e4cff", hiroz},
		{"rcl_interfaces/srv/GetParameters", "bf9803d5c74cf989a5de3e0c2e99444599a627c7ff75f97b8c05b01003675cbc", hiroz},
		{"rcl_interfaces/srv/GetParameterTypes", "da199c878688b3e530bdfe3ca8f74cb9fa0c303101e980a9e8f260e25e1c80ca", hiroz},
		{"rcl_interfaces/srv/ListParameters", "3e6062bfbb27bfb8730d4cef2558221f51a11646d78e7bb30a1e83afac3aad9d", hiroz},
		{"rcl_interfaces/srv/SetParameters", "56eed9a67e169f9cb6c1f987bc88f868c14a8fc9f743a263bc734c154015d7e0", hiroz},
		{"rcl_interfaces/srv/SetParametersAtomically", "0e192ef259c07fc3c07a13191d27002222e65e00ccec653ca05e856f79285fcd", hiroz},
	} {
		if got := TypeHash(c.name); got != "RIHS01_"+c.hash {
			t.Errorf("%s: hash %s, %s has RIHS01_%s", c.name, got, c.source, c.hash)
		}
	}
}

func TestDefinitionInBagsForm(t *testing.T) {
	// The form as rosbag2_storage_mcap's own test of its message definition cache has it, and as the bags that rosbag2 of Humble writes.
	const line = "\n================================================================================\nMSG: "
	want := "std_msgs/Header header\nPoint point\n" +
		line + "geometry_msgs/Point\n# A place, m.\nfloat64 x\nfloat64 y\nfloat64 z\n" +
		line + "std_msgs/Header\n# When and in which frame the data hold.\nbuiltin_interfaces/Time stamp\nstring frame_id\n" +
		line + "builtin_interfaces/Time\n# A point in time since the epoch of the clock in use.\n" +
		"int32 sec       # s, rounded down\nuint32 nanosec  # ns, added to sec; below 1e9\n"
	if d := cmp.Diff(want, Definition("geometry_msgs/msg/PointStamped")); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if got := Definition("nav2_msgs/action/NavigateToPose_FeedbackMessage"); !strings.HasPrefix(got, "unique_identifier_msgs/UUID goal_id\nnav2_msgs/action/NavigateToPose_Feedback feedback\n") ||
		!strings.Contains(got, line+"nav2_msgs/action/NavigateToPose_Feedback\ngeometry_msgs/PoseStamped current_pose\n") {
		t.Errorf("the feedback of an action is\n%s", got)
	}
	for name := range hashes {
		if topic := strings.Contains(name, "/msg/") && name != "std_msgs/msg/Empty" || strings.Contains(name, "_Feedback"); topic != (Definition(name) != "") {
			t.Errorf("%s has the definition %q", name, Definition(name))
		}
	}
	for _, unknown := range []string{"", "Point", "../msg/FieldReading", "a/msg/B", "a/action/B_Feedback", "a/action/B_FeedbackMessage"} {
		if got := Definition(unknown); got != "" {
			t.Errorf("%q has the definition %q", unknown, got)
		}
	}
}

func TestNames(t *testing.T) {
	services := 0
	for _, name := range all.Names() {
		if got := all.New(name).TypeName(); got != name {
			t.Errorf("%s leads to %s", name, got)
		}
		service, request := strings.CutSuffix(name, "_Request")
		if request {
			services++
		}
		if TypeHash(name) == "" || request && (TypeHash(service) == "" || TypeHash(service+"_Response") == "") {
			t.Errorf("%s has no hash, or its service has none", name)
		}
	}
	if services != 12 {
		t.Errorf("%d services, want 12", services)
	}
	if TypeHash("std_msgs/String") != "" || all.New("std_msgs/String") != nil {
		t.Error("found a type by half a name")
	}
}

// Package interop holds our nodes against a DDS that is not ours: programs in C on
// Eclipse Cyclone DDS, with types that idlc makes of cyclone/ros.idl and not a line of
// our code. There is nothing here to import. The tests need the build tag fastdds,
// cc, and Debian's cyclonedds-dev and cyclonedds-tools, and are skipped without:
//
//	apt-get install cyclonedds-dev cyclonedds-tools libfastrtps-dev gcc g++
//	CGO_ENABLED=1 go test -tags fastdds -v ./node/ros/interop
//
// # What is proved
//
// TestRobot runs the explorer's executable and cyclone/robot.c, which is all of its
// robot: localisation, sensor and follower. Two missions: in one odometry, readings
// and goals are best effort on the robot's side, and Gids are as from Iron on; in the
// other all is reliable, and Gids are Humble's, which the explorer finds out by itself.
// In each
//
//   - the explorer's node is on ros_discovery_info with the very endpoints that DDS
//     discovers of its process, and these have ROS 2's names, types, quality of service
//     and type hashes;
//   - ~/start is called in rmw_cyclonedds' form: refused before there is a pose, then
//     done;
//   - the goals that the robot hears are the targets of the record, the values that it
//     reads are those of the record, and the beliefs are what its odometry claims;
//   - a map of nearly 4 MB comes whole: in C every cell is held against the outline and
//     the occupancy grid against the cloud, in Go the figures against the mixture of the
//     record's models, given what it says was observed;
//   - a process that comes when the mission is over gets all observations and the maps;
//   - SIGINT ends the explorer with exit code 0.
//
// TestPeer has cyclone/peer.c talk with a node in the test's own process: latched
// words, 2 MB there and back, services of both forms, both as server and as client.
//
// # By hand
//
// In a folder of its own, with the outline of a field in field.geojson and its points
// as the last arguments; what the lines mean that the robot prints is in the headers.
//
//	S=…/node/ros/interop/cyclone
//	idlc $S/ros.idl
//	cc -I. -I$S -o robot $S/{robot,endpoints,explored,graph,maps,start}.c ros.c -lddsc -lm
//	export ROS_DOMAIN_ID=7 ROS_LOCALHOST_ONLY=1 CYCLONEDDS_URI=file://$S/loopback.xml
//	echo '{"type": "Polygon", "coordinates": [[[0,0],[40,0],[40,20],[0,30],[0,0]]]}' > field.geojson
//	explorer --ros-args -p auto_start:=false -p field.file:=field.geojson -p probe.x:=0.0 -p budget.samples:=4 -p output_dir:=out &
//	./robot drive 7 best_effort 0 0 40 0 40 20 0 30
//	./robot watch 7 0 0 40 0 40 20 0 30
//	kill -INT %1
package interop

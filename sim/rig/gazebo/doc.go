// Package gazebo makes the worlds for Gazebo in launch/worlds: the ground with its relief, a
// shed, a hedge and a wood, and the GeoJSON file that says the same to the explorer. All
// places are in metres in the frame map, whose origin is the worlds' datum.
//
// The files are generated, so that worlds and GeoJSON agree, but for the picture of the ground, field.png:
//
//	UPDATE_GENERATED=1 go test ./sim/rig/gazebo -run Generated
package gazebo

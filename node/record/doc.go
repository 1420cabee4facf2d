// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package record holds a mission as data: its record, the maps and tracks that belong to
// it, and the files of its folder. The package journal below it writes down what happens
// during the mission; package report draws the pictures and the page.
//
// The record is plain data without messages, planner or pictures, so the explorer on a
// robot, the simulation and the replay of a bag fill it in the same way. Places are in
// metres in the map frame, x east and y north, unless a comment says otherwise.
//
// # The mission's folder
//
// The explorer's parameter output_dir names the folder of a mission:
//
//	journal.jsonl    the events of the mission, one per line, written as they happen
//	mission.json     the record: written by ~/save, at the end, and when the explorer is interrupted
//	report.html      the report, written with the record at the end
//	export           the results for other software; see package export
//	bag_1, bag_2 …   rosbag2 bags (MCAP), one per run of the explorer; a jump back in time begins another one
//
// # The bags
//
// Topics have their full names in the graph, after namespace and remapping. The log time of a message is the time of the explorer's node
// when it published or received the message, so it is simulated time if the node uses that. The publish time is the publisher's. Bags
// contain what the explorer published and what it received; a message that the queue dropped is in no bag.
//
//	record.topics: mission   what the explorer publishes: goal_pose, plan, heading_drive, ~/mean, ~/stddev,
//	                         ~/acquisition, ~/cloud, ~/samples, ~/field, ~/keepout, ~/observation, ~/status,
//	                         ~/suggestion, /diagnostics, /rosout, /parameter_events (all parameters at the
//	                         beginning of each bag); and ~/command
//	record.topics: all       also what it receives: odometry/filtered or pose, /tf and /tf_static where the pose
//	                         comes from there, reading, battery_state, the team's observations and statuses,
//	                         /clock (thinned), ground_truth/odom, ground_truth/field; and the topics of record.also
//
// A bag begins with the newest message of each latched topic, so it can be viewed without the earlier bags. A resumed mission publishes its
// observations again with their old numbers: the same sequence in several bags is the same observation. Chunks are compressed with zstd and
// synced twice a second. If a run is killed, its bag lacks the last half second, its metadata.yaml and its index.
//
// # Units
//
// A mission may transform its readings before the Gaussian process gets them. User's units
// are those of the sensor (Mission.Units); model units are the result of
// Mission.Transform. Without a transform they are the same. Every field says which it uses.
//
// # Unknown numbers
//
// JSON has no NaN and no infinity. A float64 of the record that is not finite is written
// as null, and null is read as NaN: an unknown number is NaN.
package record

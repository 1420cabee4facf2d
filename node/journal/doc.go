// Package journal keeps what a mission must not lose, in the mission's folder,
// as it happens.
//
// # The mission's folder
//
// A mission has a folder of its own, the explorer's parameter output_dir:
//
//	journal.jsonl    what has happened, a line each; what is there is never lost
//	mission.json     the record: written by ~/save, at the end, and when the explorer is interrupted
//	report.html      the report, with its pictures: written at the end
//	bag_1, bag_2 …   a rosbag2 bag (MCAP) for each run of the explorer: begun with the mission, and anew when it is taken up or time is set back
//
// # The journal
//
// Each line is a JSON object with the line's number, one member that says what has
// happened, and the checksum of the line up to it:
//
//	{"n":7,"observation":{"sequence":3, …},"crc32c":"8f3a1c2b"}
//
// An observation is on the disk, synced, before it is published and counted, and a
// pause, a fault and the end as they begin; other lines follow within a second. A
// line that was not written to its end, as when the power fails, is cut off by the
// next run; a line that is damaged in between is left out. Both are said in the
// log. [State] is what the lines add up to.
//
// # The bags
//
// Topics have the names that they have in the graph, after namespace and
// remapping. The log time of a message is the time of the explorer's node when
// it published or took the message, so it is simulated time where the node's is;
// the publish time is the publisher's. What the explorer hears is recorded as it
// came, and only what the explorer took: a message that its queue dropped is in no
// bag.
//
//	record.topics: mission   goal_pose, plan, ~/mean, ~/stddev, ~/acquisition, ~/cloud, ~/samples, ~/field, ~/observation, ~/status, ~/suggestion,
//	                         /diagnostics, /rosout, /parameter_events (all parameters at the beginning of each bag), ~/command
//	record.topics: all       besides what it hears: odometry/filtered or pose, reading, /clock, ground_truth/odom, ground_truth/field
//
// A bag begins with the newest message of each latched topic, so that each can be
// looked at without those before. A mission that is taken up publishes its
// observations again, with their old numbers: in several bags the same sequence is
// the same observation. Chunks are compressed with zstd and end twice a second, when
// they are synced: what a run that was killed lacks is half a second, its
// metadata.yaml and its index.
package journal

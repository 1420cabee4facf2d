// Package bag reads and writes rosbag2 bags without ROS.
//
// A bag is a folder of one or more MCAP or SQLite files and a metadata.yaml, or one such file alone. Open takes either and reads whatever is there: bags without
// metadata.yaml, files cut off by a power loss, files compressed whole, in chunks or by message. What is wrong with a bag stands in Info.Problems; what turns out
// while messages are read is yielded between them as a *Problem. The contents of messages are not looked at: they are handed on as CDR with its header.
//
// Memory does not grow with the bag: a chunk or a page is held at a time, at most some MaxChunk bytes whatever a file claims, and messages come in the order of
// their log times across all files. A file compressed whole is unpacked to the folder for temporary files (TMPDIR), since both formats are read by position.
//
// Create makes a bag that rosbag2 plays, lists and reindexes. What is written survives the process from the next Flush on, and the power supply too; the file of a
// bag that was never closed lacks its index, which Open makes up for by reading it once.
package bag

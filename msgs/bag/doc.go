// Package bag reads and writes rosbag2 bags without ROS.
//
// A bag is a folder of MCAP or SQLite files and a metadata.yaml, or one such file alone. Open
// reads either, also bags without metadata.yaml, files cut off by a power loss, and files
// compressed as a whole, in chunks or message by message. Info.Problems lists what is wrong
// with a bag. Damage that is found while messages are read comes between them as a *Problem.
// The contents of messages are not decoded: they are passed on as CDR with its header.
//
// Memory does not grow with the bag: one chunk or page is held at a time, at most about
// MaxChunk bytes whatever a file claims. Messages come in the order of their log times across
// all files. A file that is compressed as a whole is first unpacked to the folder for temporary
// files (TMPDIR), because both formats need random access.
//
// Create writes a bag that rosbag2 plays, lists and reindexes: MCAP files with zstd chunks, in
// Humble's format. Messages written before a Flush survive a crash and a power loss. The last
// file of a bag that was never closed has no index; Open reads such a file once to make up for
// that.
package bag

// Package bag reads rosbag2 bags without ROS. Package bagwriter writes them, so that a robot, which only writes, does not link what reads.
//
// A bag is a folder of MCAP or SQLite files and a metadata.yaml, or one such file alone. Open
// reads either, also bags without metadata.yaml, files cut off by a power loss or with missing pages, and files
// compressed as a whole, in chunks or message by message. Info.Problems lists what is wrong
// with a bag; of an MCAP file that is all, since it is read once when it is opened. Damage that is found
// while messages are read comes between them as a *Problem.
// The contents of messages are not decoded: they are passed on as CDR with its header.
//
// Memory does not grow with the bag: those chunks are held whose times overlap, at most about
// 256 MiB each whatever a file claims, and 24 bytes for each message of a damaged SQLite file. Messages come in the order of their log times across
// all files. A file that is compressed as a whole is first unpacked to the folder for temporary
// files (TMPDIR), because both formats need random access.
package bag

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Package bag reads rosbag2 bags without ROS. Package bagwriter writes them; it is separate so that a robot, which only writes, does not
// link the reader.
//
// A bag is a folder of files and a metadata.yaml, or one such file alone. Open reads these forms:
//
//	MCAP            in chunks, plain, zstd or LZ4, and without chunks
//	SQLite          the tables of Foxy and Galactic, of Humble, and of Jazzy; messages plain or zstd
//	FILE.zstd       either of them, compressed as a whole
//	several files   of one recording, with or without metadata.yaml; of several recordings only the one that metadata.yaml names
//	damage          files cut off by a power loss, with missing pages or wrong bytes, as far as they can be read
//	ROS 1           refused, with the command that converts it
//
// Info.Problems lists what is wrong with a bag. For an MCAP file the list is complete, since the file is read once when it is opened. Other
// damage is found while messages are read, and is returned between them as a *Problem. The contents of messages are not decoded, but
// returned as CDR with its header.
//
// Memory does not grow with the bag: it holds the chunks whose times overlap, at most about 256 MiB each whatever a file claims, and 24
// bytes for each message of a damaged SQLite file. Messages come in the order of their log times across all files. A file that is
// compressed as a whole is first unpacked to the folder for temporary files (TMPDIR), because both formats need random access.
package bag

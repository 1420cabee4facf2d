// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// A ROS 2 node on Eclipse Cyclone DDS: its endpoints, and what it tells of them, as
// rmw_cyclonedds has them. A program is one node and one participant. What cannot be
// done ends the program with status 1.
#ifndef ENDPOINTS_H
#define ENDPOINTS_H

#include <stdbool.h>

#include "dds/dds.h"
#include "ros.h"

typedef builtin_interfaces_msg_dds__Time_ Time;
typedef geometry_msgs_msg_dds__PoseStamped_ PoseStamped;
typedef nav_msgs_msg_dds__OccupancyGrid_ OccupancyGrid;
typedef nav_msgs_msg_dds__Odometry_ Odometry;
typedef rmw_dds_common_msg_dds__Gid_ Gid;
typedef rmw_dds_common_msg_dds__NodeEntitiesInfo_ NodeInfo;
typedef rmw_dds_common_msg_dds__ParticipantEntitiesInfo_ ParticipantInfo;
typedef sensor_msgs_msg_dds__PointCloud2_ PointCloud2;
typedef std_msgs_msg_dds__String_ String;
typedef ugp_explorer_msg_dds__FieldObservation_ FieldObservation;
typedef ugp_explorer_msg_dds__FieldReading_ FieldReading;
typedef ugp_explorer_msg_dds__MissionStatus_ MissionStatus;

// guid_size is how much of a Gid says something: Humble's have 8 zeros more.
enum { guid_size = 16 };

// quality is a quality of service: reliable and volatile unless it says otherwise,
// keep-last; a depth of 0 keeps all.
struct quality {
  bool best_effort, latched;
  int depth;
  const char *user_data;  // of the endpoint; NULL: none
};

static const struct quality by_default = {.depth = 10};

// must returns e, unless it is an error.
dds_entity_t must(dds_entity_t e, const char *what);

// join makes the participant of a domain, and its only node. A program that has
// not left after so many seconds has failed. With ENCLAVE_FOLDER in the environment
// it is secured with the files of that folder.
dds_entity_t join(int domain, const char *node, int seconds);

// leave removes the participant and all that it has.
void leave(void);

// reader and writer make an endpoint of the node, at most 16 of each.
dds_entity_t reader(const dds_topic_descriptor_t *type, const char *topic, struct quality q);
dds_entity_t writer(const dds_topic_descriptor_t *type, const char *topic, struct quality q);

// announce tells the node and its endpoints on ros_discovery_info; discovery is a
// reader of what others tell there.
void announce(void);
dds_entity_t discovery(void);

// own says whether a participant's Gid is that of this one.
bool own(const Gid *gid);

// take puts a reader's next sample into a struct, whose memory it uses again.
bool take(dds_entity_t r, void *sample);

// matched_writer and matched_reader say how many an endpoint is matched with.
int matched_writers(dds_entity_t reader);
int matched_readers(dds_entity_t writer);

// rest lets a millisecond pass; the program's last one is spent waiting for what.
void rest(const char *what);

// user_data returns the user data of a quality of service, to be freed with
// dds_free; what is no printable word becomes one.
char *user_data(const dds_qos_t *q);

// seconds and stamp are nanoseconds as seconds and as ROS 2 has them.
double seconds(Time t);
Time stamp(dds_time_t ns);

#endif

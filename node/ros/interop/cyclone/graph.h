// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// Another node as ros_discovery_info tells of it, held against the endpoints that
// DDS itself discovers.
#ifndef GRAPH_H
#define GRAPH_H

#include <stdbool.h>

#include "dds/dds.h"

void graph_open(dds_entity_t participant);

// graph_agrees says whether the node is told of in the root namespace, and with the
// very endpoints, all of them, that its participant has on ROS 2's topics.
bool graph_agrees(const char *node);

// graph_print says what was told of the node and what was discovered:
//
//	gid BYTES
//	endpoint reader|writer TOPIC TYPE best_effort|reliable volatile|latched USERDATA
//	node NAME readers N writers N participant USERDATA
void graph_print(const char *node);

void graph_free(void);

#endif

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

#include "graph.h"

#include <stdio.h>
#include <string.h>

#include "endpoints.h"

enum { most = 256 };

static dds_entity_t told, participants, publications, subscriptions;
static ParticipantInfo latest, next;

void graph_open(dds_entity_t participant) {
  told = discovery();
  participants = must(dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSPARTICIPANT, NULL, NULL), "participants");
  publications = must(dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, NULL, NULL), "publications");
  subscriptions = must(dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION, NULL, NULL), "subscriptions");
}

void graph_free(void) {
  dds_sample_free(&latest, &rmw_dds_common_msg_dds__ParticipantEntitiesInfo__desc, DDS_FREE_CONTENTS);
  dds_sample_free(&next, &rmw_dds_common_msg_dds__ParticipantEntitiesInfo__desc, DDS_FREE_CONTENTS);
}

// find returns what a participant tells of a node, NULL when that is nothing.
static const NodeInfo *find(const ParticipantInfo *p, const char *node) {
  for (uint32_t i = 0; i < p->node_entities_info_seq._length; i++) {
    const NodeInfo *n = &p->node_entities_info_seq._buffer[i];
    if (strcmp(n->node_namespace, "/") == 0 && strcmp(n->node_name, node) == 0) return n;
  }
  return NULL;
}

static bool ros_topic(const char *name) {
  return strncmp(name, "rt/", 3) == 0 || strncmp(name, "rq/", 3) == 0 || strncmp(name, "rr/", 3) == 0;
}

static int times_listed(const dds_sequence_rmw_dds_common_msg_dds__Gid_ *list, const dds_guid_t *guid) {
  static const uint8_t zeros[sizeof(Gid)];
  int n = 0;
  for (uint32_t i = 0; i < list->_length; i++) {
    const uint8_t *gid = list->_buffer[i].data;
    n += memcmp(gid, guid->v, guid_size) == 0 && memcmp(gid + guid_size, zeros, sizeof(Gid) - guid_size) == 0;
  }
  return n;
}

static void print_endpoint(const char *kind, const dds_builtintopic_endpoint_t *e) {
  dds_reliability_kind_t reliability = DDS_RELIABILITY_BEST_EFFORT;
  dds_durability_kind_t durability = DDS_DURABILITY_VOLATILE;
  dds_qget_reliability(e->qos, &reliability, NULL);
  dds_qget_durability(e->qos, &durability);
  char *data = user_data(e->qos);
  printf("endpoint %s %s %s %s %s %s\n", kind, e->topic_name, e->type_name,
         reliability == DDS_RELIABILITY_RELIABLE ? "reliable" : "best_effort",
         durability == DDS_DURABILITY_TRANSIENT_LOCAL ? "latched" : "volatile", data);
  dds_free(data);
}

// compare returns how many endpoints of the latest participant are on ROS 2's
// topics, -1 when not each of them is listed once. kind is for printing; NULL: don't.
static int compare(dds_entity_t endpoints, const dds_sequence_rmw_dds_common_msg_dds__Gid_ *list, const char *kind) {
  void *loan[most] = {NULL};
  dds_sample_info_t infos[most];
  int found = 0, n = must(dds_read(endpoints, loan, infos, most, most), "endpoints");
  for (int i = 0; i < n; i++) {
    const dds_builtintopic_endpoint_t *e = loan[i];
    if (!infos[i].valid_data || infos[i].instance_state != DDS_ALIVE_INSTANCE_STATE ||
        memcmp(e->participant_key.v, latest.gid.data, guid_size) != 0 || !ros_topic(e->topic_name))
      continue;
    if (kind) print_endpoint(kind, e);
    if (found >= 0) found = times_listed(list, &e->key) == 1 ? found + 1 : -1;
  }
  if (n > 0) must(dds_return_loan(endpoints, loan, n), "endpoints");
  return found;
}

bool graph_agrees(const char *node) {
  while (take(told, &next)) {
    if (own(&next.gid) || !find(&next, node)) continue;
    ParticipantInfo older = latest;
    latest = next;
    next = older;
  }
  const NodeInfo *n = find(&latest, node);
  return n && n->reader_gid_seq._length > 0 && n->writer_gid_seq._length > 0 &&
         compare(subscriptions, &n->reader_gid_seq, NULL) == (int)n->reader_gid_seq._length &&
         compare(publications, &n->writer_gid_seq, NULL) == (int)n->writer_gid_seq._length;
}

// participant_data returns the user data of the latest participant.
static char *participant_data(void) {
  void *loan[most] = {NULL};
  dds_sample_info_t infos[most];
  char *data = NULL;
  int n = must(dds_read(participants, loan, infos, most, most), "participants");
  for (int i = 0; i < n; i++) {
    const dds_builtintopic_participant_t *p = loan[i];
    if (!data && infos[i].valid_data && memcmp(p->key.v, latest.gid.data, guid_size) == 0) data = user_data(p->qos);
  }
  if (n > 0) must(dds_return_loan(participants, loan, n), "participants");
  return data ? data : dds_string_dup("unknown");
}

void graph_print(const char *node) {
  const NodeInfo *n = find(&latest, node);
  printf("gid %zu\n", sizeof(Gid));
  compare(subscriptions, &n->reader_gid_seq, "reader");
  compare(publications, &n->writer_gid_seq, "writer");
  char *data = participant_data();
  printf("node %s readers %u writers %u participant %s\n", node, n->reader_gid_seq._length, n->writer_gid_seq._length, data);
  dds_free(data);
}

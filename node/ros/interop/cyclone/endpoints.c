// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

#include "endpoints.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most = 16 };

static dds_entity_t participant, info;
static const char *node;
static dds_time_t deadline;
static dds_entity_t readers[most], writers[most];
static uint32_t reader_count, writer_count;

static void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

dds_entity_t must(dds_entity_t e, const char *what) {
  if (e < 0) fail(what, dds_strretcode(-e));
  return e;
}

static dds_qos_t *qos(struct quality q) {
  dds_qos_t *p = dds_create_qos();
  dds_history_kind_t history = q.depth ? DDS_HISTORY_KEEP_LAST : DDS_HISTORY_KEEP_ALL;
  int32_t depth = q.depth ? q.depth : DDS_LENGTH_UNLIMITED;
  dds_qset_reliability(p, q.best_effort ? DDS_RELIABILITY_BEST_EFFORT : DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
  dds_qset_history(p, history, depth);
  dds_qset_durability(p, q.latched ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
  dds_qset_durability_service(p, 0, history, depth, DDS_LENGTH_UNLIMITED, 1, DDS_LENGTH_UNLIMITED);
  if (q.user_data) dds_qset_userdata(p, q.user_data, strlen(q.user_data));
  return p;
}

static dds_entity_t topic(const dds_topic_descriptor_t *type, const char *name) {
  return must(dds_create_topic(participant, type, name, NULL, NULL), name);
}

static const struct quality latched_all = {.latched = true};

static void file(dds_qos_t *q, const char *property, const char *folder, const char *name) {
  char uri[4096];
  snprintf(uri, sizeof uri, "file:%s/%s", folder, name);
  dds_qset_prop(q, property, uri);
}

// plugin names a library of Cyclone DDS and the functions that it begins and ends with.
static void plugin(dds_qos_t *q, const char *kind, const char *library, const char *name) {
  char property[100], value[100];
  snprintf(property, sizeof property, "dds.sec.%s.library.path", kind);
  dds_qset_prop(q, property, library);
  snprintf(property, sizeof property, "dds.sec.%s.library.init", kind), snprintf(value, sizeof value, "init_%s", name);
  dds_qset_prop(q, property, value);
  snprintf(property, sizeof property, "dds.sec.%s.library.finalize", kind), snprintf(value, sizeof value, "finalize_%s", name);
  dds_qset_prop(q, property, value);
}

// secure uses the files of an enclave, as rmw_cyclonedds does.
static void secure(dds_qos_t *q, const char *folder) {
  file(q, "dds.sec.auth.identity_ca", folder, "identity_ca.cert.pem");
  file(q, "dds.sec.auth.identity_certificate", folder, "cert.pem");
  file(q, "dds.sec.auth.private_key", folder, "key.pem");
  file(q, "dds.sec.access.permissions_ca", folder, "permissions_ca.cert.pem");
  file(q, "dds.sec.access.governance", folder, "governance.p7s");
  file(q, "dds.sec.access.permissions", folder, "permissions.p7s");
  plugin(q, "auth", "dds_security_auth", "authentication");
  plugin(q, "crypto", "dds_security_crypto", "crypto");
  plugin(q, "access", "dds_security_ac", "access_control");
}

dds_entity_t join(int domain, const char *name, int limit) {
  node = name;
  deadline = dds_time() + DDS_SECS(limit);
  dds_qos_t *q = dds_create_qos();
  dds_qset_userdata(q, "enclave=/;", strlen("enclave=/;"));
  const char *enclave = getenv("ENCLAVE_FOLDER");
  if (enclave) secure(q, enclave);
  participant = must(dds_create_participant((dds_domainid_t)domain, q, NULL), "participant");
  dds_delete_qos(q);
  q = qos((struct quality){.latched = true, .depth = 1});
  info = topic(&rmw_dds_common_msg_dds__ParticipantEntitiesInfo__desc, "ros_discovery_info");
  info = must(dds_create_writer(participant, info, q, NULL), "ros_discovery_info");
  dds_delete_qos(q);
  return participant;
}

void leave(void) { must(dds_delete(participant), "delete"); }

dds_entity_t reader(const dds_topic_descriptor_t *type, const char *name, struct quality quality) {
  if (reader_count == most) fail(name, "too many readers");
  dds_qos_t *q = qos(quality);
  dds_entity_t r = must(dds_create_reader(participant, topic(type, name), q, NULL), name);
  dds_delete_qos(q);
  return readers[reader_count++] = r;
}

dds_entity_t writer(const dds_topic_descriptor_t *type, const char *name, struct quality quality) {
  if (writer_count == most) fail(name, "too many writers");
  dds_qos_t *q = qos(quality);
  dds_entity_t w = must(dds_create_writer(participant, topic(type, name), q, NULL), name);
  dds_delete_qos(q);
  return writers[writer_count++] = w;
}

static Gid gid(dds_entity_t e) {
  Gid g = {{0}};
  dds_guid_t guid;
  must(dds_get_guid(e, &guid), "guid");
  memcpy(g.data, guid.v, guid_size);
  return g;
}

void announce(void) {
  Gid of_readers[most], of_writers[most];
  for (uint32_t i = 0; i < reader_count; i++) of_readers[i] = gid(readers[i]);
  for (uint32_t i = 0; i < writer_count; i++) of_writers[i] = gid(writers[i]);
  NodeInfo n = {
    .node_namespace = "/",
    .node_name = (char *)node,
    .reader_gid_seq = {._buffer = of_readers, ._length = reader_count, ._maximum = most},
    .writer_gid_seq = {._buffer = of_writers, ._length = writer_count, ._maximum = most},
  };
  ParticipantInfo p = {.gid = gid(participant), .node_entities_info_seq = {._buffer = &n, ._length = 1, ._maximum = 1}};
  must(dds_write(info, &p), "ros_discovery_info");
}

dds_entity_t discovery(void) {
  dds_qos_t *q = qos(latched_all);
  dds_entity_t r = must(dds_create_reader(participant, dds_get_topic(info), q, NULL), "ros_discovery_info");
  dds_delete_qos(q);
  return r;
}

bool own(const Gid *g) {
  Gid ours = gid(participant);
  return memcmp(g->data, ours.data, guid_size) == 0;
}

bool take(dds_entity_t r, void *sample) {
  dds_sample_info_t i;
  return must(dds_take(r, &sample, &i, 1, 1), "take") == 1 && i.valid_data;
}

int matched_writers(dds_entity_t r) {
  dds_subscription_matched_status_t s;
  must(dds_get_subscription_matched_status(r, &s), "status");
  return (int)s.current_count;
}

int matched_readers(dds_entity_t w) {
  dds_publication_matched_status_t s;
  must(dds_get_publication_matched_status(w, &s), "status");
  return (int)s.current_count;
}

void rest(const char *what) {
  if (dds_time() > deadline) fail("too late", what);
  dds_sleepfor(DDS_MSECS(1));
}

char *user_data(const dds_qos_t *q) {
  void *value = NULL;
  size_t n = 0;
  if (!dds_qget_userdata(q, &value, &n)) n = 0;
  char *word = dds_alloc(n + 2);
  strcpy(word, "-");
  for (size_t i = 0; i < n; i++) {
    word[i] = ((char *)value)[i];
    if (!isgraph((unsigned char)word[i])) word[i] = '?';
  }
  if (n > 0) word[n] = 0;
  dds_free(value);
  return word;
}

double seconds(Time t) { return t.sec + t.nanosec / 1e9; }

Time stamp(dds_time_t ns) {
  return (Time){.sec = (int32_t)(ns / DDS_NSECS_IN_SEC), .nanosec = (uint32_t)(ns % DDS_NSECS_IN_SEC)};
}

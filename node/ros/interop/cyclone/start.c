// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

#include "start.h"

#include <stdio.h>
#include <string.h>

#include "endpoints.h"

typedef std_srvs_srv_dds__Trigger_Request_ Request;
typedef std_srvs_srv_dds__Trigger_Response_ Response;

static dds_entity_t requests, replies;
static uint64_t client;  // what rmw_cyclonedds puts in front of its requests
static int64_t number;
static Response response;

void start_open(dds_entity_t participant) {
  dds_guid_t guid;
  must(dds_get_guid(participant, &guid), "guid");
  char id[100] = "clientid=";
  for (int i = 0; i < guid_size; i++) sprintf(id + strlen(id), i ? ".%x" : "%x", guid.v[i]);
  strcat(id, ";");
  const struct quality q = {.depth = 10, .user_data = id};
  requests = writer(&std_srvs_srv_dds__Trigger_Request__desc, "rq/ugp_explorer/startRequest", q);
  replies = reader(&std_srvs_srv_dds__Trigger_Response__desc, "rr/ugp_explorer/startReply", q);
  dds_instance_handle_t handle;
  must(dds_get_instance_handle(requests, &handle), "handle");
  client = handle;
}

void start_free(void) { dds_sample_free(&response, &std_srvs_srv_dds__Trigger_Response__desc, DDS_FREE_CONTENTS); }

bool start_there(void) {
  dds_instance_handle_t of_server, of_answers;
  if (dds_get_matched_subscriptions(requests, &of_server, 1) != 1 || dds_get_matched_publications(replies, &of_answers, 1) != 1)
    return false;
  dds_builtintopic_endpoint_t *server = dds_get_matched_subscription_data(requests, of_server);
  dds_builtintopic_endpoint_t *answers = dds_get_matched_publication_data(replies, of_answers);
  bool there = false;
  if (server && answers) {
    char *a = user_data(server->qos), *b = user_data(answers->qos);
    // Both ends have the same number first; the hashes of the two types follow.
    const size_t id = strcspn(a, ";");
    there = strncmp(a, "serviceid=", strlen("serviceid=")) == 0 && strcspn(b, ";") == id && strncmp(a, b, id) == 0;
    dds_free(a);
    dds_free(b);
  }
  if (server) dds_builtintopic_free_endpoint(server);
  if (answers) dds_builtintopic_free_endpoint(answers);
  return there;
}

bool start_call(void) {
  Request q = {.client = client, .number = ++number};
  must(dds_write(requests, &q), "request");
  // The answers to others come too.
  while (!take(replies, &response) || response.client != client || response.number != number) rest("an answer of ~/start");
  printf("answer %d %s\n", response.success, response.message);
  return response.success;
}

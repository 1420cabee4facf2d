// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// A node on Eclipse Cyclone DDS that talks with whoever is there: peer DOMAIN CALLS.
// It latches a word on /cyclone_latched, says on /pong what it hears on /ping, serves
// /cyclone_service, and calls /our_service CALLS times, one call after the other.
// "end" on /ping ends it: status 0 when every call was answered once, and right.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "endpoints.h"

typedef std_srvs_srv_dds__SetBool_Request_ Request;
typedef std_srvs_srv_dds__SetBool_Response_ Response;

static const uint64_t our_id = 0x1122334455667788;

static dds_entity_t latched, ping, pong, asked, answers, ask, answered;
static String heard;
static Request request;
static Response response;

static void open_peer(void) {
  const struct quality latched_ten = {.latched = true, .depth = 10};
  latched = writer(&std_msgs_msg_dds__String__desc, "rt/cyclone_latched", latched_ten);
  ping = reader(&std_msgs_msg_dds__String__desc, "rt/ping", latched_ten);
  pong = writer(&std_msgs_msg_dds__String__desc, "rt/pong", latched_ten);
  asked = reader(&std_srvs_srv_dds__SetBool_Request__desc, "rq/cyclone_serviceRequest", by_default);
  answers = writer(&std_srvs_srv_dds__SetBool_Response__desc, "rr/cyclone_serviceReply", by_default);
  ask = writer(&std_srvs_srv_dds__SetBool_Request__desc, "rq/our_serviceRequest", by_default);
  answered = reader(&std_srvs_srv_dds__SetBool_Response__desc, "rr/our_serviceReply", by_default);
  announce();
}

static void serve(void) {
  char text[40];
  snprintf(text, sizeof text, "Cyclone heard %d", (int)request.data);
  Response a = {.client = request.client, .number = request.number, .success = request.data, .message = text};
  must(dds_write(answers, &a), "write");
}

// is_right says whether the response is the one to our call of that number.
static bool is_right(int call) {
  char text[40];
  snprintf(text, sizeof text, "answer %d", call);
  return response.number == call && response.success == (call % 2 == 1) && strcmp(response.message, text) == 0;
}

int main(int argc, char **argv) {
  if (argc != 3) return 1;
  const int calls = atoi(argv[2]);
  join(atoi(argv[1]), "cyclone_peer", 120);
  open_peer();
  String word = {.data = "latched by Cyclone"};
  must(dds_write(latched, &word), "write");
  int sent = 0, right = 0, wrong = 0;
  for (;;) {
    if (take(ping, &heard)) {
      if (strcmp(heard.data, "end") == 0) break;
      must(dds_write(pong, &heard), "write");
    }
    if (take(asked, &request)) serve();
    if (take(answered, &response) && response.client == our_id) {
      if (right < sent && is_right(sent))
        right++;
      else
        wrong++;
    }
    if (sent < calls && right == sent && matched_readers(ask) > 0 && matched_writers(answered) > 0) {
      sent++;
      Request r = {.client = our_id, .number = sent, .data = sent % 2 == 1};
      must(dds_write(ask, &r), "write");
    }
    rest("end");
  }
  printf("%d calls, %d answers right, %d wrong\n", sent, right, wrong);
  dds_sample_free(&heard, &std_msgs_msg_dds__String__desc, DDS_FREE_CONTENTS);
  dds_sample_free(&request, &std_srvs_srv_dds__SetBool_Request__desc, DDS_FREE_CONTENTS);
  dds_sample_free(&response, &std_srvs_srv_dds__SetBool_Response__desc, DDS_FREE_CONTENTS);
  leave();
  return right == calls && wrong == 0 ? 0 : 2;
}

// A participant on Eclipse Cyclone DDS for the tests: peer DOMAIN CALLS. It latches
// a word on /cyclone_latched, says on /pong what it hears on /ping, serves
// /cyclone_service, and calls /our_service CALLS times, one call after the other.
// "end" on /ping ends it: status 0 when every call was answered once, and right.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dds/dds.h"
#include "ros.h"

typedef std_msgs_msg_dds__String_ String;
typedef std_srvs_srv_dds__SetBool_Request_ Request;
typedef std_srvs_srv_dds__SetBool_Response_ Response;

static const uint64_t our_id = 0x1122334455667788;

static dds_entity_t must(dds_entity_t e, const char *what) {
  if (e < 0) {
    fprintf(stderr, "%s: %s\n", what, dds_strretcode(-e));
    exit(1);
  }
  return e;
}

static dds_qos_t *qos(dds_durability_kind_t durability) {
  dds_qos_t *q = dds_create_qos();
  dds_qset_reliability(q, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
  dds_qset_history(q, DDS_HISTORY_KEEP_LAST, 10);
  dds_qset_durability(q, durability);
  dds_qset_durability_service(q, 0, DDS_HISTORY_KEEP_LAST, 10, DDS_LENGTH_UNLIMITED, 1, DDS_LENGTH_UNLIMITED);
  return q;
}

static dds_entity_t participant;

static dds_entity_t reader(const dds_topic_descriptor_t *type, const char *name, dds_durability_kind_t d) {
  dds_qos_t *q = qos(d);
  dds_entity_t r = must(dds_create_reader(participant, must(dds_create_topic(participant, type, name, NULL, NULL), name), q, NULL), name);
  dds_delete_qos(q);
  return r;
}

static dds_entity_t writer(const dds_topic_descriptor_t *type, const char *name, dds_durability_kind_t d) {
  dds_qos_t *q = qos(d);
  dds_entity_t w = must(dds_create_writer(participant, must(dds_create_topic(participant, type, name, NULL, NULL), name), q, NULL), name);
  dds_delete_qos(q);
  return w;
}

// take returns one sample, which give gives back, or NULL.
static void *take(dds_entity_t r, void **loan) {
  dds_sample_info_t info;
  *loan = NULL;
  if (dds_take(r, loan, &info, 1, 1) < 1) return NULL;
  if (info.valid_data) return *loan;
  dds_return_loan(r, loan, 1);
  return NULL;
}

int main(int argc, char **argv) {
  if (argc != 3) return 1;
  const int calls = atoi(argv[2]);
  participant = must(dds_create_participant((dds_domainid_t)atoi(argv[1]), NULL, NULL), "participant");
  dds_entity_t latched = writer(&std_msgs_msg_dds__String__desc, "rt/cyclone_latched", DDS_DURABILITY_TRANSIENT_LOCAL);
  dds_entity_t ping = reader(&std_msgs_msg_dds__String__desc, "rt/ping", DDS_DURABILITY_TRANSIENT_LOCAL);
  dds_entity_t pong = writer(&std_msgs_msg_dds__String__desc, "rt/pong", DDS_DURABILITY_TRANSIENT_LOCAL);
  dds_entity_t asked = reader(&std_srvs_srv_dds__SetBool_Request__desc, "rq/cyclone_serviceRequest", DDS_DURABILITY_VOLATILE);
  dds_entity_t answers = writer(&std_srvs_srv_dds__SetBool_Response__desc, "rr/cyclone_serviceReply", DDS_DURABILITY_VOLATILE);
  dds_entity_t ask = writer(&std_srvs_srv_dds__SetBool_Request__desc, "rq/our_serviceRequest", DDS_DURABILITY_VOLATILE);
  dds_entity_t answered = reader(&std_srvs_srv_dds__SetBool_Response__desc, "rr/our_serviceReply", DDS_DURABILITY_VOLATILE);

  String word = {.data = "latched by Cyclone"};
  must(dds_write(latched, &word), "write");
  int sent = 0, right = 0, wrong = 0;
  const dds_time_t end = dds_time() + DDS_SECS(30);
  while (dds_time() < end) {
    void *loan;
    String *s = take(ping, &loan);
    if (s) {
      if (strcmp(s->data, "end") == 0) {
        printf("%d calls, %d answers right, %d wrong\n", sent, right, wrong);
        must(dds_delete(participant), "delete");
        return right == calls && wrong == 0 ? 0 : 2;
      }
      must(dds_write(pong, s), "write");
      dds_return_loan(ping, &loan, 1);
    }
    Request *q = take(asked, &loan);
    if (q) {
      char text[40];
      snprintf(text, sizeof text, "Cyclone heard %d", (int)q->data);
      Response a = {.client = q->client, .number = q->number, .success = q->data, .message = text};
      must(dds_write(answers, &a), "write");
      dds_return_loan(asked, &loan, 1);
    }
    Response *a = take(answered, &loan);
    if (a) {
      if (a->client == our_id) {
        char text[40];
        snprintf(text, sizeof text, "answer %d", sent);
        if (a->number == sent && right < sent && a->success == (sent % 2 == 1) && strcmp(a->message, text) == 0)
          right++;
        else
          wrong++;
      }
      dds_return_loan(answered, &loan, 1);
    }
    dds_publication_matched_status_t servers;
    must(dds_get_publication_matched_status(ask, &servers), "status");
    dds_subscription_matched_status_t repliers;
    must(dds_get_subscription_matched_status(answered, &repliers), "status");
    if (sent < calls && right == sent && servers.current_count > 0 && repliers.current_count > 0) {
      sent++;
      Request r = {.client = our_id, .number = sent, .data = sent % 2 == 1};
      must(dds_write(ask, &r), "write");
    }
    dds_sleepfor(DDS_MSECS(1));
  }
  fprintf(stderr, "nobody said end\n");
  return 3;
}

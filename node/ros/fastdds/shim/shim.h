// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

// The C side of the transport: what Go calls. Nothing here calls back into Go:
// what happens is queued, one of two eventfds wakes Go, and fd_next_event tells it.
#pragma once
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct fd_participant fd_participant;
typedef struct fd_writer fd_writer;
typedef struct fd_reader fd_reader;

typedef struct {
  const char *name, *value;
} fd_property;

typedef struct {
  int domain;
  const char *enclave;
  const char *profiles;     // XML file that must load, or ""
  const char *peers;        // IPv4 addresses to announce to, separated by ';'
  int shared_memory;        // leave the transports as the profile or the library has them
  int loopback;             // 127.0.0.1 and no other interface
  int no_multicast;         // neither listen nor announce by multicast
  uint32_t first_port_of;   // participant whose well-known port is the first to try, with either of the two
  uint32_t peer_range;      // participants a host that an announcement to a peer reaches
  uint32_t socket_buffer;   // bytes
  int64_t lease_ns;
  const fd_property *security;  // of DDS Security
  size_t security_count;        // 0: unsecured
} fd_config;

typedef struct {
  int best_effort, transient_local, depth;
  int64_t lifespan_ns;      // <= 0: infinite
  const char *user_data;
} fd_qos;

enum {
  FD_DATA = 1,              // the reader called id has samples
  FD_MATCHED,               // change: +1 or -1, guid: of the other side
  FD_INCOMPATIBLE,          // policy: the DDS policy id
  FD_ENDPOINT,              // change: +1 another participant's endpoint, -1 it has gone
  FD_PARTICIPANT_GONE,
  FD_PARTICIPANT,           // guid: of another participant, secured, topic: its address, user_data
  FD_ACCEPTED, FD_REFUSED,  // guid: of a participant that proved its identity, or failed to
  FD_SECURITY_LOG,          // topic: what a plugin says
  FD_DROPPED                // topic: address that sent what would end the process; at most one each second
};

typedef struct {
  int kind, change, policy;
  uint64_t id;
  uint8_t guid[16];
  int is_writer, best_effort, transient_local;
  int vendor;               // of a participant, as its two bytes: 0x0110 is Cyclone DDS
  int secured;              // 1 it has an identity, 0 it has none, -1 the library does not tell
  int64_t lifespan_ns;      // 0: infinite
  const char *topic, *type, *user_data;  // valid until the next fd_next_event
  size_t user_data_len;
} fd_event;

typedef struct {
  uint8_t *data;
  size_t len;
  int64_t source_ns, sequence, related_sequence;
  uint8_t writer[16], related[16];
  int has_related;
} fd_sample;

enum { FD_ERR_REFUSED = -1, FD_ERR_EXCEPTION = -2, FD_ERR_NONE = -3 };

const char *fd_version(void);

// Writes an IPv4 address of the host, or "".
void fd_lookup(const char *host, char *address, size_t len);

fd_participant *fd_participant_new(const fd_config *c, const int fds[2], uint8_t guid[16], char *err, size_t errlen);
void fd_participant_mute(fd_participant *p);    // the eventfds are not written to any more
int fd_participant_delete(fd_participant *p);   // after all writers and readers
// asleep 1: the next event writes to the second eventfd, 0: to the first. Returns 1 if to the second;
// if events wait already it is 0.
int fd_sleep(fd_participant *p, int asleep);
int fd_next_event(fd_participant *p, fd_event *e);  // returns how many are left, or a negative error

fd_writer *fd_writer_new(fd_participant *p, uint64_t id, const char *topic, const char *type, const fd_qos *q, uint8_t guid[16], char *err, size_t errlen);
int fd_writer_delete(fd_writer *w);
// Returns the sequence number or a negative error. stamp_ns < 0: the library stamps.
// related: 16 bytes or NULL; related_sequence 0: unknown.
int64_t fd_write(fd_writer *w, const void *data, size_t len, int64_t stamp_ns, const uint8_t *related, int64_t related_sequence);

fd_reader *fd_reader_new(fd_participant *p, uint64_t id, const char *topic, const char *type, const fd_qos *q, uint8_t guid[16], char *err, size_t errlen);
int fd_reader_delete(fd_reader *r);
// NULL: none. first: of a series that answers an FD_DATA. The sample is the caller's until fd_give_back,
// also when the reader is deleted.
fd_sample *fd_take(fd_reader *r, int first);
void fd_give_back(fd_sample *s);
void fd_reader_again(fd_reader *r);             // queues one more FD_DATA

#ifdef __cplusplus
}
#endif

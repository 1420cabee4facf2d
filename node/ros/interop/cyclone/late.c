// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

// What Cyclone DDS sends when its sending thread is late: linked into a program, this takes the
// place of the C library's sendmsg. The end of DDS Security's handshake waits for the next secured
// message to the same participant, and leaves behind it in the same datagram.
#define _GNU_SOURCE
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { header = 20, info_dst = 0x0e, sec_prefix = 0x31 };  // RTPS 2.3, 9.4.4, and DDS Security 1.1, 7.3.6

static const char final[] = "DDS:Auth:PKI-DH:1.0+Final";  // DDS Security 1.1, 9.3.2.5.3

static _Thread_local unsigned char datagram[1 << 16], end[1 << 12];
static _Thread_local size_t waiting;  // of end

static size_t gather(const struct msghdr *m) {
  size_t n = 0;
  for (size_t i = 0; i < m->msg_iovlen && n + m->msg_iov[i].iov_len + sizeof end <= sizeof datagram; n += m->msg_iov[i++].iov_len)
    memcpy(datagram + n, m->msg_iov[i].iov_base, m->msg_iov[i].iov_len);
  return n;
}

ssize_t sendmsg(int socket, const struct msghdr *m, int flags) {
  const size_t n = gather(m);
  if (n <= sizeof end && memmem(datagram, n, final, sizeof final - 1)) {
    waiting = n - header;
    memcpy(end, datagram + header, waiting);
    return (ssize_t)n;
  }
  if (waiting == 0 || n <= header + 16 || datagram[header] != info_dst || datagram[header + 16] != sec_prefix)
    return syscall(SYS_sendmsg, socket, m, flags);
  memcpy(datagram + n, end, waiting);
  struct iovec all = {datagram, n + waiting};
  waiting = 0;
  struct msghdr joined = *m;
  joined.msg_iov = &all, joined.msg_iovlen = 1;
  return syscall(SYS_sendmsg, socket, &joined, flags) < 0 ? -1 : (ssize_t)n;
}

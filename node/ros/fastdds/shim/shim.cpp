// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

// The functions of shim.h. No exception leaves them.
#include "shim.h"

#include "endpoint.hpp"

namespace {
void say(char *err, size_t len, const char *what) {
  if (!len) return;
  strncpy(err, what, len - 1);
  err[len - 1] = 0;
}

// make returns what f returns; of an exception nothing but the text.
template <class F>
auto make(char *err, size_t len, F f) noexcept -> decltype(f()) {
  try {
    return f();
  } catch (const std::exception &e) {
    say(err, len, e.what());
  } catch (...) {
    say(err, len, "an unknown C++ exception");
  }
  return nullptr;
}

template <class F>
auto guarded(F f) noexcept -> decltype(f()) {
  try {
    return f();
  } catch (...) {
    return FD_ERR_EXCEPTION;
  }
}
}  // namespace

extern "C" {

const char *fd_version(void) { return FD_VERSION; }

void fd_lookup(const char *host, char *address, size_t len) {
  guarded([=] {
    const auto found = rtps::IPLocator::resolveNameDNS(host).first;
    return snprintf(address, len, "%s", found.empty() ? "" : found.begin()->c_str());
  });
}

fd_participant *fd_participant_new(const fd_config *c, const int fds[2], uint8_t guid[16], char *err, size_t errlen) {
  return make(err, errlen, [=] {
    auto *p = new fd_participant(c, fds);
    put_guid(p->dp->guid(), guid);
    return p;
  });
}

void fd_participant_mute(fd_participant *p) { p->hub.mute(); }

int fd_participant_delete(fd_participant *p) {
  return guarded([=] {
    const int rc = p->close();
    delete p;
    return rc;
  });
}

int fd_sleep(fd_participant *p, int asleep) {
  return guarded([=] { return p->hub.sleep(asleep != 0) ? 1 : 0; });
}

int fd_next_event(fd_participant *p, fd_event *e) {
  return guarded([=] { return p->hub.next(e); });
}

fd_writer *fd_writer_new(fd_participant *p, uint64_t id, const char *topic, const char *type, const fd_qos *q, uint8_t guid[16], char *err, size_t errlen) {
  return make(err, errlen, [=] {
    auto *w = new fd_writer(p, id, topic, type, q);
    put_guid(w->dw->guid(), guid);
    return w;
  });
}

int fd_writer_delete(fd_writer *w) {
  return guarded([=] {
    const int rc = w->close();
    delete w;
    return rc;
  });
}

int64_t fd_write(fd_writer *w, const void *data, size_t len, int64_t stamp_ns, const uint8_t *related, int64_t related_sequence) {
  return guarded([=]() -> int64_t { return w->write(data, len, stamp_ns, related, related_sequence); });
}

fd_reader *fd_reader_new(fd_participant *p, uint64_t id, const char *topic, const char *type, const fd_qos *q, uint8_t guid[16], char *err, size_t errlen) {
  return make(err, errlen, [=] {
    auto *r = new fd_reader(p, id, topic, type, q);
    put_guid(r->dr->guid(), guid);
    return r;
  });
}

int fd_reader_delete(fd_reader *r) {
  return guarded([=] {
    const int rc = r->close();
    delete r;
    return rc;
  });
}

fd_sample *fd_take(fd_reader *r, int first) {
  return make(nullptr, 0, [=] { return r->take(first); });
}

void fd_give_back(fd_sample *s) {
  guarded([=] {
    std::unique_ptr<Taken> t(static_cast<Taken *>(s));
    const auto home = std::move(t->home);
    home->put(std::move(t));
    return 0;
  });
}

void fd_reader_again(fd_reader *r) { r->tell(); }
}

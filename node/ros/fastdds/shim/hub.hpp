// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

// The queue between the threads of Fast DDS and Go.
#pragma once
#include <unistd.h>

#include <deque>
#include <mutex>
#include <string>

#include "compat.hpp"
#include "shim.h"

inline void put_guid(const rtps::GUID_t &g, uint8_t *out) {
  memcpy(out, g.guidPrefix.value, 12);
  memcpy(out + 12, g.entityId.value, 4);
}

inline rtps::GUID_t get_guid(const uint8_t *in) {
  rtps::GUID_t g;
  memcpy(g.guidPrefix.value, in, 12);
  memcpy(g.entityId.value, in + 12, 4);
  return g;
}

struct Event {
  fd_event c{};
  std::string topic, type;
  std::string user_data;
  Event() = default;
  explicit Event(int kind, uint64_t id = 0) {
    c.kind = kind;
    c.id = id;
  }
};

class Hub {
 public:
  Hub(int pump, int sleeper) : pump_(pump), sleeper_(sleeper) {}

  // push never throws: it is called on threads of Fast DDS. Without memory the
  // event is lost.
  void push(Event &&e) noexcept try {
    bool sleeper;
    {
      std::lock_guard<std::mutex> l(mu_);
      if (muted_) return;
      const bool wake = events_.empty();
      events_.push_back(std::move(e));
      if (!wake) return;
      sleeper = sleeping_;
      sleeping_ = false;
    }
    // Without mu_: who is woken may run at once, and next wants it.
    std::lock_guard<std::mutex> l(fd_mu_);
    const int fd = sleeper ? sleeper_ : pump_;
    if (fd < 0) return;
    const uint64_t one = 1;
    if (write(fd, &one, sizeof one) < 0) { /* full is as good as written */
    }
  } catch (...) {
  }

  // sleep makes the next event wake the sleeper instead of the pump, unless events wait
  // already or asleep is false. It returns what holds now.
  bool sleep(bool asleep) {
    std::lock_guard<std::mutex> l(mu_);
    return sleeping_ = asleep && events_.empty();
  }

  int next(fd_event *out) {
    std::lock_guard<std::mutex> l(mu_);
    if (events_.empty()) return FD_ERR_NONE;
    current_ = std::move(events_.front());
    events_.pop_front();
    *out = current_.c;
    out->topic = current_.topic.c_str();
    out->type = current_.type.c_str();
    out->user_data = current_.user_data.data();
    out->user_data_len = current_.user_data.size();
    return static_cast<int>(events_.size());
  }

  void mute() {
    {
      std::lock_guard<std::mutex> l(mu_);
      muted_ = true;
      events_.clear();
    }
    std::lock_guard<std::mutex> l(fd_mu_);
    pump_ = sleeper_ = -1;
  }

 private:
  std::mutex mu_, fd_mu_;
  int pump_, sleeper_;  // eventfds
  bool muted_ = false;
  bool sleeping_ = false;
  std::deque<Event> events_;
  Event current_;
};

inline Event matched(uint64_t id, int change, const fast::InstanceHandle_t &h) {
  Event e(FD_MATCHED, id);
  e.c.change = change;
  put_guid(rtps::iHandle2GUID(h), e.c.guid);
  return e;
}

inline Event incompatible(uint64_t id, int policy) {
  Event e(FD_INCOMPATIBLE, id);
  e.c.policy = policy;
  return e;
}

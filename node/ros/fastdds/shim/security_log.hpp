// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

// What the plugins of DDS Security say. They say it to the library's log, in words, and to
// nobody else.
#pragma once
#include <algorithm>
#include <fastdds/dds/log/Log.hpp>
#include <fastdds/dds/log/StdoutErrConsumer.hpp>

#include "hub.hpp"

// SecurityLog is shared by all participants of the process: an entry does not say whose it is.
class SecurityLog {
 public:
  // instance is never destroyed: the library logs until the process ends.
  static SecurityLog &instance() {
    static auto *log = new SecurityLog;
    return *log;
  }

  // attach makes the hub get what is said from now on, and keeps it from the terminal unless
  // a profile may have arranged the library's log.
  void attach(Hub *hub, bool profiles) {
    std::lock_guard<std::mutex> l(mu_);
    hubs_.push_back(hub);
    if (installed_) return;
    installed_ = true;
    if (!profiles) fast::Log::ClearConsumers();
    fast::Log::RegisterConsumer(std::unique_ptr<fast::LogConsumer>(new Consumer(!profiles)));
  }

  void detach(Hub *hub) {
    std::lock_guard<std::mutex> l(mu_);
    hubs_.erase(std::remove(hubs_.begin(), hubs_.end(), hub), hubs_.end());
  }

  size_t mark() {
    std::lock_guard<std::mutex> l(mu_);
    return count_;
  }

  // since returns what was said after mark, ": " before each.
  std::string since(size_t mark) {
    fast::Log::Flush();
    std::lock_guard<std::mutex> l(mu_);
    std::string text;
    for (size_t i = last_.size() - std::min(count_ - mark, last_.size()); i < last_.size(); i++) text += ": " + last_[i];
    return text;
  }

 private:
  class Consumer : public fast::StdoutErrConsumer {
   public:
    explicit Consumer(bool alone) : alone_(alone) {}
    void Consume(const fast::Log::Entry &e) override {
      if (strncmp(e.context.category, "SECURITY", 8) == 0 && instance().say(e.message)) return;
      if (e.message.rfind("Security manager returns an error", 0) == 0) return;  // the security manager has said which
      if (alone_) fast::StdoutErrConsumer::Consume(e);
    }

   private:
    const bool alone_;  // the library has no other consumer
  };

  // say returns whether somebody hears it.
  bool say(const std::string &message) noexcept try {
    std::lock_guard<std::mutex> l(mu_);
    count_++;
    last_.push_back(message);
    if (last_.size() > kept_) last_.pop_front();
    if (message.rfind("Error checking creation of local", 0) == 0) return true;  // the error of that creation has it
    for (Hub *hub : hubs_) {
      Event e(FD_SECURITY_LOG);
      e.topic = message;
      hub->push(std::move(e));
    }
    return !hubs_.empty();
  } catch (...) {
    return false;
  }

  static constexpr size_t kept_ = 8;
  std::mutex mu_;
  std::vector<Hub *> hubs_;
  std::deque<std::string> last_;
  size_t count_ = 0;  // of all that was said
  bool installed_ = false;
};

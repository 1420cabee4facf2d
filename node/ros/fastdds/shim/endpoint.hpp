// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

// Writers and readers.
#pragma once
#include <atomic>

#include "participant.hpp"

template <class Q>
void set_qos(Q &q, const fd_qos *f) {
  q.reliability().kind = f->best_effort ? fast::BEST_EFFORT_RELIABILITY_QOS : fast::RELIABLE_RELIABILITY_QOS;
  q.durability().kind = f->transient_local ? fast::TRANSIENT_LOCAL_DURABILITY_QOS : fast::VOLATILE_DURABILITY_QOS;
  q.history().kind = fast::KEEP_LAST_HISTORY_QOS;
  q.history().depth = f->depth;
  auto &limits = q.resource_limits();  // the library's defaults are 400 an instance, 5000 in all
  limits.max_instances = 1;
  limits.max_samples = f->depth > 5000 ? f->depth : 5000;
  limits.max_samples_per_instance = limits.max_samples;
  q.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  q.data_sharing().off();
  if (f->user_data) q.user_data().setValue(octets(f->user_data));
}

inline fast::DataWriterQos writer_qos(fast::Publisher *pub, const fd_qos *f) {
  fast::DataWriterQos q = pub->get_default_datawriter_qos();
  set_qos(q, f);
  q.lifespan().duration = duration(f->lifespan_ns);
  q.durability_service().history_kind = q.history().kind;
  q.durability_service().history_depth = f->depth;
  q.publish_mode().kind = fast::SYNCHRONOUS_PUBLISH_MODE;
  q.reliability().max_blocking_time = duration(100000000);
  // The default heartbeat period of 3 s is too long for readers that wait for a first heartbeat. With
  // the default suppression of no time, each message wakes the library's timer thread, which then
  // wants the lock of the writer that is just sending. Requests of readers for lost messages come
  // 5 ms after a heartbeat.
  auto &times = q.reliable_writer_qos().times;
#if FD_V3
  times.heartbeat_period = duration(100000000);
  times.nack_supression_duration = duration(1000000);
#else
  times.heartbeatPeriod = duration(100000000);
  times.nackSupressionDuration = duration(1000000);
#endif
  return q;
}

struct fd_writer : fast::DataWriterListener {
  fd_participant *p;
  const uint64_t id;
  fast::Topic *topic;
  fast::DataWriter *dw = nullptr;

  fd_writer(fd_participant *p, uint64_t id, const char *name, const char *type, const fd_qos *f) : p(p), id(id), topic(p->topic(name, type)) {
    auto mask = fast::StatusMask::publication_matched();
    mask << fast::StatusMask::offered_incompatible_qos();
    const auto mark = SecurityLog::instance().mark();
    const auto shut = p->gate.pass();
    dw = p->pub->create_datawriter(topic, writer_qos(p->pub, f), this, mask);
    if (!dw) {
      p->release(topic);
      throw std::runtime_error(std::string("the library cannot create a writer of ") + name + p->why(mark));
    }
  }

  int close() {
    dw->set_listener(nullptr);
    p->linger(dw);
    const auto shut = p->gate.pass();
    const int rc = code(p->pub->delete_datawriter(dw));
    p->release(topic);
    return rc;
  }

  int64_t write(const void *data, size_t len, int64_t stamp_ns, const uint8_t *related, int64_t related_sequence) {
    Outgoing out{data, len};
    rtps::WriteParams wp;
#if FD_SOURCE_STAMP
    if (stamp_ns >= 0 && stamp_ns / 1000000000 <= INT32_MAX) {
      rtps::Time_t stamp;  // its constructor takes fractions of 2^-32 s
      stamp.seconds(static_cast<int32_t>(stamp_ns / 1000000000));
      stamp.nanosec(static_cast<uint32_t>(stamp_ns % 1000000000));
      wp.source_timestamp(stamp);
    }
#else
    (void)stamp_ns;
#endif
    if (related) {
      wp.related_sample_identity().writer_guid(get_guid(related));
      if (related_sequence) {
        auto &s = wp.related_sample_identity().sequence_number();
        s.high = static_cast<int32_t>(related_sequence >> 32);
        s.low = static_cast<uint32_t>(related_sequence);
      }
    }
#if FD_V3
    if (!ok(dw->write(&out, wp))) return FD_ERR_REFUSED;
#else
    if (!dw->write(&out, wp)) return FD_ERR_REFUSED;
#endif
    const auto s = wp.sample_identity().sequence_number();
    return static_cast<int64_t>(static_cast<uint64_t>(s.high) << 32 | s.low);
  }

  void on_publication_matched(fast::DataWriter *, const fast::PublicationMatchedStatus &s) override {
    p->hub.push(matched(id, s.current_count_change, s.last_subscription_handle));
  }
  void on_offered_incompatible_qos(fast::DataWriter *, const fast::OfferedIncompatibleQosStatus &s) override {
    p->hub.push(incompatible(id, s.last_policy_id));
  }
};

struct Pool;

// Taken is a sample that waits for Go, or that Go has.
struct Taken : fd_sample {
  Incoming in;
  std::shared_ptr<Pool> home;  // of one that Go has, since the reader may be deleted meanwhile
};

// Pool keeps the memory of samples for those to come: of one always, of more up to a limit.
struct Pool {
  std::unique_ptr<Taken> get() {
    std::lock_guard<std::mutex> l(mu_);
    if (free_.empty()) return std::unique_ptr<Taken>(new Taken);
    auto t = std::move(free_.back());
    free_.pop_back();
    kept_ -= t->in.cap;
    return t;
  }

  void put(std::unique_ptr<Taken> t) {
    constexpr size_t kept_limit = 1 << 20;
    std::lock_guard<std::mutex> l(mu_);
    if (!free_.empty() && kept_ + t->in.cap > kept_limit) return;
    kept_ += t->in.cap;
    free_.push_back(std::move(t));
  }

 private:
  std::mutex mu_;
  std::vector<std::unique_ptr<Taken>> free_;
  size_t kept_ = 0;  // bytes of free_
};

struct fd_reader : fast::DataReaderListener {
  fd_participant *p;
  const uint64_t id;
  fast::Topic *topic;
  fast::DataReader *dr = nullptr;

  fd_reader(fd_participant *p, uint64_t id, const char *name, const char *type, const fd_qos *f)
      : p(p), id(id), topic(p->topic(name, type)), limit_(f->depth) {
    fast::DataReaderQos q = p->sub->get_default_datareader_qos();
    set_qos(q, f);
    auto mask = fast::StatusMask::data_available();
    mask << fast::StatusMask::subscription_matched() << fast::StatusMask::requested_incompatible_qos();
    const auto mark = SecurityLog::instance().mark();
    const auto shut = p->gate.pass();
    dr = p->sub->create_datareader(topic, q, this, mask);
    if (!dr) {
      p->release(topic);
      throw std::runtime_error(std::string("the library cannot create a reader of ") + name + p->why(mark));
    }
  }

  int close() {
    dr->set_listener(nullptr);
    const auto shut = p->gate.pass();
    const int rc = code(p->sub->delete_datareader(dr));
    p->release(topic);
    return rc;
  }

  fd_sample *take(bool first) {
    if (first) told_ = false;
    fd_sample *s = next();
    if (s || !behind_.exchange(false)) return s;
    pull(dr);
    return next();
  }

  void tell() {
    if (!told_.exchange(true)) p->hub.push(Event(FD_DATA, id));
  }

  // What comes is taken here, on the library's thread. That has the reader locked
  // now; who is woken and takes would run into the lock and be put to sleep again,
  // which costs more than all the rest of the way.
  void on_data_available(fast::DataReader *r) noexcept override {
    try {
      pull(r);
    } catch (...) {  // no memory: Go tries again
      behind_ = true;
    }
    tell();
  }
  void on_subscription_matched(fast::DataReader *, const fast::SubscriptionMatchedStatus &s) override {
    p->hub.push(matched(id, s.current_count_change, s.last_publication_handle));
  }
  void on_requested_incompatible_qos(fast::DataReader *, const fast::RequestedIncompatibleQosStatus &s) override {
    p->hub.push(incompatible(id, s.last_policy_id));
  }

 private:
  static int64_t number(const rtps::SequenceNumber_t &s) { return static_cast<int64_t>(static_cast<uint64_t>(s.high) << 32 | s.low); }

  // next returns the oldest sample that waits.
  fd_sample *next() {
    std::lock_guard<std::mutex> l(mu_);
    if (ready_.empty()) return nullptr;
    Taken *t = ready_.front().release();
    ready_.pop_front();
    t->home = pool_;
    return t;
  }

  // pull moves samples from the library's queue into ours. One thread at a time
  // does, for their order, and nobody waits for it: who comes meanwhile leaves word.
  void pull(fast::DataReader *r) {
    again_ = true;
    while (again_ && taking_.try_lock()) {
      std::lock_guard<std::mutex> l(taking_, std::adopt_lock);
      again_ = false;
      while (pull_one(r)) {
      }
    }
  }

  bool pull_one(fast::DataReader *r) {
    auto t = pool_->get();
    fast::SampleInfo i;
    const bool got = ok(r->take_next_sample(&t->in, &i));
    if (!got || !i.valid_data) {
      pool_->put(std::move(t));
      return got;
    }
    t->data = t->in.data;
    t->len = t->in.len;
    t->source_ns = i.source_timestamp.to_ns();
    put_guid(i.sample_identity.writer_guid(), t->writer);
    t->sequence = number(i.sample_identity.sequence_number());
    const auto &related = i.related_sample_identity;
    t->has_related = related.writer_guid() != rtps::GUID_t::unknown();
    put_guid(related.writer_guid(), t->related);
    t->related_sequence = number(related.sequence_number());
    std::lock_guard<std::mutex> l(mu_);
    if (ready_.size() >= limit_) {
      pool_->put(std::move(ready_.front()));
      ready_.pop_front();
    }
    ready_.push_back(std::move(t));
    return true;
  }

  const size_t limit_;             // of ready_
  std::atomic<bool> told_{false};    // an FD_DATA is queued
  std::atomic<bool> behind_{false};  // the library's queue has more
  std::atomic<bool> again_{false};   // see pull
  std::mutex taking_;
  const std::shared_ptr<Pool> pool_ = std::make_shared<Pool>();
  std::mutex mu_;  // for what follows
  std::deque<std::unique_ptr<Taken>> ready_;
};

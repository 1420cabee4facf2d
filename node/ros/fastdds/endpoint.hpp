//go:build fastdds

// Writers and readers.
#pragma once
#include <atomic>

#include "participant.hpp"

template <class Q>
void set_qos(Q &q, const fd_qos *f) {
  q.reliability().kind = f->best_effort ? fast::BEST_EFFORT_RELIABILITY_QOS : fast::RELIABLE_RELIABILITY_QOS;
  q.durability().kind = f->transient_local ? fast::TRANSIENT_LOCAL_DURABILITY_QOS : fast::VOLATILE_DURABILITY_QOS;
  q.history().kind = f->keep_all ? fast::KEEP_ALL_HISTORY_QOS : fast::KEEP_LAST_HISTORY_QOS;
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
  // The default of 3 s is too long for readers that wait for a first heartbeat.
#if FD_V3
  q.reliable_writer_qos().times.heartbeat_period = duration(100000000);
#else
  q.reliable_writer_qos().times.heartbeatPeriod = duration(100000000);
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
    dw = p->pub->create_datawriter(topic, writer_qos(p->pub, f), this, mask);
    if (!dw) {
      p->release(topic);
      throw std::runtime_error(std::string("the library cannot create a writer of ") + name);
    }
  }

  int close() {
    dw->set_listener(nullptr);
    p->linger(dw);
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

struct fd_reader : fast::DataReaderListener {
  fd_participant *p;
  const uint64_t id;
  fast::Topic *topic;
  fast::DataReader *dr = nullptr;
  Incoming in;
  std::atomic<bool> told{false};  // an FD_DATA is queued

  fd_reader(fd_participant *p, uint64_t id, const char *name, const char *type, const fd_qos *f) : p(p), id(id), topic(p->topic(name, type)) {
    fast::DataReaderQos q = p->sub->get_default_datareader_qos();
    set_qos(q, f);
    auto mask = fast::StatusMask::data_available();
    mask << fast::StatusMask::subscription_matched() << fast::StatusMask::requested_incompatible_qos();
    dr = p->sub->create_datareader(topic, q, this, mask);
    if (!dr) {
      p->release(topic);
      throw std::runtime_error(std::string("the library cannot create a reader of ") + name);
    }
  }

  int close() {
    dr->set_listener(nullptr);
    const int rc = code(p->sub->delete_datareader(dr));
    p->release(topic);
    return rc;
  }

  int take(bool first, fd_sample *out) {
    if (first) told = false;
    fast::SampleInfo i;
    do {
      const auto rc = dr->take_next_sample(&in, &i);
      if (no_data(rc)) return 0;
      if (!ok(rc)) return FD_ERR_REFUSED;
    } while (!i.valid_data);
    out->data = in.data;
    out->len = in.len;
    out->source_ns = i.source_timestamp.to_ns();
    put_guid(i.sample_identity.writer_guid(), out->writer);
    out->sequence = number(i.sample_identity.sequence_number());
    const auto &related = i.related_sample_identity;
    out->has_related = related.writer_guid() != rtps::GUID_t::unknown();
    put_guid(related.writer_guid(), out->related);
    out->related_sequence = number(related.sequence_number());
    return 1;
  }

  void tell() {
    if (!told.exchange(true)) p->hub.push(Event(FD_DATA, id));
  }

  void on_data_available(fast::DataReader *) override { tell(); }
  void on_subscription_matched(fast::DataReader *, const fast::SubscriptionMatchedStatus &s) override {
    p->hub.push(matched(id, s.current_count_change, s.last_publication_handle));
  }
  void on_requested_incompatible_qos(fast::DataReader *, const fast::RequestedIncompatibleQosStatus &s) override {
    p->hub.push(incompatible(id, s.last_policy_id));
  }

 private:
  static int64_t number(const rtps::SequenceNumber_t &s) { return static_cast<int64_t>(static_cast<uint64_t>(s.high) << 32 | s.low); }
};

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

// What other participants have, as events.
#pragma once
#include "hub.hpp"

class Discovery : public fast::DomainParticipantListener {
 public:
  explicit Discovery(Hub &hub) : hub_(hub) {}

#if FD_V3
  void on_participant_discovery(fast::DomainParticipant *, rtps::ParticipantDiscoveryStatus s, const fast::ParticipantBuiltinTopicData &d, bool &) override {
    if (s == rtps::ParticipantDiscoveryStatus::DISCOVERED_PARTICIPANT) participant(d.guid, d.vendor_id, -1, d.metatraffic_locators, d.user_data);
    if (s == rtps::ParticipantDiscoveryStatus::REMOVED_PARTICIPANT || s == rtps::ParticipantDiscoveryStatus::DROPPED_PARTICIPANT) participant_gone(d.guid);
  }
  void on_data_writer_discovery(fast::DomainParticipant *, rtps::WriterDiscoveryStatus s, const fast::PublicationBuiltinTopicData &d, bool &) override {
    endpoint(s == rtps::WriterDiscoveryStatus::REMOVED_WRITER || s == rtps::WriterDiscoveryStatus::IGNORED_WRITER, true, d.guid, d.topic_name.c_str(),
             d.type_name.c_str(), d, d.lifespan.duration);
  }
  void on_data_reader_discovery(fast::DomainParticipant *, rtps::ReaderDiscoveryStatus s, const fast::SubscriptionBuiltinTopicData &d, bool &) override {
    endpoint(s == rtps::ReaderDiscoveryStatus::REMOVED_READER || s == rtps::ReaderDiscoveryStatus::IGNORED_READER, false, d.guid, d.topic_name.c_str(),
             d.type_name.c_str(), d, forever());
  }
#else
  void on_participant_discovery(fast::DomainParticipant *, rtps::ParticipantDiscoveryInfo &&i) override {
    if (i.status == i.REMOVED_PARTICIPANT || i.status == i.DROPPED_PARTICIPANT) participant_gone(i.info.m_guid);
#if HAVE_SECURITY
    const int secured = !i.info.identity_token_.class_id().empty();
#else
    const int secured = -1;
#endif
    if (i.status == i.DISCOVERED_PARTICIPANT) participant(i.info.m_guid, i.info.m_VendorId, secured, i.info.metatraffic_locators, i.info.m_userData);
  }
  void on_publisher_discovery(fast::DomainParticipant *, rtps::WriterDiscoveryInfo &&i) override {
    Qos q{i.info.m_qos.m_reliability, i.info.m_qos.m_durability, i.info.m_qos.m_userData};
    endpoint(i.status == i.REMOVED_WRITER, true, i.info.guid(), i.info.topicName().c_str(), i.info.typeName().c_str(), q, i.info.m_qos.m_lifespan.duration);
  }
  void on_subscriber_discovery(fast::DomainParticipant *, rtps::ReaderDiscoveryInfo &&i) override {
    Qos q{i.info.m_qos.m_reliability, i.info.m_qos.m_durability, i.info.m_qos.m_userData};
    endpoint(i.status == i.REMOVED_READER, false, i.info.guid(), i.info.topicName().c_str(), i.info.typeName().c_str(), q, forever());
  }
#endif

#if HAVE_SECURITY
  void onParticipantAuthentication(fast::DomainParticipant *, rtps::ParticipantAuthenticationInfo &&i) override {
    Event e(i.status == i.AUTHORIZED_PARTICIPANT ? FD_ACCEPTED : FD_REFUSED);
    put_guid(i.guid, e.c.guid);
    hub_.push(std::move(e));
  }
#endif

 private:
#if !FD_V3
  struct Qos {
    const fast::ReliabilityQosPolicy &reliability;
    const fast::DurabilityQosPolicy &durability;
    const fast::UserDataQosPolicy &user_data;
  };
#endif

  template <class Q>
  void endpoint(bool gone, bool writer, const rtps::GUID_t &guid, const char *topic, const char *type, const Q &q, const Duration &lifespan) noexcept try {
    Event e(FD_ENDPOINT);
    e.c.change = gone ? -1 : 1;
    e.c.is_writer = writer;
    put_guid(guid, e.c.guid);
    if (!gone) {
      e.topic = topic;
      e.type = type;
      const auto &u = q.user_data.getValue();
      e.user_data.assign(u.begin(), u.end());
      e.c.best_effort = q.reliability.kind == fast::BEST_EFFORT_RELIABILITY_QOS;
      e.c.transient_local = q.durability.kind != fast::VOLATILE_DURABILITY_QOS;
      e.c.lifespan_ns = nanoseconds(lifespan);
    }
    hub_.push(std::move(e));
  } catch (...) {
  }

  template <class V, class L, class U>
  void participant(const rtps::GUID_t &guid, const V &vendor, int secured, const L &locators, const U &user_data) noexcept try {
    Event e(FD_PARTICIPANT);
    put_guid(guid, e.c.guid);
    e.c.vendor = vendor[0] << 8 | vendor[1];
    e.c.secured = secured;
    if (!locators.unicast.empty()) e.topic = rtps::IPLocator::ip_to_string(*locators.unicast.begin());
    const auto &u = user_data.getValue();
    e.user_data.assign(u.begin(), u.end());
    hub_.push(std::move(e));
  } catch (...) {
  }

  void participant_gone(const rtps::GUID_t &guid) noexcept {
    Event e(FD_PARTICIPANT_GONE);
    put_guid(guid, e.c.guid);
    hub_.push(std::move(e));
  }

  Hub &hub_;
};

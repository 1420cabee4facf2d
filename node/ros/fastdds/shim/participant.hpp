// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

// The participant, its transports, and the topics that its endpoints share.
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "discovery.hpp"
#include "raw_type.hpp"
#include "security_log.hpp"
#include "udp.hpp"

constexpr int64_t announcement_ns = 1000000000;
constexpr const char *multicast_address = "239.255.0.1";  // RTPS 2.3, 9.6.1.4.1

inline std::vector<uint8_t> octets(const std::string &s) { return std::vector<uint8_t>(s.begin(), s.end()); }

inline rtps::Locator_t udp_locator(const std::string &address) {
  rtps::Locator_t l;
  l.kind = LOCATOR_KIND_UDPv4;
  l.port = 0;  // the library puts the well-known ports
  if (!rtps::IPLocator::setIPv4(l, address)) throw std::invalid_argument("\"" + address + "\" is no IPv4 address");
  return l;
}

// Where to announce, and where to listen for announcements.
inline void set_discovery(fast::DomainParticipantQos &q, const fd_config *c) {
  auto &builtin = q.wire_protocol().builtin;
  if (c->loopback || c->no_multicast) {
    // Peers are told at the ports of the first participants of a host. The library
    // gives each participant of a process a higher one, up to 2.9 without end; from
    // here it looks for the lowest that is free.
    const auto &port = q.wire_protocol().port;
    rtps::Locator_t unicast;  // of no address: every interface that the transport has
    unicast.kind = LOCATOR_KIND_UDPv4;
    unicast.port = port.getUnicastPort(c->domain, c->first_port_of);
    builtin.metatrafficUnicastLocatorList.push_back(unicast);
    builtin.metatrafficMulticastLocatorList.clear();
    if (!c->no_multicast) {
      auto multicast = udp_locator(multicast_address);
      multicast.port = port.getMulticastPort(c->domain);
      builtin.metatrafficMulticastLocatorList.push_back(multicast);
    }
  }
  std::istringstream peers(c->peers);
  bool some = false;
  for (std::string p; std::getline(peers, p, ';'); some = true) builtin.initialPeersList.push_back(udp_locator(p));
  // A list of peers replaces the multicast address, which is the default one.
  if (some && !c->no_multicast) builtin.initialPeersList.push_back(udp_locator(multicast_address));
}

inline void set_transport(fast::DomainParticipantQos &q, const fd_config *c, Hub &hub, Gate &gate) {
  auto &t = q.transport();
  if (!c->shared_memory && t.use_builtin_transports && t.user_transports.empty()) {  // no others are asked for, here or in the profile
    auto udp = std::make_shared<transport::UDPv4TransportDescriptor>();
    udp->sendBufferSize = udp->receiveBufferSize = c->socket_buffer;
    udp->maxInitialPeersRange = c->peer_range;
    if (c->loopback) udp->interfaceWhiteList.emplace_back("127.0.0.1");
    t.use_builtin_transports = false;
    t.user_transports.push_back(udp);
  }
  for (auto &u : t.user_transports)
    if (std::dynamic_pointer_cast<transport::UDPTransportDescriptor>(u)) u = std::make_shared<FilteredUDPDescriptor>(u, hub, gate);
}

// set_security overrides what a profile has of the same names.
inline void set_security(fast::DomainParticipantQos &q, const fd_config *c) {
  if (c->security_count == 0) return;
  if (!HAVE_SECURITY) throw std::runtime_error("this Fast DDS library was built without DDS Security");
  auto &list = q.properties().properties();
  for (size_t i = 0; i < c->security_count; i++) {
    const fd_property &p = c->security[i];
    list.erase(std::remove_if(list.begin(), list.end(), [&p](const rtps::Property &old) { return old.name() == p.name; }), list.end());
    list.emplace_back(std::string(p.name), std::string(p.value));
  }
}

inline fast::DomainParticipantQos participant_qos(fast::DomainParticipantFactory *f, const fd_config *c, Hub &hub, Gate &gate) {
  f->load_profiles();
  if (*c->profiles && !ok(f->load_XML_profiles_file(c->profiles))) throw std::invalid_argument(std::string(c->profiles) + " is no valid file of profiles");
  deliver_over_the_wire();  // whatever the profiles say
  fast::DomainParticipantQos q = f->get_default_participant_qos();
  q.user_data().setValue(octets(std::string("enclave=") + c->enclave + ";"));
  q.name(c->enclave);
  auto &builtin = q.wire_protocol().builtin;
  builtin.readerHistoryMemoryPolicy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  builtin.writerHistoryMemoryPolicy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  builtin.discovery_config.leaseDuration = duration(c->lease_ns);
  // The answer to a first announcement is one packet, and now and then it comes
  // before the other side listens: then the next announcement is waited for. The
  // library's 3 s are long for that.
  builtin.discovery_config.leaseDuration_announcementperiod = duration(std::min(c->lease_ns / 4, announcement_ns));
  set_discovery(q, c);
  set_transport(q, c, hub, gate);
  set_security(q, c);
  return q;
}

struct fd_participant {
  Hub hub;
  Gate gate;
  Discovery discovery{hub};
  fast::DomainParticipant *dp = nullptr;
  fast::Publisher *pub = nullptr;
  fast::Subscriber *sub = nullptr;

  fd_participant(const fd_config *c, const int fds[2]) : hub(fds[0], fds[1]), gate(c->security_count > 0) {
    auto &log = SecurityLog::instance();
    if (gate.secured) log.attach(&hub, *c->profiles);
    const auto mark = log.mark();
    try {
      open(c);
    } catch (const std::exception &e) {
      log.detach(&hub);
      throw std::runtime_error(e.what() + log.since(mark));
    }
  }

  void open(const fd_config *c) {
    auto *f = fast::DomainParticipantFactory::get_instance();
    // Discovery is told whatever the mask; statuses are for the endpoints' own listeners.
    dp = f->create_participant(static_cast<uint32_t>(c->domain), participant_qos(f, c, hub, gate), &discovery, fast::StatusMask::none());
    if (dp) pub = dp->create_publisher(fast::PUBLISHER_QOS_DEFAULT);
    if (pub) sub = dp->create_subscriber(fast::SUBSCRIBER_QOS_DEFAULT);
    if (!sub) {
      close();
      throw std::runtime_error("the library cannot create a participant");
    }
  }

  int close() {
    hub.mute();
    SecurityLog::instance().detach(&hub);
    if (!dp) return 0;
    {
      const auto shut = gate.pass();
      dp->delete_contained_entities();
      if (gate.secured) gate.closed = true;
    }
    const int rc = code(fast::DomainParticipantFactory::get_instance()->delete_participant(dp));
    dp = nullptr;
    return rc;
  }

  // linger waits until all have what the writer sent. A writer that is deleted
  // while its last messages are on their way may be gone at the other side before
  // they are there, and they are dropped. Who does not answer, being killed or
  // stopped, holds up one writer for 100 ms at most, and all of them for 300 ms.
  void linger(fast::DataWriter *dw) {
    using clock = std::chrono::steady_clock;
    const int64_t most = std::min<int64_t>(patience_ns_, 100000000);
    if (most <= 0) return;
    const auto begin = clock::now();
    dw->wait_for_acknowledgments(duration(most));
    patience_ns_ -= std::chrono::nanoseconds(clock::now() - begin).count();
  }

  // why returns what was said after mark about an endpoint that cannot be created.
  std::string why(size_t mark) const { return gate.secured ? SecurityLog::instance().since(mark) : ""; }

  // topic returns the one Topic of this name; release gives it back.
  fast::Topic *topic(const std::string &name, const std::string &type) {
    std::lock_guard<std::mutex> l(mu_);
    auto it = topics_.find(name);
    if (it != topics_.end()) {
      if (it->second.topic->get_type_name() != type)
        throw std::invalid_argument("this participant has the topic " + name + " with the type " + it->second.topic->get_type_name() + ", it cannot have it with " + type + " too");
      it->second.users++;
      return it->second.topic;
    }
    fast::TypeSupport ts = dp->find_type(type);
    if (ts.empty()) {
      ts.reset(new RawType(type.c_str()));
      if (!ok(dp->register_type(ts))) throw std::runtime_error("the library refuses the type " + type);
    }
    auto *t = dp->create_topic(name, type, fast::TOPIC_QOS_DEFAULT);
    if (!t) throw std::runtime_error("the library refuses the topic " + name + " with the type " + type);
    topics_[name] = {t, 1};
    return t;
  }

  void release(fast::Topic *t) {
    std::lock_guard<std::mutex> l(mu_);
    auto it = topics_.find(t->get_name());
    if (it == topics_.end() || --it->second.users > 0) return;
    topics_.erase(it);
    dp->delete_topic(t);
  }

 private:
  struct Shared {
    fast::Topic *topic;
    int users;
  };
  std::mutex mu_;
  std::map<std::string, Shared> topics_;
  std::atomic<int64_t> patience_ns_{300000000};  // that is left for linger
};

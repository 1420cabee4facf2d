// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

// UDP behind a filter for messages that the library cannot cope with, and for the moments at which it cannot.
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <iterator>
#include <mutex>
#include <vector>

#include "hub.hpp"

constexpr uint32_t rtps_header = 20;  // RTPS 2.3, 9.4.4, with the vendor at 6

// each calls f with each submessage of a message until f returns false: where it begins, the
// octetsToNextHeader that it claims, and where the next one begins.
template <class F>
void each(const uint8_t *message, uint32_t size, F f) {
  constexpr uint8_t info_ts = 0x09, pad = 0x01;
  for (uint32_t at = rtps_header; at + 4 <= size;) {
    const uint8_t *sub = message + at;
    const bool little = sub[1] & 1;
    const uint32_t length = sub[little ? 2 : 3] | sub[little ? 3 : 2] << 8;
    const bool last = length == 0 && sub[0] != info_ts && sub[0] != pad;
    at = last ? size : std::min(size, at + 4 + ((length + 3) & ~3u));
    if (!f(sub, length, message + at)) return;
  }
}

// ends_process reports whether the library aborts when it reads this message. Unless it is
// built with NDEBUG, which Debian's is not, it asserts that eProsima's statistics submessage
// is the last one (read_statistics_submessage, up to 3.6.1). It does so before DDS Security
// decides who is heard.
inline bool ends_process(const uint8_t *message, uint32_t size) {
  constexpr uint8_t statistics = 0x80;
  if (size < rtps_header || message[6] != 0x01 || message[7] != 0x0f) return false;
  bool ends = false;
  each(message, size, [&](const uint8_t *sub, uint32_t length, const uint8_t *) {
    if (sub[0] == statistics) ends = sub + 4 + length != message + size;
    return sub[0] != statistics;
  });
  return ends;
}

// plain_part returns a message without its secured submessages if a part of DDS Security's
// handshake, which is plain, is behind one of them, else nothing. The library gives up a message
// at the first submessage that it cannot decode, and before the handshake is over it can decode
// none (MessageReceiver::processCDRMsg, up to 3.6.1). Cyclone DDS (0.10.2 and later) sends such
// messages when its sending thread is late, and the end of the handshake only once: the
// participant would be kept out for good.
inline std::vector<uint8_t> plain_part(const uint8_t *message, uint32_t size) {
  constexpr uint8_t data = 0x15, data_frag = 0x16, sec_prefix = 0x31, sec_postfix = 0x32;  // RTPS 2.3, 9.4.5.1.1; DDS Security 1.1, 7.3.6
  constexpr uint8_t writer[] = {0x00, 0x02, 0x01, 0xc3};                                 // of handshakes: DDS Security 1.1, 7.4.5
  std::vector<uint8_t> plain;
  bool inside = false, handshake = false;
  each(message, size, [&](const uint8_t *sub, uint32_t, const uint8_t *next) {
    if (sub[0] == sec_prefix) {
      inside = true;
      if (plain.empty()) plain.assign(message, sub);
    }
    if (!inside && !plain.empty()) {
      std::copy(sub, next, std::back_inserter(plain));  // of insert, GCC 13 warns without reason
      if ((sub[0] == data || sub[0] == data_frag) && next - sub >= 16 && memcmp(sub + 12, writer, sizeof writer) == 0) handshake = true;
    }
    if (sub[0] == sec_postfix) inside = false;
    return true;
  });
  return handshake ? plain : std::vector<uint8_t>();
}

// Gate lets in one message at a time, and none while endpoints come and go. To decode a message of a secured participant
// the library looks through the keys of all endpoints, which it does not lock (AESGCMGMAC_Transform::
// preprocess_secure_submsg and lookup_reader, up to 3.6.2): a process ended now and then while it opened its endpoints.
// Messages in shared memory, which a profile may ask for, do not come through it. Without DDS Security it stands open.
struct Gate {
  explicit Gate(bool secured) : secured(secured) {}
  std::unique_lock<std::mutex> pass() { return secured ? std::unique_lock<std::mutex>(mu_) : std::unique_lock<std::mutex>(); }
  const bool secured;
  bool closed = false;  // for good: the secured participant is being deleted

 private:
  std::mutex mu_;
};

struct FilteredUDPDescriptor : transport::ChainingTransportDescriptor {
  FilteredUDPDescriptor(std::shared_ptr<transport::TransportDescriptorInterface> udp, Hub &hub, Gate &gate)
      : ChainingTransportDescriptor(udp), hub(hub), gate(gate) {}
  transport::TransportInterface *create_transport() const override;
  Hub &hub;
  Gate &gate;
};

class FilteredUDP : public transport::ChainingTransport {
 public:
  explicit FilteredUDP(const FilteredUDPDescriptor &d) : ChainingTransport(d), descriptor_(d) {}
  transport::TransportDescriptorInterface *get_configuration() override { return &descriptor_; }

#if FD_V3
  using Data = const std::vector<transport::NetworkBuffer> &;
#else
  using Data = const uint8_t *;
#endif
  bool send(rtps::SenderResource *udp, Data data, uint32_t size, transport::LocatorsIterator *first, transport::LocatorsIterator *last,
            const std::chrono::steady_clock::time_point &until) override {
    return udp->send(data, size, first, last, until);
  }

  void receive(transport::TransportReceiverInterface *library, const uint8_t *data, uint32_t size, const rtps::Locator_t &local, const rtps::Locator_t &remote) override {
    if (!ends_process(data, size)) {
      const auto l = descriptor_.gate.pass();
      if (descriptor_.gate.closed) return;
      const auto plain = plain_part(data, size);
      if (!plain.empty()) library->OnDataReceived(plain.data(), static_cast<uint32_t>(plain.size()), local, remote);
      return library->OnDataReceived(data, size, local, remote);  // what comes again is known by its number
    }
    // A flood is told of once a second.
    const int64_t now = std::chrono::steady_clock::now().time_since_epoch() / std::chrono::seconds(1);
    if (told_.exchange(now) == now) return;
    Event e(FD_DROPPED);
    e.topic = rtps::IPLocator::ip_to_string(remote);
    descriptor_.hub.push(std::move(e));
  }

 private:
  FilteredUDPDescriptor descriptor_;
  std::atomic<int64_t> told_{-1};  // second of the last event
};

inline transport::TransportInterface *FilteredUDPDescriptor::create_transport() const { return new FilteredUDP(*this); }

//go:build fastdds

// UDP behind a filter for messages that would end the process.
#pragma once
#include <atomic>
#include <chrono>

#include "hub.hpp"

// ends_process reports whether the library aborts when it reads this message. Unless it is
// built with NDEBUG, which Debian's is not, it asserts that eProsima's statistics submessage
// is the last one (read_statistics_submessage, up to 3.6.1). It does so before DDS Security
// decides who is heard.
inline bool ends_process(const uint8_t *message, uint32_t size) {
  constexpr uint32_t header = 20;  // RTPS 2.3, 9.4.4, with the vendor at 6
  constexpr uint8_t statistics = 0x80, info_ts = 0x09, pad = 0x01;
  if (size < header || message[6] != 0x01 || message[7] != 0x0f) return false;
  for (uint32_t at = header; at + 4 <= size;) {
    const uint8_t *sub = message + at;
    const bool little = sub[1] & 1;
    const uint32_t length = sub[little ? 2 : 3] | sub[little ? 3 : 2] << 8;
    at += 4;
    if (sub[0] == statistics) return at + length != size;
    if (length == 0 && sub[0] != info_ts && sub[0] != pad) return false;  // it is the last
    at += (length + 3) & ~3u;
  }
  return false;
}

struct FilteredUDPDescriptor : transport::ChainingTransportDescriptor {
  FilteredUDPDescriptor(std::shared_ptr<transport::TransportDescriptorInterface> udp, Hub &hub) : ChainingTransportDescriptor(udp), hub(hub) {}
  transport::TransportInterface *create_transport() const override;
  Hub &hub;
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
    if (!ends_process(data, size)) return library->OnDataReceived(data, size, local, remote);
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

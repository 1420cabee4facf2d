// What the benchmarks measure in Go, in plain C++ on the same library: messages are
// bytes, what comes in is dealt with on the library's own thread, and nothing lies
// between. Settings of participant, transport and endpoints are the shim's.
//
//   peer pong DOMAIN BUFFER   says again on /pong what it hears on /ping, and on /heard
//                             how many of /stream it has heard, after the last one
//   peer handing DOMAIN BUFFER  is pong, but hands /ping over to its main thread, which
//                             takes and answers, as an executor of ROS 2 does
//   peer ping DOMAIN BUFFER   is told what to do on its standard input:
//     trip SIZE N             a message of so many bytes to the other and back, N
//                             times; answers with the ns of each, a line each
//     stream SIZE N           N messages of so many bytes to the other;
//                             answers with the ns until it has heard all
//
// Both end with their standard input.
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <iostream>
#include <thread>

#include "endpoint.hpp"

namespace {
using clock_type = std::chrono::steady_clock;
constexpr int keep_all_limit = 1 << 16;
constexpr auto patience = std::chrono::seconds(30);

[[noreturn]] void fail(const std::string &what) {
  std::cerr << "peer: " << what << std::endl;
  exit(1);
}

fd_qos qos(bool keep_all) {
  fd_qos q{};
  q.keep_all = keep_all;
  q.depth = keep_all ? keep_all_limit : 10;
  return q;
}

// Peer is a participant with its writers and readers.
class Peer {
 public:
  Peer(int domain, uint32_t socket_buffer) {
    fd_config c{};
    c.domain = domain;
    c.enclave = "/";
    c.profiles = "";
    c.peers = "127.0.0.1";
    c.loopback = 1;
    c.peer_range = 32;
    c.socket_buffer = socket_buffer;
    c.lease_ns = 20000000000;
    auto *f = fast::DomainParticipantFactory::get_instance();
    dp_ = f->create_participant(domain, participant_qos(f, &c));
    if (!dp_) fail("no participant");
    pub_ = dp_->create_publisher(fast::PUBLISHER_QOS_DEFAULT);
    sub_ = dp_->create_subscriber(fast::SUBSCRIBER_QOS_DEFAULT);
  }

  ~Peer() {
    dp_->delete_contained_entities();
    fast::DomainParticipantFactory::get_instance()->delete_participant(dp_);
  }

  fast::DataWriter *writer(const char *name, const char *type, bool keep_all) {
    const fd_qos q = qos(keep_all);
    auto *w = pub_->create_datawriter(topic(name, type), writer_qos(pub_, &q));
    if (!w) fail("no writer");
    return w;
  }

  fast::DataReader *reader(const char *name, const char *type, bool keep_all, fast::DataReaderListener *l) {
    const fd_qos f = qos(keep_all);
    auto q = sub_->get_default_datareader_qos();
    set_qos(q, &f);
    auto *r = sub_->create_datareader(topic(name, type), q, l, fast::StatusMask::data_available());
    if (!r) fail("no reader");
    return r;
  }

 private:
  fast::Topic *topic(const char *name, const char *type) {
    fast::TypeSupport ts = dp_->find_type(type);
    if (ts.empty()) {
      ts.reset(new RawType(type));
      ts.register_type(dp_);
    }
    return dp_->create_topic(name, type, fast::TOPIC_QOS_DEFAULT);
  }

  fast::DomainParticipant *dp_;
  fast::Publisher *pub_;
  fast::Subscriber *sub_;
};

// Listener hands each message to a function, on the library's thread.
struct Listener : fast::DataReaderListener {
  std::function<void(const Incoming &)> on;
  Incoming in;
  explicit Listener(std::function<void(const Incoming &)> f) : on(std::move(f)) {}
  void on_data_available(fast::DataReader *r) override {
    fast::SampleInfo info;
    while (ok(r->take_next_sample(&in, &info)))
      if (info.valid_data) on(in);
  }
};

// Counter counts what comes in for a thread that waits.
class Counter {
 public:
  void add() {
    {
      std::lock_guard<std::mutex> l(mu_);
      n_++;
    }
    cv_.notify_one();
  }
  void wait(uint64_t n) {
    std::unique_lock<std::mutex> l(mu_);
    if (!cv_.wait_for(l, patience, [&] { return n_ >= n; })) fail("nobody answers");
  }

 private:
  std::mutex mu_;
  std::condition_variable cv_;
  uint64_t n_ = 0;
};

void write(fast::DataWriter *w, const uint8_t *data, size_t len) {
  Outgoing out{data, len};
  rtps::WriteParams wp;
#if FD_V3
  if (!ok(w->write(&out, wp))) fail("a message is refused");
#else
  if (!w->write(&out, wp)) fail("a message is refused");
#endif
}

constexpr const char *odometry = "nav_msgs::msg::dds_::Odometry_", *grid = "nav_msgs::msg::dds_::OccupancyGrid_", *count = "std_msgs::msg::dds_::UInt64_";

// The first four bytes of a stream's messages say how many come after it.
int32_t left_of(const Incoming &in) {
  int32_t left;
  memcpy(&left, in.data + 4, sizeof left);
  return left;
}

// Bell has a thread wait for messages that it takes itself.
struct Bell : fast::DataReaderListener {
  Counter rings;
  void on_data_available(fast::DataReader *) override { rings.add(); }
};

void handing(Peer &p) {
  auto *back = p.writer("rt/pong", odometry, false);
  p.writer("rt/heard", count, false);
  Bell bell;
  Listener none([](const Incoming &) {});
  p.reader("rt/stream", grid, true, &none);
  auto *r = p.reader("rt/ping", odometry, false, &bell);
  std::thread([] {
    for (char c; std::cin.get(c);) {
    }
    _exit(0);
  }).detach();
  Incoming in;
  fast::SampleInfo info;
  for (uint64_t n = 1;; n++) {
    bell.rings.wait(n);
    while (ok(r->take_next_sample(&in, &info)))
      if (info.valid_data) write(back, in.data, in.len);
  }
}

void pong(Peer &p) {
  auto *back = p.writer("rt/pong", odometry, false);
  auto *heard = p.writer("rt/heard", count, false);
  Listener echo([=](const Incoming &in) { write(back, in.data, in.len); });
  uint64_t n = 0;
  Listener tally([=, &n](const Incoming &in) {
    n++;
    if (left_of(in) > 0) return;
    uint8_t message[12] = {0, 1, 0, 0};
    memcpy(message + 4, &n, sizeof n);
    n = 0;
    write(heard, message, sizeof message);
  });
  auto *a = p.reader("rt/ping", odometry, false, &echo);
  auto *b = p.reader("rt/stream", grid, true, &tally);
  for (char c; std::cin.get(c);) {
  }
  a->set_listener(nullptr);
  b->set_listener(nullptr);
}

void ping(Peer &p) {
  Counter pongs, acks;
  uint64_t pong_count = 0, ack_count = 0, heard = 0;
  Listener on_pong([&](const Incoming &) { pongs.add(); });
  Listener on_heard([&](const Incoming &in) {
    memcpy(&heard, in.data + 4, sizeof heard);
    acks.add();
  });
  auto *out = p.writer("rt/ping", odometry, false), *stream = p.writer("rt/stream", grid, true);
  auto *a = p.reader("rt/pong", odometry, false, &on_pong), *b = p.reader("rt/heard", count, false, &on_heard);
  const auto matched = [&] {
    fast::PublicationMatchedStatus s, t;
    fast::SubscriptionMatchedStatus u, v;
    out->get_publication_matched_status(s);
    stream->get_publication_matched_status(t);
    a->get_subscription_matched_status(u);
    b->get_subscription_matched_status(v);
    return s.current_count && t.current_count && u.current_count && v.current_count;
  };
  for (const auto deadline = clock_type::now() + patience; !matched(); std::this_thread::sleep_for(std::chrono::milliseconds(1)))
    if (clock_type::now() > deadline) fail("there is nobody");
  std::cout << "matched" << std::endl;
  for (std::string command; std::cin >> command;) {
    size_t size = 0;
    uint64_t n = 0;
    if (!(std::cin >> size >> n)) fail("a command without its numbers");
    std::vector<uint8_t> m(size);
    m[1] = 1;
    if (command == "trip") {
      std::vector<int64_t> took(n);
      for (auto &t : took) {
        const auto begin = clock_type::now();
        write(out, m.data(), m.size());
        pongs.wait(++pong_count);
        t = std::chrono::nanoseconds(clock_type::now() - begin).count();
      }
      for (const auto t : took) std::cout << t << '\n';
    } else if (command == "stream") {
      const auto begin = clock_type::now();
      for (auto left = static_cast<int32_t>(n); left-- > 0;) {
        memcpy(m.data() + 4, &left, sizeof left);
        write(stream, m.data(), m.size());
      }
      acks.wait(++ack_count);
      std::cout << std::chrono::nanoseconds(clock_type::now() - begin).count() << '\n';
      if (heard != n) fail("only " + std::to_string(heard) + " of " + std::to_string(n) + " came");
    } else {
      fail("not understood: " + command);
    }
    std::cout.flush();
  }
  a->set_listener(nullptr);
  b->set_listener(nullptr);
}
}  // namespace

int main(int argc, char **argv) {
  if (argc != 4) fail("want ping, pong or handing, a domain and the bytes of a socket's buffer");
  Peer p(std::stoi(argv[2]), std::stoul(argv[3]));
  const std::string role = argv[1];
  role == "ping" ? ping(p) : role == "handing" ? handing(p) : pong(p);
}

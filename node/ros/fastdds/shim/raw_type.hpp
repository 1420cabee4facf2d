// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

// A type of any name whose samples are CDR bytes, encapsulation header included.
#pragma once
#include <cstdlib>
#include <cstring>

#include "compat.hpp"

// Outgoing is a sample for write: the caller's bytes.
struct Outgoing {
  const void *data;
  size_t len;
  // The encapsulation header is 4 bytes; what is shorter is filled up with zeros.
  uint32_t size() const { return static_cast<uint32_t>(len < 4 ? 4 : len); }
};

// Incoming is a sample for take: a buffer of its own that serves again.
struct Incoming {
  uint8_t *data = nullptr;
  size_t len = 0, cap = 0;
  Incoming() = default;
  Incoming(const Incoming &) = delete;
  Incoming &operator=(const Incoming &) = delete;
  ~Incoming() { free(data); }
};

class RawType : public fast::TopicDataType {
 public:
  explicit RawType(const char *name) {
#if FD_V3
    set_name(name);
    max_serialized_type_size = first_guess;
    is_compute_key_provided = false;
#else
    setName(name);
    m_typeSize = first_guess;
    m_isGetKeyDefined = false;
    auto_fill_type_object(false);
    auto_fill_type_information(false);
#endif
  }

#if FD_V3
  bool serialize(const void *const d, rtps::SerializedPayload_t &p, fast::DataRepresentationId_t) override { return put(d, p); }
  bool deserialize(rtps::SerializedPayload_t &p, void *d) override { return get(p, d); }
  uint32_t calculate_serialized_size(const void *const d, fast::DataRepresentationId_t) override { return static_cast<const Outgoing *>(d)->size(); }
  void *create_data() override { return new Incoming; }
  void delete_data(void *d) override { delete static_cast<Incoming *>(d); }
  bool compute_key(rtps::SerializedPayload_t &, rtps::InstanceHandle_t &, bool) override { return false; }
  bool compute_key(const void *const, rtps::InstanceHandle_t &, bool) override { return false; }
#else
  bool serialize(void *d, rtps::SerializedPayload_t *p) override { return put(d, *p); }
  bool deserialize(rtps::SerializedPayload_t *p, void *d) override { return get(*p, d); }
  std::function<uint32_t()> getSerializedSizeProvider(void *d) override {
    auto *o = static_cast<const Outgoing *>(d);
    return [o] { return o->size(); };
  }
  void *createData() override { return new Incoming; }
  void deleteData(void *d) override { delete static_cast<Incoming *>(d); }
  bool getKey(void *, rtps::InstanceHandle_t *, bool) override { return false; }
#endif

 private:
  static constexpr uint32_t first_guess = 256;  // payloads are reallocated as they need

  static bool put(const void *d, rtps::SerializedPayload_t &p) {
    auto *o = static_cast<const Outgoing *>(d);
    if (o->size() > p.max_size) return false;
    memset(p.data, 0, 4);
    memcpy(p.data, o->data, o->len);
    p.length = o->size();
    p.encapsulation = p.data[1] & 1 ? CDR_LE : CDR_BE;
    return true;
  }

  static bool get(const rtps::SerializedPayload_t &p, void *d) {
    auto *in = static_cast<Incoming *>(d);
    in->len = 0;
    if (p.length > in->cap || in->cap > 4 * static_cast<size_t>(p.length) + 65536) {
      free(in->data);
      in->cap = 0;
      in->data = static_cast<uint8_t *>(malloc(p.length ? p.length : 1));
      if (!in->data) return false;
      in->cap = p.length;
    }
    if (p.length) memcpy(in->data, p.data, p.length);
    in->len = p.length;
    return true;
  }
};

// Copyright 2026 the authors of ugp_explorer
// SPDX-License-Identifier: Apache-2.0

//go:build fastdds

// Fast DDS 2.6 to 3.x under one set of names.
#pragma once
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/domain/DomainParticipantListener.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/DataWriterListener.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/Topic.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/dds/topic/TypeSupport.hpp>

#if __has_include(<fastdds/config.hpp>)
#define FD_V3 1
#include <fastdds/config.hpp>
#include <fastdds/rtps/common/WriteParams.hpp>
#include <fastdds/rtps/transport/ChainingTransport.hpp>
#include <fastdds/rtps/transport/SenderResource.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.hpp>
#include <fastdds/utils/IPLocator.hpp>
#define FD_VERSION FASTDDS_VERSION_STR
#define FD_SOURCE_STAMP 1
#else
#define FD_V3 0
#include <fastdds/rtps/network/SenderResource.h>
#include <fastdds/rtps/transport/ChainingTransport.h>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/config.h>
#include <fastrtps/utils/IPLocator.h>
#include <fastrtps/xmlparser/XMLProfileManager.h>
#define FD_VERSION FASTRTPS_VERSION_STR
// Before 2.9 the library stamps samples by itself.
#define FD_SOURCE_STAMP (FASTRTPS_VERSION_MAJOR * 100 + FASTRTPS_VERSION_MINOR >= 209)
#endif

// A library may have been built without DDS Security.
#ifndef HAVE_SECURITY
#define HAVE_SECURITY 0
#endif

namespace fast = eprosima::fastdds::dds;
namespace transport = eprosima::fastdds::rtps;
#if FD_V3
namespace rtps = eprosima::fastdds::rtps;
using Duration = fast::Duration_t;
inline Duration forever() { return fast::c_TimeInfinite; }
using ReturnCode = fast::ReturnCode_t;
inline bool ok(ReturnCode r) { return r == fast::RETCODE_OK; }
inline bool no_data(ReturnCode r) { return r == fast::RETCODE_NO_DATA; }
inline int code(ReturnCode r) { return static_cast<int>(r); }
#else
namespace rtps = eprosima::fastrtps::rtps;
using Duration = eprosima::fastrtps::Duration_t;
inline Duration forever() { return eprosima::fastrtps::c_TimeInfinite; }
using ReturnCode = eprosima::fastrtps::types::ReturnCode_t;
inline bool ok(const ReturnCode &r) { return r() == ReturnCode::RETCODE_OK; }
inline bool no_data(const ReturnCode &r) { return r() == ReturnCode::RETCODE_NO_DATA; }
inline int code(const ReturnCode &r) { return static_cast<int>(r()); }
#endif

// Between participants of one process the library delivers by calls, discovery as well
// as messages, and up to 2.14 it calls readers that have just been deleted (eProsima's
// pull request 5034): the process ends. Over the wire, as between processes, it does not.
inline void deliver_over_the_wire() {
#if !FD_V3
  eprosima::fastrtps::LibrarySettingsAttributes settings;
  settings.intraprocess_delivery = eprosima::fastrtps::INTRAPROCESS_OFF;
  eprosima::fastrtps::xmlparser::XMLProfileManager::library_settings(settings);
#endif
}

inline Duration duration(int64_t ns) {
  if (ns <= 0) return forever();
  return Duration(static_cast<int32_t>(ns / 1000000000), static_cast<uint32_t>(ns % 1000000000));
}

// Nanoseconds of a duration, 0 for infinite.
inline int64_t nanoseconds(const Duration &d) {
  return d == forever() ? 0 : static_cast<int64_t>(d.seconds) * 1000000000 + d.nanosec;
}

//===- fabric.h - tt-metal's fabric API for checks ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The classes and functions of the fabric that emitted kernels use, as tt-metal declares them.
// Headers have different ones on a 1-D and on a 2-D fabric (macro FABRIC_2D).
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_TESTS_METALIUM_FABRIC_H
#define TTJIT_TESTS_METALIUM_FABRIC_H

#include "prelude.h"

namespace tt::tt_fabric {

struct NocUnicastCommandHeader {
  uint64_t noc_address;
};
struct NocUnicastInlineWriteCommandHeader {
  uint64_t noc_address;
  uint32_t value;
};
struct NocUnicastAtomicIncCommandHeader {
  NocUnicastAtomicIncCommandHeader(uint64_t noc_address, uint32_t val, bool flush = true);
  uint64_t noc_address;
  uint32_t val;
  bool flush;
};
struct NocUnicastAtomicIncFusedCommandHeader {
  NocUnicastAtomicIncFusedCommandHeader(uint64_t noc_address, uint64_t semaphore_noc_address,
                                        uint32_t val, bool flush = true);
  uint64_t noc_address, semaphore_noc_address;
  uint32_t val;
  bool flush;
};

struct Header {
  void to_noc_unicast_write(const NocUnicastCommandHeader &to, size_t bytes) volatile;
  void to_noc_unicast_inline_write(const NocUnicastInlineWriteCommandHeader &to) volatile;
  void to_noc_unicast_atomic_inc(const NocUnicastAtomicIncCommandHeader &to) volatile;
  void to_noc_fused_unicast_write_atomic_inc(const NocUnicastAtomicIncFusedCommandHeader &to,
                                             size_t bytes) volatile;
#ifndef FABRIC_2D
  void to_chip_unicast(uint8_t hops) volatile;
#endif
};

#ifdef FABRIC_2D
bool fabric_set_unicast_route(volatile tt_l1_ptr Header *header, uint16_t chip, uint16_t mesh);
#endif

constexpr size_t get_fabric_max_packet_size() { return 4352; }

struct WorkerToFabricEdmSender {
  void wait_for_empty_write_slot() const;
  void send_payload_without_header_non_blocking_from_address(uint32_t from, size_t bytes);
  void send_payload_flush_blocking_from_address(uint32_t header, size_t bytes);
};

class RoutingPlaneConnectionManager final {
public:
  using Sender = WorkerToFabricEdmSender;
  enum BuildFromArgsMode : uint8_t { BUILD_ONLY, BUILD_AND_OPEN_CONNECTION };
  struct ConnectionSlot {
    Sender sender;
    uint8_t tag;
  };
  template <BuildFromArgsMode mode = BUILD_ONLY>
  static RoutingPlaneConnectionManager build_from_args(size_t &place, uint32_t connections);
  ConnectionSlot &get(uint32_t index);
  void close();
};

} // namespace tt::tt_fabric

#define PACKET_HEADER_TYPE tt::tt_fabric::Header

class PacketHeaderPool {
public:
  static volatile tt_l1_ptr PACKET_HEADER_TYPE *allocate_header(uint8_t count = 1);
};

#endif // TTJIT_TESTS_METALIUM_FABRIC_H

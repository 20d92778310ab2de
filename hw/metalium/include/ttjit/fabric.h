//===- fabric.h - connections and packets between devices -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A packet leaves when its header is sent. It carries the payload that was sent over the
// connection before. ttnn.setup_routing_plane_connection makes the words of a connection among the
// run-time arguments: a number of devices, and these devices. On a 1-D fabric they are the devices
// at 1, 2, ... hops; on a 2-D fabric (macro FABRIC_2D) those that packets reach over the
// connection.
//===--------------------------------------------------------------------------===//

#pragma once

#include "api/dataflow/dataflow_api.h"

enum class ProgrammableCoreType { TENSIX, ACTIVE_ETH, IDLE_ETH };

#ifndef TTJIT_FABRIC_PACKET
#define TTJIT_FABRIC_PACKET 4352
#endif

namespace ttjit::metalium {
enum class FabricCommand : uint32_t { None, Write, InlineWrite, Increment, WriteIncrement };

inline uint64_t onDevice(uint64_t address, uint32_t device) {
  uint64_t there = 0;
  check(ttl_hw_fabric_noc_addr(thread(), address, device, &there));
  return there;
}
} // namespace ttjit::metalium

namespace tt::tt_fabric {

constexpr std::size_t get_fabric_max_packet_size() { return TTJIT_FABRIC_PACKET; }

//===--------------------------------------------------------------------------===//
// Headers
//===--------------------------------------------------------------------------===//

struct NocUnicastCommandHeader {
  uint64_t noc_address;
};
struct NocUnicastInlineWriteCommandHeader {
  uint64_t noc_address;
  uint32_t value;
};
struct NocUnicastAtomicIncCommandHeader {
  uint64_t noc_address;
  uint32_t val;
  bool flush = true;
};
struct NocUnicastAtomicIncFusedCommandHeader {
  uint64_t noc_address;
  uint64_t semaphore_noc_address;
  uint32_t val;
  bool flush = true;
};

/// A header in L1. Its NoC addresses are those of a core of the own device: cores have the same on
/// all devices. Here, transfers to one device land in order, also without `flush`.
struct PacketHeader {
  uint64_t address, counter;
  uint32_t value, bytes, route;
  ttjit::metalium::FabricCommand command;

  void to_noc_unicast_write(const NocUnicastCommandHeader &to, uint32_t size) volatile {
    address = to.noc_address;
    bytes = size;
    command = ttjit::metalium::FabricCommand::Write;
  }
  void to_noc_unicast_inline_write(const NocUnicastInlineWriteCommandHeader &to) volatile {
    address = to.noc_address;
    value = to.value;
    bytes = 0;
    command = ttjit::metalium::FabricCommand::InlineWrite;
  }
  void to_noc_unicast_atomic_inc(const NocUnicastAtomicIncCommandHeader &to) volatile {
    counter = to.noc_address;
    value = to.val;
    bytes = 0;
    command = ttjit::metalium::FabricCommand::Increment;
  }
  void to_noc_fused_unicast_write_atomic_inc(const NocUnicastAtomicIncFusedCommandHeader &to,
                                             uint32_t size) volatile {
    address = to.noc_address;
    counter = to.semaphore_noc_address;
    value = to.val;
    bytes = size;
    command = ttjit::metalium::FabricCommand::WriteIncrement;
  }
#ifndef FABRIC_2D
  void to_chip_unicast(uint8_t hops) volatile { route = hops; }
#endif
};
static_assert(sizeof(PacketHeader) <= ttjit::hw::kPacketHeaderBytes);

#ifdef FABRIC_2D
inline bool fabric_set_unicast_route(volatile PacketHeader *header, uint16_t chip, uint16_t mesh) {
  ttjit::metalium::failIf(mesh != 0, "the emulated machine has one mesh, which has the number 0");
  header->route = chip;
  return true;
}
#else
template <bool> inline bool fabric_set_unicast_route(volatile PacketHeader *header, uint16_t hops) {
  header->route = hops;
  return true;
}
#endif

//===--------------------------------------------------------------------------===//
// Connections
//===--------------------------------------------------------------------------===//

class WorkerToFabricEdmSender {
public:
  template <ProgrammableCoreType>
  static WorkerToFabricEdmSender build_from_args(std::size_t &place) {
    WorkerToFabricEdmSender sender;
    sender.count = get_arg_val<uint32_t>(static_cast<int>(place++));
    sender.first = static_cast<uint32_t>(place);
    place += sender.count;
    return sender;
  }

  void open_start() {
    ttjit::metalium::check(ttl_hw_fabric_connections(ttjit::metalium::thread(), 1));
    isOpen = true;
  }
  void open_finish() {}
  void open() { open_start(); }
  void close_start() {
    ttjit::metalium::check(ttl_hw_fabric_connections(ttjit::metalium::thread(), -1));
    isOpen = false;
  }
  void close_finish() {}
  void close() { close_start(); }

  /// Does not wait: the emulated fabric has room for any number of packets.
  void wait_for_empty_write_slot() const {}

  void send_payload_without_header_non_blocking_from_address(uint32_t from, std::size_t bytes) {
    payload = from;
    payloadBytes = static_cast<uint32_t>(bytes);
  }
  void send_payload_flush_blocking_from_address(uint32_t at, std::size_t) {
    send(*reinterpret_cast<volatile PacketHeader *>(at));
    noc_async_writes_flushed();
  }
  void send_payload_flush_non_blocking_from_address(uint32_t at, std::size_t) {
    send(*reinterpret_cast<volatile PacketHeader *>(at));
  }

private:
  uint32_t deviceOf(uint32_t route) const {
#ifdef FABRIC_2D
    for (uint32_t i = 0; i < count; ++i)
      if (get_arg_val<uint32_t>(static_cast<int>(first + i)) == route)
        return route;
    ttjit::metalium::failIf(true, "packets of this connection do not reach the chip of the header");
    return route;
#else
    ttjit::metalium::failIf(route < 1 || route > count,
                            "the header has more hops than there are devices in this direction, "
                            "or none");
    return get_arg_val<uint32_t>(static_cast<int>(first + route - 1));
#endif
  }

  void send(volatile PacketHeader &header) {
    using namespace ttjit::metalium;
    const FabricCommand command = header.command;
    const uint32_t bytes = header.bytes;
    failIf(!isOpen, "sends over a connection that is not open");
    failIf(command == FabricCommand::None, "the packet header has no command");
    failIf(bytes != payloadBytes, "the packet header has another size than the payload");
    failIf(bytes > get_fabric_max_packet_size(), "the payload is larger than a packet");
    const uint32_t device = deviceOf(header.route);
    if (command == FabricCommand::Write || command == FabricCommand::WriteIncrement)
      noc_async_write(payload, onDevice(header.address, device), bytes);
    if (command == FabricCommand::InlineWrite)
      noc_inline_dw_write(onDevice(header.address, device), header.value);
    if (command == FabricCommand::Increment || command == FabricCommand::WriteIncrement)
      noc_semaphore_inc(onDevice(header.counter, device), header.value);
    payloadBytes = 0;
  }

  uint32_t first = 0, count = 0, payload = 0, payloadBytes = 0;
  bool isOpen = false;
};

/// The connections of a kernel, one for each direction.
class RoutingPlaneConnectionManager final {
public:
#ifdef FABRIC_2D
  static constexpr std::size_t MaxConnections = 4;
#else
  static constexpr std::size_t MaxConnections = 2;
#endif
  using Sender = WorkerToFabricEdmSender;
  enum BuildFromArgsMode : uint8_t {
    BUILD_ONLY,
    BUILD_AND_OPEN_CONNECTION,
    BUILD_AND_OPEN_CONNECTION_START_ONLY,
  };
  struct ConnectionSlot {
    Sender sender;
    uint8_t tag = 0;
#ifdef FABRIC_2D
    uint16_t dst_dev_id = 0, dst_mesh_id = 0;
#endif
  };
#ifdef FABRIC_2D
  uint32_t ew_dim = 0;
  uint16_t my_mesh_id = 0, my_chip_id = 0;
#endif

  template <BuildFromArgsMode mode = BUILD_ONLY>
  static RoutingPlaneConnectionManager build_from_args(std::size_t &place, uint32_t connections) {
    ttjit::metalium::failIf(
        connections > MaxConnections,
        "a kernel has at most 2 connections to a 1-D fabric, and 4 to a 2-D one");
    RoutingPlaneConnectionManager manager;
    manager.count = connections;
    for (uint32_t i = 0; i < connections; ++i) {
      manager.slots[i].tag = static_cast<uint8_t>(next(place));
      manager.slots[i].sender = Sender::build_from_args<ProgrammableCoreType::TENSIX>(place);
      if constexpr (mode != BUILD_ONLY)
        manager.slots[i].sender.open_start();
    }
#ifdef FABRIC_2D
    manager.ew_dim = next(place);
    manager.my_chip_id = static_cast<uint16_t>(next(place));
    manager.my_mesh_id = static_cast<uint16_t>(next(place));
    place += 2 * connections;
    for (uint32_t i = 0; i < connections; ++i) {
      manager.slots[i].dst_dev_id = static_cast<uint16_t>(next(place));
      manager.slots[i].dst_mesh_id = static_cast<uint16_t>(next(place));
    }
#endif
    return manager;
  }

  ConnectionSlot &get(uint32_t index) {
    ttjit::metalium::failIf(index >= count, "the kernel has no connection with this number");
    return slots[index];
  }
  uint32_t get_tag(uint32_t index) { return get(index).tag; }
  uint32_t active_count() const { return count; }

  void open_start() {
    for (uint32_t i = 0; i < count; ++i)
      slots[i].sender.open_start();
  }
  void open_finish() {}
  void open() { open_start(); }
  void close_start() {
    for (uint32_t i = 0; i < count; ++i)
      slots[i].sender.close_start();
  }
  void close_finish() {}
  void close() { close_start(); }

private:
  static uint32_t next(std::size_t &place) {
    return get_arg_val<uint32_t>(static_cast<int>(place++));
  }

  ConnectionSlot slots[MaxConnections];
  uint32_t count = 0;
};

} // namespace tt::tt_fabric

#define PACKET_HEADER_TYPE tt::tt_fabric::PacketHeader

/// Allocates headers in L1. Each processor has headers of its own.
class PacketHeaderPool {
public:
  static volatile PACKET_HEADER_TYPE *allocate_header(uint8_t headers = 1) {
    uint32_t address = 0;
    ttjit::metalium::check(ttl_hw_packet_headers(ttjit::metalium::thread(), headers, &address));
    auto *header = reinterpret_cast<volatile PACKET_HEADER_TYPE *>(address);
    header->command = ttjit::metalium::FabricCommand::None;
    return header;
  }
  static void reset() {
    uint32_t address = 0;
    ttjit::metalium::check(ttl_hw_packet_headers(ttjit::metalium::thread(), 0, &address));
  }
};

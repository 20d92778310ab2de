//===- FabricFunctions.cpp - transfers between devices for emitted files ------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/EmittedFunctions.h"

using namespace ttjit;
using namespace ttjit::tometalium;

static constexpr EmittedFunction kFabricFunctions[] = {
    {"ttl_column", R"cpp(// Columns count over all devices: those of device d begin at d * columns.
template <uint32_t columns> inline int32_t ttl_column(uint32_t device) {
  return static_cast<int32_t>(device * columns + get_absolute_logical_x());
}
)cpp"},
    {"ttl_fabric",
     R"cpp(// The connections of this node to other devices. Its run-time arguments from `first` on are: its
// device, its number of routes and of connections; for each route the device that it reaches, the
// connection, the hops (on a 1-D fabric), chip and mesh (on a 2-D fabric); what the connections need.
struct ttl_fabric {
  uint32_t first;
  volatile tt_l1_ptr PACKET_HEADER_TYPE *header;
  tt::tt_fabric::RoutingPlaneConnectionManager links;
};
using ttl_fabric_sender = tt::tt_fabric::RoutingPlaneConnectionManager::Sender;

inline ttl_fabric ttl_fabric_open(uint32_t first) {
  using Links = tt::tt_fabric::RoutingPlaneConnectionManager;
  const uint32_t routes = get_arg_val<uint32_t>(first + 1);
  const uint32_t connections = get_arg_val<uint32_t>(first + 2);
  size_t place = first + 3 + 5 * routes;
  return {first, PacketHeaderPool::allocate_header(),
          Links::build_from_args<Links::BUILD_AND_OPEN_CONNECTION>(place, connections)};
}

// The next program waits forever for a connection that is not closed.
inline void ttl_fabric_close(ttl_fabric &fabric) {
  noc_async_full_barrier();
  fabric.links.close();
}

// Addresses the header to a device. Returns the connection over which to send it.
inline ttl_fabric_sender &ttl_fabric_aim(ttl_fabric &fabric, uint32_t device) {
  uint32_t route = fabric.first + 3;
  while (get_arg_val<uint32_t>(route) != device) {
    route += 5;
  }
#if defined(FABRIC_2D)
  const uint32_t chip = get_arg_val<uint32_t>(route + 3), mesh = get_arg_val<uint32_t>(route + 4);
  tt::tt_fabric::fabric_set_unicast_route(fabric.header, static_cast<uint16_t>(chip),
                                          static_cast<uint16_t>(mesh));
#else
  fabric.header->to_chip_unicast(static_cast<uint8_t>(get_arg_val<uint32_t>(route + 2)));
#endif
  return fabric.links.get(get_arg_val<uint32_t>(route + 1)).sender;
}

// Returns when the header has left, so that it may be used again.
inline void ttl_fabric_flush(ttl_fabric &fabric, ttl_fabric_sender &sender) {
  const uint32_t header = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(fabric.header));
  sender.send_payload_flush_blocking_from_address(header, sizeof(PACKET_HEADER_TYPE));
}

// Sends all of a block but its last packet; returns the bytes before that.
inline uint32_t ttl_fabric_begin(ttl_fabric &fabric, ttl_fabric_sender &sender, uint32_t from,
                                 uint64_t to, uint32_t bytes) {
  const uint32_t packet = static_cast<uint32_t>(tt::tt_fabric::get_fabric_max_packet_size());
  uint32_t done = 0;
  for (; bytes - done > packet; done += packet) {
    fabric.header->to_noc_unicast_write({to + done}, packet);
    sender.wait_for_empty_write_slot();
    sender.send_payload_without_header_non_blocking_from_address(from + done, packet);
    ttl_fabric_flush(fabric, sender);
  }
  return done;
}
)cpp"},
    {"ttl_fabric_count",
     R"cpp(// Counts a block that was written before: a word that has the count becomes that of the receiver.
template <uint32_t columns>
inline void ttl_fabric_count(ttl_fabric &fabric, uint32_t column, uint32_t word, uint64_t to) {
  const uint32_t device = column / columns;
  if (device == get_arg_val<uint32_t>(fabric.first)) {
    noc_semaphore_set_remote(word, to);
    return;
  }
  ttl_fabric_sender &sender = ttl_fabric_aim(fabric, device);
  fabric.header->to_noc_unicast_atomic_inc({to, 1, true});
  sender.wait_for_empty_write_slot();
  ttl_fabric_flush(fabric, sender);
}
)cpp",
     "ttl_fabric"},
    {"ttl_fabric_inc",
     R"cpp(// Increments a word of a node in this column.
template <uint32_t columns>
inline void ttl_fabric_inc(ttl_fabric &fabric, uint32_t column, uint64_t to, uint32_t value) {
  const uint32_t device = column / columns;
  if (device == get_arg_val<uint32_t>(fabric.first)) {
    noc_semaphore_inc(to, value);
    return;
  }
  ttl_fabric_sender &sender = ttl_fabric_aim(fabric, device);
  fabric.header->to_noc_unicast_atomic_inc({to, value, true});
  sender.wait_for_empty_write_slot();
  ttl_fabric_flush(fabric, sender);
}
)cpp",
     "ttl_fabric"},
    {"ttl_fabric_send",
     R"cpp(// Writes a block to a node in this column, and counts it there: on the own device with the word that
// has the count, on another one with an increment after the last packet.
template <uint32_t columns>
inline void ttl_fabric_send(ttl_fabric &fabric, uint32_t column, uint32_t from, uint64_t to,
                            uint32_t bytes, uint32_t word, uint64_t counter) {
  const uint32_t device = column / columns;
  if (device == get_arg_val<uint32_t>(fabric.first)) {
    noc_async_write(from, to, bytes);
    noc_semaphore_set_remote(word, counter);
    return;
  }
  ttl_fabric_sender &sender = ttl_fabric_aim(fabric, device);
  const uint32_t done = ttl_fabric_begin(fabric, sender, from, to, bytes);
  fabric.header->to_noc_fused_unicast_write_atomic_inc({to + done, counter, 1, true}, bytes - done);
  sender.wait_for_empty_write_slot();
  sender.send_payload_without_header_non_blocking_from_address(from + done, bytes - done);
  ttl_fabric_flush(fabric, sender);
}
)cpp",
     "ttl_fabric"},
    {"ttl_fabric_set",
     R"cpp(// Sets a word of a node in this column to the word at `from`.
template <uint32_t columns>
inline void ttl_fabric_set(ttl_fabric &fabric, uint32_t column, uint32_t from, uint64_t to) {
  const uint32_t device = column / columns;
  if (device == get_arg_val<uint32_t>(fabric.first)) {
    noc_semaphore_set_remote(from, to);
    return;
  }
  ttl_fabric_sender &sender = ttl_fabric_aim(fabric, device);
  const uint32_t value = *reinterpret_cast<volatile tt_l1_ptr uint32_t *>(from);
  fabric.header->to_noc_unicast_inline_write({to, value});
  sender.wait_for_empty_write_slot();
  ttl_fabric_flush(fabric, sender);
}
)cpp",
     "ttl_fabric"},
    {"ttl_fabric_write",
     R"cpp(// Writes bytes to a node in this column.
template <uint32_t columns>
inline void ttl_fabric_write(ttl_fabric &fabric, uint32_t column, uint32_t from, uint64_t to,
                             uint32_t bytes) {
  const uint32_t device = column / columns;
  if (device == get_arg_val<uint32_t>(fabric.first)) {
    noc_async_write(from, to, bytes);
    return;
  }
  ttl_fabric_sender &sender = ttl_fabric_aim(fabric, device);
  const uint32_t done = ttl_fabric_begin(fabric, sender, from, to, bytes);
  fabric.header->to_noc_unicast_write({to + done}, bytes - done);
  sender.wait_for_empty_write_slot();
  sender.send_payload_without_header_non_blocking_from_address(from + done, bytes - done);
  ttl_fabric_flush(fabric, sender);
}
)cpp",
     "ttl_fabric"},
    {"ttl_virtual_x_of",
     R"cpp(// NoC coordinate of a column, which all devices have at the same place.
template <uint32_t columns> inline uint32_t ttl_virtual_x_of(uint32_t column) {
  return worker_logical_col_to_virtual_col[column % columns];
}
)cpp"},
};

llvm::ArrayRef<EmittedFunction> tometalium::fabricFunctions() { return kFabricFunctions; }

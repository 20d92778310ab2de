//===- Events.h - events of the device ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Changes of the device (a push, a landed transfer, a fault) as events for the
// EventListeners in RunOptions. Without listeners kernels use their fast paths and make
// no events.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_EVENTS_H
#define TTJIT_HW_DEVICE_EVENTS_H

#include "hw/device/Run.h"
#include "hw/facts/DataFormat.h"
#include "hw/facts/ResultKind.h"
#include "hw/facts/TileCall.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace ttjit::hw {

/// Number of one thread of one node: node number (row-major) * 3 + Processor.
using AgentId = uint32_t;
inline constexpr uint32_t kThreadsPerNode = 3;

enum class EventKind : uint8_t {
  ThreadStart,
  ThreadEnd,
  Blocked, ///< the thread waits; `object` is that of the event it waits for
  Reserve,
  Push,
  Wait,
  Pop, ///< `object` of the buffer events: buffer index
  ReadIssued,
  WriteIssued,
  MulticastIssued,
  MulticastLeg,    ///< follows MulticastIssued: one of the cores that it writes
  SemaphoreIssued, ///< an increment
  TransferLanded,  ///< `object` of these events: transfer number
  ReadBarrier,
  WriteBarrier,
  WritesFlushed, ///< `object` of these events: transfer id, or kAllIds
  AtomicBarrier,
  SemaphoreSet,
  SemaphoreWait,
  WordChanged, ///< a transfer wrote or incremented a word in the L1 of a core, `destination`;
               ///< `object` of the semaphore events: L1 address
  DstAcquire,
  DstCommit,
  DstWait,
  DstRelease, ///< `object` of the DST events: section
  Print,      ///< text: what is printed
  Signpost,   ///< object: 0 point, 1 begin, 2 end, 3 cost; text: its name
  Access,     ///< the thread reads `source` or writes `destination`; the other place is empty
  ResetReached,
  BufferReset, ///< object: buffer index; by the thread that reached the reset last
  ResetPassed, ///< `object` of the first and last: number of the reset
  Fault,
};

inline constexpr uint64_t kAllIds = 16;

/// `object` of a Signpost that declares what the ops after the last event cost, for --time.
inline constexpr uint64_t kCostSignpost = 3;

/// A range of the device's memory.
struct MemoryPlace {
  enum Memory : uint8_t { None, L1, DRAM } memory = None;
  int x = 0, y = 0; ///< L1: logical core; DRAM: bank and device
  uint32_t address = 0;
  uint32_t bytes = 0;

  explicit operator bool() const { return memory != None; }
  bool operator==(const MemoryPlace &) const = default;
};

/// One change. Buffer events: `count` is a number of pages; `received` and `acked` are
/// the buffer's counters after the event, modulo 2^16 as on the card. Transfers and accesses:
/// `count` is a number of bytes. Semaphores: `count` is the new value.
///
/// A transfer has a source and a destination. An increment has no source. A multicast has its first
/// core as destination; MulticastLeg events have the others. A thread accesses memory when it reads
/// or packs a tile, uses a word or element of L1, or passes a block to the host.
struct Event {
  EventKind kind;
  AgentId agent;
  NodeCoord node;
  uint32_t loc; ///< index into Program::locations; of transfers the position of the issue
  uint64_t object;
  uint32_t count;
  uint16_t received, acked;
  MemoryPlace source = {}, destination = {};
  uint8_t transferId = 0; ///< transaction id of an issued transfer
  /// Transfers of one thread with the same stream land in the order of issue; 0: in any order.
  uint64_t stream = 0;
  bool isFabric = false; ///< whether the transfer goes to another device
  bool isExact = false;  ///< of SemaphoreWait: whether the thread waited for this very value
  /// The bytes that a write or multicast moves, in the event of its issue; else null. They are
  /// valid during the call of the listener.
  const char *data = nullptr;
  std::string_view text = {}; ///< valid during the call of the listener
};

/// What a tile operation of a compute thread does. `Read`: it reads a tile in L1. `Result`: a
/// register has its result. `Packed`: a register was stored in a tile in L1.
struct TileUse {
  enum Kind : uint8_t { Read, Result, Packed } kind;
  AgentId agent;
  NodeCoord node;
  uint32_t loc;        ///< index into Program::locations
  int32_t reg = -1;    ///< DST register; -1 of Read
  int32_t buffer = -1; ///< buffer of the tile in L1; -1 of Result
  int32_t tile = 0;    ///< its number in the block
  DataFormat format = DataFormat::Float32;
  ResultKind result = ResultKind::Copy;
  TileCall call; ///< of Result; its pointers are valid during the call of the listener
  std::array<int32_t, 3> inputs{-1, -1, -1}; ///< of Result: the registers that were read
  const float *values = nullptr;             ///< kDstTileElements values of the register
  const uint8_t *bytes = nullptr;            ///< the tile in L1
  uint32_t address = 0;                      ///< of the tile in L1, of which `bytes` may be a copy
  bool accumulates = false;                  ///< of Packed: the register was added to the tile
};

/// Receives the events of a run, and must outlive it. It is called on the stack of
/// the thread that made the event, so it must not block or call the device.
class EventListener {
public:
  virtual ~EventListener() = default;
  virtual void onRunStart(const Program &program) {}
  virtual void onEvent(const Event &event) = 0;
  /// Returns whether the run shall call onTile, which costs time for every tile operation.
  virtual bool wantsTiles() const { return false; }
  virtual void onTile(const TileUse &use) {}
};

const char *eventName(EventKind kind);

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_EVENTS_H

//===- Program.h - a program for the emulated device ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What a launch consists of, free of MLIR: buffers, semaphores, the code of
// each thread and its arguments. tools/session fills it from a ttl.program and
// the engines' compiled threads; Device::run (hw/device/Device.h) executes it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_PROGRAM_H
#define TTJIT_HW_DEVICE_PROGRAM_H

#include "hw/abi/KernelApi.h"
#include "hw/device/HostFunction.h"
#include "hw/facts/DataFormat.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace ttjit::hw {

/// A position in the user's source; line 0 means unknown. Columns count from 1,
/// endColumn is one past the last character on endLine.
struct SourceLocation {
  std::string file;
  int line = 0, column = 0, endLine = 0, endColumn = 0;
};

/// One circular buffer, the same on every node that has it. Sizes in bytes.
struct BufferConfig {
  std::string name;     ///< the user's
  int index = 0;        ///< 0..63, unique
  uint32_t address = 0; ///< in L1
  uint32_t pageBytes = 0;
  uint32_t numPages = 0;
  uint32_t pagesPerBlock = 1; ///< for messages only
  DataFormat format = DataFormat::Float32;
  bool tiled = true;                     ///< a page is a tile, else a row of elements
  std::vector<int64_t> blockShape{1, 1}; ///< in tiles or elements
  SourceLocation location;               ///< where the user made it
  std::vector<bool> onNode;              ///< by node; empty: on all
};

struct SemaphoreConfig {
  std::string name;
  int id = 0; ///< 0..15
  uint32_t initialValue = 0;
};

/// A range of L1 that is no circular buffer, at the same address on every node:
/// where data of other nodes land, or words that count.
struct L1Range {
  std::string name;
  uint32_t address = 0;
  uint32_t bytes = 0;
  bool zeroed = false; ///< before the program starts
  SourceLocation location;
};

enum class Processor : uint8_t { RISCV_1 = 0, RISCV_0 = 1, Compute = 2 };

/// What a word of L1 counts on one node, so that a thread that waits for it can say
/// for what and for whom.
struct WordRole {
  uint32_t node = 0;  ///< where the word is
  int semaphore = -1; ///< its number, else `address`
  uint32_t address = 0;
  std::string what;  ///< "data of pipe 2 of 'net' from node (0, 0)"
  int32_t peer = -1; ///< the node whose thread moves the word on; -1: several
  Processor processor = Processor::RISCV_1; ///< that thread
};

/// An op that can end the wait of another thread, so that a deadlock can say who would
/// have done so.
struct Release {
  enum class Kind : uint8_t { Push, Pop, SetSemaphore, IncrementSemaphore };
  Kind kind = Kind::Push;
  uint32_t object = 0;                      ///< index of the buffer, or L1 address of the semaphore
  Processor processor = Processor::RISCV_1; ///< of the thread that has the op
  SourceLocation location;

  bool operator<(const Release &other) const {
    return std::tie(kind, object, processor) < std::tie(other.kind, other.object, other.processor);
  }
};

/// Two words of L1 on one node: transfers over a pipe that have arrived there, and
/// those of them that it has received. At the end they should be equal.
struct Delivery {
  uint32_t node = 0;
  bool areSemaphores = false; ///< numbers of semaphores, else L1 addresses
  uint32_t arrived = 0, received = 0;
  std::string what;        ///< "pipe 2 of 'net' from node (0, 0) to node (1, 0)"
  SourceLocation location; ///< where the user made the pipes
};

/// Code of one thread, shared by all nodes. Runs on a stack of the scheduler;
/// returns Ok when finished, or what a call of the kernel API returned.
using ThreadEntry = std::function<Status(KernelThread &)>;

struct ThreadConfig {
  std::string name; ///< the user's, as "reader"
  Processor processor = Processor::Compute;
  ThreadEntry entry;
  std::vector<uint32_t> commonArgs; ///< base addresses of its tensors, ...
  /// Arguments of each node, one node after the other, row-major; `argsPerNode` each.
  std::vector<uint32_t> nodeArgs;
  uint32_t argsPerNode = 0;
  SourceLocation location;    ///< of the thread function
  SourceLocation endLocation; ///< of its last statement
};

struct ComputeConfig {
  bool fp32DestAccEn = false;
  bool dstFullSyncEn = false;
};

/// Immutable while it runs. `gridX` x `gridY` nodes, columns and rows of the
/// compute grid, starting at logical core (0, 0); `numNodes` of them, row-major,
/// take part (less than the rectangle for grids of rank other than 2).
struct Program {
  std::string name;
  int gridX = 1, gridY = 1;
  int numNodes = 1;
  ComputeConfig compute;
  std::vector<BufferConfig> buffers;
  std::vector<SemaphoreConfig> semaphores;
  std::vector<L1Range> ranges;
  std::vector<WordRole> roles;
  std::vector<Delivery> deliveries;
  /// Of every thread, the first op for each object; empty optional: not known.
  std::optional<std::vector<Release>> releases;
  std::vector<ThreadConfig> threads;     ///< at most one per processor
  HostFunctions hostFunctions;           ///< those that threads call
  std::vector<SourceLocation> locations; ///< KernelThread::loc indexes it; [0] is unknown
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_PROGRAM_H

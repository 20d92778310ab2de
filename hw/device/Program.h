//===- Program.h - a program for the emulated device ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The input of a run, free of MLIR: buffers, semaphores, the code of each thread and
// its arguments. tools/plan and tools/session build it from a ttl.program and the
// compiled threads of an engine; Device::run (hw/device/Device.h) executes it.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_PROGRAM_H
#define TTJIT_HW_DEVICE_PROGRAM_H

#include "hw/abi/KernelApi.h"
#include "hw/device/HostFunction.h"
#include "hw/facts/Arch.h"
#include "hw/facts/DataFormat.h"
#include "hw/facts/Numerics.h"
#include "hw/facts/UserCalls.h"

#include <algorithm>
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

/// The tensor whose shards are the memory of a buffer. Each launch gives its base address.
struct BufferBacking {
  std::string tensor;  ///< its name in the user's kernel
  uint32_t base = 0;   ///< L1 address of every shard
  uint32_t offset = 0; ///< bytes of a shard before page 0 of the buffer
};

/// One circular buffer. It has the same configuration on every node that has it. Sizes
/// are in bytes.
struct BufferConfig {
  std::string name;     ///< name in the user's kernel
  int index = 0;        ///< index from 0 to 63; each buffer has its own
  uint32_t address = 0; ///< L1 address of page 0
  uint32_t pageBytes = 0;
  uint32_t numPages = 0;
  uint32_t pagesPerBlock = 1; ///< pages that a block of the user's kernel has
  DataFormat format = DataFormat::Float32;
  bool tiled = true;                     ///< a page is a tile; otherwise a row of elements
  std::vector<int64_t> blockShape{1, 1}; ///< shape of a block in tiles or elements
  SourceLocation location;               ///< position at which the user made the buffer
  std::vector<bool> onNode;              ///< indexed by node; empty if all nodes have the buffer
  std::optional<BufferBacking> backing;  ///< empty if the buffer has memory of its own
  /// For each node, the threads that can reserve (wait for) blocks there: bit p is set for
  /// processor p. Empty: not known.
  std::vector<uint8_t> producers, consumers;
  /// Whether another buffer uses the same memory at the same time, with pointers of its own. The
  /// program must order the uses of both; reserved pages of both count as written.
  bool isAliased = false;

  /// The L1 address behind the last page.
  uint64_t end() const { return address + static_cast<uint64_t>(pageBytes) * numPages; }
};

struct SemaphoreConfig {
  std::string name;
  int id = 0; ///< number from 0 to 15
  uint32_t initialValue = 0;
  /// By node: whether the node has the semaphore. Empty: all nodes have it. Several semaphores may
  /// have one number if no node has two of them.
  std::vector<bool> onNode = {};

  bool isOn(size_t node) const { return onNode.empty() || (node < onNode.size() && onNode[node]); }
};

/// A range of L1 outside the circular buffers, at the same address on every node. It
/// holds data that arrives from other nodes, or counters.
struct L1Range {
  std::string name;
  uint32_t address = 0;
  uint32_t bytes = 0;
  bool zeroed = false; ///< whether the range is set to 0 before the program starts
  SourceLocation location;
  /// Whether writes of other cores are queued until they are read (hw/device/LandingQueues.h).
  bool isQueued = false;
};

enum class Processor : uint8_t { RISCV_1 = 0, RISCV_0 = 1, Compute = 2 };

/// The meaning of a word of L1 on one node. A deadlock report uses it to describe what
/// a thread waits for, and from whom.
struct WordRole {
  uint32_t node = 0;  ///< node whose L1 holds the word
  int semaphore = -1; ///< number of the semaphore; -1 if the word is at `address`
  uint32_t address = 0;
  std::string what;  ///< such as "data of pipe 2 of 'net' from node (0, 0)"
  int32_t peer = -1; ///< node whose thread changes the word; -1 if several nodes do
  Processor processor = Processor::RISCV_1; ///< the thread of `peer` that changes the word
  SourceLocation location; ///< position of the copy that changes the word; empty if not known
};

/// An op that can end the wait of another thread. A deadlock report names the threads
/// that have such an op.
struct Release {
  enum class Kind : uint8_t { Push, Pop, SetSemaphore, IncrementSemaphore, Publish };
  Kind kind = Kind::Push;
  uint32_t object = 0;                      ///< index of the buffer, or L1 address of the semaphore
  Processor processor = Processor::RISCV_1; ///< processor of the thread that has the op
  SourceLocation location;

  bool operator<(const Release &other) const {
    return std::tie(kind, object, processor) < std::tie(other.kind, other.object, other.processor);
  }
};

/// A reset of buffers (ttl_hw_cb_reset), which the threads of a node reach together.
struct ResetConfig {
  std::string call; ///< the user's call, such as "ttl.reset_dfbs"
  SourceLocation location;
};

/// Two words of L1 on one node. One counts the transfers that arrived there over a
/// pipe, the other those that the node has received. At the end they should be equal.
struct Delivery {
  uint32_t node = 0;
  bool areSemaphores =
      false; ///< whether the words are semaphore numbers; else they are L1 addresses
  uint32_t arrived = 0, received = 0;
  std::string what;        ///< such as "pipe 2 of 'net' from node (0, 0) to node (1, 0)"
  SourceLocation location; ///< position at which the user made the pipes
};

/// Code of one thread, shared by all nodes. It runs on a stack of the scheduler. It returns Ok when
/// finished; otherwise the status that a call of the kernel API returned.
using ThreadEntry = std::function<Status(KernelThread &)>;

struct ThreadConfig {
  std::string name; ///< name in the user's kernel, such as "reader"
  Processor processor = Processor::Compute;
  ThreadEntry entry;
  std::vector<uint32_t> commonArgs; ///< for example base addresses of its tensors
  /// Arguments of each node, one node after the other (row-major), `argsPerNode` words
  /// each.
  std::vector<uint32_t> nodeArgs;
  uint32_t argsPerNode = 0;
  SourceLocation location;    ///< position of the thread function
  SourceLocation endLocation; ///< position of its last statement
};

struct ComputeConfig {
  bool fp32DestAccEn = false;
  bool dstFullSyncEn = false;
  MathFidelity mathFidelity = MathFidelity::HiFi4;
  NumericMode numerics : 2 = NumericMode::Host;
  bool mathApproxMode : 1 = false;
  bool bfp8PackPrecise : 1 = false;
  bool halves : 1 = false; ///< whether buffers have tiles of Float16

  /// Returns the settings on which the bits of tile arithmetic on the chip depend.
  NumericConfig numericsOn(const ArchDesc &arch) const {
    return {numerics,       arch.name.starts_with("wormhole"),
            fp32DestAccEn,  mathFidelity,
            mathApproxMode, halves,
            bfp8PackPrecise};
  }
};

/// A program must not change while it runs. Its nodes are the first `numNodes`,
/// row-major, of `gridX` x `gridY` (columns and rows of the compute grid, from logical
/// core (0, 0) on). `numNodes` is less than gridX * gridY for some grids whose rank is
/// not 2.
struct Program {
  std::string name;
  int gridX = 1, gridY = 1;
  int numNodes = 1;
  /// The devices that run the program. Their grids are side by side: the first columns are those of
  /// device 0, the next ones those of device 1. Each device has a compute grid, L1 and DRAM of its
  /// own; tensors have the same addresses on all of them.
  int numDevices = 1;
  ComputeConfig compute;
  std::vector<BufferConfig> buffers;
  std::vector<SemaphoreConfig> semaphores;
  std::vector<L1Range> ranges;
  std::vector<WordRole> roles;
  std::vector<Delivery> deliveries;
  /// For each thread and object, the first op that releases it; an empty optional:
  /// unknown.
  std::optional<std::vector<Release>> releases;
  std::vector<ThreadConfig> threads; ///< at most one per processor
  /// Base addresses of tensors in DRAM that no thread writes. Some of them may be missing.
  std::vector<uint32_t> constantTensors;
  /// Whether threads use the L1 of other cores.
  bool reachesOtherCores = true;
  /// Whether threads print.
  bool prints = true;
  /// Bytes of the tensors of the launch, from which the work of the run is estimated.
  uint64_t tensorBytes = 0;
  HostFunctions hostFunctions; ///< functions of the host that threads call
  /// Whether threads of several nodes use the state of an engine (hw/device/EngineState.h). One
  /// host thread must run all nodes then.
  bool sharesEngineState = false;
  /// The language of the threads: faults name its calls.
  KernelLanguage language = KernelLanguage::Mlir;
  std::vector<SourceLocation>
      locations;                   ///< indexed by KernelThread::loc; [0] is the unknown position
  std::vector<ResetConfig> resets; ///< indexed by the number that threads pass

  bool hasQueues() const {
    return std::any_of(ranges.begin(), ranges.end(), [](auto &range) { return range.isQueued; });
  }
  /// Returns whether a pipe uses the semaphore: to signal, or to count its transfers.
  bool isOfPipe(const SemaphoreConfig &semaphore) const {
    auto number = static_cast<uint32_t>(semaphore.id);
    return std::any_of(roles.begin(), roles.end(),
                       [&](auto &role) { return role.semaphore == semaphore.id; }) ||
           std::any_of(deliveries.begin(), deliveries.end(), [&](auto &each) {
             return each.areSemaphores && (each.arrived == number || each.received == number);
           });
  }
  /// Returns the columns of the grid that belong to one device.
  int columnsOfDevice() const { return gridX / numDevices; }
  /// Returns the device to which a column of the grid belongs.
  int deviceOfColumn(int column) const { return column / columnsOfDevice(); }
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_PROGRAM_H

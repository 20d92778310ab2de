//===- DeviceProgram.h - what the host gives an emitted program -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A ttl.program as the card's runtime needs it. The emulated device places landing slots and
// spilled semaphore words in L1 at fixed addresses; on the card they are circular buffers.
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_METALIUM_DEVICEPROGRAM_H
#define TTJIT_PASSES_METALIUM_DEVICEPROGRAM_H

#include "hw/facts/Arch.h"
#include "hw/facts/DataFormat.h"
#include "ir/TTL/TTL.h"
#include "passes/metalium/CallCounts.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ttjit {

/// A circular buffer of the program. The buffer `id` has further ids over the same L1 if
/// `aliases` names any.
struct DeviceBuffer {
  std::string name;
  int id = 0;
  std::vector<int> aliases;
  hw::DataFormat format = hw::DataFormat::Float32;
  int64_t pageBytes = 0, totalBytes = 0;
  std::optional<unsigned> tensor; ///< the tensor that is its memory
  int64_t tensorOffset = 0;       ///< in bytes
  /// Columns and rows of the cores that have the buffer; empty: all.
  std::set<std::pair<int64_t, int64_t>> cores;
  uint64_t address = 0;      ///< on the emulated device; code refers to the buffer by it
  bool isPipeMemory = false; ///< whether it holds landing slots or words
  bool isOnCardOnly = false; ///< whether the emulated device has no such buffer
  /// Whether it must have its memory before the program begins, because other devices write there.
  bool isAllocated = false;
  bool hasSemaphores = false; ///< whether its words are the semaphores with numbers
  std::vector<int32_t> words; ///< first values of its semaphore words, if it holds these
};

struct DeviceSemaphore {
  int id = 0, initialValue = 0;
  std::string name;
};

struct DeviceTensor {
  std::string name;
  mlir::RankedTensorType type;
};

/// A run-time argument that is the same on all cores.
struct CommonNumber {
  std::string name;
  bool isFloat = false; ///< whether `bits` are those of a 32-bit float
  int32_t bits = 0;
  std::optional<int64_t> launchNumber = std::nullopt; ///< its place among the numbers of launches
};

struct DeviceKernel {
  std::string function, file, thread;
  mlir::tt::ttl::Processor processor = mlir::tt::ttl::Processor::Compute;
  std::vector<unsigned> tensors;   ///< in the order of the common arguments
  std::vector<unsigned> accessors; ///< tensors with an accessor, in order
  /// For each core of a device, one device after the other; empty: none.
  std::vector<std::vector<int32_t>> arguments;
  std::vector<std::string> argumentNames;
  /// The other devices to which each core sends, in the order of `arguments`; empty: the kernel
  /// sends to none.
  std::vector<std::set<int32_t>> reached;
  std::optional<int> rowBuffer;      ///< id of the buffer that its parts of rows go through
  std::vector<CommonNumber> numbers; ///< common arguments after the addresses of the tensors
  KernelCounts counts;               ///< of the emitted file
};

struct DeviceProgram {
  std::string name, archName;
  hw::ArchDesc arch;
  int64_t columns = 0, rows = 0, numCores = 0; ///< of one device
  int64_t devices = 1;
  std::vector<int64_t> mesh; ///< its extents, if there are several devices
  std::vector<DeviceTensor> tensors;
  std::vector<DeviceBuffer> buffers;
  std::vector<DeviceSemaphore> semaphores;
  std::vector<DeviceKernel> kernels;
  mlir::tt::ttcore::ComputeConfigAttr config;
  std::set<int> unpackToDest; ///< ids of the buffers whose tiles go to DST without SrcA
  bool fullSync = false;      ///< whether the compute kernel needs all of DST as one section
  int numOwnIds = 0;          ///< ids of the kernel's buffers; those of other memory follow
  int numIds = 0;

  bool fp32Dest() const { return config && config.getFp32DestAccEn(); }
  bool fullSyncEnabled() const { return fullSync || (config && config.getDstFullSyncEn()); }
  /// Returns the core with this number; cores are numbered row-major.
  std::pair<int64_t, int64_t> core(int64_t number) const {
    return {number % columns, number / columns};
  }
  const DeviceBuffer *findBuffer(int id) const;
  /// Returns whether a kernel sends to another device.
  bool usesFabric() const;
};

/// Where a core has its entry in DeviceKernel::arguments. Columns count over all devices.
size_t placeOfCore(const DeviceProgram &program, int64_t column, int64_t row);

/// Reads a program of stage ttkernel. planDeviceProgram (UnpackModes.h) adds what the unpacker
/// needs.
DeviceProgram readDeviceProgram(mlir::tt::ttl::ProgramOp program);

} // namespace ttjit

#endif // TTJIT_PASSES_METALIUM_DEVICEPROGRAM_H

//===- MachineStorage.h - memory that outlives a run ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_HW_DEVICE_MACHINESTORAGE_H
#define TTJIT_HW_DEVICE_MACHINESTORAGE_H

#include "hw/abi/KernelThread.h"
#include "hw/device/Fiber.h"
#include "hw/device/HostThreads.h"
#include "hw/device/Mapping.h"
#include "hw/device/Transfer.h"

#include <memory>
#include <vector>

namespace ttjit::hw {

/// Memory of a worker.
struct WorkerStorage {
  StackPool stacks;
  TransferPool transfers;
};

struct MachineStorage {
  std::vector<CircularBuffer> buffers;
  std::vector<uint8_t> pagesWritten, dstWritten;
  std::vector<Acquisition> acquisitions;
  std::vector<const uint8_t *> pageAliases;
  Mapping dst;
  std::vector<std::unique_ptr<WorkerStorage>> workers;
  HostThreads hostThreads;
};

} // namespace ttjit::hw

#endif // TTJIT_HW_DEVICE_MACHINESTORAGE_H

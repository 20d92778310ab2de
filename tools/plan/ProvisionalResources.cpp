//===- ProvisionalResources.cpp - places for unplaced resources ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "tools/plan/ProvisionalResources.h"

#include "ir/TTL/BufferPages.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::plan;

ProvisionalResources::ProvisionalResources(Region &body, const hw::ArchDesc &arch, bool complete) {
  if (!complete)
    return;
  placeBuffers(body, arch);
  placeSemaphores(body, arch);
  placeRanges(body, arch);
}

void ProvisionalResources::placeBuffers(Region &body, const hw::ArchDesc &arch) {
  llvm::SmallSet<int64_t, 32> taken;
  end = arch.l1UnreservedBase;
  for (auto op : body.getOps<ttl::CreateCBOp>()) {
    if (op.getBufferIndex())
      taken.insert(static_cast<int32_t>(*op.getBufferIndex()));
    if (op.getAddress())
      end = std::max<int64_t>(end, *op.getAddress() + ttl::totalBytesOf(op));
  }
  // Landing slots and counters that have an address keep it.
  for (auto op : body.getOps<ttl::CreateLandingOp>())
    if (op.getAddress())
      end = std::max<int64_t>(end, *op.getAddress() + op.getResult().getType().getTotalBytes());
  for (auto op : body.getOps<ttl::CreateCountersOp>())
    if (op.getAddress())
      end = std::max<int64_t>(end, *op.getAddress() + int64_t(op.getResult().getType().getCount()) *
                                                          arch.l1Alignment);
  int64_t next = 0;
  for (auto op : body.getOps<ttl::CreateCBOp>()) {
    BufferPlace &place = buffers[op];
    place.pageBytes = ttl::pageSizeOf(op);
    if (op.getBufferIndex()) {
      place.index = static_cast<int32_t>(*op.getBufferIndex());
    } else {
      while (!taken.insert(next).second)
        ++next;
      place.index = next;
    }
    if (op.getAddress() || op.isTensorBacked()) {
      place.address = op.getAddress().value_or(0);
    } else {
      place.address = llvm::alignTo(end, std::max(arch.dramAlignment, arch.l1Alignment));
      end = place.address + ttl::totalBytesOf(op);
    }
  }
}

// Semaphores for which no id is left become words after the page of counters. They
// start at 0.
void ProvisionalResources::placeSemaphores(Region &body, const hw::ArchDesc &arch) {
  llvm::SmallSet<uint32_t, 16> taken;
  SmallVector<ttl::CreateSemaphoreOp> open;
  for (auto op : body.getOps<ttl::CreateSemaphoreOp>()) {
    if (op.getSemaphoreId())
      taken.insert(semaphores[op] = *op.getSemaphoreId());
    else if (!op.getPageIndex())
      open.push_back(op);
  }
  llvm::stable_sort(open, [](ttl::CreateSemaphoreOp a, ttl::CreateSemaphoreOp b) {
    return a.getInitialValue() != 0 && b.getInitialValue() == 0;
  });
  uint32_t next = 0;
  for (ttl::CreateSemaphoreOp op : open) {
    while (taken.contains(next))
      ++next;
    if (next < static_cast<uint32_t>(arch.numSemaphores) || op.getInitialValue() != 0)
      taken.insert(semaphores[op] = next);
    else
      words.push_back(op);
  }
}

// Landing slots follow the buffers, and the page of counters follows the landing slots.
void ProvisionalResources::placeRanges(Region &body, const hw::ArchDesc &arch) {
  int64_t alignment = std::max(arch.dramAlignment, arch.l1Alignment);
  for (auto op : body.getOps<ttl::CreateLandingOp>()) {
    end = llvm::alignTo(end, alignment);
    int64_t address = op.getAddress() ? static_cast<int64_t>(*op.getAddress()) : end;
    ranges[op] = address;
    end = std::max(end, address + op.getResult().getType().getTotalBytes());
  }
  end = llvm::alignTo(end, alignment);
  auto place = [&](auto op) {
    if (op.getAddress())
      ranges[op] = *op.getAddress();
    else if (op.getPageIndex())
      ranges[op] = end + int64_t(*op.getPageIndex()) * arch.l1Alignment;
  };
  int64_t count = 0;
  for (auto op : body.getOps<ttl::CreateCountersOp>()) {
    place(op);
    count += op.getResult().getType().getCount();
  }
  for (auto op : body.getOps<ttl::CreateSemaphoreOp>()) {
    place(op);
    ++count;
  }
  for (Operation *op : words)
    ranges[op] = end + count++ * arch.l1Alignment;
  scratch = end + count * arch.l1Alignment;
}

std::optional<ProvisionalResources::BufferPlace>
ProvisionalResources::find(ttl::CreateCBOp buffer) const {
  if (auto it = buffers.find(buffer); it != buffers.end())
    return it->second;
  bool isPlaced = buffer.getAddress() || buffer.isTensorBacked();
  if (!buffer.getBufferIndex() || !buffer.getPageSize() || !isPlaced)
    return std::nullopt;
  return BufferPlace{static_cast<int32_t>(*buffer.getBufferIndex()), ttl::pageSizeOf(buffer),
                     static_cast<int64_t>(buffer.getAddress().value_or(0))};
}

std::optional<uint32_t> ProvisionalResources::find(ttl::CreateSemaphoreOp semaphore) const {
  if (auto it = semaphores.find(semaphore); it != semaphores.end())
    return it->second;
  return semaphore.getSemaphoreId();
}

template <typename OpT>
static std::optional<uint32_t> addressOf(const DenseMap<Operation *, uint32_t> &ranges, OpT op) {
  if (auto it = ranges.find(op); it != ranges.end())
    return it->second;
  std::optional<uint64_t> address = op.getAddress();
  return address ? std::optional<uint32_t>(*address) : std::nullopt;
}

std::optional<uint32_t> ProvisionalResources::find(ttl::CreateLandingOp landing) const {
  return addressOf(ranges, landing);
}
std::optional<uint32_t> ProvisionalResources::find(ttl::CreateCountersOp counters) const {
  return addressOf(ranges, counters);
}
std::optional<uint32_t> ProvisionalResources::pageAddress(ttl::CreateSemaphoreOp semaphore) const {
  return addressOf(ranges, semaphore);
}

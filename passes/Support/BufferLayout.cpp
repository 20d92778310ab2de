//===- BufferLayout.cpp - indices and addresses of circular buffers -------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/Support/BufferLayout.h"

#include "passes/Support/Threads.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

SmallVector<ttl::CreateCBOp> ttjit::getBuffers(ttl::ProgramOp program) {
  return llvm::to_vector(program.getBody().getOps<ttl::CreateCBOp>());
}

static int64_t endOf(ttl::CreateCBOp buffer) {
  return *buffer.getAddress() + buffer.getType().getTotalBytes();
}

void ttjit::layOutBuffers(ttl::ProgramOp program) {
  hw::ArchDesc arch = archOf(program);
  SmallVector<ttl::CreateCBOp> buffers = getBuffers(program);
  DenseSet<int64_t> taken;
  int64_t address = arch.l1UnreservedBase;
  for (ttl::CreateCBOp buffer : buffers) {
    if (buffer.getBufferIndex())
      taken.insert(*buffer.getBufferIndex());
    if (buffer.getAddress())
      address = std::max(address, endOf(buffer));
  }
  int64_t index = 0;
  for (ttl::CreateCBOp buffer : buffers) {
    if (!buffer.getBufferIndex()) {
      while (!taken.insert(index).second)
        ++index;
      buffer.setBufferIndex(index);
    }
    if (!buffer.getPageSize())
      buffer.setPageSize(buffer.getType().getPageBytes());
    if (!buffer.getAddress()) {
      // Transfers between DRAM and L1 need addresses equal modulo DRAM's alignment.
      address = llvm::alignTo(address, std::max(arch.dramAlignment, arch.l1Alignment));
      buffer.setAddress(address);
      address = endOf(buffer);
    }
  }
}

int64_t ttjit::usedL1(ttl::ProgramOp program) {
  int64_t base = archOf(program).l1UnreservedBase, end = base;
  for (ttl::CreateCBOp buffer : getBuffers(program))
    end = std::max(end, endOf(buffer));
  return end - base;
}

int64_t ttjit::numBufferIndices(ttl::ProgramOp program) {
  int64_t count = 0;
  for (ttl::CreateCBOp buffer : getBuffers(program))
    count = std::max<int64_t>(count, *buffer.getBufferIndex() + 1);
  return count;
}

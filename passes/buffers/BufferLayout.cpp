//===- BufferLayout.cpp - indices and addresses of circular buffers -----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/buffers/BufferLayout.h"

#include "ir/TTL/BufferPages.h"
#include "passes/buffers/BufferLiveness.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Returns the buffers that take memory of their own.
static SmallVector<ttl::CreateCBOp> getOwnBuffers(ttl::ProgramOp program) {
  SmallVector<ttl::CreateCBOp> buffers = getBuffers(program);
  llvm::erase_if(buffers, [](ttl::CreateCBOp buffer) { return buffer.isTensorBacked(); });
  return buffers;
}

static int64_t endOf(ttl::CreateCBOp buffer) {
  return *buffer.getAddress() + ttl::totalBytesOf(buffer);
}

//===--------------------------------------------------------------------------===//
// Addresses: a colouring of the interference graph with ranges of bytes
//===--------------------------------------------------------------------------===//

namespace {

class Placement {
public:
  Placement(ttl::ProgramOp program, SmallVector<ttl::CreateCBOp> buffers)
      : arch(archOf(program)), liveness(program), buffers(std::move(buffers)) {}

  void run();

private:
  using Addresses = DenseMap<Operation *, int64_t>;

  int64_t lowestFor(ttl::CreateCBOp buffer, const Addresses &placed) const;
  Addresses placeInOrder(ArrayRef<ttl::CreateCBOp> order) const;
  int64_t endOfAll(const Addresses &placed) const;

  hw::ArchDesc arch;
  BufferLiveness liveness;
  SmallVector<ttl::CreateCBOp> buffers;
};

// Returns the lowest address at which the buffer overlaps none that it must not
// overlap.
int64_t Placement::lowestFor(ttl::CreateCBOp buffer, const Addresses &placed) const {
  SmallVector<std::pair<int64_t, int64_t>> obstacles;
  for (auto &[other, address] : placed)
    if (liveness.interfere(buffer, cast<ttl::CreateCBOp>(other)))
      obstacles.push_back({address, address + ttl::totalBytesOf(cast<ttl::CreateCBOp>(other))});
  llvm::sort(obstacles);
  // The NoC moves data between DRAM and L1 only if the addresses are equal modulo
  // DRAM's alignment.
  uint64_t alignment = std::max(arch.dramAlignment, arch.l1Alignment);
  int64_t address = llvm::alignTo(arch.l1UnreservedBase, alignment);
  for (auto [begin, end] : obstacles) {
    if (begin - address >= ttl::totalBytesOf(buffer))
      break;
    address = std::max<int64_t>(address, llvm::alignTo(end, alignment));
  }
  return address;
}

Placement::Addresses Placement::placeInOrder(ArrayRef<ttl::CreateCBOp> order) const {
  Addresses placed;
  for (ttl::CreateCBOp buffer : order)
    if (buffer.getAddress())
      placed[buffer] = *buffer.getAddress();
  for (ttl::CreateCBOp buffer : order)
    if (!buffer.getAddress())
      placed[buffer] = lowestFor(buffer, placed);
  return placed;
}

int64_t Placement::endOfAll(const Addresses &placed) const {
  int64_t end = 0;
  for (auto &[buffer, address] : placed)
    end = std::max(end, address + ttl::totalBytesOf(cast<ttl::CreateCBOp>(buffer)));
  return end;
}

// Places buffers in the user's order, or the largest first if that needs less memory.
void Placement::run() {
  SmallVector<ttl::CreateCBOp> bySize(buffers);
  llvm::stable_sort(bySize, [](ttl::CreateCBOp a, ttl::CreateCBOp b) {
    return ttl::totalBytesOf(a) > ttl::totalBytesOf(b);
  });
  Addresses best = placeInOrder(buffers), other = placeInOrder(bySize);
  if (endOfAll(other) < endOfAll(best))
    best = std::move(other);
  for (ttl::CreateCBOp buffer : buffers)
    buffer.setAddress(best.lookup(buffer));
}

} // namespace

void ttjit::layOutBuffers(ttl::ProgramOp program) {
  SmallVector<ttl::CreateCBOp> buffers = getBuffers(program);
  DenseSet<int64_t> taken;
  for (ttl::CreateCBOp buffer : buffers)
    if (buffer.getBufferIndex())
      taken.insert(*buffer.getBufferIndex());
  int64_t index = 0;
  for (ttl::CreateCBOp buffer : buffers) {
    if (!buffer.getBufferIndex()) {
      while (!taken.insert(index).second)
        ++index;
      buffer.setBufferIndex(index);
    }
    if (!buffer.getPageSize())
      buffer.setPageSize(buffer.getType().getPageBytes());
  }
  Placement(program, getOwnBuffers(program)).run();
}

LogicalResult ttjit::checkPlaces(ttl::ProgramOp program) {
  hw::ArchDesc arch = archOf(program);
  SmallVector<ttl::CreateCBOp> buffers = getOwnBuffers(program);
  BufferLiveness liveness(program);
  for (auto [i, buffer] : llvm::enumerate(buffers)) {
    int64_t address = *buffer.getAddress();
    if (address < arch.l1UnreservedBase || address % arch.l1Alignment)
      return buffer.emitError() << "'" << buffer.getName() << "' cannot be at L1 address "
                                << address << ": expected a multiple of " << arch.l1Alignment
                                << " from " << arch.l1UnreservedBase << " on";
    for (ttl::CreateCBOp other : ArrayRef(buffers).take_front(i)) {
      int64_t otherAddress = *other.getAddress();
      bool overlap = address < endOf(other) && otherAddress < endOf(buffer);
      if (!overlap || !liveness.interfere(buffer, other))
        continue;
      InFlightDiagnostic diagnostic =
          buffer.emitError() << "'" << buffer.getName() << "' at L1 address " << address
                             << " overlaps '" << other.getName()
                             << "', and both can hold data at the same time: leave 'address' out";
      diagnostic.attachNote(other.getLoc())
          << "'" << other.getName() << "' is at " << *other.getAddress() << " to " << endOf(other);
      return diagnostic;
    }
  }
  return success();
}

int64_t ttjit::usedL1(ttl::ProgramOp program) {
  int64_t base = archOf(program).l1UnreservedBase, end = base;
  for (ttl::CreateCBOp buffer : getOwnBuffers(program))
    end = std::max(end, endOf(buffer));
  return end - base;
}

int64_t ttjit::bytesOfBuffers(ttl::ProgramOp program) {
  int64_t bytes = 0;
  for (ttl::CreateCBOp buffer : getOwnBuffers(program))
    bytes += ttl::totalBytesOf(buffer);
  return bytes;
}

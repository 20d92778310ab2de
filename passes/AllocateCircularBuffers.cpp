//===- AllocateCircularBuffers.cpp - ttl-allocate-circular-buffers --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a circular buffer is a range of each core's L1 behind one of the
// hardware's buffer numbers.
//
// 1. Drop buffers that no thread acquires.
// 2. Give the others an index, a page size and an address; explicit ones stay.
// 3. Compare with what the chip has.
//
// Rejects: more than 64 buffers, a number used twice. With `strict`, otherwise as
// a warning (the emulated device then has a larger core): more buffers than the
// chip has, more bytes than its L1 has left. The diagnostic lists the buffers by
// size and says what to shrink.
//===--------------------------------------------------------------------------===//

#include "passes/Support/BufferLayout.h"
#include "passes/Support/Threads.h"

namespace ttjit {
#define GEN_PASS_DEF_TTLALLOCATECIRCULARBUFFERS
#include "passes/Passes.h.inc"
} // namespace ttjit

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

/// What the emulated device numbers.
constexpr int64_t kMaxIndices = 64;

// Threads are bound only to the resources they use.
void dropUnusedBuffers(ttl::ProgramOp program) {
  for (ttl::CreateCBOp buffer : getBuffers(program))
    if (buffer->use_empty())
      buffer.erase();
}

std::string shapeText(ttl::CircularBufferType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(type.getShape(), os, "x");
  os << (type.isTiled() ? " tiles" : " elements") << " of "
     << hw::formatName(type.getFormat()) << ", " << type.getBufferFactor()
     << (type.getBufferFactor() == 1 ? " block" : " blocks");
  return text;
}

// The largest buffers first, then advice.
void noteBuffers(InFlightDiagnostic &diagnostic, ttl::ProgramOp program) {
  SmallVector<ttl::CreateCBOp> buffers = getBuffers(program);
  llvm::stable_sort(buffers, [](ttl::CreateCBOp a, ttl::CreateCBOp b) {
    return a.getType().getTotalBytes() > b.getType().getTotalBytes();
  });
  constexpr size_t kListed = 8;
  for (ttl::CreateCBOp buffer : ArrayRef(buffers).take_front(kListed))
    diagnostic.attachNote(buffer.getLoc())
        << "'" << buffer.getName() << "' takes " << buffer.getType().getTotalBytes()
        << " bytes (" << shapeText(buffer.getType())
        << (buffer.getCompilerMade() ? ", made by the compiler)" : ")");
}

std::string advice(ttl::ProgramOp program, int64_t excess) {
  ttl::CreateCBOp largest;
  for (ttl::CreateCBOp buffer : getBuffers(program))
    if (!buffer.getCompilerMade() &&
        (!largest ||
         buffer.getType().getTotalBytes() > largest.getType().getTotalBytes()))
      largest = buffer;
  if (!largest)
    return "";
  ttl::CircularBufferType type = largest.getType();
  int64_t block = type.getTotalBytes() / type.getBufferFactor();
  if (type.getBufferFactor() > 1 && block * (type.getBufferFactor() - 1) >= excess)
    return ("; fewer blocks in '" + largest.getName() + "' would do").str();
  return ("; make the blocks of '" + largest.getName() + "' smaller").str();
}

class LimitChecker {
public:
  LimitChecker(ttl::ProgramOp program, bool strict) : program(program), strict(strict) {}

  LogicalResult run() {
    if (failed(checkIndices()))
      return failure();
    return success(succeeded(checkCount()) & succeeded(checkSize()));
  }

private:
  LogicalResult checkIndices();
  LogicalResult checkCount();
  LogicalResult checkSize();

  InFlightDiagnostic report() {
    return strict ? mlir::emitError(program.getLoc()) : mlir::emitWarning(program.getLoc());
  }

  ttl::ProgramOp program;
  bool strict;
};

LogicalResult LimitChecker::checkIndices() {
  DenseMap<int64_t, ttl::CreateCBOp> owners;
  for (ttl::CreateCBOp buffer : getBuffers(program)) {
    int64_t index = *buffer.getBufferIndex();
    auto [it, inserted] = owners.try_emplace(index, buffer);
    if (!inserted) {
      InFlightDiagnostic diagnostic = buffer.emitError()
                                      << "buffer index " << index << " is used twice";
      diagnostic.attachNote(it->second.getLoc()) << "first by '" << it->second.getName() << "'";
      return diagnostic;
    }
    if (index >= kMaxIndices)
      return buffer.emitError() << "circular buffer '" << buffer.getName() << "' gets index "
                                << index << "; no chip has more than " << kMaxIndices
                                << ": merge buffers or split the kernel";
  }
  return success();
}

LogicalResult LimitChecker::checkCount() {
  hw::ArchDesc arch = archOf(program);
  SmallVector<ttl::CreateCBOp> buffers = getBuffers(program);
  if (numBufferIndices(program) <= arch.maxCircularBuffers)
    return success();
  int64_t made = llvm::count_if(buffers, [](ttl::CreateCBOp b) { return b.getCompilerMade(); });
  InFlightDiagnostic diagnostic = report();
  diagnostic << "'" << program.getSymName() << "' uses " << buffers.size()
             << " circular buffers";
  if (made)
    diagnostic << " (" << made << " made by the compiler)";
  diagnostic << "; " << arch.name << " has " << arch.maxCircularBuffers
             << ": use one buffer for tensors that are needed one after the other";
  if (!strict)
    diagnostic << " (running on an emulated core that has more)";
  noteBuffers(diagnostic, program);
  return failure(strict);
}

LogicalResult LimitChecker::checkSize() {
  hw::ArchDesc arch = archOf(program);
  int64_t used = usedL1(program), available = arch.l1Available();
  if (used <= available)
    return success();
  InFlightDiagnostic diagnostic = report();
  diagnostic << "circular buffers of '" << program.getSymName() << "' take " << used
             << " bytes of L1 on each core; " << arch.name << " has " << available
             << advice(program, used - available);
  if (!strict)
    diagnostic << " (running on an emulated core that has more)";
  noteBuffers(diagnostic, program);
  return failure(strict);
}

struct AllocateCircularBuffers
    : ttjit::impl::TTLAllocateCircularBuffersBase<AllocateCircularBuffers> {
  using TTLAllocateCircularBuffersBase::TTLAllocateCircularBuffersBase;

  void runOnOperation() override {
    for (auto program : getOperation().getOps<ttl::ProgramOp>()) {
      dropUnusedBuffers(program);
      layOutBuffers(program);
      if (failed(LimitChecker(program, strict).run()))
        return signalPassFailure();
    }
  }
};

} // namespace

//===- BufferLimits.cpp - checks buffers against the chip's limits ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/buffers/BufferLimits.h"

#include "ir/Messages/Warnings.h"
#include "ir/TTL/BufferPages.h"
#include "passes/buffers/BufferLayout.h"
#include "passes/common/Threads.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

// Number of buffer indices that the emulated device has.
constexpr int64_t kMaxIndices = 64;

std::string shapeText(ttl::CreateCBOp buffer) {
  ttl::CircularBufferType type = buffer.getType();
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(type.getShape(), os, "x");
  os << (type.isTiled() ? " tiles" : " elements") << " of " << hw::formatName(type.getFormat())
     << ", " << type.getBufferFactor() << (type.getBufferFactor() == 1 ? " block" : " blocks");
  if (ttl::hasPadding(buffer))
    os << ", page_size " << ttl::pageSizeOf(buffer);
  return text;
}

// Adds notes that list the buffers, largest first, and advice.
void noteBuffers(InFlightDiagnostic &diagnostic, ttl::ProgramOp program) {
  SmallVector<ttl::CreateCBOp> buffers = getBuffers(program);
  llvm::erase_if(buffers, [](ttl::CreateCBOp buffer) { return buffer.isTensorBacked(); });
  llvm::stable_sort(buffers, [](ttl::CreateCBOp a, ttl::CreateCBOp b) {
    return ttl::totalBytesOf(a) > ttl::totalBytesOf(b);
  });
  constexpr size_t kListed = 8;
  for (ttl::CreateCBOp buffer : ArrayRef(buffers).take_front(kListed))
    diagnostic.attachNote(buffer.getLoc())
        << "'" << buffer.getName() << "' takes " << ttl::totalBytesOf(buffer) << " bytes ("
        << shapeText(buffer) << (buffer.getCompilerMade() ? ", made by the compiler)" : ")");
}

std::string advice(ttl::ProgramOp program, int64_t excess) {
  ttl::CreateCBOp largest;
  for (ttl::CreateCBOp buffer : getBuffers(program))
    if (!buffer.getCompilerMade() && !buffer.isTensorBacked() &&
        (!largest || ttl::totalBytesOf(buffer) > ttl::totalBytesOf(largest)))
      largest = buffer;
  if (!largest)
    return "";
  int64_t blocks = largest.getType().getBufferFactor();
  if (blocks > 1 && ttl::blockBytesOf(largest) * (blocks - 1) >= excess)
    return ("; reduce the number of blocks of '" + largest.getName() + "'").str();
  return ("; make the blocks of '" + largest.getName() + "' smaller").str();
}

class LimitChecker {
public:
  LimitChecker(ttl::ProgramOp program, const BufferLimits &limits)
      : program(program), arch(archOf(program)), limits(limits) {}

  LogicalResult run() {
    if (failed(checkIndices()))
      return failure();
    LogicalResult count = checkCount(), size = checkSize();
    return success(succeeded(count) && succeeded(size));
  }

private:
  LogicalResult checkIndices();
  LogicalResult checkCount();
  LogicalResult checkSize();

  InFlightDiagnostic report() {
    return limits.strict ? mlir::emitError(program.getLoc())
                         : emitWarning(WarningKind::Limit, program.getLoc());
  }

  // Returns text such as "wormhole_b0 has only 32", or which option allows only as many.
  std::string limitText(StringRef option, int64_t given, int64_t limit) const {
    std::string who =
        given ? (option + " allows only").str() : std::string(arch.name) + " has only";
    return who + " " + std::to_string(limit);
  }

  ttl::ProgramOp program;
  hw::ArchDesc arch;
  BufferLimits limits;
};

LogicalResult LimitChecker::checkIndices() {
  DenseMap<int64_t, ttl::CreateCBOp> owners;
  for (ttl::CreateCBOp buffer : getBuffers(program)) {
    int64_t index = *buffer.getBufferIndex();
    auto [it, inserted] = owners.try_emplace(index, buffer);
    if (!inserted) {
      InFlightDiagnostic diagnostic = buffer.emitError()
                                      << "buffer index " << index << " is used twice";
      diagnostic.attachNote(it->second.getLoc())
          << "the same index is used by '" << it->second.getName() << "'";
      return diagnostic;
    }
    if (index >= kMaxIndices)
      return buffer.emitError() << "circular buffer '" << buffer.getName() << "' would get index "
                                << index << ", but no chip has more than " << kMaxIndices
                                << " buffers: merge buffers or split the kernel";
  }
  return success();
}

LogicalResult LimitChecker::checkCount() {
  SmallVector<ttl::CreateCBOp> buffers = getBuffers(program);
  int64_t limit = limits.maxBuffers ? limits.maxBuffers : arch.maxCircularBuffers;
  int64_t made = llvm::count_if(buffers, [](ttl::CreateCBOp b) { return b.getCompilerMade(); });
  // A warning counts the buffers that the user declared. An error counts all, as on a card.
  int64_t declared = static_cast<int64_t>(buffers.size()) - made;
  if ((limits.strict ? numBufferIndices(program) : declared) <= limit)
    return success();
  InFlightDiagnostic diagnostic = report();
  diagnostic << "'" << program.getSymName() << "' uses " << buffers.size() << " circular buffers";
  if (made)
    diagnostic << " (" << made << " made by the compiler)";
  diagnostic << ", but " << limitText("--max-dfbs", limits.maxBuffers, limit)
             << ": use one buffer for tensors that are needed one after the other";
  if (!limits.strict)
    diagnostic << " (the kernel runs, because the emulated core has more)";
  noteBuffers(diagnostic, program);
  return failure(limits.strict);
}

LogicalResult LimitChecker::checkSize() {
  int64_t used = usedL1(program), available = limits.maxL1 ? limits.maxL1 : arch.l1Available();
  if (used <= available)
    return success();
  InFlightDiagnostic diagnostic = report();
  diagnostic << "circular buffers of '" << program.getSymName() << "' take " << used
             << " bytes of L1 on each core, but " << limitText("--max-l1", limits.maxL1, available)
             << advice(program, used - available);
  if (!limits.strict)
    diagnostic << " (the kernel runs, because the emulated core has more)";
  noteBuffers(diagnostic, program);
  return failure(limits.strict);
}

} // namespace

LogicalResult ttjit::checkBufferLimits(ttl::ProgramOp program, const BufferLimits &limits) {
  return LimitChecker(program, limits).run();
}

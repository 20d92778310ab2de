//===- BufferLiveness.h - buffers that are never used together ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#ifndef TTJIT_PASSES_BUFFERS_BUFFERLIVENESS_H
#define TTJIT_PASSES_BUFFERS_BUFFERLIVENESS_H

#include "passes/common/BufferCounts.h"
#include "passes/common/Threads.h"

namespace ttjit {

/// Finds pairs of buffers of one program that are never in use at the same time: one is
/// always dead before the other is first reserved, whatever the order in which the
/// threads run.
///
/// A buffer that one thread uses is dead outside of the IR block in which all its
/// blocks are released. Buffers order threads: wait m follows push m, reserve m follows
/// pop m - block_count. Operations are counted through loops and branches; operations
/// whose number is not known order nothing. All threads meet at a reset: what they do before it is
/// complete when one of them goes on. Buffers whose core_ranges
/// share no core never interfere. Buffers that C++ functions of the user use interfere with all
/// others.
class BufferLiveness {
public:
  explicit BufferLiveness(mlir::tt::ttl::ProgramOp program);

  /// Returns false if the two buffers are never in use at the same time.
  bool interfere(mlir::tt::ttl::CreateCBOp a, mlir::tt::ttl::CreateCBOp b) const;

private:
  /// An op of a thread's outermost block that uses buffers.
  struct Item {
    mlir::Operation *op = nullptr;
    BufferCounts here;             ///< counts of this op
    BufferCounts before;           ///< counts of the ops before it
    std::optional<uint32_t> reset; ///< number of the ttl.cb_reset, if the op is one
    /// For each thread, the number of its items that are always complete before this
    /// one begins.
    llvm::SmallVector<unsigned> clock;
  };
  struct Thread {
    ThreadBinding binding;
    llvm::SmallVector<Item> items; ///< the last item is empty
  };
  /// The ops of one thread that use a buffer, and the first and last item that contain
  /// them.
  struct Span {
    unsigned first = 0, last = 0;
    llvm::SmallVector<mlir::Operation *> ops;
  };
  struct Buffer {
    llvm::DenseMap<unsigned, Span> spans;             ///< the key is the number of a thread
    static constexpr int kNobody = -1, kSeveral = -2; ///< several threads, on different nodes
    int producer = kNobody, consumer = kNobody;       ///< numbers of the threads
    bool isExternal = false;     ///< whether a C++ function of the user uses it
    mlir::Block *home = nullptr; ///< set only if one thread uses the buffer
  };

  mlir::Operation *bufferOf(unsigned thread, mlir::Value value);
  void collect(unsigned thread);
  void findHome(mlir::Operation *key, Buffer &buffer, unsigned thread);
  bool advance(unsigned thread, unsigned item);
  bool learnFromReset(llvm::SmallVector<unsigned> &clock, uint32_t reset, unsigned round);
  bool learn(llvm::SmallVector<unsigned> &clock, int other, mlir::Operation *buffer, BufferOp op,
             int64_t times);
  CountRange total(int thread, mlir::Operation *buffer, BufferOp op) const;
  bool deadBefore(mlir::Operation *a, mlir::Operation *b) const;
  bool separateInside(const Buffer &a, const Buffer &b) const;

  llvm::SmallVector<Thread> threads;
  llvm::DenseMap<mlir::Operation *, Buffer> buffers;
  llvm::DenseSet<mlir::Operation *> resetBuffers; ///< buffers that a ttl.cb_reset names
  bool hasUnknownAccess = false;                  ///< whether a C++ function may use any buffer
};

} // namespace ttjit

#endif // TTJIT_PASSES_BUFFERS_BUFFERLIVENESS_H

//===- PhaseBuffers.cpp - buffers of different phases share indices -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Problem: a chip has few buffer indices, and a kernel of several phases may have more buffers than
// that. All threads of a node meet at a reconfiguration between two phases.
//
// 1. The reconfigurations at the top level of the threads, which all threads reach in one order,
//    cut each thread into phases. Find the first and the last phase in which each buffer is used.
// 2. A buffer whose first phase is behind the last one of another buffer takes its place if their
//    types are equal and the same threads fill and drain them. The reconfiguration behind the other
//    buffer's last phase then empties it: its read and write positions are at slot 0.
//
// Does this only if the kernel has more buffers than indices, because a shared buffer has the names
// of both. Then all buffers share that can, since landing slots and second ids (passes/metalium)
// need indices, too. Buffers of other types keep indices of their own.
//===--------------------------------------------------------------------------===//

#include "passes/ttl/PhaseBuffers.h"

#include "ir/TTL/BufferPages.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "ir/TTL/TTLResetOps.h"
#include "passes/common/Threads.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

using Boundaries = SmallVector<ttl::CBResetOp>;

// Returns the reconfigurations at the top level of a thread.
Boundaries boundariesOf(Operation &thread) {
  Boundaries all;
  for (auto reset : thread.getRegion(0).getOps<ttl::CBResetOp>())
    if (reset.getReconfigures())
      all.push_back(reset);
  return all;
}

// Where and by whom a buffer is used.
struct Life {
  unsigned first = ~0u, last = 0; // phases
  Operation *producer = nullptr, *consumer = nullptr;
  bool isSimple = true; // whether one thread fills it and one drains it
};

class PhaseSharing {
public:
  explicit PhaseSharing(ttl::KernelOp kernel) : kernel(kernel) {}

  unsigned run();

private:
  bool findBoundaries();
  Life lifeOf(ttl::CreateCBOp buffer);
  bool canReplace(ttl::CreateCBOp buffer, ttl::CreateCBOp by);
  void replace(ttl::CreateCBOp buffer, ttl::CreateCBOp by);

  ttl::KernelOp kernel;
  llvm::MapVector<Operation *, Boundaries> boundaries; // by thread
  llvm::DenseMap<Operation *, Life> lives;
};

// Returns whether there are boundaries, and every thread has the same ones in the same order.
bool PhaseSharing::findBoundaries() {
  auto numbersOf = [](const Boundaries &all) {
    return llvm::map_to_vector(all, [](ttl::CBResetOp reset) { return reset.getReset(); });
  };
  for (Operation &op : kernel.getBody().front())
    if (ttl::isThread(&op))
      boundaries[&op] = boundariesOf(op);
  return !boundaries.empty() && !boundaries.front().second.empty() &&
         llvm::all_of(boundaries, [&](auto &entry) {
           return numbersOf(entry.second) == numbersOf(boundaries.front().second);
         });
}

Life PhaseSharing::lifeOf(ttl::CreateCBOp buffer) {
  Life life;
  for (Operation *user : buffer->getUsers()) {
    if (isa<ttl::CBResetOp>(user))
      continue;
    Operation *thread = user;
    while (thread && !ttl::isThread(thread))
      thread = thread->getParentOp();
    if (!thread) { // outside of every thread
      life.isSimple = false;
      continue;
    }
    Operation *place = thread->getRegion(0).front().findAncestorOpInBlock(*user);
    auto phase = static_cast<unsigned>(llvm::count_if(
        boundaries[thread], [&](ttl::CBResetOp reset) { return reset->isBeforeInBlock(place); }));
    life.first = std::min(life.first, phase);
    life.last = std::max(life.last, phase);
    bool isAcquire = isa<ttl::CBReserveOp, ttl::CBWaitOp>(user);
    Operation *&side = isa<ttl::CBReserveOp>(user) ? life.producer : life.consumer;
    life.isSimple &= isAcquire && (!side || side == thread);
    side = thread;
  }
  return life;
}

bool PhaseSharing::canReplace(ttl::CreateCBOp buffer, ttl::CreateCBOp by) {
  const Life &later = lives[buffer], &earlier = lives[by];
  return later.isSimple && earlier.isSimple && earlier.last < later.first &&
         buffer.getType() == by.getType() && ttl::pageSizeOf(buffer) == ttl::pageSizeOf(by) &&
         later.producer == earlier.producer && later.consumer == earlier.consumer &&
         !buffer.isTensorBacked() && !by.isTensorBacked() &&
         buffer.getCoreRangesAttr() == by.getCoreRangesAttr();
}

void PhaseSharing::replace(ttl::CreateCBOp buffer, ttl::CreateCBOp by) {
  Life &earlier = lives[by];
  for (Operation *user : llvm::to_vector(buffer->getUsers()))
    if (auto reset = dyn_cast<ttl::CBResetOp>(user)) {
      SmallVector<Value> others(reset.getBuffers());
      llvm::erase(others, buffer.getResult());
      if (!llvm::is_contained(others, by.getResult()))
        others.push_back(by.getResult());
      reset.getBuffersMutable().assign(others);
    }
  for (auto &[thread, all] : boundaries) {
    ttl::CBResetOp boundary = all[earlier.last];
    if (!llvm::is_contained(boundary.getBuffers(), by.getResult()))
      boundary.getBuffersMutable().append(by.getResult());
  }
  by.setName((by.getName() + "/" + buffer.getName()).str());
  earlier.last = lives[buffer].last;
  buffer.replaceAllUsesWith(by.getOperation());
  buffer.erase();
}

unsigned PhaseSharing::run() {
  auto buffers = llvm::to_vector(kernel.getBody().getOps<ttl::CreateCBOp>());
  // An emitted kernel needs one index for the words at which the threads meet.
  auto limit = static_cast<size_t>(archOf(kernel).maxCircularBuffers - 1);
  if (buffers.size() <= limit || !findBoundaries())
    return 0;
  for (ttl::CreateCBOp buffer : buffers)
    lives[buffer] = lifeOf(buffer);
  unsigned replaced = 0;
  SmallVector<ttl::CreateCBOp> kept;
  for (ttl::CreateCBOp buffer : buffers) {
    auto place = llvm::find_if(kept, [&](ttl::CreateCBOp by) { return canReplace(buffer, by); });
    if (place == kept.end()) {
      kept.push_back(buffer);
      continue;
    }
    replace(buffer, *place);
    ++replaced;
  }
  return replaced;
}

} // namespace

unsigned ttjit::sharePhaseBuffers(ttl::KernelOp kernel) { return PhaseSharing(kernel).run(); }

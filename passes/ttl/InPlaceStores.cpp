//===- InPlaceStores.cpp - stores over the memory of an input -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttl/InPlaceStores.h"

#include "ir/Locations/Locations.h"
#include "passes/common/Describe.h"
#include "passes/common/Threads.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

namespace {

// A block that an expression reads. `elementwise`: each element of the result depends only on the
// element of the block at the same place.
struct BlockRead {
  Value block;
  bool elementwise;
};

void collectReads(Value value, bool elementwise, DenseSet<std::pair<Value, unsigned>> &seen,
                  SmallVectorImpl<BlockRead> &reads) {
  if (!seen.insert({value, elementwise}).second)
    return;
  if (isa<ttl::BlockType>(value.getType())) {
    reads.push_back({value, elementwise});
    return;
  }
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumRegions() != 0)
    return;
  bool keeps = elementwise && isa<ttcore::TileOpInterface>(op);
  for (Value operand : op->getOperands())
    collectReads(operand, keeps, seen, reads);
}

SmallVector<BlockRead> readsOf(ttl::BlockStoreOp store) {
  SmallVector<BlockRead> reads;
  DenseSet<std::pair<Value, unsigned>> seen;
  collectReads(store.getSrc(), /*elementwise=*/true, seen, reads);
  return reads;
}

// Returns the tensor-backed buffer of a block; null for any other block.
ttl::CreateCBOp backedBufferOf(Value block) {
  Operation *acquire = acquireOf(block);
  auto buffer = acquire ? acquire->getOperand(0).getDefiningOp<ttl::CreateCBOp>() : nullptr;
  return buffer && buffer.isTensorBacked() ? buffer : ttl::CreateCBOp();
}

bool overlap(ttl::CreateCBOp a, ttl::CreateCBOp b) {
  auto endOf = [](ttl::CreateCBOp buffer) {
    return buffer.getTensorOffset() + buffer.getType().getTotalBytes();
  };
  return a.getTensor() == b.getTensor() && a.getTensorOffset() < endOf(b) &&
         b.getTensorOffset() < endOf(a);
}

bool haveSameBlocks(ttl::CreateCBOp a, ttl::CreateCBOp b) {
  return a.getTensorOffset() == b.getTensorOffset() && a.getType() == b.getType();
}

std::string sameMemory(ttl::CreateCBOp a, ttl::CreateCBOp b) {
  return ("'" + a.getName() + "' and '" + b.getName() + "' share memory of tensor '" +
          getSourceName(a.getTensor().getLoc()).value_or("tensor") + "'")
      .str();
}

// Returns whether a loop repeats the store, but not the acquire of the block that it reads.
bool isReadAgain(ttl::BlockStoreOp store, Value block) {
  Operation *acquire = acquireOf(block);
  for (auto loop = store->getParentOfType<LoopLikeOpInterface>(); loop;
       loop = loop->getParentOfType<LoopLikeOpInterface>())
    if (!loop->isProperAncestor(acquire))
      return true;
  return false;
}

// The acquires of the queue in an IR block, in order.
SmallVector<Operation *> acquiresIn(Block *body, BlockQueue queue) {
  SmallVector<Operation *> acquires;
  for (Operation &op : *body)
    if (isa<ttl::CBWaitOp, ttl::CBReserveOp>(op) && queueOf(&op) == queue)
      acquires.push_back(&op);
  return acquires;
}

// Returns whether two blocks are known to have the same place in their buffers, which have the
// same blocks: one IR block acquires as many of each, and both are the n-th of theirs.
bool haveSamePlace(Value a, Value b) {
  Operation *first = acquireOf(a), *second = acquireOf(b);
  if (first->getBlock() != second->getBlock())
    return false;
  SmallVector<Operation *> one = acquiresIn(first->getBlock(), queueOf(first)),
                           other = acquiresIn(first->getBlock(), queueOf(second));
  return one.size() == other.size() &&
         llvm::find(one, first) - one.begin() == llvm::find(other, second) - other.begin();
}

class StoreVerifier {
public:
  StoreVerifier(ttl::BlockStoreOp store, ttl::CreateCBOp output) : store(store), output(output) {}

  LogicalResult verify(ArrayRef<ttl::BlockStoreOp> stores);

private:
  LogicalResult reportOrder(ttl::CreateCBOp input);
  LogicalResult reportLoop(Value block, ttl::CreateCBOp input);
  LogicalResult reportCounted(ttl::CreateCBOp input);
  LogicalResult verifyLaterReads(ArrayRef<Value> overwritten, ArrayRef<ttl::BlockStoreOp> stores);

  ttl::BlockStoreOp store;
  ttl::CreateCBOp output;
};

LogicalResult StoreVerifier::reportOrder(ttl::CreateCBOp input) {
  InFlightDiagnostic diagnostic = store.emitError();
  diagnostic << "this store overwrites elements of '" << input.getName()
             << "' that it still has to read: " << sameMemory(output, input) << "; "
             << (haveSameBlocks(input, output)
                     ? "in place, only element-wise expressions can be computed"
                     : "in place, both buffers need the same byte_offset, shape and block_count")
             << ", so store into a block of other memory";
  diagnostic.attachNote(input.getLoc()) << "'" << input.getName() << "' is made here";
  return diagnostic;
}

LogicalResult StoreVerifier::reportLoop(Value block, ttl::CreateCBOp input) {
  InFlightDiagnostic diagnostic = store.emitError();
  diagnostic << "this store overwrites " << describeBlock(acquireOf(block))
             << ", which the next iteration of the loop reads again: " << sameMemory(output, input)
             << "; wait for a block of '" << input.getName()
             << "' in each iteration, or store into a block of other memory";
  diagnostic.attachNote(acquireOf(block)->getLoc()) << "the block is acquired here";
  return diagnostic;
}

LogicalResult StoreVerifier::reportCounted(ttl::CreateCBOp input) {
  return store.emitError() << "it depends on run-time values which blocks of '" << input.getName()
                           << "' and '" << output.getName()
                           << "' are held here, so what this store overwrites is not known: "
                           << sameMemory(output, input)
                           << "; release each block in the loop or branch that acquires it, or "
                              "store into a block of other memory";
}

// `overwritten`: blocks that the store reads element by element. Blocks of other inputs at the
// place of its destination are overwritten too.
LogicalResult StoreVerifier::verifyLaterReads(ArrayRef<Value> overwritten,
                                              ArrayRef<ttl::BlockStoreOp> stores) {
  for (ttl::BlockStoreOp later : stores) {
    Operation *place = store->getBlock()->findAncestorOpInBlock(*later);
    if (later == store || !place || !store->isBeforeInBlock(place))
      continue;
    for (BlockRead read : readsOf(later)) {
      ttl::CreateCBOp input = backedBufferOf(read.block);
      if (!input || input == output || !overlap(input, output) ||
          !(llvm::is_contained(overwritten, read.block) ||
            (haveSameBlocks(input, output) && haveSamePlace(read.block, store.getDst()))))
        continue;
      InFlightDiagnostic diagnostic = later.emitError();
      diagnostic << "this reads " << describeBlock(acquireOf(read.block))
                 << ", which is overwritten: " << sameMemory(output, input)
                 << "; store this expression first";
      diagnostic.attachNote(store.getLoc())
          << "the store into '" << output.getName() << "' overwrites the block";
      return diagnostic;
    }
  }
  return success();
}

LogicalResult StoreVerifier::verify(ArrayRef<ttl::BlockStoreOp> stores) {
  SmallVector<Value> overwritten;
  for (BlockRead read : readsOf(store)) {
    ttl::CreateCBOp input = backedBufferOf(read.block);
    if (!input || input == output || !overlap(input, output))
      continue;
    if (isCountedBlock(read.block) || isCountedBlock(store.getDst()))
      return reportCounted(input);
    if (!read.elementwise || !haveSameBlocks(input, output))
      return reportOrder(input);
    if (isReadAgain(store, read.block))
      return reportLoop(read.block, input);
    overwritten.push_back(read.block);
  }
  return verifyLaterReads(overwritten, stores);
}

} // namespace

LogicalResult ttjit::verifyInPlaceStores(ttl::KernelOp kernel) {
  for (Operation &thread : kernel.getBody().front()) {
    SmallVector<ttl::BlockStoreOp> stores;
    thread.walk([&](ttl::BlockStoreOp store) { stores.push_back(store); });
    for (ttl::BlockStoreOp store : stores)
      if (ttl::CreateCBOp output = backedBufferOf(store.getDst()))
        if (failed(StoreVerifier(store, output).verify(stores)))
          return failure();
  }
  return success();
}

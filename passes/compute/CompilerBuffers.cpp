//===- CompilerBuffers.cpp - circular buffers for intermediate values ---------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/compute/CompilerBuffers.h"

#include "ir/Locations/Locations.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

CompilerBuffers::CompilerBuffers(Operation *thread) : thread(thread) {
  for (auto buffer : thread->getParentRegion()->getOps<ttl::CreateCBOp>())
    names.insert(buffer.getName());
  firstThread =
      &*llvm::find_if(*thread->getBlock(), [](Operation &op) { return op.getNumRegions() != 0; });
}

std::string CompilerBuffers::uniqueName(Value value, StringRef role) {
  std::optional<std::string> name = getSourceName(value.getLoc());
  std::string base = name ? *name + "_" + role.str() : role.str();
  std::string candidate = base;
  for (int i = 1; !names.insert(candidate).second; ++i)
    candidate = base + std::to_string(i);
  return candidate;
}

static ttl::CircularBufferType typeFor(Value value, int64_t blocks, ttcore::DataType type) {
  auto tensor =
      ttl::getBlockTensorType(value.getContext(), ttl::getBlockShape(value.getType()), type);
  return ttl::CircularBufferType::get(value.getContext(), tensor.getShape(),
                                      tensor.getElementType(), blocks);
}

Value CompilerBuffers::create(Value value) {
  return create(value, ttl::getComputedType(value.getType()));
}

Value CompilerBuffers::create(Value value, ttcore::DataType type) {
  return create(value, "tmp", typeFor(value, 1, type));
}

Value CompilerBuffers::createAccumulator(Value value) {
  ttl::CreateCBOp buffer =
      create(value, "acc", typeFor(value, 2, ttl::getComputedType(value.getType())));
  buffer.setAccumulator(true);
  return buffer;
}

Value CompilerBuffers::createCopyOf(Value block) {
  auto type = cast<ttl::BlockType>(block.getType()).getCircularBuffer();
  return create(
      block, "copy",
      ttl::CircularBufferType::get(type.getContext(), type.getShape(), type.getElementType(), 1));
}

ttl::CreateCBOp CompilerBuffers::create(Value value, StringRef role, ttl::CircularBufferType type) {
  OpBuilder builder(thread);
  builder.setInsertionPoint(firstThread);
  std::string name = uniqueName(value, role);
  auto buffer = ttl::CreateCBOp::create(builder, value.getLoc(), type, name, IntegerAttr(),
                                        IntegerAttr(), IntegerAttr(), /*compiler_made=*/true);
  buffers.push_back(buffer);
  return buffer;
}

Value CompilerBuffers::wait(OpBuilder &builder, Location loc, Value buffer) {
  Value block = ttl::CBWaitOp::create(builder, loc, buffer);
  waited.push_back(block);
  return block;
}

Operation *ttjit::lastUse(Value block) {
  Operation *last = block.getDefiningOp();
  for (Operation *user : block.getUsers()) {
    Operation *ancestor = last->getBlock()->findAncestorOpInBlock(*user);
    if (last->isBeforeInBlock(ancestor))
      last = ancestor;
  }
  return last;
}

void CompilerBuffers::popAfterLastUse() {
  for (Value block : waited) {
    Operation *last = lastUse(block);
    OpBuilder builder(last->getContext());
    builder.setInsertionPointAfter(last);
    ttl::CBPopOp::create(builder, block.getLoc(), block);
  }
}

void CompilerBuffers::mergeBuffers() {
  // Every buffer is empty at the end of the IR block in which its use began, so it is
  // in use from its first to its last op in program order.
  DenseMap<Value, std::pair<unsigned, unsigned>> spans;
  unsigned position = 0;
  thread->walk<WalkOrder::PreOrder>([&](Operation *op) {
    ++position;
    for (Value operand : op->getOperands()) {
      Value buffer =
          isa<ttl::BlockType>(operand.getType()) ? operand.getDefiningOp()->getOperand(0) : operand;
      if (isa<ttl::CircularBufferType>(buffer.getType()))
        spans.try_emplace(buffer, position, position).first->second.second = position;
    }
  });
  llvm::erase_if(buffers, [&](ttl::CreateCBOp buffer) { return !spans.count(buffer); });
  llvm::stable_sort(buffers, [&](ttl::CreateCBOp a, ttl::CreateCBOp b) {
    return spans.lookup(a).first < spans.lookup(b).first;
  });
  SmallVector<ttl::CreateCBOp> kept;
  for (ttl::CreateCBOp buffer : buffers) {
    auto span = spans.lookup(buffer);
    auto *free = llvm::find_if(kept, [&](ttl::CreateCBOp other) {
      return other.getType() == buffer.getType() &&
             other.getAccumulator() == buffer.getAccumulator() &&
             spans.lookup(other).second < span.first;
    });
    if (free == kept.end()) {
      kept.push_back(buffer);
      continue;
    }
    spans[*free].second = span.second;
    buffer.replaceAllUsesWith(free->getResult());
    buffer.erase();
  }
  buffers = kept;
}

//===- HostLowering.cpp - prints, signposts, calls of the host ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttkernel/HostLowering.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Returns how many pages a block is from the front of the buffer, or of its reserved region.
Value HostLowering::pageOf(OpBuilder &builder, Location loc, Value block) {
  auto at = block.getDefiningOp<ttl::BlockAtOp>();
  return at ? arithmetic.toI32(builder, loc, at.getPages()) : arithmetic.i32(0);
}

void HostLowering::print(ttl::PrintOp op) {
  OpBuilder builder(op);
  ttkernel::createCall<ttkernel::DPrintOp>(builder, op.getLoc(), op.getFormatAttr(),
                                           op.getArguments(), op.getThreadAttr());
}

void HostLowering::printBlock(ttl::PrintBlockOp op) {
  OpBuilder builder(op);
  TypedValue<ttl::BlockType> block = op.getBlock();
  ttkernel::createCall<ttkernel::DPrintBlockOp>(
      builder, op.getLoc(), arguments.bufferOfBlock(block), pageOf(builder, op.getLoc(), block),
      block.getType().getCircularBuffer().getPagesPerBlock(), isReserved(acquireOf(block)),
      op.getThreadAttr());
}

void HostLowering::call(ttl::CallHostOp op) {
  OpBuilder builder(op);
  SmallVector<Value> operands;
  for (Value argument : op.getArguments()) {
    if (!isa<ttl::BlockType>(argument.getType())) {
      operands.push_back(argument);
      continue;
    }
    operands.push_back(arguments.bufferOfBlock(argument));
    operands.push_back(pageOf(builder, op.getLoc(), argument));
  }
  // A result that nobody uses may be anything.
  bool isUsed = !op->use_empty();
  auto lowered = ttkernel::createCall<ttkernel::CallHostOp>(
      builder, op.getLoc(), isUsed ? TypeRange(op->getResultTypes()) : TypeRange(),
      op.getFunctionAttr(), op.getLibraryAttr(), builder.getStringAttr(op.getSignature()), operands,
      op.getDeviceFunctionAttr());
  if (isUsed)
    op->replaceAllUsesWith(lowered->getResults());
}

bool HostLowering::lower(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](ttl::PrintOp text) {
        print(text);
        return true;
      })
      .Case([&](ttl::PrintBlockOp block) {
        printBlock(block);
        return true;
      })
      .Case([&](ttl::PrintBufferOp buffer) {
        OpBuilder builder(buffer);
        ttkernel::createCall<ttkernel::DPrintBufferOp>(
            builder, op->getLoc(), arguments.buffer(buffer.getCb()), buffer.getThreadAttr());
        return true;
      })
      .Case([&](ttl::SignpostOp post) {
        OpBuilder builder(post);
        ttkernel::createCall<ttkernel::SignpostOp>(
            builder, op->getLoc(), static_cast<ttkernel::SignpostKind>(post.getKind()),
            post.getName());
        return true;
      })
      .Case([&](ttl::CallHostOp host) {
        call(host);
        return true;
      })
      .Default(false);
}

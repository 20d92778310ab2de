//===- ExpressionBuffers.cpp - BufferizableOpInterface of expressions ---------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/compute/ExpressionBuffers.h"

#include "hw/facts/Assert.h"
#include "ir/TTL/TTLElementwiseOps.h"
#include "passes/compute/BlockExpressions.h"
#include "passes/compute/CompilerBuffers.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::bufferization;
using namespace ttjit;

static ttl::CircularBufferType bufferTypeOf(Type expression) {
  RankedTensorType tensor = ttl::getBlockTensorType(
      expression.getContext(), ttl::getBlockShape(expression), ttl::getComputedType(expression));
  return ttl::CircularBufferType::get(expression.getContext(), tensor.getShape(),
                                      tensor.getElementType(), 1);
}

static LogicalResult checkNeighbours(Operation *op) {
  for (Value operand : op->getOperands())
    if (ttl::isBlockTensor(operand.getType()))
      return op->emitError(
          "an operand is in no block, because its definition cannot be bufferized");
  for (Operation *user : op->getUsers())
    if (!ttl::isBlockExpression(user) && !isa<ttl::BlockStoreOp>(user))
      return op->emitError(
          "cannot be bufferized, because its value is carried by a loop or returned by a branch");
  return success();
}

namespace {

// The model shared by expressions and the op that stores them: an op reads the blocks
// that are its operands, and no result shares a slot with an operand.
template <typename ModelT, typename OpT>
struct BlockOpModel : BufferizableOpInterface::ExternalModel<ModelT, OpT> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &,
                              const bufferization::AnalysisState &) const {
    return true;
  }
  bool bufferizesToMemoryWrite(Operation *, OpOperand &,
                               const bufferization::AnalysisState &) const {
    return false;
  }
  AliasingValueList getAliasingValues(Operation *, OpOperand &,
                                      const bufferization::AnalysisState &) const {
    return {};
  }
};

template <typename OpT> struct ExpressionModel : BlockOpModel<ExpressionModel<OpT>, OpT> {
  bool bufferizesToAllocation(Operation *, Value) const { return true; }

  FailureOr<BufferLikeType> getBufferType(Operation *, Value value, const BufferizationOptions &,
                                          const BufferizationState &, SmallVector<Value> &) const {
    return cast<BufferLikeType>(ttl::BlockType::get(bufferTypeOf(value.getType())));
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter, const BufferizationOptions &,
                          BufferizationState &) const {
    auto thread = op->getParentOfType<ttl::ComputeThreadOp>();
    TTJIT_ASSERT(thread, "ttl-bufferize-expressions bufferizes compute threads only");
    if (failed(checkNeighbours(op)))
      return failure();
    if (isa<ttl::BlockReduceSumOp, ttl::BlockReduceMaxOp>(op) && op->getNumOperands() < 2)
      return op->emitError("must have a scaling operand; only ttl-form-compute adds one");
    Value result = op->getResult(0);
    if (!result.use_empty()) {
      CompilerBuffers buffers(thread);
      Value buffer = buffers.create(result);
      Value block = ttl::CBReserveOp::create(rewriter, op->getLoc(), buffer);
      createCompute(rewriter, op->getLoc(), result, block, /*accumulate=*/{}, Places());
      ttl::CBPushOp::create(rewriter, op->getLoc(), block);
      result.replaceAllUsesWith(buffers.wait(rewriter, op->getLoc(), buffer));
      buffers.popAfterLastUse();
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct StoreModel : BlockOpModel<StoreModel, ttl::BlockStoreOp> {
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const bufferization::AnalysisState &) const {
    auto store = cast<ttl::BlockStoreOp>(op);
    return &operand != &store.getDstMutable() || store.getAccumulate();
  }
  bool bufferizesToMemoryWrite(Operation *op, OpOperand &operand,
                               const bufferization::AnalysisState &) const {
    return &operand == &cast<ttl::BlockStoreOp>(op).getDstMutable();
  }
  LogicalResult bufferize(Operation *op, RewriterBase &rewriter, const BufferizationOptions &,
                          BufferizationState &) const {
    auto store = cast<ttl::BlockStoreOp>(op);
    if (failed(checkNeighbours(op)))
      return failure();
    createCompute(rewriter, op->getLoc(), store.getSrc(), store.getDst(), store.getAccumulate(),
                  Places());
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

template <typename... OpT> static void attachTo(MLIRContext &context) {
  (OpT::template attachInterface<ExpressionModel<OpT>>(context), ...);
}

// Attaches the model to the op of each row on blocks. The rows of a kind share a class; the
// classes are in the order of TileOpKind.
template <typename... OpT> static void attachToRows(MLIRContext &context) {
  using Attach = void (*)(OperationName);
  static constexpr Attach kAttach[] = {
      [](OperationName op) { op.attachInterface<ExpressionModel<OpT>>(); }...};
  for (const hw::TileOpFacts &row : hw::kTileOps)
    kAttach[static_cast<int>(row.kind)](
        OperationName(std::string("ttl.block_") + row.name, &context));
}

void ttjit::registerExpressionBuffers(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, ttl::TTLDialect *) {
    attachToRows<ttl::BlockUnaryOp, ttl::BlockUnaryParamOp, ttl::BlockUnaryIntOp,
                 ttl::BlockBinaryOp, ttl::BlockTernaryOp, ttl::BlockMaskOp>(*context);
    attachTo<ttl::BlockFillOp, ttl::BlockMatmulOp, ttl::BlockReduceSumOp, ttl::BlockReduceMaxOp,
             ttl::BlockBcastOp, ttl::BlockTransposeOp, ttl::BlockViewOp>(*context);
    ttl::BlockStoreOp::attachInterface<StoreModel>(*context);
  });
}

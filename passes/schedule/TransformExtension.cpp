//===- TransformExtension.cpp - registration, effects and attributes ----------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/schedule/TTLTransformOps.h"

#include "passes/schedule/RefusedTransforms.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/TransformOps/FuncTransformOps.h"
#include "mlir/Dialect/Linalg/TransformOps/LinalgTransformOps.h"
#include "mlir/Dialect/SCF/TransformOps/SCFTransformOps.h"
#include "mlir/Dialect/Transform/DebugExtension/DebugExtension.h"
#include "mlir/Dialect/Transform/LoopExtension/LoopExtension.h"

using namespace mlir;
using namespace mlir::transform;

#define GET_OP_CLASSES
#include "passes/schedule/TTLTransformOps.cpp.inc"

//===--------------------------------------------------------------------------===//
// Registration
//===--------------------------------------------------------------------------===//

namespace {

class TTLTransformExtension : public TransformDialectExtension<TTLTransformExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TTLTransformExtension)

  void init() {
    declareGeneratedDialect<arith::ArithDialect>();
    declareGeneratedDialect<scf::SCFDialect>();
    declareGeneratedDialect<tt::ttl::TTLDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "passes/schedule/TTLTransformOps.cpp.inc"
        >();
    // Of MLIR's transforms of structured ops, these work on ttl.compute. MLIR's extension has all
    // of them, but loads linalg, whose text ir/modules/Linalg reads.
    declareGeneratedDialect<affine::AffineDialect>();
    registerTransformOps<MatchOp, TileUsingForOp>();
  }
};

} // namespace

void ttjit::registerTransforms(DialectRegistry &registry) {
  registry.insert<TransformDialect>();
  registry.addExtensions<TTLTransformExtension>();
  registerDebugExtension(registry);
  registerLoopExtension(registry);
  func::registerTransformDialectExtension(registry);
  registerRefusedTransforms(registry);
  scf::registerTransformDialectExtension(registry);
}

//===--------------------------------------------------------------------------===//
// Effects on handles
//===--------------------------------------------------------------------------===//

using Effects = SmallVectorImpl<MemoryEffects::EffectInstance>;

// Says that the payload op changes in place: handles to it and to ops in it stay valid.
template <typename OpT> static void inPlace(OpT op, Effects &effects) {
  onlyReadsHandle(op.getTargetMutable(), effects);
  producesHandle(op->getOpResults(), effects);
  modifiesPayload(effects);
}

// Says that the payload op is replaced.
template <typename OpT> static void replacing(OpT op, Effects &effects) {
  consumesHandle(op.getTargetMutable(), effects);
  producesHandle(op->getOpResults(), effects);
  modifiesPayload(effects);
}

void TTLAllocateDSTRegistersOp::getEffects(Effects &effects) { inPlace(*this, effects); }
void TTLSchedulePipelineOp::getEffects(Effects &effects) { inPlace(*this, effects); }
void TTLReorderForLocalityOp::getEffects(Effects &effects) { inPlace(*this, effects); }
void TTLOptimizeBufferFactorOp::getEffects(Effects &effects) { inPlace(*this, effects); }
void TTLCoalesceDMAOp::getEffects(Effects &effects) { replacing(*this, effects); }
void TTLInsertPrefetchOp::getEffects(Effects &effects) { replacing(*this, effects); }
void TTLMultiSizeSplitOp::getEffects(Effects &effects) { replacing(*this, effects); }

//===--------------------------------------------------------------------------===//
// Attributes
//===--------------------------------------------------------------------------===//

static LogicalResult verifyName(Operation *op, StringRef attribute, StringRef value,
                                ArrayRef<StringRef> names) {
  if (llvm::is_contained(names, value))
    return success();
  return op->emitOpError() << "'" << attribute << "' must be one of " << llvm::join(names, ", ")
                           << "; found '" << value << "'";
}

static LogicalResult verifyAtLeast(Operation *op, StringRef attribute, int64_t value,
                                   int64_t least) {
  if (value >= least)
    return success();
  return op->emitOpError() << "'" << attribute << "' must be at least " << least << "; found "
                           << value;
}

LogicalResult TTLAllocateDSTRegistersOp::verify() {
  if (failed(verifyName(*this, "order", getOrder(), {"auto", "arguments", "lazy"})))
    return failure();
  return verifyAtLeast(*this, "capacity", getCapacity().value_or(1), 1);
}

LogicalResult TTLSchedulePipelineOp::verify() {
  return verifyName(*this, "strategy", getStrategy(), {"auto", "conservative", "aggressive"});
}

LogicalResult TTLInsertPrefetchOp::verify() {
  if (failed(verifyName(*this, "form", getForm(), {"groups", "pipeline"})))
    return failure();
  return verifyAtLeast(*this, "distance", getDistance(), getForm() == "groups" ? 2 : 1);
}

LogicalResult TTLMultiSizeSplitOp::verify() {
  if (failed(verifyAtLeast(*this, "dimension", getDimension(), 0)) ||
      failed(verifyAtLeast(*this, "target_size", getTargetSize(), 1)))
    return failure();
  return verifyAtLeast(*this, "divisor", getDivisor(), 1);
}

LogicalResult TTLOptimizeBufferFactorOp::verify() {
  if (failed(verifyAtLeast(*this, "max_factor", getMaxFactor(), 1)))
    return failure();
  return verifyAtLeast(*this, "l1_bytes", getL1Bytes().value_or(0), 0);
}

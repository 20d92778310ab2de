//===- Simplify.cpp - removes what a reader would not write -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/Simplify.h"

#include "ir/TTKernel/TTKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;

//===--------------------------------------------------------------------------===//
// Folding
//===--------------------------------------------------------------------------===//

namespace {

// Replaces a branch on a constant by the statements that run.
struct FoldBranch : OpRewritePattern<scf::IfOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(scf::IfOp op, PatternRewriter &rewriter) const override {
    APInt condition;
    if (!matchPattern(op.getCondition(), m_ConstantInt(&condition)))
      return failure();
    Block *taken = condition.isZero() ? op.elseBlock() : op.thenBlock();
    if (!taken) {
      rewriter.eraseOp(op);
      return success();
    }
    Operation *yield = taken->getTerminator();
    rewriter.inlineBlockBefore(taken, op);
    rewriter.replaceOp(op, yield->getOperands());
    rewriter.eraseOp(yield);
    return success();
  }
};

// Casts the sum's operand instead of the sum, so that its constant meets others outside. Both
// types are int32_t in C++.
struct CastOperandOfSum : OpRewritePattern<arith::IndexCastOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::IndexCastOp op, PatternRewriter &rewriter) const override {
    auto sum = op.getIn().getDefiningOp<arith::AddIOp>();
    APInt number;
    if (!sum || !op.getType().isInteger(32) ||
        !matchPattern(sum.getRhs(), m_ConstantInt(&number)) || !number.isSignedIntN(32))
      return failure();
    Value other = arith::IndexCastOp::create(rewriter, op.getLoc(), op.getType(), sum.getLhs());
    Value constant = arith::ConstantIntOp::create(rewriter, op.getLoc(), number.getSExtValue(), 32);
    rewriter.replaceOpWithNewOp<arith::AddIOp>(op, other, constant);
    return success();
  }
};

} // namespace

// Returns whether the conversion will refuse a number. Folding would hide it.
static bool hasRefusedNumber(func::FuncOp function) {
  auto isRefused = [](Operation *op) {
    APInt number;
    if (matchPattern(op, m_ConstantInt(&number)) && !number.isSignedIntN(32))
      return true;
    return llvm::any_of(op->getResultTypes(), [](Type type) {
      return isa<IntegerType, FloatType>(type) && !type.isInteger(1) && !type.isInteger(32) &&
             !type.isF32();
    });
  };
  return function
      .walk([&](Operation *op) {
        return isRefused(op) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static LogicalResult fold(func::FuncOp function) {
  if (hasRefusedNumber(function))
    return success();
  MLIRContext *context = function.getContext();
  RewritePatternSet patterns(context);
  patterns.add<FoldBranch, CastOperandOfSum>(context);
  arith::AddIOp::getCanonicalizationPatterns(patterns, context);
  arith::SubIOp::getCanonicalizationPatterns(patterns, context);
  scf::ForOp::getCanonicalizationPatterns(patterns, context);
  GreedyRewriteConfig config;
  config.enableConstantCSE(false); // constants keep the positions of their uses
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  return applyPatternsGreedily(function, std::move(patterns), config);
}

//===--------------------------------------------------------------------------===//
// Zeros in registers
//===--------------------------------------------------------------------------===//

static bool isNumber(Value value, const APInt &number) {
  APInt other;
  return value.getType().isInteger(32) && matchPattern(value, m_ConstantInt(&other)) &&
         other == number;
}

static bool mayUse(Operation *op, const APInt &reg) {
  return op
      ->walk([&](Operation *inner) {
        bool uses = llvm::any_of(inner->getOperands(),
                                 [&](Value operand) { return isNumber(operand, reg); });
        StringRef name = inner->getName().getStringRef();
        return uses && name.starts_with("ttkernel.") && !name.starts_with("ttkernel.cb_")
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

// Returns whether nothing has used the register since its section began.
static bool isFresh(Operation *fill, const APInt &reg) {
  for (Operation *before = fill->getPrevNode(); before; before = before->getPrevNode()) {
    if (isa<ttkernel::TileRegsAcquireOp>(before))
      return true;
    if (mayUse(before, reg))
      return false;
  }
  return false;
}

// Returns whether the first call in `op` that may use the register adds a product to it.
static bool startsProduct(Operation *op, const APInt &reg) {
  bool starts = false;
  op->walk([&](Operation *inner) {
    if (inner->getNumRegions() || !mayUse(inner, reg))
      return WalkResult::advance();
    auto product = dyn_cast<ttkernel::MatmulTilesOp>(inner);
    if (product && !isNumber(product->getOperands().back(), reg))
      return WalkResult::advance(); // the number is that of a tile
    starts = bool(product);
    return WalkResult::interrupt();
  });
  return starts;
}

// A section's registers read as zero until they are written, so a product needs no zeros first.
static bool isNeedless(ttkernel::FillTileOp fill) {
  APInt reg;
  if (fill.getInteger() || !matchPattern(fill.getValue(), m_PosZeroFloat()) ||
      !matchPattern(fill.getDst(), m_ConstantInt(&reg)) || !isFresh(fill, reg))
    return false;
  for (Operation *next = fill->getNextNode(); next; next = next->getNextNode()) {
    if (isa<ttkernel::TileRegsCommitOp>(next))
      return false;
    if (isa<ttkernel::FillTileOp>(next) && !isNumber(next->getOperand(0), reg))
      continue;
    if (startsProduct(next, reg))
      return true;
    auto product = dyn_cast<ttkernel::MatmulTilesOp>(next);
    if (!product && mayUse(next, reg))
      return false;
  }
  return false;
}

static void eraseNeedlessZeros(func::FuncOp function) {
  SmallVector<Operation *> fills;
  function.walk([&](ttkernel::FillTileOp op) {
    if (isNeedless(op))
      fills.push_back(op);
  });
  for (Operation *op : fills)
    op->erase();
  bool others = false;
  function.walk([&](ttkernel::FillTileOp) { others = true; });
  if (others)
    return;
  SmallVector<Operation *> inits;
  function.walk([&](ttkernel::FillTileInitOp op) { inits.push_back(op); });
  for (Operation *op : inits)
    op->erase();
}

//===--------------------------------------------------------------------------===//
// Repeated calls
//===--------------------------------------------------------------------------===//

static bool isBarrier(Operation *op) {
  return isa<ttkernel::NocAsyncReadBarrierOp, ttkernel::NocAsyncReadBarrierWithTridOp,
             ttkernel::NocAsyncWriteBarrierOp, ttkernel::NocAsyncWriteBarrierWithTridOp>(op);
}

// Returns whether `first` waits for all that `second` waits for.
static bool covers(Operation *first, Operation *second) {
  using namespace ttkernel;
  if (first->getName() == second->getName())
    return first->getNumOperands() == 0 || first->getOperand(0) == second->getOperand(0);
  return (isa<NocAsyncReadBarrierOp>(first) && isa<NocAsyncReadBarrierWithTridOp>(second)) ||
         (isa<NocAsyncWriteBarrierOp>(first) && isa<NocAsyncWriteBarrierWithTridOp>(second));
}

// Returns whether a barrier before `op`, with no transfer in between, covers it.
static bool isRepeatedBarrier(Operation *op) {
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
    if (isBarrier(before) && covers(before, op))
      return true;
    if (!isBarrier(before) && !isPure(before))
      return false;
  }
  return false;
}

// Returns whether the packer's accumulation is changed again before anything is packed.
static bool isOverridden(ttkernel::PackReconfigL1AccOp op) {
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode()) {
    if (isa<ttkernel::PackReconfigL1AccOp>(next))
      return true;
    if (isa<ttkernel::PackTileOp, ttkernel::PackTileBlockOp>(next) || next->getNumRegions() ||
        next->hasTrait<OpTrait::IsTerminator>())
      return false;
  }
  return false;
}

// Returns whether the packer accumulates so already.
static bool isInForce(ttkernel::PackReconfigL1AccOp op) {
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
    if (isa<ttkernel::PackReconfigL1AccOp>(before))
      return before->getOperand(0) == op->getOperand(0);
    if (before->getNumRegions())
      return false;
  }
  return false;
}

static void eraseRepeatedCalls(func::FuncOp function) {
  auto eraseAll = [&](auto isSuperfluous) {
    SmallVector<Operation *> found;
    function.walk([&](Operation *op) {
      if (isSuperfluous(op))
        found.push_back(op);
    });
    for (Operation *op : found)
      op->erase();
  };
  eraseAll([](Operation *op) { return isBarrier(op) && isRepeatedBarrier(op); });
  eraseAll([](Operation *op) {
    auto change = dyn_cast<ttkernel::PackReconfigL1AccOp>(op);
    return change && isOverridden(change);
  });
  eraseAll([](Operation *op) {
    auto change = dyn_cast<ttkernel::PackReconfigL1AccOp>(op);
    return change && isInForce(change);
  });
}

LogicalResult tometalium::simplify(func::FuncOp function) {
  if (failed(fold(function)))
    return failure();
  eraseNeedlessZeros(function);
  eraseRepeatedCalls(function);
  return success();
}

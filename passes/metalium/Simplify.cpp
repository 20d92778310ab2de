//===- Simplify.cpp - removes what a reader would not write -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/Simplify.h"

#include "ir/TTKernel/DeviceCalls.h"
#include "passes/metalium/PackerAccumulation.h"

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

// Finds all ops that are superfluous, and then erases them.
static void eraseAll(func::FuncOp function, llvm::function_ref<bool(Operation *)> isSuperfluous) {
  SmallVector<Operation *> found;
  function.walk([&](Operation *op) {
    if (isSuperfluous(op))
      found.push_back(op);
  });
  for (Operation *op : found)
    op->erase();
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
        return uses && ttkernel::isDeviceCall(inner) &&
                       !ttkernel::calleeOf(inner).starts_with("cb_")
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

// Returns whether nothing has used the register since its section began.
static bool isFresh(Operation *fill, const APInt &reg) {
  for (Operation *before = fill->getPrevNode(); before; before = before->getPrevNode()) {
    if (ttkernel::isCall<ttkernel::TileRegsAcquireOp>(before))
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
    auto product = ttkernel::asCall<ttkernel::MatmulTilesOp>(inner);
    if (product && !isNumber(product->getOperands().back(), reg))
      return WalkResult::advance(); // the number is that of a tile
    starts = bool(product);
    return WalkResult::interrupt();
  });
  return starts;
}

// Returns whether a fill with zeros is needless: a product starts from a register's zeros anyway.
static bool isNeedless(ttkernel::CallOf<ttkernel::FillTileOp> fill) {
  APInt reg;
  if (fill.getInteger() || !matchPattern(fill.getValue(), m_PosZeroFloat()) ||
      !matchPattern(fill.getDst(), m_ConstantInt(&reg)) || !isFresh(fill, reg))
    return false;
  for (Operation *next = fill->getNextNode(); next; next = next->getNextNode()) {
    if (ttkernel::isCall<ttkernel::TileRegsCommitOp>(next))
      return false;
    if (ttkernel::isCall<ttkernel::FillTileOp>(next) && !isNumber(next->getOperand(0), reg))
      continue;
    if (startsProduct(next, reg))
      return true;
    auto product = ttkernel::asCall<ttkernel::MatmulTilesOp>(next);
    if (!product && mayUse(next, reg))
      return false;
  }
  return false;
}

static void eraseNeedlessZeros(func::FuncOp function) {
  bool others = false;
  eraseAll(function, [&](Operation *op) {
    auto fill = ttkernel::asCall<ttkernel::FillTileOp>(op);
    bool needless = fill && isNeedless(fill);
    others |= fill && !needless;
    return needless;
  });
  if (!others)
    eraseAll(function,
             [](Operation *op) { return ttkernel::isCall<ttkernel::FillTileInitOp>(op); });
}

//===--------------------------------------------------------------------------===//
// Repeated barriers
//===--------------------------------------------------------------------------===//

static bool isBarrier(Operation *op) {
  return ttkernel::isCall<ttkernel::NocAsyncReadBarrierOp, ttkernel::NocAsyncReadBarrierWithTridOp,
                          ttkernel::NocAsyncWriteBarrierOp,
                          ttkernel::NocAsyncWriteBarrierWithTridOp>(op);
}

// Returns whether `first` waits for all that `second` waits for.
static bool covers(Operation *first, Operation *second) {
  using namespace ttkernel;
  if (declarationOf(first) == declarationOf(second))
    return first->getNumOperands() == 0 || first->getOperand(0) == second->getOperand(0);
  return (isCall<NocAsyncReadBarrierOp>(first) && isCall<NocAsyncReadBarrierWithTridOp>(second)) ||
         (isCall<NocAsyncWriteBarrierOp>(first) && isCall<NocAsyncWriteBarrierWithTridOp>(second));
}

// Returns whether a barrier before `op`, with no transfer in between, covers it.
static bool isRepeatedBarrier(Operation *op) {
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
    if (isBarrier(before) && covers(before, op))
      return true;
    if (!isBarrier(before) && !ttkernel::hasNoEffects(before))
      return false;
  }
  return false;
}

LogicalResult tometalium::simplify(func::FuncOp function) {
  if (failed(fold(function)))
    return failure();
  eraseNeedlessZeros(function);
  eraseAll(function, [](Operation *op) { return isBarrier(op) && isRepeatedBarrier(op); });
  moveAccumulationSwitches(function);
  return success();
}

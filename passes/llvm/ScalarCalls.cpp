//===- ScalarCalls.cpp - scalar arithmetic, assertions and checks -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Ops that may fault, or whose result LLVM leaves undefined for some operands. hw
// defines their results (CheckedInt.h, CompilerInt.h, ttl_hw_check_index), so the ops
// become calls of hw's functions, which are inlined later.
//===--------------------------------------------------------------------------===//

#include "passes/llvm/CallBuilder.h"

#include "hw/facts/FaultText.h"
#include "ir/TTL/DiscardableAttrs.h"
#include "ir/TTL/IndexUnits.h"
#include "ir/TTL/TTL.h"
#include "ir/TTLTest/TTLTest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit::tollvm;

namespace {

template <typename OpTy> class ScalarPattern : public OpConversionPattern<OpTy> {
public:
  ScalarPattern(const LLVMTypeConverter &types, CallBuilder &calls, PatternBenefit benefit = 1)
      : OpConversionPattern<OpTy>(types, &types.getContext(), benefit), calls(calls) {}

protected:
  CallBuilder &calls;
};

// `ttl.int_add` becomes ttl_jit_int_add(thread, lhs, rhs).
template <typename OpTy> struct IntCall : ScalarPattern<OpTy> {
  using ScalarPattern<OpTy>::ScalarPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    std::string callee = "ttl_jit_" + op->getName().stripDialect().str();
    auto call =
        this->calls.callAt(rewriter, op, callee, adaptor.getOperands(), rewriter.getI32Type());
    if (!call)
      return failure();
    rewriter.replaceOp(op, call.getResults());
    return success();
  }
};

// Returns 32 or 64; 0 for any other type, which the interpreter rejects, too.
unsigned widthOf(Value converted) {
  return converted.getType().isInteger(32) ? 32 : converted.getType().isInteger(64) ? 64 : 0;
}

// `arith.divsi` on 64 bits becomes ttl_jit_divsi_i64(thread, lhs, rhs, position),
// unless the divisor is a constant for which LLVM's division is defined.
template <typename OpTy> struct DivisionCall : ScalarPattern<OpTy> {
  using ScalarPattern<OpTy>::ScalarPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    APInt divisor;
    bool isConstant = matchPattern(op.getRhs(), m_ConstantInt(&divisor));
    unsigned width = widthOf(adaptor.getLhs());
    if (!width || (isConstant && !divisor.isZero() && !divisor.isAllOnes()))
      return failure();
    std::string callee =
        ("ttl_jit_" + op->getName().stripDialect() + "_i" + llvm::Twine(width)).str();
    auto call =
        this->calls.call(rewriter, op, callee,
                         {adaptor.getLhs(), adaptor.getRhs(), this->calls.position(rewriter, op)},
                         adaptor.getLhs().getType());
    if (!call)
      return failure();
    rewriter.replaceOp(op, call.getResults());
    return success();
  }
};

// A shift uses only the low bits of its count (hw::shiftCount).
template <typename OpTy, typename LLVMOpTy> struct MaskedShift : ScalarPattern<OpTy> {
  using ScalarPattern<OpTy>::ScalarPattern;

  LogicalResult matchAndRewrite(OpTy op, typename OpTy::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    unsigned width = widthOf(adaptor.getLhs());
    if (!width)
      return failure();
    Value mask = this->calls.constant(rewriter, op.getLoc(), width - 1, width);
    Value count = LLVM::AndOp::create(rewriter, op.getLoc(), adaptor.getRhs(), mask);
    rewriter.replaceOpWithNewOp<LLVMOpTy>(op, adaptor.getLhs(), count);
    return success();
  }
};

// `arith.fptosi` from f32 to i32 becomes ttl_jit_fptosi(thread, value).
struct ToIntCall : ScalarPattern<arith::FPToSIOp> {
  using ScalarPattern::ScalarPattern;

  LogicalResult matchAndRewrite(arith::FPToSIOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getIn().getType().isF32() || !op.getType().isInteger(32))
      return failure();
    auto call = calls.call(rewriter, op, "ttl_jit_fptosi", adaptor.getIn(), op.getType());
    if (!call)
      return failure();
    rewriter.replaceOp(op, call.getResults());
    return success();
  }
};

struct AssertCall : ScalarPattern<ttl::AssertOp> {
  using ScalarPattern::ScalarPattern;

  LogicalResult matchAndRewrite(ttl::AssertOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value holds =
        LLVM::ZExtOp::create(rewriter, loc, rewriter.getI32Type(), adaptor.getCondition());
    std::string kinds = op.getFaultMark();
    for (Value number : op.getArguments())
      kinds += ttl::getNumberKind(number.getType());
    Value message = calls.string(rewriter, loc, op.getMessage());
    Value numbers = calls.words(rewriter, op, adaptor.getArguments());
    if (!calls.callAt(rewriter, op, "ttl_jit_assert",
                      {holds, message, calls.string(rewriter, loc, kinds), numbers}))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

struct CheckIndexCall : ScalarPattern<ttl::CheckIndexOp> {
  using ScalarPattern::ScalarPattern;

  LogicalResult matchAndRewrite(ttl::CheckIndexOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value size = calls.constant(rewriter, loc, op.getSize(), 64);
    Value bound = calls.constant(rewriter, loc, op.getBound(), 64);
    Value dim = calls.constant(rewriter, loc, op.getDim());
    Value object = calls.string(rewriter, loc, ttl::describeIndexed(op));
    if (!calls.callAt(rewriter, op, "ttl_jit_check_index",
                      {adaptor.getIndex(), size, bound, dim, object}))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

// `ttltest.fault "segv"` becomes ttl_jit_fault_segv(thread).
struct FaultCall : ScalarPattern<ttltest::FaultOp> {
  using ScalarPattern::ScalarPattern;

  LogicalResult matchAndRewrite(ttltest::FaultOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    StringRef kind = op.getKind();
    if (!llvm::is_contained({"segv", "fpe", "stack_overflow"}, kind))
      return op.emitError("unknown fault '")
             << kind << "'; expected \"segv\", \"fpe\" or \"stack_overflow\"";
    if (!calls.callAt(rewriter, op, ("ttl_jit_fault_" + kind).str(), {}))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void ttjit::tollvm::populateScalarCalls(const LLVMTypeConverter &types, RewritePatternSet &patterns,
                                        CallBuilder &calls) {
  patterns
      .add<IntCall<ttl::IntAddOp>, IntCall<ttl::IntSubOp>, IntCall<ttl::IntMulOp>,
           IntCall<ttl::IntFloorDivOp>, IntCall<ttl::IntModOp>, IntCall<ttl::IntPowOp>,
           IntCall<ttl::IntNegOp>, IntCall<ttl::IntAbsOp>, AssertCall, CheckIndexCall, FaultCall>(
          types, calls);
  // A higher benefit than ArithToLLVM's patterns, which lower all other arith ops.
  constexpr unsigned kBenefit = 2;
  patterns.add<ToIntCall, DivisionCall<arith::DivSIOp>, DivisionCall<arith::DivUIOp>,
               DivisionCall<arith::RemSIOp>, DivisionCall<arith::RemUIOp>,
               MaskedShift<arith::ShLIOp, LLVM::ShlOp>, MaskedShift<arith::ShRSIOp, LLVM::AShrOp>,
               MaskedShift<arith::ShRUIOp, LLVM::LShrOp>>(types, calls, kBenefit);
}

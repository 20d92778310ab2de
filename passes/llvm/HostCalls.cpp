//===- HostCalls.cpp - prints, signposts, elements, functions of the host -----===//
// SPDX-License-Identifier: Apache-2.0
//
// Numbers go to the device as words on the thread's stack, with a letter each that says what
// they are: see ttl_hw_dprint.
//===--------------------------------------------------------------------------===//

#include "passes/llvm/CallBuilder.h"

#include "ir/TTKernel/TTKernel.h"
#include "ir/TTL/TTL.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit::tollvm;

namespace {

template <typename OpTy> class HostPattern : public OpConversionPattern<OpTy> {
public:
  HostPattern(const LLVMTypeConverter &types, CallBuilder &calls)
      : OpConversionPattern<OpTy>(types, &types.getContext()), calls(calls) {}

protected:
  // Replaces an op without results by a call that returns a Status.
  LogicalResult replace(OpTy op, llvm::StringRef callee, ValueRange arguments,
                        ConversionPatternRewriter &rewriter) const {
    if (failed(calls.checkedCallAt(rewriter, op, callee, arguments)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
  Value number(OpTy op, int64_t value, ConversionPatternRewriter &rewriter) const {
    return calls.constant(rewriter, op.getLoc(), value);
  }
  Value text(OpTy op, llvm::StringRef value, ConversionPatternRewriter &rewriter) const {
    return calls.string(rewriter, op.getLoc(), value);
  }

  CallBuilder &calls;
};

struct Print : HostPattern<ttkernel::DPrintOp> {
  using HostPattern::HostPattern;

  LogicalResult matchAndRewrite(ttkernel::DPrintOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    std::string kinds;
    for (Value argument : op.getArguments())
      kinds += ttl::getNumberKind(argument.getType());
    return replace(op, "ttl_hw_dprint",
                   {text(op, op.getFormat(), rewriter), text(op, kinds, rewriter),
                    calls.words(rewriter, op, adaptor.getArguments())},
                   rewriter);
  }
};

struct PrintBlock : HostPattern<ttkernel::DPrintBlockOp> {
  using HostPattern::HostPattern;

  LogicalResult matchAndRewrite(ttkernel::DPrintBlockOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    return replace(op, "ttl_hw_dprint_block",
                   {adaptor.getCb(), adaptor.getPage(), number(op, op.getReserved(), rewriter)},
                   rewriter);
  }
};

struct PrintBuffer : HostPattern<ttkernel::DPrintBufferOp> {
  using HostPattern::HostPattern;

  LogicalResult matchAndRewrite(ttkernel::DPrintBufferOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    return replace(op, "ttl_hw_dprint_buffer", adaptor.getCb(), rewriter);
  }
};

struct PrintTensor : HostPattern<ttkernel::DPrintTensorOp> {
  using HostPattern::HostPattern;

  LogicalResult matchAndRewrite(ttkernel::DPrintTensorOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(op.getTensorType());
    if (!type)
      return op->emitError("tensor_type must be a ranked tensor");
    ttl::PrintedTensor tensor = ttl::getPrintedTensor(type);
    return replace(op, "ttl_hw_dprint_tensor",
                   {adaptor.getAccessor(), number(op, op.getNumPages(), rewriter),
                    text(op, tensor.heading, rewriter),
                    number(op, static_cast<int64_t>(tensor.format), rewriter),
                    number(op, tensor.columns, rewriter)},
                   rewriter);
  }
};

struct Signpost : HostPattern<ttkernel::SignpostOp> {
  using HostPattern::HostPattern;

  LogicalResult matchAndRewrite(ttkernel::SignpostOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    return replace(op, "ttl_hw_signpost",
                   {number(op, static_cast<int64_t>(op.getKind()), rewriter),
                    text(op, op.getName(), rewriter)},
                   rewriter);
  }
};

int64_t formatNumber(Type format) {
  return static_cast<int64_t>(ttcore::getDataFormat(*ttcore::getDataTypeOf(format)));
}

struct LoadElement : HostPattern<ttkernel::LoadElementOp> {
  using HostPattern::HostPattern;

  LogicalResult matchAndRewrite(ttkernel::LoadElementOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto call =
        calls.callAt(rewriter, op, "ttl_jit_load_element",
                     {adaptor.getAddress(), number(op, formatNumber(op.getFormat()), rewriter)},
                     rewriter.getF32Type());
    if (!call)
      return failure();
    rewriter.replaceOp(op, call.getResults());
    return success();
  }
};

struct StoreElement : HostPattern<ttkernel::StoreElementOp> {
  using HostPattern::HostPattern;

  LogicalResult matchAndRewrite(ttkernel::StoreElementOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    return replace(op, "ttl_hw_store_element",
                   {adaptor.getAddress(), number(op, formatNumber(op.getFormat()), rewriter),
                    adaptor.getValue()},
                   rewriter);
  }
};

struct CallHost : HostPattern<ttkernel::CallHostOp> {
  using HostPattern::HostPattern;

  LogicalResult matchAndRewrite(ttkernel::CallHostOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value result = op.getResult();
    char kind = result ? ttl::getNumberKind(result.getType()) : 0;
    Value place = calls.stackWords(rewriter, op, 1);
    Value name = text(op, ttkernel::getHostName(op.getFunction(), op.getLibrary()), rewriter);
    if (failed(calls.checkedCallAt(rewriter, op, "ttl_hw_call_host",
                                   {name, text(op, op.getSignature(), rewriter),
                                    calls.words(rewriter, op, adaptor.getArguments()),
                                    number(op, kind, rewriter), place})))
      return failure();
    if (!result) {
      rewriter.eraseOp(op);
      return success();
    }
    bool isFloat = result.getType().isF32();
    Type type = isFloat ? Type(rewriter.getF32Type()) : Type(rewriter.getI32Type());
    Value value = LLVM::LoadOp::create(rewriter, op.getLoc(), type, place);
    if (result.getType().isInteger(1))
      value = LLVM::TruncOp::create(rewriter, op.getLoc(), result.getType(), value);
    rewriter.replaceOp(op, value);
    return success();
  }
};

} // namespace

void ttjit::tollvm::populateHostCalls(const LLVMTypeConverter &types, RewritePatternSet &patterns,
                                      CallBuilder &calls) {
  patterns.add<Print, PrintBlock, PrintBuffer, PrintTensor, Signpost, LoadElement, StoreElement,
               CallHost>(types, calls);
}

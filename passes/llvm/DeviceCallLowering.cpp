//===- DeviceCallLowering.cpp - lowers ttkernel ops to kernel API calls -------===//
// SPDX-License-Identifier: Apache-2.0
//
// `ttkernel.NAME` has the name and the operand order of `ttl_hw_NAME`, so one pattern lowers
// nearly all ops. If the op has no result, the call returns a Status.
//===--------------------------------------------------------------------------===//

#include "passes/llvm/CallBuilder.h"

#include "hw/facts/ReduceKind.h"
#include "hw/facts/TileOps.h"
#include "ir/TTKernel/TTKernelResetOps.h"
#include "ir/TTL/TTL.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit::tollvm;

int ttjit::tollvm::reduceKind(ttkernel::ReduceTileOp op) {
  return ttjit::hw::ReduceKind{static_cast<ttjit::hw::Pool>(op.getReduceType()),
                               static_cast<ttjit::hw::TileDims>(op.getReduceDim())}
      .number();
}

namespace {

// Base of patterns that match the op called `name` and build calls.
class DevicePattern : public ConversionPattern {
public:
  DevicePattern(const LLVMTypeConverter &types, StringRef name, CallBuilder &calls)
      : ConversionPattern(types, name, /*benefit=*/1, &types.getContext()), calls(calls) {}

protected:
  CallBuilder &calls;
};

struct DeviceCall : DevicePattern {
  using DevicePattern::DevicePattern;

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    std::string callee = "ttl_hw_" + op->getName().stripDialect().rtrim('_').str();
    if (op->getNumResults() == 0) {
      if (failed(calls.checkedCallAt(rewriter, op, callee, operands)))
        return failure();
      rewriter.eraseOp(op);
      return success();
    }
    Type type = getTypeConverter()->convertType(op->getResult(0).getType());
    auto call = calls.callAt(rewriter, op, callee, operands, type);
    if (!call)
      return failure();
    rewriter.replaceOp(op, call.getResults());
    return success();
  }
};

// Coordinates have type `index` in the IR and int32_t on the device.
struct CoordinateCall : DevicePattern {
  using DevicePattern::DevicePattern;

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    std::string callee = "ttl_hw_" + op->getName().stripDialect().rtrim('_').str();
    auto call = calls.callAt(rewriter, op, callee, operands, rewriter.getI32Type());
    if (!call)
      return failure();
    Type type = getTypeConverter()->convertType(op->getResult(0).getType());
    rewriter.replaceOpWithNewOp<LLVM::SExtOp>(op, type, call.getResult());
    return success();
  }
};

// Returns the name of hw's function for the rows of a kind.
static const char *calleeOf(ttjit::hw::TileOpKind kind) {
  using enum ttjit::hw::TileOpKind;
  switch (kind) {
  case Unary:
    return "ttl_hw_sfpu_unary";
  case UnaryParam:
    return "ttl_hw_sfpu_unary_param";
  case UnaryInt:
    return "ttl_hw_sfpu_unary_int";
  case Binary:
    return "ttl_hw_sfpu_binary";
  case Ternary:
    return "ttl_hw_sfpu_ternary";
  case Mask:
    return "ttl_hw_sfpu_mask";
  }
  llvm_unreachable("unknown kind");
}

// An op of a row of hw/facts/TileOps.def calls the JIT's function for that row or, with
// kOutOfLineAttr, hw's function for all rows of a kind.
struct TileCall : DevicePattern {
  using DevicePattern::DevicePattern;

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    const auto &row = ttjit::hw::factsOf(cast<ttcore::TileOpInterface>(op).getTileOp());
    LogicalResult called =
        op->hasAttr(kOutOfLineAttr)
            ? callOutOfLine(op, row, operands, rewriter)
            : calls.checkedCallAt(rewriter, op, std::string("ttl_jit_tile_") + row.name, operands);
    if (failed(called))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }

private:
  // Calls hw's function, which takes the row first, and always three fp32 parameters.
  LogicalResult callOutOfLine(Operation *op, const ttjit::hw::TileOpFacts &row,
                              ArrayRef<Value> operands, OpBuilder &builder) const {
    SmallVector<Value> arguments = {
        calls.constant(builder, op->getLoc(), static_cast<int>(row.op))};
    llvm::append_range(arguments, operands);
    while (row.kind == ttjit::hw::TileOpKind::UnaryParam && arguments.size() < 5)
      arguments.push_back(LLVM::ConstantOp::create(builder, op->getLoc(), builder.getF32Type(),
                                                   builder.getF32FloatAttr(0)));
    return calls.checkedCallAt(builder, op, calleeOf(row.kind), arguments);
  }
};

// The op's attributes become one additional number argument of the call.
template <typename OpTy, int (*number)(OpTy)> struct NumberedCall : DevicePattern {
  using DevicePattern::DevicePattern;

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Value> arguments(operands);
    arguments.push_back(calls.constant(rewriter, op->getLoc(), number(cast<OpTy>(op))));
    std::string callee = "ttl_hw_" + op->getName().stripDialect().str();
    if (failed(calls.checkedCallAt(rewriter, op, callee, arguments)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

int bcastDims(ttkernel::UnaryBcastOp op) {
  return static_cast<int>(ttkernel::filledDims(op.getBcastType()));
}

// copy_tile and pack_tile pass the data format of the buffer's type. Out of line they do not:
// hw's functions take it from the buffer.
template <typename OpTy> struct FormatCall : DevicePattern {
  using DevicePattern::DevicePattern;

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    std::string name = op->getName().stripDialect().str();
    SmallVector<Value> arguments(operands);
    bool isOutOfLine = op->hasAttr(kOutOfLineAttr);
    if (!isOutOfLine)
      arguments.push_back(formatOf(cast<OpTy>(op), rewriter));
    std::string callee = (isOutOfLine ? "ttl_hw_" : "ttl_jit_") + name;
    if (failed(calls.checkedCallAt(rewriter, op, callee, arguments)))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }

private:
  Value formatOf(OpTy op, OpBuilder &builder) const {
    auto buffer = cast<ttkernel::CBType>(op.getCb().getType());
    auto tile = dyn_cast<ttcore::TileType>(buffer.getElementType());
    auto format = tile ? ttcore::getDataFormat(tile.getDataType()) : ttjit::hw::DataFormat::Invalid;
    return calls.constant(builder, op.getLoc(), static_cast<int>(format));
  }
};

// Ops that initialise the hardware are erased: the host needs no configuration.
struct InitErasure : DevicePattern {
  using DevicePattern::DevicePattern;

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value>,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

// A compile-time argument becomes the index of its buffer.
struct BufferIndex : DevicePattern {
  using DevicePattern::DevicePattern;

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value>,
                                ConversionPatternRewriter &rewriter) const override {
    auto argument = cast<ttkernel::GetCompileTimeArgValOp>(op);
    if (!isa<ttkernel::CBType>(argument.getType()))
      return op->emitError("compile-time arguments other than buffers have no value on the host");
    rewriter.replaceOp(op, calls.constant(rewriter, op->getLoc(), argument.getIndex()));
    return success();
  }
};

// On the host, AccessorArgs becomes the kind of memory that holds the tensor.
struct AccessorArgs : DevicePattern {
  using DevicePattern::DevicePattern;

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value>,
                                ConversionPatternRewriter &rewriter) const override {
    auto args = cast<ttkernel::TensorAccessorArgsOp>(op);
    auto type = dyn_cast<RankedTensorType>(args.getTensorType());
    auto encoding = type ? dyn_cast_or_null<ttl::TensorEncodingAttr>(type.getEncoding()) : nullptr;
    if (!encoding)
      return op->emitError(
          "tensor_type must have a #ttl.tensor_encoding, which names the tensor's memory space");
    bool inL1 = encoding.getMemorySpace() == ttcore::MemorySpace::DeviceL1;
    rewriter.replaceOp(op, calls.constant(rewriter, op->getLoc(), inL1));
    return success();
  }
};

// The helper returns the accessor itself; it leaves the thread if there is no such
// tensor.
struct Accessor : DevicePattern {
  using DevicePattern::DevicePattern;

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    Value args = operands[0], base = operands[1], pageBytes = operands[2];
    Type pointer = LLVM::LLVMPointerType::get(rewriter.getContext());
    auto call =
        calls.callAt(rewriter, op, "ttl_jit_tensor_accessor", {base, pageBytes, args}, pointer);
    if (!call)
      return failure();
    rewriter.replaceOp(op, call.getResults());
    return success();
  }
};

// The addresses and the values go to the device as words on the thread's stack.
struct WaitAny : OpConversionPattern<ttkernel::SemaphoreWaitAnyOp> {
  WaitAny(const LLVMTypeConverter &types, CallBuilder &calls)
      : OpConversionPattern(types, &types.getContext()), calls(calls) {}

  LogicalResult matchAndRewrite(ttkernel::SemaphoreWaitAnyOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto count = static_cast<int64_t>(op.getAddresses().size());
    Value place = calls.stackWords(rewriter, op, 1);
    if (failed(calls.checkedCallAt(rewriter, op, "ttl_hw_semaphore_wait_any",
                                   {calls.words(rewriter, op, adaptor.getAddresses()),
                                    calls.words(rewriter, op, adaptor.getValues()),
                                    calls.constant(rewriter, op.getLoc(), count),
                                    adaptor.getStart(), place})))
      return failure();
    rewriter.replaceOpWithNewOp<LLVM::LoadOp>(op, rewriter.getI32Type(), place);
    return success();
  }

  CallBuilder &calls;
};

// The buffers go to the device as two words of bits.
struct BufferReset : OpConversionPattern<ttkernel::CBResetOp> {
  BufferReset(const LLVMTypeConverter &types, CallBuilder &calls)
      : OpConversionPattern(types, &types.getContext()), calls(calls) {}

  LogicalResult matchAndRewrite(ttkernel::CBResetOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    uint64_t mask = 0;
    for (Value buffer : adaptor.getBuffers()) {
      APInt index;
      if (!matchPattern(buffer, m_ConstantInt(&index)))
        return op.emitError("the buffers of a reset must be compile-time arguments");
      mask |= uint64_t{1} << (index.getZExtValue() & 63);
    }
    auto number = [&](uint64_t value) {
      return calls.constant(rewriter, op.getLoc(), static_cast<int32_t>(value));
    };
    if (failed(calls.checkedCallAt(rewriter, op, "ttl_hw_cb_reset",
                                   {number(op.getReset()), number(mask), number(mask >> 32)})))
      return failure();
    rewriter.eraseOp(op);
    return success();
  }

  CallBuilder &calls;
};

template <typename... Ops>
void addDeviceCalls(const LLVMTypeConverter &types, RewritePatternSet &patterns,
                    CallBuilder &calls) {
  (patterns.add<DeviceCall>(types, Ops::getOperationName(), calls), ...);
}

// Adds patterns for tile operations and inits, which are found by interface and trait.
void addByKind(const LLVMTypeConverter &types, RewritePatternSet &patterns, CallBuilder &calls) {
  for (RegisteredOperationName name : types.getContext().getRegisteredOperations()) {
    if (name.getDialectNamespace() != ttkernel::TTKernelDialect::getDialectNamespace())
      continue;
    if (name.hasTrait<ttkernel::IsInit>())
      patterns.add<InitErasure>(types, name.getStringRef(), calls);
    else if (name.hasInterface<ttcore::TileOpInterface>())
      patterns.add<TileCall>(types, name.getStringRef(), calls);
  }
}

} // namespace

void ttjit::tollvm::populateDeviceCalls(const LLVMTypeConverter &types, RewritePatternSet &patterns,
                                        CallBuilder &calls) {
  using namespace ttkernel;
  addDeviceCalls<
      GetArgValOp, GetCommonArgValOp, CBReserveBackOp, CBPushBackOp, CBWaitFrontOp, CBPopFrontOp,
      CBPublishOp, GetWritePtrOp, GetReadPtrOp, NocAsyncReadPageOp, NocAsyncWritePageOp,
      NocAsyncReadPagesOp, NocAsyncWritePagesOp, NocAsyncReadRowOp, NocAsyncWriteRowOp,
      NocAsyncReadSetTridOp, NocAsyncWriteSetTridOp, NocAsyncReadBarrierWithTridOp,
      NocAsyncWriteBarrierWithTridOp, NocAsyncReadBarrierOp, NocAsyncWriteBarrierOp,
      NocAsyncWritesFlushedOp, TileRegsAcquireOp, TileRegsCommitOp, TileRegsWaitOp,
      TileRegsReleaseOp, ConvertLogicalXOp, ConvertLogicalYOp, GetNocAddrOp, GetNocMulticastAddrOp,
      NocAsyncReadOp, NocAsyncWriteOp, NocAsyncWriteMulticastOp,
      NocAsyncWriteMulticastLoopbackSrcOp, GetSemaphoreOp, LoadFromL1Op, NocSemaphoreSetOp,
      NocSemaphoreWaitOp, NocSemaphoreWaitMinOp, NocSemaphoreIncOp, NocSemaphoreSetRemoteOp,
      NocSemaphoreSetMulticastOp, NocSemaphoreSetMulticastLoopbackSrcOp, NocAsyncAtomicBarrierOp,
      PackReconfigL1AccOp, CopyDestValuesOp, FillTileOp, MatmulTilesOp, TransposeWHTileOp,
      AddTilesOp, SubTilesOp, MulTilesOp, PackTileBlockOp>(types, patterns, calls);
  patterns.add<NumberedCall<ReduceTileOp, reduceKind>>(types, ReduceTileOp::getOperationName(),
                                                       calls);
  patterns.add<NumberedCall<UnaryBcastOp, bcastDims>>(types, UnaryBcastOp::getOperationName(),
                                                      calls);
  patterns.add<WaitAny>(types, calls);
  patterns.add<BufferReset>(types, calls);
  patterns.add<FormatCall<CopyTileOp>>(types, CopyTileOp::getOperationName(), calls);
  patterns.add<FormatCall<PackTileOp>>(types, PackTileOp::getOperationName(), calls);
  patterns.add<CoordinateCall>(types, MyLogicalXOp::getOperationName(), calls);
  patterns.add<CoordinateCall>(types, MyLogicalYOp::getOperationName(), calls);
  patterns.add<BufferIndex>(types, GetCompileTimeArgValOp::getOperationName(), calls);
  patterns.add<AccessorArgs>(types, TensorAccessorArgsOp::getOperationName(), calls);
  patterns.add<Accessor>(types, TensorAccessorOp::getOperationName(), calls);
  addByKind(types, patterns, calls);
}

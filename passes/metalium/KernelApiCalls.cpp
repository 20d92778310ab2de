//===- KernelApiCalls.cpp - rules of kernel API calls -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/metalium/EmitRules.h"
#include "passes/metalium/Fabric.h"
#include "passes/metalium/IntegerReductions.h"
#include "passes/metalium/ThreadConverter.h"
#include "passes/ttkernel/DefaultVariants.h"

#include "hw/facts/TileOps.h"
#include "ir/TTKernel/DeviceCalls.h"
#include "ir/TTL/TTL.h"

#include "mlir/IR/Matchers.h"

#include <map>

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;

static std::string sourceNameOr(Operation *op, StringRef otherwise) {
  std::string name = userName(op->getLoc());
  return name.empty() ? otherwise.str() : name;
}

static Type addressType(ThreadConverter &converter) {
  return converter.builder.getIntegerType(32, /*isSigned=*/false);
}

//===--------------------------------------------------------------------------===//
// Compile-time arguments
//===--------------------------------------------------------------------------===//

static std::string bufferName(ttkernel::CallOf<ttkernel::GetCompileTimeArgValOp> op,
                              const ThreadNames &names) {
  auto known = names.buffers.find(op.getIndex());
  return known != names.buffers.end() ? known->second
                                      : sourceNameOr(op, "cb" + std::to_string(op.getIndex()));
}

static void emitBuffers(func::FuncOp source, ThreadConverter &converter) {
  using Argument = ttkernel::CallOf<ttkernel::GetCompileTimeArgValOp>;
  std::map<uint32_t, SmallVector<Argument>> byIndex;
  source.walk([&](Operation *op) {
    if (auto argument = ttkernel::asCall<ttkernel::GetCompileTimeArgValOp>(op);
        argument && !op->use_empty())
      byIndex[argument.getIndex()].push_back(argument);
  });
  for (auto &[index, ops] : byIndex) {
    Argument first = ops.front();
    auto call = converter.call(
        first, "get_compile_time_arg_val", converter.constant(index, positionOf(first.getLoc())),
        converter.convertType(ttkernel::typeOf(first)), bufferName(first, converter.names));
    for (Argument op : ops)
      converter.map(op, call.getResult(0));
  }
}

static bool isInterleaved(ttkernel::CallOf<ttkernel::TensorAccessorArgsOp> op) {
  auto type = dyn_cast<RankedTensorType>(op.getTensorType());
  auto encoding = type ? dyn_cast_or_null<ttl::TensorEncodingAttr>(type.getEncoding()) : nullptr;
  return !encoding ||
         encoding.getLayout().getMemoryLayout() == ttcore::TensorMemoryLayout::Interleaved;
}

// The first layout begins after the buffers' ids. The number of words of a layout depends on
// tt-metal's version, so each further layout begins where the previous one ends. Only
// sharded layouts have words among the run-time arguments.
static SmallVector<Attribute> layoutOffsets(ttkernel::CallOf<ttkernel::TensorAccessorArgsOp> op,
                                            bool first, ThreadConverter &converter) {
  OpBuilder &builder = converter.builder;
  auto opaque = [&](StringRef text) { return emitc::OpaqueAttr::get(builder.getContext(), text); };
  SmallVector<Attribute> offsets;
  offsets.push_back(
      first ? Attribute(builder.getI32IntegerAttr(op.getCtaOffset() + converter.names.extraIds))
            : opaque("{}.next_compile_time_args_offset()"));
  if (!isInterleaved(op))
    offsets.push_back(first ? Attribute(builder.getI32IntegerAttr(op.getCrtaOffset()))
                            : opaque("{}.next_common_runtime_args_offset()"));
  return offsets;
}

static void emitLayouts(func::FuncOp source, ThreadConverter &converter) {
  using Layout = ttkernel::CallOf<ttkernel::TensorAccessorArgsOp>;
  std::map<uint32_t, SmallVector<Layout>> byOffset;
  source.walk([&](Operation *op) {
    if (auto layout = ttkernel::asCall<ttkernel::TensorAccessorArgsOp>(op))
      byOffset[layout.getCtaOffset()].push_back(layout);
  });
  bool onePerTensor = byOffset.size() == converter.names.tensors.size();
  Value previous;
  size_t number = 0;
  for (auto &[offset, ops] : byOffset) {
    Layout first = ops.front();
    std::string tensor = sourceNameOr(first, onePerTensor ? converter.names.tensors[number]
                                                          : "tensor" + std::to_string(number));
    SmallVector<Value, 1> operands;
    if (previous)
      operands.push_back(previous);
    auto call = converter.call(first, "TensorAccessorArgs", operands,
                               converter.convertType(ttkernel::typeOf(first)), tensor + "_args",
                               layoutOffsets(first, !previous, converter));
    previous = call.getResult(0);
    for (Layout op : ops)
      converter.map(op, previous);
    ++number;
  }
}

// Emits buffers and accessor layouts in the order of the compile-time arguments. Equal
// ones become one variable.
static void emitCompileTimeArguments(func::FuncOp source, ThreadConverter &converter) {
  emitBuffers(source, converter);
  emitLayouts(source, converter);
  emitRowBuffer(source, converter);
}

// Emits nothing for an op that emitCompileTimeArguments has emitted.
static LogicalResult isInPrologue(Operation *, ThreadConverter &) { return success(); }

//===--------------------------------------------------------------------------===//
// Run-time arguments and identity
//===--------------------------------------------------------------------------===//

static LogicalResult emitTyped(Operation *op, ThreadConverter &converter, StringRef callee,
                               ValueRange operands, Type type, StringRef name,
                               ArrayRef<Attribute> templateArgs = {}) {
  auto call = converter.call(op, callee, operands, type, name, templateArgs);
  converter.map(op->getResult(0), call.getResult(0));
  return success();
}

// Emits a common argument: the addresses of the tensors come first, then numbers.
static LogicalResult commonArg(ttkernel::CallOf<ttkernel::GetCommonArgValOp> op,
                               ThreadConverter &converter) {
  APInt index;
  bool isKnown = matchPattern(op.getIndex(), m_ConstantInt(&index));
  size_t number = isKnown ? index.getZExtValue() : 0;
  ArrayRef<std::string> tensors = converter.names.tensors;
  std::string name = isKnown ? "tensor" + std::to_string(number) : "tensor";
  if (number < tensors.size())
    name = tensors[number];
  Type type = addressType(converter);
  TypeAttr argument = TypeAttr::get(type);
  bool isNumber = isKnown && converter.names.areTensorsKnown && number >= tensors.size();
  return emitTyped(op, converter, "get_common_arg_val", converter.lookup(op->getOperands()),
                   isNumber ? converter.builder.getI32Type() : type,
                   isNumber ? sourceNameOr(op, "number") : sourceNameOr(op, name) + "_addr",
                   argument);
}

static LogicalResult nodeArg(ttkernel::CallOf<ttkernel::GetArgValOp> op,
                             ThreadConverter &converter) {
  return emitTyped(op, converter, "get_arg_val", converter.lookup(op->getOperands()),
                   converter.builder.getI32Type(), sourceNameOr(op, "arg"),
                   TypeAttr::get(addressType(converter)));
}

static LogicalResult logicalX(ttkernel::CallOf<ttkernel::MyLogicalXOp> op,
                              ThreadConverter &converter) {
  if (converter.names.mesh)
    return emitColumn(op, converter);
  return emitTyped(op, converter, "get_absolute_logical_x", {}, converter.builder.getI32Type(),
                   sourceNameOr(op, "core_x"));
}

static LogicalResult logicalY(ttkernel::CallOf<ttkernel::MyLogicalYOp> op,
                              ThreadConverter &converter) {
  return emitTyped(op, converter, "get_absolute_logical_y", {}, converter.builder.getI32Type(),
                   sourceNameOr(op, "core_y"));
}

//===--------------------------------------------------------------------------===//
// Buffers, accessors, tiles
//===--------------------------------------------------------------------------===//

static LogicalResult bufferPointer(Operation *op, ThreadConverter &converter) {
  Value buffer = converter.lookup(op->getOperand(0));
  return emitTyped(op, converter, ttkernel::calleeOf(op), buffer, addressType(converter),
                   sourceNameOr(op, wantedName(buffer)) + "_ptr");
}

// Publishes a buffer. Its contents are already there, so the two calls only count pages.
static LogicalResult publish(ttkernel::CallOf<ttkernel::CBPublishOp> op,
                             ThreadConverter &converter) {
  for (StringRef callee : {"cb_reserve_back", "cb_push_back"})
    converter.call(op, callee, converter.lookup(op->getOperands()), Type(), "");
  return success();
}

static LogicalResult accessor(ttkernel::CallOf<ttkernel::TensorAccessorOp> op,
                              ThreadConverter &converter) {
  StringRef layout = wantedName(converter.lookup(op.getArgs()));
  layout.consume_back("_args");
  return emitTyped(op, converter, "TensorAccessor", converter.lookup(op->getOperands()),
                   converter.convertType(ttkernel::typeOf(op)),
                   sourceNameOr(op, layout) + "_accessor");
}

// Emits pack_tile with its template argument: without it tt-metal ignores the index.
static LogicalResult packTile(ttkernel::CallOf<ttkernel::PackTileOp> op,
                              ThreadConverter &converter) {
  if (failed(checkPackedFormats(op)))
    return failure();
  converter.call(op, "pack_tile", converter.lookup(op->getOperands()), Type(), "",
                 converter.builder.getBoolAttr(true));
  return success();
}

static LogicalResult packTileBlock(ttkernel::CallOf<ttkernel::PackTileBlockOp> op,
                                   ThreadConverter &converter) {
  if (failed(checkPackedFormats(op)))
    return failure();
  converter.call(op, "pack_tile_block", converter.lookup(op->getOperands()), Type(), "");
  return success();
}

//===--------------------------------------------------------------------------===//
// Compute: attributes become template arguments
//
// A reduction into registers of 32 bits sums in 32 bits only if it asks for that.
//===--------------------------------------------------------------------------===//

Attribute tometalium::opaque(ThreadConverter &converter, const Twine &text) {
  return emitc::OpaqueAttr::get(converter.builder.getContext(), text.str());
}

template <typename OpTy>
static LogicalResult reduction(ttkernel::CallOf<OpTy> op, ThreadConverter &converter) {
  if (std::optional<LogicalResult> ofIntegers = emitIntegerReduction(op, converter))
    return *ofIntegers;
  bool isSum = op.getReduceType() == ttkernel::ReduceType::Sum;
  StringRef dim = op.getReduceDim() == ttkernel::ReduceDim::Row   ? "ROW"
                  : op.getReduceDim() == ttkernel::ReduceDim::Col ? "COL"
                                                                  : "SCALAR";
  SmallVector<Attribute> templateArgs{opaque(converter, isSum ? "PoolType::SUM" : "PoolType::MAX"),
                                      opaque(converter, "ReduceDim::REDUCE_" + dim)};
  if (converter.names.fp32Dest)
    templateArgs.push_back(converter.builder.getBoolAttr(true));
  converter.call(op, ttkernel::calleeOf(op), converter.lookup(op->getOperands()), Type(), "",
                 templateArgs);
  return success();
}

static LogicalResult reduceUninit(ttkernel::CallOf<ttkernel::ReduceUninitOp> op,
                                  ThreadConverter &converter) {
  if (endsIntegerReduction(op))
    return success();
  SmallVector<Attribute, 1> templateArgs;
  if (converter.names.fp32Dest)
    templateArgs.push_back(converter.builder.getBoolAttr(true));
  converter.call(op, "reduce_uninit", {}, Type(), "", templateArgs);
  return success();
}

template <typename OpTy>
static LogicalResult broadcast(ttkernel::CallOf<OpTy> op, ThreadConverter &converter) {
  std::string type = ttkernel::stringifyBcastType(op.getBcastType()).upper();
  converter.call(op, ttkernel::calleeOf(op), converter.lookup(op->getOperands()), Type(), "",
                 opaque(converter, "BroadcastType::" + type));
  return success();
}

// Returns template arguments of functions that approximate by default, and of functions that need
// the width of DST's values.
static SmallVector<Attribute, 1> rowTemplateArgs(Operation *op, hw::TileOp row,
                                                 ThreadConverter &converter) {
  switch (row) {
  case hw::TileOp::ExpApprox:
    return {converter.builder.getBoolAttr(true)};
  case hw::TileOp::Erf:
  case hw::TileOp::Erfc:
  case hw::TileOp::Gelu:
    if (op->getParentOfType<ModuleOp>()->hasAttr(kDefaultVariantsAttr))
      return {};
    return {converter.builder.getBoolAttr(false)};
  case hw::TileOp::Where:
    if (ttkernel::isInit(op))
      return {};
    return {opaque(converter,
                   converter.names.fp32Dest ? "DataFormat::Float32" : "DataFormat::Float16_b")};
  default:
    return {};
  }
}

//===--------------------------------------------------------------------------===//
// Masks
//===--------------------------------------------------------------------------===//

// Returns whether an op after `op`, in its section, may read the register.
static bool isReadLater(Operation *op, Value mask) {
  APInt number;
  if (!matchPattern(mask, m_ConstantInt(&number)))
    return true;
  for (Operation *next = op->getNextNode(); next; next = next->getNextNode()) {
    if (ttkernel::isCall<ttkernel::TileRegsCommitOp>(next))
      return false;
    for (Value operand : next->getOperands()) {
      APInt other;
      if (operand.getType().isInteger(32) && matchPattern(operand, m_ConstantInt(&other)) &&
          other == number)
        return true;
    }
  }
  return true;
}

// The card's function applies where the mask is 0, the language's where it is 1. So the mask is
// replaced by `mask != 1`. If the mask is read later, the same call turns 0 and 1 back.
// The format stays the default: it is that of the registers, and with Float32 the function
// does nothing.
static LogicalResult emitMask(Operation *op, hw::TileOp row, ThreadConverter &converter) {
  if (ttkernel::isInit(op))
    return success(); // mask_tile_init comes below, after the comparison
  Value mask = converter.lookup(op->getOperand(1));
  auto invert = [&] {
    Value one = emitc::LiteralOp::create(converter.builder, positionOf(op->getLoc()),
                                         addressType(converter), "0x3f800000u");
    converter.call(op, "unary_ne_tile_init", {}, Type(), "");
    converter.call(op, "unary_ne_tile", {mask, one}, Type(), "");
  };
  invert();
  converter.call(op, "mask_tile_init", {}, Type(), "");
  converter.call(op, hw::factsOf(row).call, converter.lookup(op->getOperands()), Type(), "");
  if (isReadLater(op, op->getOperand(1)))
    invert();
  return success();
}

// Returns the bits of a float, without a call if the float was made from its bits.
static Value bitsOf(Operation *op, Value value, ThreadConverter &converter) {
  auto call = value.getDefiningOp<emitc::CallOpaqueOp>();
  if (call && call.getCallee() == "ttl_float")
    return call.getOperand(0);
  return converter.call(op, "ttl_bits", value, addressType(converter), "").getResult(0);
}

static LogicalResult emitRow(Operation *op, ThreadConverter &converter) {
  hw::TileOp row = *ttkernel::rowOf(op);
  if (row == hw::TileOp::ToFloat16)
    return op->emitError() << "rounding a value to float16 runs on the host only: it "
                              "cannot be emitted as C++; leave out the typecast, or, if a reserved "
                              "block is read after a store in another branch or iteration, make "
                              "its buffer of float32 or keep the value in a variable";
  if (hw::movesIntegers(row))
    return emitIntegerRow(op, row, converter);
  if (row == hw::TileOp::Mask || row == hw::TileOp::MaskPosinf)
    return emitMask(op, row, converter);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    Value value = converter.lookup(operand);
    if (operand.getType().isF32())
      value = bitsOf(op, value, converter);
    operands.push_back(value);
  }
  bool isInit = ttkernel::isInit(op);
  StringRef name = ttkernel::calleeOf(op);
  if (row == hw::TileOp::ExpApprox)
    name = isInit ? "exp_tile_init" : "exp_tile";
  converter.call(op, name, operands, Type(), "", rowTemplateArgs(op, row, converter));
  return success();
}

void tometalium::addKernelApiRules(EmitRules &rules) {
  using namespace mlir::tt::ttkernel;
  rules.prologue = [](func::FuncOp source, ThreadConverter &converter) {
    emitCompileTimeArguments(source, converter);
    openFabric(source, converter);
  };
  rules.epilogue = closeFabric;
  rules.tileRow = emitRow;
  rules.add<GetCompileTimeArgValOp>(isInPrologue);
  rules.add<TensorAccessorArgsOp>(isInPrologue);
  rules.addCall<GetCommonArgValOp, commonArg>();
  rules.addCall<GetArgValOp, nodeArg>();
  rules.addCall<MyLogicalXOp, logicalX>();
  rules.addCall<MyLogicalYOp, logicalY>();
  rules.addCall<CBPublishOp, publish>();
  rules.add<GetWritePtrOp>(bufferPointer);
  rules.add<GetReadPtrOp>(bufferPointer);
  rules.addCall<TensorAccessorOp, accessor>();
  rules.addCall<PackTileOp, packTile>();
  rules.addCall<PackTileBlockOp, packTileBlock>();
  rules.addCall<ReduceInitOp, reduction>();
  rules.addCall<ReduceTileOp, reduction>();
  rules.addCall<ReduceUninitOp, reduceUninit>();
  rules.addCall<UnaryBcastInitOp, broadcast>();
  rules.addCall<UnaryBcastOp, broadcast>();
  rules.addCall<UnaryBcastUninitOp, broadcast>();
}

//===- IntegerCalls.cpp - rules for integer blocks and typecast ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Metalium has functions for some operations on int32 and uint32 in 32-bit DST registers. The
// rules emit these, and refuse the others with the name of the operation.
//===--------------------------------------------------------------------------===//

#include "passes/metalium/EmitRules.h"
#include "passes/metalium/ThreadConverter.h"

#include "hw/facts/TileOps.h"
#include "ir/TTKernel/TTKernel.h"
#include "ir/TTKernel/TTKernelSFPUOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;
using hw::TileOp;

namespace {

// Metalium's functions for one row of the operation table. `formatOf`: which of the two
// take the integers' DataFormat as template argument.
struct IntegerCall {
  TileOp row;
  const char *call, *init;
  enum { None, Call, Both } formatOf;
};

// Metalium's typecast between two formats.
struct Typecast {
  TileOp row;
  const char *from, *to;
};

} // namespace

static constexpr IntegerCall kCalls[] = {
    {TileOp::AddInt, "add_int_tile", "add_int_tile_init", IntegerCall::Call},
    {TileOp::SubInt, "sub_int_tile", "sub_int_tile_init", IntegerCall::Call},
    {TileOp::MulInt, "mul_int_tile", "mul_int_tile_init", IntegerCall::Both},
    {TileOp::DivInt32, "div_int32_trunc_tile", "div_int32_trunc_tile_init", IntegerCall::None},
    {TileOp::FloorDivInt32, "div_int32_floor_tile", "div_int32_floor_tile_init", IntegerCall::None},
    {TileOp::ModInt32, "remainder_int32_tile", "remainder_int32_tile_init", IntegerCall::None},
    {TileOp::MaxInt32, "binary_max_int32_tile", "binary_max_int32_tile_init", IntegerCall::None},
    {TileOp::MinInt32, "binary_min_int32_tile", "binary_min_int32_tile_init", IntegerCall::None},
    {TileOp::MaxUInt32, "binary_max_uint32_tile", "binary_max_uint32_tile_init", IntegerCall::None},
    {TileOp::MinUInt32, "binary_min_uint32_tile", "binary_min_uint32_tile_init", IntegerCall::None},
    {TileOp::LtInt32, "lt_int32_tile", "lt_int32_tile_init", IntegerCall::None},
    {TileOp::LeInt32, "le_int32_tile", "le_int32_tile_init", IntegerCall::None},
    {TileOp::WhereInt, "where_tile", "where_tile_init", IntegerCall::Call},
};

static constexpr Typecast kTypecasts[] = {
    {TileOp::ToBFloat16, "Float32", "Float16_b"}, {TileOp::FloatToInt32, "Float32", "Int32"},
    {TileOp::FloatToUInt32, "Float32", "UInt32"}, {TileOp::Int32ToFloat, "Int32", "Float32"},
    {TileOp::UInt32ToFloat, "UInt32", "Float32"},
};

//===--------------------------------------------------------------------------===//
// Checks
//===--------------------------------------------------------------------------===//

static bool holdsIntegers(Type buffer) {
  auto type = dyn_cast<ttkernel::CBType>(buffer);
  auto tile = type ? dyn_cast<ttcore::TileType>(type.getElementType()) : ttcore::TileType();
  return tile && !hw::isFloatFormat(ttcore::getDataFormat(tile.getDataType()));
}

static bool holdsNarrowIntegers(Type buffer) {
  if (!holdsIntegers(buffer))
    return false;
  auto tile = cast<ttcore::TileType>(cast<ttkernel::CBType>(buffer).getElementType());
  return tile.getDataType() != ttcore::DataType::Int32 &&
         tile.getDataType() != ttcore::DataType::UInt32;
}

// Integers of 32 bits need DST registers of 32 bits. The unpacker does not widen others.
static LogicalResult checkThread(Operation *op, const ThreadConverter &converter) {
  WalkResult found = op->getParentOfType<func::FuncOp>().walk([&](Operation *other) {
    if (!ttkernel::isCall<ttkernel::CopyTileOp, ttkernel::PackTileOp>(other))
      return WalkResult::advance();
    for (Value operand : other->getOperands())
      if (holdsNarrowIntegers(ttkernel::typeOf(operand))) {
        op->emitError(
            "arithmetic in a thread with blocks of uint16 or uint8 runs on the host only: "
            "Metalium computes on int32 and uint32; make the buffers of one of these");
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  if (found.wasInterrupted())
    return failure();
  if (!converter.names.fp32Dest)
    return op->emitError("integer blocks need 32-bit DST registers on the device: set "
                         "fp32_dest_acc_en=True");
  return success();
}

static LogicalResult refuse(Operation *op, TileOp row) {
  return op->emitError() << "'" << hw::factsOf(row).name << "' of integer blocks runs on the host "
                         << "only: Metalium has no such function, so it cannot be emitted as C++";
}

//===--------------------------------------------------------------------------===//
// Rules
//===--------------------------------------------------------------------------===//

static LogicalResult emitTypecast(Operation *op, const Typecast &cast, ThreadConverter &converter) {
  auto number = [&](const char *format) {
    return opaque(converter, Twine("static_cast<uint32_t>(DataFormat::") + format + ")");
  };
  SmallVector<Attribute> formats{number(cast.from), number(cast.to)};
  converter.call(op, "typecast_tile_init", {}, Type(), "", formats);
  converter.call(op, "typecast_tile", converter.lookup(op->getOperands()), Type(), "", formats);
  return success();
}

LogicalResult tometalium::emitIntegerRow(Operation *op, TileOp row, ThreadConverter &converter) {
  bool isInit = ttkernel::isInit(op);
  if (failed(checkThread(op, converter)))
    return failure();
  for (const Typecast &cast : kTypecasts)
    if (cast.row == row)
      return emitTypecast(op, cast, converter);
  const auto *found = llvm::find_if(kCalls, [&](const IntegerCall &c) { return c.row == row; });
  if (found == std::end(kCalls))
    return refuse(op, row);
  bool isUnsigned = ttkernel::attributesOf(op).contains(ttkernel::kUnsignedAttr);
  SmallVector<Attribute> arguments;
  if (found->formatOf == IntegerCall::Both || (found->formatOf == IntegerCall::Call && !isInit))
    arguments.push_back(opaque(converter, isUnsigned ? "DataFormat::UInt32" : "DataFormat::Int32"));
  converter.call(op, isInit ? found->init : found->call, converter.lookup(op->getOperands()),
                 Type(), "", arguments);
  return success();
}

// On the host the number is the float that has the bits of the integer.
static LogicalResult fill(ttkernel::CallOf<ttkernel::FillTileOp> op, ThreadConverter &converter) {
  SmallVector<Value> operands{converter.lookup(op.getDst())};
  if (!op.getInteger()) {
    operands.push_back(converter.lookup(op.getValue()));
    converter.call(op, "fill_tile", operands, Type(), "");
    return success();
  }
  if (failed(checkThread(op, converter)))
    return failure();
  FloatAttr known;
  if (matchPattern(op.getValue(), m_Constant(&known)))
    operands.push_back(
        converter.constant(static_cast<int32_t>(known.getValue().bitcastToAPInt().getZExtValue()),
                           positionOf(op.getLoc())));
  else if (auto bits = op.getValue().getDefiningOp<arith::BitcastOp>())
    operands.push_back(converter.lookup(bits.getIn()));
  else
    return op.emitError("the number of an integer fill must be a constant or the bits of an i32");
  converter.call(op, "fill_tile_int", operands, Type(), "", opaque(converter, "DataFormat::Int32"));
  return success();
}

LogicalResult tometalium::refuseIntegers(Operation *op, Value buffer, StringRef what) {
  if (!holdsIntegers(ttkernel::typeOf(buffer)))
    return success();
  return op->emitError() << what << " of integer blocks runs on the host only: the matrix engine "
                         << "computes on floats; convert the blocks with ttl.typecast(x, "
                         << "ttnn.float32)";
}

static LogicalResult matmul(ttkernel::CallOf<ttkernel::MatmulTilesOp> op,
                            ThreadConverter &converter) {
  if (failed(refuseIntegers(op, op->getOperand(0), "'@'")))
    return failure();
  converter.call(op, "matmul_tiles", converter.lookup(op->getOperands()), Type(), "");
  return success();
}

// The initialisation of typecasts needs the formats, which only the call has: see emitTypecast.
static LogicalResult sharedInit(Operation *op, ThreadConverter &converter) {
  StringRef name = ttkernel::calleeOf(op);
  if (name != "typecast_tile_init")
    converter.call(op, name, {}, Type(), "");
  return success();
}

void tometalium::addIntegerCallRules(EmitRules &rules) {
  rules.add<ttkernel::SharedSFPUInitOp>(sharedInit);
  rules.addCall<ttkernel::FillTileOp, fill>();
  rules.addCall<ttkernel::MatmulTilesOp, matmul>();
}

//===- IntegerCalls.cpp - rules for integer blocks and typecast ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Metalium has functions for some operations on int32 and uint32 in 32-bit DST registers. The
// rules emit these, make others of several functions, and refuse the rest with the name of the
// operation.
//===--------------------------------------------------------------------------===//

#include "passes/metalium/EmitRules.h"
#include "passes/metalium/PackerAccumulation.h"
#include "passes/metalium/ScratchRegisters.h"
#include "passes/metalium/ThreadConverter.h"
#include "passes/ttkernel/NarrowIntegers.h"

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

// Checks that the DST registers have 32 bits, which integers of 32 bits need.
LogicalResult tometalium::checkIntegerThread(Operation *op, const ThreadConverter &converter) {
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

// Returns whether the call of the SFPU before `op`, in its block, is the same one: its init is in
// force.
static bool followsSameCall(Operation *op) {
  for (Operation *before = op->getPrevNode(); before; before = before->getPrevNode()) {
    if (before->getNumRegions())
      return false;
    if (ttkernel::isInit(before) || !ttkernel::isDeviceCall(before))
      continue;
    if (ttkernel::rowOf(before))
      return ttkernel::rowOf(before) == ttkernel::rowOf(op) &&
             ttkernel::attributesOf(before) == ttkernel::attributesOf(op);
    if (!ttkernel::isCall<ttkernel::CopyTileOp, ttkernel::PackTileOp>(before) &&
        !ttkernel::hasNoEffects(before))
      return false;
  }
  return false;
}

static void emitTypecast(Operation *op, const char *from, const char *to,
                         ThreadConverter &converter, bool needsInit) {
  auto number = [&](const char *format) {
    return opaque(converter, Twine("static_cast<uint32_t>(DataFormat::") + format + ")");
  };
  SmallVector<Attribute> formats{number(from), number(to)};
  if (needsInit)
    converter.call(op, "typecast_tile_init", {}, Type(), "", formats);
  converter.call(op, "typecast_tile", converter.lookup(op->getOperands()), Type(), "", formats);
}

// Emits a call of the function, or of its init if there are no operands.
static void emitCall(Operation *op, const IntegerCall &row, ValueRange operands, bool isUnsigned,
                     ThreadConverter &converter) {
  bool isInit = operands.empty();
  SmallVector<Attribute> arguments;
  if (row.formatOf == IntegerCall::Both || (row.formatOf == IntegerCall::Call && !isInit))
    arguments.push_back(opaque(converter, isUnsigned ? "DataFormat::UInt32" : "DataFormat::Int32"));
  converter.call(op, isInit ? row.init : row.call, operands, Type(), "", arguments);
}

namespace {

// Emits an operation that Metalium has no function for as several calls. Each emits its init.
class CallSequence {
public:
  CallSequence(Operation *op, ThreadConverter &converter)
      : op(op), converter(converter), operands(converter.lookup(op->getOperands())) {}

  // Keeps the low bits for uint16 or uint8. typecast_tile from uint16 does that, since it ignores
  // the upper half of a register; typecast_tile to uint16 saturates. bitwise_and_tile with a
  // constant is wrong for negative numbers: Wormhole loads an integer for it as a sign and a
  // magnitude.
  void narrow(bool isUInt16) {
    bool isPacked = ttkernel::attributesOf(op).contains(kPackedAttr);
    bool needsInit = !followsSameCall(op);
    if (!isUInt16)
      return isPacked || !converter.version.isOld()
                 ? emitTypecast(op, "UInt32", "UInt8", converter, needsInit)
                 : keepByte();
    emitTypecast(op, "UInt16", "UInt32", converter, needsInit || isPacked);
    if (isPacked)
      emitTypecast(op, "UInt32", "UInt16", converter, true);
  }

  // Writes 1 where a and b are equal, or with `negated` where they differ: there a ^ b is not 0.
  void equal(bool negated) {
    bitwise(operands[0], operands[1], result());
    isNotZero(result(), negated);
  }

  // Compares: a <= b where min(a, b) is a, which is where max(a, b) is b; a < b where max(a, b) is
  // not a, or min(a, b) not b. The register that is compared must not be the result's.
  void less(bool orEqual) {
    Value a = operands[0], b = operands[1];
    bool overwritesFirst = sameRegister(0, 2);
    bool useMax = overwritesFirst == orEqual;
    const char *call = useMax ? "binary_max_uint32_tile" : "binary_min_uint32_tile";
    binary(call, a, b, result());
    bitwise(result(), overwritesFirst ? b : a, result());
    isNotZero(result(), !orEqual);
  }

  // Metalium divides signed numbers only. Half of the dividend is one, and twice its quotient is
  // the wanted quotient or one less, which a correction finds. Divisors of 2^31 or more are
  // negative: for them the quotient counts as 0, and the same correction makes it 1 where it must
  // be.
  LogicalResult divideUnsigned(bool wantsRest) {
    FailureOr<SmallVector<Value, 2>> scratch = scratchRegisters(op, converter);
    if (failed(scratch))
      return failure();
    Value a = operands[0], b = operands[1], quotient = (*scratch)[0], rest = (*scratch)[1];
    halve(a, rest, quotient);
    binary("div_int32_trunc_tile", quotient, b, quotient);
    withWord("unary_max_int32_tile", quotient, 0);
    binary("add_int_tile", quotient, quotient, quotient);
    binary("mul_int_tile", quotient, b, rest);
    binary("sub_int_tile", a, rest, rest);
    binary("binary_min_uint32_tile", b, rest, rest);
    bitwise(rest, b, rest);
    isNotZero(rest, /*asIs=*/false);
    binary("add_int_tile", quotient, rest, quotient);
    wantsRest ? subtractProduct(a, quotient, b) : markDivisionByZero(quotient, b, rest);
    return success();
  }

private:
  // Keeps the low byte by a mask, exact for numbers from 0: older releases lack the typecast.
  void keepByte() {
    emitTypecast(op, "UInt16", "UInt32", converter, true);
    withWord("bitwise_and_tile", operands[0], 0xff);
  }
  // Halves a number by a shift with a distance in a register: right_shift_tile keeps the sign.
  void halve(Value a, Value scratch, Value to) {
    converter.call(op, "fill_tile_init", {}, Type(), "");
    converter.call(op, "fill_tile_int", {scratch, number(1)}, Type(), "",
                   opaque(converter, "DataFormat::Int32"));
    init("binary_shift_tile");
    converter.call(op, "binary_logical_right_shift_tile", {a, scratch, to}, Type(), "",
                   opaque(converter, "DataFormat::UInt32"));
  }
  void subtractProduct(Value a, Value quotient, Value b) {
    binary("mul_int_tile", quotient, b, quotient);
    binary("sub_int_tile", a, quotient, result());
  }
  // Sets all bits of a quotient where the divisor is 0.
  void markDivisionByZero(Value quotient, Value b, Value scratch) {
    copy(b, scratch);
    isNotZero(scratch, /*asIs=*/true);
    binary("mul_int_tile", quotient, scratch, quotient);
    withWord("bitwise_xor_tile", scratch, 1);
    binary("sub_int_tile", quotient, scratch, result());
  }
  Value result() { return operands[2]; }
  bool sameRegister(unsigned a, unsigned b) {
    APInt left, right;
    return operands[a] == operands[b] ||
           (matchPattern(op->getOperand(a), m_ConstantInt(&left)) &&
            matchPattern(op->getOperand(b), m_ConstantInt(&right)) && left == right);
  }
  void init(const Twine &call) { converter.call(op, (call + "_init").str(), {}, Type(), ""); }
  // Emits a function of kCalls, with its init.
  void binary(StringRef name, Value a, Value b, Value to) {
    const auto *row = llvm::find_if(kCalls, [&](const IntegerCall &c) { return name == c.call; });
    emitCall(op, *row, {}, true, converter);
    emitCall(op, *row, {a, b, to}, true, converter);
  }
  void copy(Value from, Value to) {
    init("copy_dest_values");
    converter.call(op, "copy_dest_values", {to, from}, Type(), "");
  }
  void bitwise(Value a, Value b, Value to) {
    init("binary_bitwise_tile");
    converter.call(op, "bitwise_xor_binary_tile", {a, b, to}, Type(), "");
  }
  void withWord(StringRef call, Value dst, uint32_t word) {
    init(call);
    converter.call(op, call, {dst, number(word)}, Type(), "");
  }
  Value number(uint32_t word) {
    return converter.constant(static_cast<int32_t>(word), positionOf(op->getLoc()));
  }
  // Writes 1 where the register is not zero and 0 elsewhere; without `asIs` the reverse.
  void isNotZero(Value dst, bool asIs) {
    withWord("unary_min_uint32_tile", dst, 1);
    if (!asIs)
      withWord("bitwise_xor_tile", dst, 1);
  }

  Operation *op;
  ThreadConverter &converter;
  SmallVector<Value> operands;
};

} // namespace

static bool isSequence(TileOp row) {
  switch (row) {
  case TileOp::ToUInt16:
  case TileOp::ToUInt8:
  case TileOp::EqInt:
  case TileOp::NeInt:
  case TileOp::LtUInt32:
  case TileOp::LeUInt32:
  case TileOp::DivUInt32:
  case TileOp::ModUInt32:
    return true;
  default:
    return false;
  }
}

// Emits a row that is made of several calls.
static LogicalResult emitSequence(Operation *op, TileOp row, ThreadConverter &converter) {
  CallSequence calls(op, converter);
  switch (row) {
  case TileOp::ToUInt16:
  case TileOp::ToUInt8:
    calls.narrow(row == TileOp::ToUInt16);
    return success();
  case TileOp::EqInt:
  case TileOp::NeInt:
    calls.equal(row == TileOp::NeInt);
    return success();
  case TileOp::LtUInt32:
  case TileOp::LeUInt32:
    calls.less(row == TileOp::LeUInt32);
    return success();
  default:
    return calls.divideUnsigned(row == TileOp::ModUInt32);
  }
}

LogicalResult tometalium::emitIntegerRow(Operation *op, TileOp row, ThreadConverter &converter) {
  bool isInit = ttkernel::isInit(op);
  if (row != TileOp::ToBFloat16 && failed(checkIntegerThread(op, converter)))
    return failure();
  for (const Typecast &cast : kTypecasts)
    if (cast.row == row) {
      emitTypecast(op, cast.from, cast.to, converter, !followsSameCall(op));
      return success();
    }
  if (isSequence(row)) // each call of the sequence has an init of its own
    return isInit ? success() : emitSequence(op, row, converter);
  const auto *found = llvm::find_if(kCalls, [&](const IntegerCall &c) { return c.row == row; });
  if (found == std::end(kCalls))
    return refuse(op, row);
  bool isUnsigned = ttkernel::attributesOf(op).contains(ttkernel::kUnsignedAttr);
  SmallVector<Value> operands;
  if (!isInit)
    operands = converter.lookup(op->getOperands());
  emitCall(op, *found, operands, isUnsigned, converter);
  return success();
}

// Emits a fill. On the host the number is the float that has the bits of the integer.
static LogicalResult fill(ttkernel::CallOf<ttkernel::FillTileOp> op, ThreadConverter &converter) {
  SmallVector<Value> operands{converter.lookup(op.getDst())};
  if (!op.getInteger()) {
    operands.push_back(converter.lookup(op.getValue()));
    converter.call(op, "fill_tile", operands, Type(), "");
    return success();
  }
  if (failed(checkIntegerThread(op, converter)))
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

static bool holdsNarrowIntegers(Type buffer) {
  if (!holdsIntegers(buffer))
    return false;
  auto tile = cast<ttcore::TileType>(cast<ttkernel::CBType>(buffer).getElementType());
  return tile.getDataType() == ttcore::DataType::UInt16 ||
         tile.getDataType() == ttcore::DataType::UInt8;
}

LogicalResult tometalium::checkPackedFormats(Operation *pack) {
  if (!holdsNarrowIntegers(ttkernel::typeOf(pack->getOperand(1))))
    return success();
  if (pack->hasAttr(kTwoFormatsAttr))
    return pack->emitError("a value is stored into a block of uint16 or uint8 and, as it is, into "
                           "a block of another type: the packer cannot convert both; store the "
                           "other block in a statement of its own, after this one");
  if (pack->hasAttr(kAccumulatesAttr))
    return pack->emitError("a sum in a block of uint16 or uint8 runs on the host only: the packer "
                           "adds no such integers; keep the sum in a variable or in a block of "
                           "int32");
  return success();
}

// Emits the init of an operation. That of a typecast needs formats: emitTypecast emits it.
static LogicalResult sharedInit(Operation *op, ThreadConverter &converter) {
  StringRef name = ttkernel::calleeOf(op);
  if (name != "typecast_tile_init")
    converter.call(op, name, {}, Type(), "");
  return success();
}

void tometalium::addIntegerCallRules(EmitRules &rules) {
  rules.add<ttkernel::SharedSFPUInitOp>(sharedInit);
  rules.addCall<ttkernel::FillTileOp, fill>();
}

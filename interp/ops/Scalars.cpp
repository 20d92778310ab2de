//===- Scalars.cpp - rules for integer arithmetic -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Rules for arith on index, i64, i32 and i1, which wraps like the hardware. Slots keep
// integers sign-extended, so comparisons need no width; results are extended again.
//===--------------------------------------------------------------------------===//

#include "hw/abi/CompilerInt.h"
#include "interp/ops/ApiCall.h"
#include "interp/ops/TileRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <algorithm>

using namespace ttjit;
using namespace ttjit::interp;
using namespace mlir;

//===--------------------------------------------------------------------------===//
// Operators, on the unsigned type of the width
//===--------------------------------------------------------------------------===//

namespace {

template <typename T> using Signed = std::make_signed_t<T>;

struct Add {
  template <typename T> static T of(T a, T b) { return a + b; }
};
struct Sub {
  template <typename T> static T of(T a, T b) { return a - b; }
};
struct Mul {
  template <typename T> static T of(T a, T b) { return a * b; }
};
struct And {
  template <typename T> static T of(T a, T b) { return a & b; }
};
struct Or {
  template <typename T> static T of(T a, T b) { return a | b; }
};
struct Xor {
  template <typename T> static T of(T a, T b) { return a ^ b; }
};
struct MaxU {
  template <typename T> static T of(T a, T b) { return std::max(a, b); }
};
struct MinU {
  template <typename T> static T of(T a, T b) { return std::min(a, b); }
};
struct MaxS {
  template <typename T> static T of(T a, T b) { return std::max<Signed<T>>(a, b); }
};
struct MinS {
  template <typename T> static T of(T a, T b) { return std::min<Signed<T>>(a, b); }
};

struct ShiftLeft {
  template <typename T> static T of(T a, T b) { return a << hw::shiftCount(b); }
};
struct ShiftRightU {
  template <typename T> static T of(T a, T b) { return a >> hw::shiftCount(b); }
};
struct ShiftRightS {
  template <typename T> static T of(T a, T b) { return Signed<T>(a) >> hw::shiftCount(b); }
};

// The caller has checked that the divisor is not zero.
struct DivU {
  template <typename T> static T of(T a, T b) { return a / b; }
};
struct RemU {
  template <typename T> static T of(T a, T b) { return a % b; }
};
struct DivS {
  template <typename T> static T of(T a, T b) { return hw::wrappingDivS(a, b); }
};
struct RemS {
  template <typename T> static T of(T a, T b) { return hw::wrappingRemS(a, b); }
};
template <typename T> bool signsDiffer(T a, T b) { return Signed<T>(a ^ b) < 0; }
struct FloorDivS {
  template <typename T> static T of(T a, T b) {
    return DivS::of(a, b) - (RemS::of(a, b) != 0 && signsDiffer(a, b));
  }
};
struct CeilDivS {
  template <typename T> static T of(T a, T b) {
    return DivS::of(a, b) + (RemS::of(a, b) != 0 && !signsDiffer(a, b));
  }
};
struct CeilDivU {
  template <typename T> static T of(T a, T b) { return a / b + (a % b != 0); }
};

} // namespace

//===--------------------------------------------------------------------------===//
// Handlers
//===--------------------------------------------------------------------------===//

template <typename Operator, typename T>
static hw::Status runBinary(const Instruction &inst, Frame &frame) {
  return inst.finish(frame, Operator::of(inst.operand<T>(frame, 0), inst.operand<T>(frame, 1)));
}

template <typename Operator, typename T>
static hw::Status runDivision(const Instruction &inst, Frame &frame) {
  if (inst.operand<T>(frame, 1) == 0) [[unlikely]]
    return programFault(inst, frame, static_cast<int32_t>(hw::ProgramFault::DivisionByZero));
  return runBinary<Operator, T>(inst, frame);
}

static bool isBit(Type type) { return type.isInteger(1); }
static bool isWord(Type type) { return type.isInteger(32); }
static bool isWide(Type type) { return type.isIndex() || type.isInteger(64); }

static llvm::Error unsupportedType(Operation *op, Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return errorAt(op, "the interpreter does not support '" + op->getName().getStringRef() + "' on " +
                         text);
}

template <Handler onWide, Handler onWord>
static llvm::Error byWidth(Operation *op, FunctionCompiler &compiler) {
  Type type = op->getResult(0).getType();
  if (!isWide(type) && !isWord(type))
    return unsupportedType(op, type);
  compiler.emit(op, isWide(type) ? onWide : onWord);
  return llvm::Error::success();
}

template <typename Operator>
inline constexpr Rule binary =
    byWidth<runBinary<Operator, uint64_t>, runBinary<Operator, uint32_t>>;
template <typename Operator>
inline constexpr Rule division =
    byWidth<runDivision<Operator, uint64_t>, runDivision<Operator, uint32_t>>;

// Sign-extended operands give a sign-extended result for every width, including i1.
template <typename Operator> static llvm::Error bitwise(Operation *op, FunctionCompiler &compiler) {
  if (!isa<IndexType, IntegerType>(op->getResult(0).getType()))
    return unsupportedType(op, op->getResult(0).getType());
  compiler.emit(op, runBinary<Operator, uint64_t>);
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// Comparison, selection, conversion
//===--------------------------------------------------------------------------===//

template <typename T, typename Compare>
static hw::Status runCompare(const Instruction &inst, Frame &frame) {
  return inst.finish(frame, Compare{}(inst.operand<T>(frame, 0), inst.operand<T>(frame, 1)));
}

static llvm::Error compare(arith::CmpIOp op, FunctionCompiler &compiler) {
  // The handlers in the order of arith::CmpIPredicate.
  static constexpr Handler handlers[] = {
      runCompare<int64_t, std::equal_to<>>, runCompare<int64_t, std::not_equal_to<>>,
      runCompare<int64_t, std::less<>>,     runCompare<int64_t, std::less_equal<>>,
      runCompare<int64_t, std::greater<>>,  runCompare<int64_t, std::greater_equal<>>,
      runCompare<uint64_t, std::less<>>,    runCompare<uint64_t, std::less_equal<>>,
      runCompare<uint64_t, std::greater<>>, runCompare<uint64_t, std::greater_equal<>>};
  auto predicate = static_cast<size_t>(op.getPredicate());
  Type type = op.getLhs().getType();
  // A bit is 0 or 1 in its slot, but as a signed number of one bit, 1 means -1 and is
  // less than 0.
  bool signedOrder = predicate >= 2 && predicate <= 5;
  if (!isWide(type) && !isWord(type) && !(isBit(type) && !signedOrder))
    return unsupportedType(op, type);
  compiler.emit(op, handlers[predicate]);
  return llvm::Error::success();
}

static hw::Status runSelect(const Instruction &inst, Frame &frame) {
  int chosen = inst.operand<bool>(frame, 0) ? 1 : 2;
  frame.slots[inst.result] = frame.slots[inst.operands[chosen]];
  return hw::Status::Ok;
}

static llvm::Error select(arith::SelectOp op, FunctionCompiler &compiler) {
  if (!op.getCondition().getType().isInteger(1))
    return unsupportedType(op, op.getCondition().getType());
  if (countTiles(op.getType()))
    emitSelect(op, compiler);
  else
    compiler.emit(op, runSelect);
  return llvm::Error::success();
}

// Reads the operand as From and stores it as To, which extends or truncates it.
template <typename From, typename To>
static hw::Status runConvert(const Instruction &inst, Frame &frame) {
  return inst.finish(frame, static_cast<To>(inst.operand<From>(frame, 0)));
}

static hw::Status runSignExtendBit(const Instruction &inst, Frame &frame) {
  return inst.finish(frame, -int64_t(inst.operand<bool>(frame, 0)));
}

static hw::Status runToBit(const Instruction &inst, Frame &frame) {
  return inst.finish(frame, (inst.operand<uint64_t>(frame, 0) & 1) != 0);
}

// index_cast, extsi and trunci. Between 32 and 64 bits the slot does not change,
// because it is sign-extended; a conversion to 32 bits replaces the upper half.
static llvm::Error convertSigned(Operation *op, FunctionCompiler &compiler) {
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  if (isBit(from) && (isWord(to) || isWide(to)))
    compiler.emit(op, runSignExtendBit);
  else if (isBit(to))
    compiler.emit(op, runToBit);
  else if (isWord(to))
    compiler.emit(op, runConvert<int64_t, int32_t>);
  else if (isWide(to))
    compiler.emit(op, runConvert<int64_t, int64_t>);
  else
    return unsupportedType(op, to);
  return llvm::Error::success();
}

static llvm::Error convertUnsigned(Operation *op, FunctionCompiler &compiler) {
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  if (isWord(from) && isWide(to))
    compiler.emit(op, runConvert<uint32_t, uint64_t>);
  else if (isBit(from) && (isWord(to) || isWide(to)))
    compiler.emit(op, runConvert<bool, int64_t>);
  else
    return convertSigned(op, compiler);
  return llvm::Error::success();
}

static llvm::Error constant(arith::ConstantOp op, FunctionCompiler &compiler) {
  Attribute value = op.getValue();
  if (auto boolean = dyn_cast<BoolAttr>(value))
    compiler.define(op, Slot::of(boolean.getValue()));
  else if (auto integer = dyn_cast<IntegerAttr>(value);
           integer && (isWide(op.getType()) || isWord(op.getType())))
    compiler.define(op, Slot::of(integer.getValue().getSExtValue()));
  else if (auto real = dyn_cast<FloatAttr>(value); real && op.getType().isF32())
    compiler.define(op, Slot::of(real.getValue().convertToFloat()));
  else
    return unsupportedType(op, op.getType());
  return llvm::Error::success();
}

void interp::addScalarOps(OpTable &table) {
  table.add<arith::ConstantOp, constant>();
  table.add<arith::AddIOp>(binary<Add>);
  table.add<arith::SubIOp>(binary<Sub>);
  table.add<arith::MulIOp>(binary<Mul>);
  table.add<arith::DivSIOp>(division<DivS>);
  table.add<arith::DivUIOp>(division<DivU>);
  table.add<arith::RemSIOp>(division<RemS>);
  table.add<arith::RemUIOp>(division<RemU>);
  table.add<arith::FloorDivSIOp>(division<FloorDivS>);
  table.add<arith::CeilDivSIOp>(division<CeilDivS>);
  table.add<arith::CeilDivUIOp>(division<CeilDivU>);
  table.add<arith::MaxSIOp>(binary<MaxS>);
  table.add<arith::MinSIOp>(binary<MinS>);
  table.add<arith::MaxUIOp>(binary<MaxU>);
  table.add<arith::MinUIOp>(binary<MinU>);
  table.add<arith::ShLIOp>(binary<ShiftLeft>);
  table.add<arith::ShRSIOp>(binary<ShiftRightS>);
  table.add<arith::ShRUIOp>(binary<ShiftRightU>);
  table.add<arith::AndIOp>(bitwise<And>);
  table.add<arith::OrIOp>(bitwise<Or>);
  table.add<arith::XOrIOp>(bitwise<Xor>);
  table.add<arith::CmpIOp, compare>();
  table.add<arith::SelectOp, select>();
  table.add<arith::IndexCastOp>(convertSigned);
  table.add<arith::ExtSIOp>(convertSigned);
  table.add<arith::TruncIOp>(convertSigned);
  table.add<arith::IndexCastUIOp>(convertUnsigned);
  table.add<arith::ExtUIOp>(convertUnsigned);
}

//===- Floats.cpp - rules for fp32 arithmetic ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/abi/CompilerInt.h"
#include "interp/ops/ApiCall.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace ttjit;
using namespace ttjit::interp;
using namespace mlir;

//===--------------------------------------------------------------------------===//
// Operators
//===--------------------------------------------------------------------------===//

using BinaryFunction = float (*)(float, float);

static float add(float a, float b) { return a + b; }
static float sub(float a, float b) { return a - b; }
static float mul(float a, float b) { return a * b; }
static float divide(float a, float b) { return a / b; }
static float exactRemainder(float a, float b) { return std::fmod(a, b); }
// The result is NaN if either operand is NaN; -0 is less than +0.
static float maximum(float a, float b) {
  if (std::isnan(a) || std::isnan(b))
    return a + b;
  return a == b ? (std::signbit(a) ? b : a) : (a > b ? a : b);
}
static float minimum(float a, float b) {
  if (std::isnan(a) || std::isnan(b))
    return a + b;
  return a == b ? (std::signbit(a) ? a : b) : (a < b ? a : b);
}

template <BinaryFunction function>
static hw::Status runBinary(const Instruction &inst, Frame &frame) {
  return inst.finish(frame, function(inst.operand<float>(frame, 0), inst.operand<float>(frame, 1)));
}

static hw::Status runNegate(const Instruction &inst, Frame &frame) {
  return inst.finish(frame, -inst.operand<float>(frame, 0));
}

static llvm::Error needsF32(Operation *op) {
  return errorAt(op, "the interpreter supports '" + op->getName().getStringRef() + "' on f32 only");
}

template <Handler handler> static llvm::Error onF32(Operation *op, FunctionCompiler &compiler) {
  if (!op->getOperand(0).getType().isF32())
    return needsF32(op);
  compiler.emit(op, handler);
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// Comparison
//===--------------------------------------------------------------------------===//

// Bits of `predicate`: 1 equal, 2 greater, 4 less, 8 unordered, as in
// arith::CmpFPredicate.
template <unsigned predicate> static hw::Status runCompare(const Instruction &inst, Frame &frame) {
  float a = inst.operand<float>(frame, 0), b = inst.operand<float>(frame, 1);
  unsigned relation = a == b ? 1 : a > b ? 2 : a < b ? 4 : 8;
  return inst.finish(frame, (predicate & relation) != 0);
}

template <size_t... predicates>
static constexpr auto compareHandlers(std::index_sequence<predicates...>) {
  return std::array<Handler, sizeof...(predicates)>{runCompare<predicates>...};
}

static_assert(static_cast<int>(arith::CmpFPredicate::OEQ) == 1 &&
              static_cast<int>(arith::CmpFPredicate::OGT) == 2 &&
              static_cast<int>(arith::CmpFPredicate::OLT) == 4 &&
              static_cast<int>(arith::CmpFPredicate::UNO) == 14);

// Converts a predicate to these bits. Ordered predicates are 1 to 7; 7 is "ordered"; 8
// to 13 are the unordered ones in the same order; 14 is "unordered", 15 "true".
static unsigned relationsOf(arith::CmpFPredicate predicate) {
  auto number = static_cast<unsigned>(predicate);
  if (number <= 7)
    return number;
  if (predicate == arith::CmpFPredicate::UNO)
    return 8;
  return predicate == arith::CmpFPredicate::AlwaysTrue ? 15 : 8 | (number - 7);
}

static llvm::Error compare(arith::CmpFOp op, FunctionCompiler &compiler) {
  static constexpr auto handlers = compareHandlers(std::make_index_sequence<16>{});
  if (!op.getLhs().getType().isF32())
    return needsF32(op);
  compiler.emit(op, handlers[relationsOf(op.getPredicate())]);
  return llvm::Error::success();
}

//===--------------------------------------------------------------------------===//
// Conversions
//===--------------------------------------------------------------------------===//

static hw::Status runFromInt(const Instruction &inst, Frame &frame) {
  return inst.finish(frame, static_cast<float>(inst.operand<int64_t>(frame, 0)));
}

static hw::Status runToInt(const Instruction &inst, Frame &frame) {
  return inst.finish(frame, hw::saturateToInt(inst.operand<float>(frame, 0)));
}

static llvm::Error fromInt(arith::SIToFPOp op, FunctionCompiler &compiler) {
  if (!op.getType().isF32() || op.getIn().getType().isInteger(1))
    return needsF32(op);
  compiler.emit(op, runFromInt);
  return llvm::Error::success();
}

static llvm::Error toInt(arith::FPToSIOp op, FunctionCompiler &compiler) {
  if (!op.getIn().getType().isF32() || !op.getType().isInteger(32))
    return needsF32(op);
  compiler.emit(op, runToInt);
  return llvm::Error::success();
}

static hw::Status runBitsToFloat(const Instruction &inst, Frame &frame) {
  return inst.finish(frame, std::bit_cast<float>(inst.operand<int32_t>(frame, 0)));
}

static hw::Status runFloatToBits(const Instruction &inst, Frame &frame) {
  return inst.finish(frame, std::bit_cast<int32_t>(inst.operand<float>(frame, 0)));
}

static llvm::Error bitcast(arith::BitcastOp op, FunctionCompiler &compiler) {
  Type from = op.getIn().getType(), to = op.getType();
  if (from.isInteger(32) && to.isF32())
    compiler.emit(op, runBitsToFloat);
  else if (from.isF32() && to.isInteger(32))
    compiler.emit(op, runFloatToBits);
  else
    return needsF32(op);
  return llvm::Error::success();
}

void interp::addFloatOps(OpTable &table) {
  table.add<arith::AddFOp>(onF32<runBinary<add>>);
  table.add<arith::RemFOp>(onF32<runBinary<exactRemainder>>);
  table.add<arith::SubFOp>(onF32<runBinary<sub>>);
  table.add<arith::MulFOp>(onF32<runBinary<mul>>);
  table.add<arith::DivFOp>(onF32<runBinary<divide>>);
  table.add<arith::MaximumFOp>(onF32<runBinary<maximum>>);
  table.add<arith::MinimumFOp>(onF32<runBinary<minimum>>);
  table.add<arith::NegFOp>(onF32<runNegate>);
  table.add<arith::CmpFOp, compare>();
  table.add<arith::SIToFPOp, fromInt>();
  table.add<arith::FPToSIOp, toInt>();
  table.add<arith::BitcastOp, bitcast>();
}

//===- LoopNumbers.cpp - numbers in loops with constant bounds ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/llvm/LoopNumbers.h"

#include "passes/llvm/CallBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace ttjit;
using namespace ttjit::tollvm;

std::optional<int64_t> ttjit::tollvm::constantNumber(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

std::optional<int64_t> ttjit::tollvm::growthOf(Value value, scf::ForOp loop, unsigned depth) {
  constexpr unsigned kMaxDepth = 12;
  if (value == loop.getInductionVar())
    return 1;
  if (loop.isDefinedOutsideOfLoop(value))
    return 0;
  Operation *op = value.getDefiningOp();
  if (!op)
    return 0; // the counter of a loop inside
  if (!isPure(op) || depth == kMaxDepth)
    return std::nullopt;
  SmallVector<int64_t, 2> growths;
  for (Value operand : op->getOperands()) {
    std::optional<int64_t> growth = growthOf(operand, loop, depth + 1);
    if (!growth)
      return std::nullopt;
    growths.push_back(*growth);
  }
  if (llvm::all_of(growths, [](int64_t growth) { return growth == 0; }))
    return 0;
  auto sum = [](int64_t a, int64_t b) { return static_cast<int64_t>(uint64_t(a) + uint64_t(b)); };
  auto product = [](std::optional<int64_t> factor, int64_t growth) -> std::optional<int64_t> {
    if (!factor)
      return std::nullopt;
    return static_cast<int64_t>(uint64_t(*factor) * uint64_t(growth));
  };
  return llvm::TypeSwitch<Operation *, std::optional<int64_t>>(op)
      .Case([&](arith::AddIOp) { return sum(growths[0], growths[1]); })
      .Case([&](arith::MulIOp op) {
        return growths[1] == 0 ? product(constantNumber(op.getRhs()), growths[0])
                               : product(constantNumber(op.getLhs()), growths[1]);
      })
      .Case([&](arith::IndexCastOp op) {
        // A cast to more bits changes a number that has overflowed.
        return op.getType().isIndex() ? std::nullopt : std::optional(growths[0]);
      })
      .Default(std::nullopt);
}

std::optional<int64_t> ttjit::tollvm::tripsOf(scf::ForOp loop) {
  std::optional<int64_t> begin = constantNumber(loop.getLowerBound()),
                         end = constantNumber(loop.getUpperBound()),
                         step = constantNumber(loop.getStep());
  if (!begin || !end || !step || *begin < 0 || *end > kMaxTrips || *step < 1 || *begin >= *end)
    return std::nullopt;
  return (*end - *begin + *step - 1) / *step;
}

bool ttjit::tollvm::onlyRuns(Operation *inner, scf::ForOp loop) {
  return llvm::all_of(loop.getBody()->without_terminator(), [&](Operation &op) {
    auto call = dyn_cast<LLVM::CallOp>(op);
    bool isStep = call && call.getCallee() == StringRef(kStep);
    return &op == inner || isStep || (op.getNumRegions() == 0 && isPure(&op));
  });
}

Value ttjit::tollvm::copyOut(Value value, scf::ForOp outermost, OpBuilder &builder,
                             IRMapping &copies) {
  if (outermost.isDefinedOutsideOfLoop(value) || copies.contains(value))
    return copies.lookupOrDefault(value);
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    copies.map(operand, copyOut(operand, outermost, builder, copies));
  builder.clone(*op, copies);
  return copies.lookup(value);
}

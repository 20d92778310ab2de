//===- DSTRewrite.cpp - writes a DST schedule into the body -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/dst/DSTSchedule.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;

// Emits the op of a step. Operands in L1 do not change; operands in DST become the values that the
// step reads. If the op needs a register that nothing wrote and has another one, that register is
// filled with the value of an unwritten one.
Value DSTSchedule::emitOp(OpBuilder &builder, const Step &step, ArrayRef<Value> values) {
  Operation *clone = builder.clone(*step.op);
  auto fromL1 = dyn_cast<ttl::TileFromL1OpInterface>(clone);
  SmallVector<Value> sources = dstOperands(step.op);
  for (OpOperand &operand :
       clone->getOpOperands().drop_front(fromL1 ? fromL1.getNumL1Operands() : 0)) {
    if (!isa<ttcore::TileType>(operand.get().getType()))
      continue;
    bool isPaired = step.paired >= 0 && operand.getOperandNumber() == 1;
    int position = isPaired ? step.paired : llvm::find(sources, operand.get()) - sources.begin();
    operand.set(values[step.operands[position]]);
  }
  const Class &own = classFor(step.result);
  if (step.fresh && &classes[firstWriter.lookup(own.reg)] != &own) {
    OpBuilder before(clone);
    fromL1.setAccumulator(refillRegister(before, clone->getLoc(), clone->getResult(0).getType(),
                                         before.getF32FloatAttr(fromL1.getStart()), own.reg));
  }
  return clone->getResult(0);
}

Value DSTSchedule::emit(OpBuilder &builder, const Step &step, ArrayRef<Value> values) {
  if (step.argument)
    return ttl::CopyTileOp::create(builder, step.argument.getLoc(), step.argument.getType(),
                                   step.argument, IntegerAttr());
  if (step.op)
    return emitOp(builder, step, values);
  Value input = values[step.operands[0]];
  return ttl::CopyDestValuesOp::create(builder, input.getLoc(), input.getType(), input,
                                       IntegerAttr());
}

// Erases a marker, which has no use after scheduling. The register number that
// ttl.acquire_dst returned becomes a constant.
void DSTSchedule::applyMarker(OpBuilder &builder, const Step &step) {
  auto acquire = dyn_cast<ttl::AcquireDSTOp>(step.op);
  auto isNumber = [](OpOperand &use) { return !isa<ttl::ReleaseDSTOp>(use.getOwner()); };
  if (!acquire || llvm::none_of(acquire.getResult().getUses(), isNumber))
    return;
  auto number =
      arith::ConstantIndexOp::create(builder, acquire.getLoc(), classFor(step.result).reg);
  acquire.getResult().replaceUsesWithIf(number, isNumber);
}

void DSTSchedule::apply() {
  Block &body = compute.getBody().front();
  SmallVector<Operation *> old =
      llvm::map_to_vector(body.without_terminator(), [](Operation &op) { return &op; });
  OpBuilder builder(body.getTerminator());
  SmallVector<Value> values(numValues);
  for (const Step &step : steps) {
    if (step.op && (step.result < 0 || isa<ttl::AcquireDSTOp>(step.op))) {
      applyMarker(builder, step);
      continue;
    }
    Value value = values[step.result] = emit(builder, step, values);
    value.getDefiningOp<ttl::DSTResultOpInterface>().setRegister(classFor(step.result).reg);
  }
  for (auto [i, value] : llvm::enumerate(yields))
    body.getTerminator()->setOperand(i, values[value]);
  for (Operation *op : llvm::reverse(old))
    op->erase();
  compute->setAttr(kUnrollFactorAttr, builder.getI32IntegerAttr(unrollFactor()));
  if (plan.outputsApart) {
    auto outputs = llvm::to_vector(llvm::seq(firstOutput, firstOutput + numOutputs));
    compute->setAttr(kOutputRegistersAttr, builder.getDenseI32ArrayAttr(outputs));
  }
}

//===--------------------------------------------------------------------------===//
// Text of a schedule
//===--------------------------------------------------------------------------===//

// Returns the names of the values: "arg0" for a load, "mul@3" for the third step's result,
// "copy@2".
std::vector<std::string> DSTSchedule::names() const {
  std::vector<std::string> names(numValues);
  int index = 0;
  for (const Step &step : steps) {
    if (plan.loads != Loads::AtStart || !step.argument)
      ++index;
    if (step.result < 0)
      continue;
    StringRef name = step.op ? step.op->getName().stripDialect() : "copy";
    name.consume_front("tile_");
    names[step.result] = step.argument ? "arg" + std::to_string(step.argument.getArgNumber())
                                       : (name + "@" + Twine(index)).str();
  }
  return names;
}

std::string DSTSchedule::describe() const {
  llvm::MapVector<int, SmallVector<int>> members;
  for (const Step &step : steps)
    if (step.result >= 0)
      members[classOf[step.result]].push_back(step.result);
  std::vector<std::string> name = names();
  std::string text;
  llvm::raw_string_ostream os(text);
  for (auto &[number, values] : members) {
    const Class &c = classes[number];
    os << "\n  ";
    llvm::interleaveComma(values, os, [&](int value) { os << name[value]; });
    os << " [" << c.start << ", " << c.end << "] -> " << c.reg << (c.yielded ? " output" : "");
  }
  return text;
}

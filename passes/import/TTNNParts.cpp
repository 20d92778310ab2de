//===- TTNNParts.cpp - operands, results and attributes of ttnn ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/import/TTNNParts.h"

#include "ir/modules/TTIR/Shapes.h"

using namespace mlir;
using namespace mlir::tt::ttir;
using namespace ttjit;

Values ttjit::tensorOperands(Operation *op) {
  return Values(llvm::make_filter_range(
      op->getOperands(), [](Value operand) { return isa<RankedTensorType>(operand.getType()); }));
}

RankedTensorType ttjit::logicalResult(Operation *op, unsigned index) {
  return logicalType(cast<RankedTensorType>(op->getResult(index).getType()));
}

const OpFacts *ttjit::factsOf(StringRef name) {
  const OpFacts *found =
      llvm::find_if(allOps(), [&](const OpFacts &row) { return row.name == name; });
  return found == allOps().end() ? nullptr : found;
}

SmallVector<NamedAttribute> ttjit::allAttributes(Operation *op) {
  SmallVector<NamedAttribute> all(op->getDiscardableAttrDictionary().getValue());
  if (auto properties = dyn_cast_if_present<DictionaryAttr>(op->getPropertiesAsAttribute()))
    llvm::append_range(all, properties.getValue());
  return all;
}

Attribute ttjit::attributeOf(Operation *op, StringRef name) {
  for (NamedAttribute each : allAttributes(op))
    if (each.getName() == name)
      return each.getValue();
  return {};
}

Value ttjit::activated(TTIRBuilder &ops, Operation *op, Value value, StringRef name) {
  if (name.empty() || !value)
    return value;
  const OpFacts *facts = factsOf(name);
  bool isPlain = facts && facts->kind == OpKind::Unary &&
                 llvm::none_of(facts->attributes, [](auto &each) { return each.required; });
  if (isPlain)
    return ops.make(name, value);
  op->emitOpError() << "has an activation without a counterpart in ttir: '" << name << "'";
  return {};
}

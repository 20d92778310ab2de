//===- TosaConstants.cpp - operands of tosa that must be constants ------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/import/TosaConstants.h"

using namespace mlir;
using namespace mlir::tt::ttir;
using namespace ttjit;

SmallVector<int64_t> ttjit::shapeOperand(Operation *op, unsigned index) {
  Operation *source = op->getOperand(index).getDefiningOp();
  auto values = cast<DenseIntElementsAttr>(source->getAttr("values"));
  return llvm::map_to_vector(values.getValues<llvm::APInt>(),
                             [](const llvm::APInt &value) { return value.getSExtValue(); });
}

std::optional<double> ttjit::numberOperand(Operation *op, unsigned index) {
  auto source = op->getOperand(index).getDefiningOp<TTIROp>();
  DenseElementsAttr elements = elementsOf(source ? source.attribute("value") : Attribute());
  if (elements && elements.isSplat())
    return numberOf(elements.getSplatValue<Attribute>());
  op->emitOpError() << "needs a constant of one element as operand " << index;
  return std::nullopt;
}

Value ttjit::convertConst(TTIRBuilder &ops, Operation *op) {
  Attribute values = op->getAttr("values");
  if (DenseElementsAttr elements = elementsOf(values))
    return ops.constant(elements);
  op->emitOpError("needs its elements in the text of the module, such as dense<1.0>, found ")
      << values;
  return {};
}

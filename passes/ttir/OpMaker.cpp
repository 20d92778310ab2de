//===- OpMaker.cpp - makes ops of ttir that replace others --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttir/OpMaker.h"

using namespace mlir;
using namespace mlir::tt::ttir;
using namespace ttjit;

Value OpMaker::make(StringRef name, ArrayRef<int64_t> shape, Type element, ValueRange operands,
                    Attributes attributes) {
  return TTIROp::create(builder, loc, name, RankedTensorType::get(shape, element), operands,
                        attributes)
      ->getResult(0);
}

Value OpMaker::elementwise(StringRef name, ValueRange operands) {
  Shape shape;
  for (Value operand : operands)
    shape = *broadcastShape(shape, typeOf(operand).getShape());
  return make(name, shape, typeOf(operands[0]).getElementType(), operands);
}

Value OpMaker::cast(Value value, Type element) {
  RankedTensorType type = typeOf(value);
  return type.getElementType() == element ? value
                                          : make("typecast", type.getShape(), element, value);
}

Value OpMaker::reduce(StringRef name, Value value, ArrayRef<int64_t> dims) {
  Shape shape(typeOf(value).getShape());
  for (int64_t dim : dims)
    shape[dim] = 1;
  return make(name, shape, typeOf(value).getElementType(), value,
              {integers("dim_arg", dims), flag("keep_dim", true)});
}

Value OpMaker::reshape(Value value, ArrayRef<int64_t> shape) {
  if (typeOf(value).getShape() == shape)
    return value;
  return make("reshape", shape, typeOf(value).getElementType(), value, {integers("shape", shape)});
}

Value OpMaker::permute(Value value, ArrayRef<int64_t> permutation) {
  if (llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
    return value;
  Shape shape;
  for (int64_t dim : permutation)
    shape.push_back(typeOf(value).getShape()[dim]);
  return make("permute", shape, typeOf(value).getElementType(), value,
              {wide("permutation", permutation)});
}

Value OpMaker::full(ArrayRef<int64_t> shape, Type element, double value) {
  SmallVector<int32_t> extents(shape.begin(), shape.end());
  return make("full", shape, element, {},
              {builder.getNamedAttr("shape", builder.getDenseI32ArrayAttr(extents)),
               builder.getNamedAttr("fill_value", builder.getF32FloatAttr(value))});
}

NamedAttribute OpMaker::integers(StringRef name, ArrayRef<int64_t> values) {
  SmallVector<int32_t> narrow(values.begin(), values.end());
  return builder.getNamedAttr(name, builder.getI32ArrayAttr(narrow));
}

NamedAttribute OpMaker::wide(StringRef name, ArrayRef<int64_t> values) {
  return builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(values));
}

NamedAttribute OpMaker::integer(StringRef name, int64_t value) {
  return builder.getNamedAttr(name, builder.getI32IntegerAttr(value));
}

NamedAttribute OpMaker::flag(StringRef name, bool value) {
  return builder.getNamedAttr(name, builder.getBoolAttr(value));
}

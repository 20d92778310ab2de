//===- TTIRBuilder.cpp - makes ops of ttir whose shapes follow ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "passes/ttir/TTIRBuilder.h"

#include "ir/modules/TTIR/Shapes.h"

using namespace mlir;
using namespace mlir::tt::ttir;
using namespace ttjit;

Value TTIRBuilder::make(StringRef name, Type element, ValueRange operands,
                        ArrayRef<NamedAttribute> attributes) {
  if (llvm::is_contained(operands, Value()))
    return {};
  auto op =
      TTIROp::create(builder, loc, name, RankedTensorType::get({}, element), operands, attributes);
  FailureOr<Shape> shape = resultShape(op);
  if (failed(shape)) {
    op->erase();
    return {};
  }
  op->getResult(0).setType(RankedTensorType::get(*shape, element));
  return op->getResult(0);
}

Value TTIRBuilder::make(StringRef name, ValueRange operands, ArrayRef<NamedAttribute> attributes) {
  if (!operands.front())
    return {};
  return make(name, tensorOf(operands.front()).getElementType(), operands, attributes);
}

Value TTIRBuilder::cast(Value value, Type element) {
  if (!value || tensorOf(value).getElementType() == element)
    return value;
  return make("typecast", element, value);
}

Value TTIRBuilder::reshape(Value value, ArrayRef<int64_t> shape) {
  if (!value || tensorOf(value).getShape() == shape)
    return value;
  return make("reshape", value, integers("shape", shape));
}

Value TTIRBuilder::permute(Value value, ArrayRef<int64_t> permutation) {
  if (!value || llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
    return value;
  return make("permute", value, wideIntegers("permutation", permutation));
}

Value TTIRBuilder::slice(Value value, ArrayRef<int64_t> begins, ArrayRef<int64_t> ends,
                         ArrayRef<int64_t> steps) {
  auto isAll = [](ArrayRef<int64_t> numbers, int64_t which) {
    return llvm::all_of(numbers, [&](int64_t each) { return each == which; });
  };
  if (value && isAll(begins, 0) && ends == tensorOf(value).getShape() && isAll(steps, 1))
    return value;
  return make("slice_static", value,
              {integers("begins", begins), integers("ends", ends), integers("step", steps)});
}

Value TTIRBuilder::pad(Value value, ArrayRef<int64_t> padding, double with) {
  if (llvm::all_of(padding, [](int64_t count) { return count == 0; }))
    return value;
  return make("pad", value, {integers("padding", padding), floating("value", with)});
}

Value TTIRBuilder::concat(ValueRange values, int64_t dim) {
  return values.size() == 1 ? values.front() : make("concat", values, integer("dim", dim));
}

Value TTIRBuilder::number(Type element, double value) {
  return make("full", element, {}, {wideIntegers("shape", {}), floating("fill_value", value)});
}

Value TTIRBuilder::constant(DenseElementsAttr elements) {
  return make("constant", elements.getElementType(), {}, builder.getNamedAttr("value", elements));
}

NamedAttribute TTIRBuilder::integers(StringRef name, ArrayRef<int64_t> values) {
  SmallVector<int32_t> narrow(values.begin(), values.end());
  return builder.getNamedAttr(name, builder.getI32ArrayAttr(narrow));
}

NamedAttribute TTIRBuilder::wideIntegers(StringRef name, ArrayRef<int64_t> values) {
  return builder.getNamedAttr(name, builder.getDenseI64ArrayAttr(values));
}

NamedAttribute TTIRBuilder::integer(StringRef name, int64_t value) {
  return builder.getNamedAttr(name, builder.getSI32IntegerAttr(value));
}

NamedAttribute TTIRBuilder::reduction(StringRef name, StringRef value) {
  std::string text = ("reduce_type<" + value + ">").str();
  return builder.getNamedAttr(
      name, OpaqueAttr::get(builder.getStringAttr("ttcore"), text, builder.getNoneType()));
}

NamedAttribute TTIRBuilder::flag(StringRef name, bool value) {
  return builder.getNamedAttr(name, builder.getBoolAttr(value));
}

NamedAttribute TTIRBuilder::floating(StringRef name, double value) {
  return builder.getNamedAttr(name, builder.getF64FloatAttr(value));
}

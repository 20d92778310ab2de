//===- TTLFolds.cpp - folders of ttl, names in dumps --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// User arithmetic folds only if Python's result fits into 32 bits. An overflow or a
// division by zero stays in the program and faults there.
//===--------------------------------------------------------------------------===//

#include "ir/TTL/TTLDialectInterfaces.h"

#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttl;

Operation *TTLDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                           Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===--------------------------------------------------------------------------===//
// Node queries
//===--------------------------------------------------------------------------===//

ttcore::GridAttr ttl::getGridAround(Operation *op) {
  if (auto kernel = op->getParentOfType<KernelOp>())
    return kernel.getGrid();
  if (auto program = op->getParentOfType<ProgramOp>())
    return program.getGrid();
  return {};
}

static LogicalResult foldIndices(MLIRContext *context, ArrayRef<int64_t> values,
                                 SmallVectorImpl<OpFoldResult> &results) {
  for (int64_t value : values)
    results.push_back(IntegerAttr::get(IndexType::get(context), value));
  return success();
}

LogicalResult GridSizeOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &results) {
  ttcore::GridAttr grid = getGridAround(*this);
  if (!grid)
    return failure();
  return foldIndices(getContext(), flattenGridDims(grid.getShape(), getDims(), 1), results);
}

LogicalResult CoreOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &results) {
  ttcore::GridAttr grid = getGridAround(*this);
  if (!grid || grid.getNumCores() != 1)
    return failure();
  return foldIndices(getContext(), SmallVector<int64_t>(getDims(), 0), results);
}

// Replaces a coordinate by 0 in a dimension with one node, and in one that the grid does not
// have.
LogicalResult CoreOp::canonicalize(CoreOp op, PatternRewriter &rewriter) {
  ttcore::GridAttr grid = getGridAround(op);
  if (!grid)
    return failure();
  SmallVector<int64_t> extents = flattenGridDims(grid.getShape(), op.getDims(), 1);
  bool changed = false;
  for (auto [extent, coord] : llvm::zip(extents, op.getCoords())) {
    if (extent != 1 || coord.use_empty())
      continue;
    Value zero = arith::ConstantIndexOp::create(rewriter, op.getLoc(), 0);
    rewriter.replaceAllUsesWith(coord, zero);
    changed = true;
  }
  return success(changed);
}

OpFoldResult CoreLinearOp::fold(FoldAdaptor) {
  ttcore::GridAttr grid = getGridAround(*this);
  if (!grid || grid.getNumCores() != 1)
    return {};
  return IntegerAttr::get(IndexType::get(getContext()), 0);
}

//===--------------------------------------------------------------------------===//
// User arithmetic
//===--------------------------------------------------------------------------===//

static std::optional<int64_t> valueOf(Attribute attr) {
  if (auto integer = dyn_cast_or_null<IntegerAttr>(attr))
    return integer.getValue().getSExtValue();
  return std::nullopt;
}

static OpFoldResult fitted(Type type, std::optional<int64_t> value) {
  if (!value || *value < INT32_MIN || *value > INT32_MAX)
    return {};
  return IntegerAttr::get(type, *value);
}

template <typename Adaptor, typename Function>
static OpFoldResult foldBinary(Adaptor adaptor, Type type, Function function) {
  std::optional<int64_t> lhs = valueOf(adaptor.getLhs()), rhs = valueOf(adaptor.getRhs());
  if (!lhs || !rhs)
    return {};
  return fitted(type, function(*lhs, *rhs));
}

using MaybeInt = std::optional<int64_t>;

OpFoldResult IntAddOp::fold(FoldAdaptor adaptor) {
  return foldBinary(adaptor, getType(), [](int64_t a, int64_t b) -> MaybeInt { return a + b; });
}
OpFoldResult IntSubOp::fold(FoldAdaptor adaptor) {
  return foldBinary(adaptor, getType(), [](int64_t a, int64_t b) -> MaybeInt { return a - b; });
}
OpFoldResult IntMulOp::fold(FoldAdaptor adaptor) {
  return foldBinary(adaptor, getType(), [](int64_t a, int64_t b) -> MaybeInt { return a * b; });
}
OpFoldResult IntFloorDivOp::fold(FoldAdaptor adaptor) {
  return foldBinary(adaptor, getType(), [](int64_t a, int64_t b) -> MaybeInt {
    if (b == 0)
      return std::nullopt;
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
  });
}
OpFoldResult IntModOp::fold(FoldAdaptor adaptor) {
  return foldBinary(adaptor, getType(), [](int64_t a, int64_t b) -> MaybeInt {
    if (b == 0)
      return std::nullopt;
    int64_t remainder = a % b;
    return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
  });
}

OpFoldResult IntPowOp::fold(FoldAdaptor adaptor) {
  return foldBinary(adaptor, getType(), [](int64_t base, int64_t exponent) -> MaybeInt {
    if (exponent < 0)
      return std::nullopt;
    if (base == 0 || base == 1)
      return exponent == 0 ? 1 : base;
    if (base == -1)
      return exponent % 2 ? -1 : 1;
    int64_t result = 1;
    for (; exponent > 0; --exponent) {
      result *= base;
      if (result < INT32_MIN || result > INT32_MAX)
        return std::nullopt;
    }
    return result;
  });
}

OpFoldResult IntNegOp::fold(FoldAdaptor adaptor) {
  MaybeInt input = valueOf(adaptor.getInput());
  return fitted(getType(), input ? MaybeInt(-*input) : std::nullopt);
}
OpFoldResult IntAbsOp::fold(FoldAdaptor adaptor) {
  MaybeInt input = valueOf(adaptor.getInput());
  return fitted(getType(), input ? MaybeInt(std::abs(*input)) : std::nullopt);
}

//===--------------------------------------------------------------------------===//
// Aliases
//===--------------------------------------------------------------------------===//

OpAsmDialectInterface::AliasResult TTLAsmInterface::getAlias(Attribute attr,
                                                             raw_ostream &os) const {
  auto encoding = dyn_cast<TensorEncodingAttr>(attr);
  if (!encoding)
    return AliasResult::NoAlias;
  LayoutAttrInterface layout = encoding.getLayout();
  os << ttcore::stringifyMemorySpace(encoding.getMemorySpace());
  if (layout.getMemoryLayout() != ttcore::TensorMemoryLayout::Interleaved)
    os << "_" << ttcore::stringifyTensorMemoryLayout(layout.getMemoryLayout());
  os << (layout.isTiled() ? "_tiled" : "_rows");
  return AliasResult::FinalAlias;
}

OpAsmDialectInterface::AliasResult TTLAsmInterface::getAlias(Type type, raw_ostream &os) const {
  StringRef name = llvm::TypeSwitch<Type, StringRef>(type)
                       .Case([](CircularBufferType) { return "cb"; })
                       .Case([](BlockType) { return "block"; })
                       .Case([](TensorAccessorType) { return "accessor"; })
                       .Case([](TensorSliceType) { return "slice"; })
                       .Default([](Type) { return ""; });
  if (name.empty())
    return AliasResult::NoAlias;
  os << name;
  return AliasResult::FinalAlias;
}

//===- IntegerKernels.cpp - operations on integers that tiles do not have -----===//
// SPDX-License-Identifier: Apache-2.0
//
// A step makes one tile of the result; the reader computes its elements one after the other: sums
// of products, bits, shifts, and comparisons and quotients of unsigned numbers.
//===--------------------------------------------------------------------------===//

#include "passes/ttir/ElementCode.h"
#include "passes/ttir/Kernels.h"

using namespace mlir;
using namespace mlir::tt;
using namespace mlir::tt::ttir;
using namespace ttjit;

static bool isIntegerTensor(RankedTensorType type) {
  return type.getElementType().isInteger(32) && hasElementAccess(type);
}

//===--------------------------------------------------------------------------===//
// Matrix products
//===--------------------------------------------------------------------------===//

// Returns whether the op has so few products that single elements may be computed.
static bool isSmallProduct(TTIROp op) {
  int64_t depth = op.inputType(0).getShape().end()[op.getBool("transpose_a") ? -2 : -1];
  return isFewSteps(depth * op.resultType().getNumElements());
}

bool ttjit::isIntegerMatmulKernel(TTIROp op) {
  return op.name() == "matmul" && op.inputType(0).getRank() >= 2 &&
         op.inputType(1).getRank() >= 2 && isIntegerTensor(op.inputType(0)) &&
         isIntegerTensor(op.inputType(1)) && isIntegerTensor(op.resultType()) && isSmallProduct(op);
}

namespace {

class IntegerMatmulKernel {
public:
  IntegerMatmulKernel(const KernelPlace &place, StringRef name, TTIROp op)
      : op(op), transposes{op.getBool("transpose_a"), op.getBool("transpose_b")},
        depth(op.inputType(0).getShape().end()[transposes[0] ? -2 : -1]),
        kernel(place.module, op.getLoc(), name, tensorsOf(op), tilesOf(op.resultType()),
               place.cores),
        code(kernel), inputs{code.addScratch("a", op.inputType(0), {1, 1}),
                             code.addScratch("b", op.inputType(1), {1, 1})},
        output(kernel.addBuffer("out", deviceType(op.resultType()), {1, 1})) {}

  ttl::KernelOp make();

private:
  void read(ValueRange step);
  void copyOperand(unsigned side, ValueRange step, Value tile);
  Value factor(unsigned side, Value outer, Value inner);
  void addProducts(ValueRange step, Value tile, Value reserved);

  TTIROp op;
  bool transposes[2];
  int64_t depth; // number of products in a sum
  KernelBuilder kernel;
  ElementCode code;
  ScratchBlock inputs[2];
  Value output;
};

} // namespace

// Copies the tile of an operand that has tile `tile` of the sums.
void IntegerMatmulKernel::copyOperand(unsigned side, ValueRange step, Value tile) {
  RankedTensorType type = op.inputType(side);
  size_t rank = type.getRank(), skipped = step.size() - rank;
  SmallVector<Value> at;
  for (size_t i = 0; i + 2 < rank; ++i)
    at.push_back(type.getDimSize(i) == 1 ? kernel.constant(0) : step[skipped + i]);
  Value row = side == 0 ? step.end()[-2] : tile, column = side == 0 ? tile : step.back();
  if (transposes[side])
    std::swap(row, column);
  at.append({row, column});
  code.copyTile(side, at, inputs[side]);
}

// Returns an element of an operand's tile; `inner` counts along the sums.
Value IntegerMatmulKernel::factor(unsigned side, Value outer, Value inner) {
  bool isRowOuter = (side == 0) != transposes[side];
  return isRowOuter ? code.read(inputs[side].block, outer, inner)
                    : code.read(inputs[side].block, inner, outer);
}

void IntegerMatmulKernel::addProducts(ValueRange step, Value tile, Value reserved) {
  Value count = code.dataIn(tile, depth);
  code.forEachElement(step, op.resultType().getShape(), [&](Value row, Value column) {
    Value first = code.read(reserved, row, column);
    Value sum = kernel.loopWithValues(count, first, [&](Value inner, ValueRange carried) {
      Value product = code.combine("prod", factor(0, row, inner), factor(1, column, inner), false);
      return KernelBuilder::Values{code.combine("sum", carried[0], product, false)};
    })[0];
    code.write(sum, reserved, row, column);
  });
}

void IntegerMatmulKernel::read(ValueRange step) {
  for (ScratchBlock &scratch : inputs)
    code.open(scratch);
  Value reserved = code.reserveTile(output, step, op.resultType().getShape()),
        zero = code.number(reserved, 0);
  code.forEachElement(step, op.resultType().getShape(),
                      [&](Value row, Value column) { code.write(zero, reserved, row, column); });
  kernel.loop(llvm::divideCeil(depth, kTile), {}, [&](Value tile, Value) -> Value {
    for (unsigned side : {0, 1})
      copyOperand(side, step, tile);
    addProducts(step, tile, reserved);
    return {};
  });
  kernel.push(reserved);
  for (ScratchBlock &scratch : inputs)
    code.close(scratch);
}

ttl::KernelOp IntegerMatmulKernel::make() {
  kernel.addDataMovement("reader", [&](ValueRange step) { read(step); });
  kernel.addDataMovement("writer", [&](ValueRange step) { kernel.store(output, 2, step); });
  return kernel.kernel();
}

ttl::KernelOp ttjit::makeIntegerMatmulKernel(const KernelPlace &place, StringRef name, TTIROp op) {
  return IntegerMatmulKernel(place, name, op).make();
}

//===--------------------------------------------------------------------------===//
// Element-wise: the rows
//===--------------------------------------------------------------------------===//

namespace {

// The code that computes one element, and the block that gets it.
struct ElementContext {
  KernelBuilder &kernel;
  ElementCode &code;
  Value reserved;
};

using ElementRule = Value (*)(ElementContext &, ArrayRef<Value>);

struct IntegerRow {
  StringRef name;
  ElementRule rule;
  bool isForUnsigned = false; // a kernel of tiles has it for signed integers
};

} // namespace

template <typename OpTy> Value simple(ElementContext &context, ArrayRef<Value> v) {
  return OpTy::create(context.kernel.builder, context.kernel.loc, v[0], v[1]);
}

static Value complement(ElementContext &context, ArrayRef<Value> v) {
  Value ones = context.code.number(context.reserved, -1);
  return arith::XOrIOp::create(context.kernel.builder, context.kernel.loc, v[0], ones);
}

// Shifts v[0] by v[1]. Any distance that is not from 0 to 31 shifts out all bits; with KeepsSign
// the sign fills them.
template <typename OpTy, bool KeepsSign = false>
Value shifted(ElementContext &context, ArrayRef<Value> v) {
  ElementCode &code = context.code;
  Value most = code.number(context.reserved, 31);
  Value isOutside = code.isLess(most, v[1], /*isUnsigned=*/true);
  Value by = code.choose(isOutside, most, v[1]);
  Value result = OpTy::create(context.kernel.builder, context.kernel.loc, v[0], by);
  return KeepsSign ? result : code.choose(isOutside, code.number(context.reserved, 0), result);
}

// Divides, or returns the remainder; both are 0 for a divisor of 0.
template <typename OpTy> Value divided(ElementContext &context, ArrayRef<Value> v) {
  ElementCode &code = context.code;
  Value zero = code.number(context.reserved, 0), isZero = code.isEqual(v[1], zero);
  Value divisor = code.choose(isZero, code.number(context.reserved, 1), v[1]);
  Value result = OpTy::create(context.kernel.builder, context.kernel.loc, v[0], divisor);
  return code.choose(isZero, zero, result);
}

template <arith::CmpIPredicate Predicate>
Value compared(ElementContext &context, ArrayRef<Value> v) {
  Value holds =
      arith::CmpIOp::create(context.kernel.builder, context.kernel.loc, Predicate, v[0], v[1]);
  return context.code.truth(context.reserved, holds);
}

static Value noSignBit(ElementContext &context, ArrayRef<Value>) {
  return context.code.number(context.reserved, 0);
}

static constexpr IntegerRow kIntegerRows[] = {
    {"bitwise_and", simple<arith::AndIOp>},
    {"bitwise_not", complement},
    {"bitwise_or", simple<arith::OrIOp>},
    {"bitwise_xor", simple<arith::XOrIOp>},
    {"div", divided<arith::DivUIOp>, true},
    {"ge", compared<arith::CmpIPredicate::uge>, true},
    {"gt", compared<arith::CmpIPredicate::ugt>, true},
    {"le", compared<arith::CmpIPredicate::ule>, true},
    {"logical_left_shift", shifted<arith::ShLIOp>},
    {"logical_right_shift", shifted<arith::ShRUIOp>},
    {"lt", compared<arith::CmpIPredicate::ult>, true},
    {"remainder", divided<arith::RemUIOp>, true},
    {"right_shift", shifted<arith::ShRSIOp, true>},
    {"signbit", noSignBit, true},
};

static const IntegerRow *integerRowOf(TTIROp op) {
  const IntegerRow *row =
      llvm::find_if(kIntegerRows, [&](const IntegerRow &each) { return each.name == op.name(); });
  return row == std::end(kIntegerRows) ? nullptr : row;
}

//===--------------------------------------------------------------------------===//
// Element-wise: the kernel
//===--------------------------------------------------------------------------===//

bool ttjit::isIntegerElementwiseKernel(TTIROp op) {
  const IntegerRow *row = integerRowOf(op);
  if (!row || !hasElementAccess(op.resultType()))
    return false;
  Type element = op.inputType(0).getElementType();
  if (row->isForUnsigned && !element.isUnsignedInteger())
    return false;
  bool isComparison = op.resultType().getElementType() != element;
  return llvm::all_of(op.inputs(),
                      [](Value input) { return isIntegerTensor(tensorTypeOf(input)); }) &&
         (!isComparison || llvm::is_contained({"ge", "gt", "le", "lt", "signbit"}, op.name()));
}

namespace {

class IntegerElementwiseKernel {
public:
  IntegerElementwiseKernel(const KernelPlace &place, StringRef name, TTIROp op);

  ttl::KernelOp make();

private:
  void read(ValueRange step);
  Value operand(unsigned number, Value row, Value column);

  TTIROp op;
  Shape shape; // of the result
  KernelBuilder kernel;
  ElementCode code;
  SmallVector<ScratchBlock> inputs;
  Value output;
};

} // namespace

IntegerElementwiseKernel::IntegerElementwiseKernel(const KernelPlace &place, StringRef name,
                                                   TTIROp op)
    : op(op), shape(atLeastMatrix(op.resultType().getShape())),
      kernel(place.module, op.getLoc(), name, tensorsOf(op), tilesOf(op.resultType()), place.cores),
      code(kernel) {
  for (auto [i, input] : llvm::enumerate(op.inputs()))
    inputs.push_back(code.addScratch("in" + std::to_string(i), tensorTypeOf(input), {1, 1}));
  output = kernel.addBuffer("out", deviceType(op.resultType()), {1, 1});
}

// Returns the element of an operand; along a dimension of 1 it is always the first one.
Value IntegerElementwiseKernel::operand(unsigned number, Value row, Value column) {
  Shape extents = atLeastMatrix(op.inputType(number).getShape());
  Value zero = kernel.constant(0);
  return code.read(inputs[number].block, extents.end()[-2] == 1 ? zero : row,
                   extents.back() == 1 ? zero : column);
}

void IntegerElementwiseKernel::read(ValueRange step) {
  for (auto [i, scratch] : llvm::enumerate(inputs)) {
    code.open(scratch);
    Shape extents = atLeastMatrix(op.inputType(i).getShape());
    SmallVector<Value> tile(step.take_back(extents.size()));
    for (auto [index, extent] : llvm::zip(tile, extents))
      index = extent == 1 ? kernel.constant(0) : index;
    code.copyTile(i, tile, scratch);
  }
  ElementContext context{kernel, code, code.reserveTile(output, step, shape)};
  code.forEachElement(step, shape, [&](Value row, Value column) {
    SmallVector<Value> values;
    for (unsigned i = 0; i < inputs.size(); ++i)
      values.push_back(operand(i, row, column));
    code.write(integerRowOf(op)->rule(context, values), context.reserved, row, column);
  });
  kernel.push(context.reserved);
  for (ScratchBlock &scratch : inputs)
    code.close(scratch);
}

ttl::KernelOp IntegerElementwiseKernel::make() {
  kernel.addDataMovement("reader", [&](ValueRange step) { read(step); });
  kernel.addDataMovement("writer",
                         [&](ValueRange step) { kernel.store(output, inputs.size(), step); });
  return kernel.kernel();
}

ttl::KernelOp ttjit::makeIntegerElementwiseKernel(const KernelPlace &place, StringRef name,
                                                  TTIROp op) {
  return IntegerElementwiseKernel(place, name, op).make();
}

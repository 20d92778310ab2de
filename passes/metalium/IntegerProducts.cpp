//===- IntegerProducts.cpp - matrix products of integer tiles -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// 1. The rule of matmul_tiles emits a call of kProductMarker, which is no function: it names the
//    tiles and four scratch registers.
// 2. expandIntegerProducts fills a result with zeros before its first product, unless the section
//    has written the register before.
// 3. Each product becomes a loop over k. Row k of a tile is repeated in all rows by cumsum_tile: a
//    first call adds up the columns of the tile, in which only row k is not 0, and a second one
//    adds a tile of zeros to these sums. Floats hold 16 bits exactly, so the halves of the elements
//    are repeated one after the other. The columns of the left tile are the rows of its transpose.
//===--------------------------------------------------------------------------===//

#include "passes/metalium/IntegerProducts.h"

#include "passes/metalium/InlineExpressions.h"
#include "passes/metalium/IntegerWriter.h"
#include "passes/metalium/ScratchRegisters.h"
#include "passes/metalium/ThreadConverter.h"

#include "mlir/IR/Matchers.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::tt;
using namespace ttjit;
using namespace ttjit::tometalium;

static constexpr StringLiteral kProductMarker = "ttl_multiply_integers";

//===--------------------------------------------------------------------------===//
// Rules
//===--------------------------------------------------------------------------===//

// Emits the init of products of integers. The formats are those that mm_init sets.
static LogicalResult fullInit(ttkernel::CallOf<ttkernel::MMInitOp> op, ThreadConverter &converter) {
  SmallVector<Value> operands = converter.lookup(op->getOperands());
  if (integerTypeOf(op.getIn0())) {
    std::swap(operands[0], operands[1]);
    converter.call(op, "compute_kernel_hw_startup", operands, Type(), "");
  } else {
    converter.call(op, "mm_init", operands, Type(), "");
  }
  return success();
}

static LogicalResult shortInit(ttkernel::CallOf<ttkernel::MMInitShortOp> op,
                               ThreadConverter &converter) {
  if (!integerTypeOf(op.getIn0()))
    converter.call(op, "mm_init_short", converter.lookup(op->getOperands()), Type(), "");
  return success();
}

static LogicalResult checkProduct(ttkernel::CallOf<ttkernel::MatmulTilesOp> op,
                                  ThreadConverter &converter) {
  if (failed(checkIntegerThread(op, converter)))
    return failure();
  if (converter.version.isOld())
    return op.emitError("'@' of integer blocks needs a transpose of 32 bits within DST, which "
                        "tt-metal's older releases do not have; use --metalium=mid or new");
  if (!matchPattern(op.getDst(), m_Constant()))
    return op.emitError("'@' of integer blocks whose DST register is known at run time runs on the "
                        "host only");
  return success();
}

static LogicalResult product(ttkernel::CallOf<ttkernel::MatmulTilesOp> op,
                             ThreadConverter &converter) {
  SmallVector<Value> operands = converter.lookup(op->getOperands());
  if (!isIntegerProduct(op)) {
    converter.call(op, "matmul_tiles", operands, Type(), "");
    return success();
  }
  if (failed(checkProduct(op, converter)))
    return failure();
  FailureOr<SmallVector<Value, 2>> scratch = scratchRegisters(op, converter);
  if (failed(scratch))
    return failure();
  operands.append(scratch->begin(), scratch->end());
  auto type = [&](Value buffer) -> Attribute {
    return converter.builder.getI32IntegerAttr(static_cast<int32_t>(*integerTypeOf(buffer)));
  };
  converter.call(
      op, kProductMarker, operands, Type(), "",
      {type(op.getIn0()), type(op.getIn1()), converter.builder.getBoolAttr(isWrittenBefore(op))});
  return success();
}

void tometalium::addProductRules(EmitRules &rules) {
  rules.addCall<ttkernel::MMInitOp, fullInit>();
  rules.addCall<ttkernel::MMInitShortOp, shortInit>();
  rules.addCall<ttkernel::MatmulTilesOp, product>();
}

//===--------------------------------------------------------------------------===//
// Expansion
//===--------------------------------------------------------------------------===//

namespace {

// One of the tiles of a product.
struct Factor {
  Value buffer, tile;
  ttcore::DataType type;

  bool hasUpperHalf() const {
    return type == ttcore::DataType::Int32 || type == ttcore::DataType::UInt32;
  }
};

class ProductWriter : IntegerWriter {
public:
  ProductWriter(emitc::CallOpaqueOp call, Operation *before)
      : IntegerWriter(before, call.getLoc()), left(factor(call, 0)), right(factor(call, 1)) {
    for (unsigned i = 4; i < 9; ++i)
      registers[i - 4] = number(*numberOf(call.getOperand(i)));
  }

  void fill() {
    call("fill_tile_init", {});
    call("fill_tile_int", {registers[0], number(0)}, "Int32");
  }
  void write();

private:
  static Factor factor(emitc::CallOpaqueOp call, unsigned i) {
    auto type = cast<IntegerAttr>(call.getTemplateArgsAttr()[i]).getInt();
    return {call.getOperand(i), call.getOperand(2 + i), static_cast<ttcore::DataType>(type)};
  }

  Value beginLoop();
  void repeatRow(const Factor &factor, bool transposed, Value rowBits, Value to);
  void repeatHalf(const Factor &factor, bool transposed, bool isUpper, Value rowBits, Value to);
  void keepHalf(const Factor &factor, bool isUpper, Value reg, Value scratch);
  void useFormat(const Factor &factor, const Factor &before);

  Factor left, right;
  Value registers[5]; // the result's, then scratch
};

} // namespace

// Returns the bits of k + 1 as a float, in a loop over k.
Value ProductWriter::beginLoop() {
  auto loop = emitc::ForOp::create(builder, loc, number(1), number(33), number(1));
  builder.setInsertionPoint(loop.getRegion().front().getTerminator());
  Value row = emitc::CastOp::create(builder, loc, builder.getF32Type(), loop.getInductionVar());
  return emitc::CallOpaqueOp::create(builder, loc, builder.getIntegerType(32, /*isSigned=*/false),
                                     "ttl_bits", row)
      .getResult(0);
}

void ProductWriter::write() {
  Value rowBits = beginLoop();
  Attribute is32Bit = builder.getBoolAttr(true);
  useFormat(left, right);
  repeatRow(left, /*transposed=*/true, rowBits, registers[1]);
  call("transpose_wh_dest_init_short", {}, is32Bit);
  call("transpose_wh_dest", registers[1], is32Bit);
  useFormat(right, left);
  repeatRow(right, /*transposed=*/false, rowBits, registers[2]);
  multiply(registers[1], registers[2], registers[1]);
  initAndCall("add_int_tile", {registers[0], registers[1], registers[0]}, "Int32");
}

// Sets the format of the source registers to that of the factor if that of `before` is another one.
void ProductWriter::useFormat(const Factor &factor, const Factor &before) {
  if (factor.type != before.type)
    call("reconfig_data_format_srca", factor.buffer);
}

// Makes all rows of the register `to` that row of the factor.
void ProductWriter::repeatRow(const Factor &factor, bool transposed, Value rowBits, Value to) {
  repeatHalf(factor, transposed, /*isUpper=*/false, rowBits, to);
  if (!factor.hasUpperHalf())
    return;
  Value upper = registers[4];
  repeatHalf(factor, transposed, /*isUpper=*/true, rowBits, upper);
  initAndCall("left_shift_tile", {upper, number(16)});
  initAndCall("add_int_tile", {to, upper, to}, "Int32");
}

// Keeps one half of each element. bitwise_and_tile and right_shift_tile with a constant would do
// it, but Wormhole loads a negative integer for them as a sign and a magnitude.
void ProductWriter::keepHalf(const Factor &factor, bool isUpper, Value reg, Value scratch) {
  if (!factor.hasUpperHalf())
    return;
  if (!isUpper)
    return typecast(reg, "UInt16", "UInt32");
  call("fill_tile_init", {});
  call("fill_tile_int", {scratch, number(16)}, "Int32");
  call("binary_shift_tile_init", {});
  call("binary_logical_right_shift_tile", {reg, scratch, reg}, "UInt32");
}

void ProductWriter::repeatHalf(const Factor &factor, bool transposed, bool isUpper, Value rowBits,
                               Value to) {
  Value half = registers[3];
  Value no =
      emitc::ConstantOp::create(builder, loc, builder.getI1Type(), builder.getBoolAttr(false));
  call(transposed ? "transpose_wh_init_short" : "copy_tile_init", factor.buffer);
  unpack(transposed ? "transpose_wh_tile" : "copy_tile", factor.buffer, factor.tile, half,
         factor.type);
  keepHalf(factor, isUpper, half, to);
  typecast(half, "Int32", "Float32");
  fillMask(to, rowBits);
  initAndCall("mul_binary_tile", {half, to, half});
  initAndCall("fill_tile", {to, real(0.0f)});
  initAndCall("cumsum_tile", half);
  call("cumsum_tile", {to, no});
  typecast(to, "Float32", "Int32");
}

void tometalium::expandIntegerProducts(emitc::FuncOp function) {
  llvm::MapVector<std::pair<Operation *, int64_t>, SmallVector<emitc::CallOpaqueOp>> products;
  function.walk([&](emitc::CallOpaqueOp call) {
    if (call.getCallee() == kProductMarker)
      products[{sectionOfCall(call), *numberOf(call.getOperand(4))}].push_back(call);
  });
  for (auto &[key, calls] : products) {
    emitc::CallOpaqueOp first = calls.front();
    if (!cast<BoolAttr>(first.getTemplateArgsAttr()[2]).getValue())
      ProductWriter(first, placeInSection(first, key.first)).fill();
    for (emitc::CallOpaqueOp call : calls) {
      ProductWriter(call, call).write();
      call.erase();
    }
  }
}
